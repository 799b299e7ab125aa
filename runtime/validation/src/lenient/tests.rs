mod random;
mod sample;

use wireform_runtime::Value;
use wireform_runtime::fields::Shape;

use super::*;
use crate::context::ValidationContext;
use crate::location::Location;
use crate::source_lines::SourceLines;
use sample::*;

#[test]
fn valid_bodies_are_read() {
    let (event, warnings) = read_event(br#"{"id": "ab", "unknown": [1]}"#, &reading()).expect("it holds");
    assert_eq!(event.id.as_deref(), Some("ab"));
    assert!(warnings.is_empty());
}

#[test]
fn violations_are_in_the_order_of_the_text() {
    assert_eq!(
        messages(
            "{\n \"labels\": {\"b\": \"\", \"a\": \"xxx\"},\n \"guests\": [{\"id\": \"a\"}, {}],\n \"id\": \"abcde\"}"
        ),
        [
            "labels.b: must have 1 to 2 characters, found 0 (length) at line 2 column 18",
            "labels.a: must have 1 to 2 characters, found 3 (length) at line 2 column 27",
            "guests[0].id: must have 2 to 4 characters, found 1 (length) at line 3 column 20",
            "guests[1].id: is required (required) at line 3 column 26",
            "id: must have 2 to 4 characters, found 5 (length) at line 4 column 8",
        ]
    );
}

#[test]
fn wrong_types_and_violated_rules_are_reported_together() {
    assert_eq!(
        messages(
            r#"{"sequence": "secret", "guests": [{"id": 1}, "secret", {"id": "a"}], "time": "secret", "id": "a",
 "labels": {"x y": 1, "ok": "a"}, "count": [1], "extra": {"any": ["thing"]}}"#
        ),
        [
            "sequence: must be a 32-bit integer, found a string (type) at line 1 column 14",
            "guests[0].id: must be a string, found a number (type) at line 1 column 42",
            "guests[1]: must be an object (Event), found a string (type) at line 1 column 46",
            "guests[2].id: must have 2 to 4 characters, found 1 (length) at line 1 column 63",
            "time: invalid date-time: expected a digit at byte 0 (type) at line 1 column 78",
            "id: must have 2 to 4 characters, found 1 (length) at line 1 column 94",
            r#"labels["x y"]: must be a string, found a number (type) at line 2 column 20"#,
            "count: must be a 64-bit integer that is not negative, as a string or a number, found a list (type) at line 2 column 44",
        ]
    );
}

#[test]
fn removed_values_are_not_reported_as_missing() {
    assert_eq!(messages(r#"{"id": 1}"#), ["id: must be a string, found a number (type) at line 1 column 8"]);
    // The rule reads the start, which could not be decoded.
    assert_eq!(
        messages(r#"{"id": "ab", "time": "2026-01-01T00:00:00Z", "start": 1}"#),
        ["start: must be an object (Event), found a number (type) at line 1 column 55"]
    );
    // It does not read the sequence.
    assert_eq!(
        messages(r#"{"id": "ab", "time": "2026-01-01T00:00:00Z", "sequence": true}"#),
        [
            "start: has a time and a start (event.order) at line 1 column 1",
            "sequence: must be a 32-bit integer, found a boolean (type) at line 1 column 58",
        ]
    );
    // Four elements are too many, although one of them could not be decoded.
    assert_eq!(
        messages(r#"{"id": "ab", "guests": [{"id": "ab"}, 1, {"id": "ab"}, {"id": "ab"}, {"id": "ab"}]}"#),
        [
            "guests: must have at most 3 elements, found 5 (items) at line 1 column 24",
            "guests[1]: must be an object (Event), found a number (type) at line 1 column 39",
        ]
    );
}

#[test]
fn duplicate_fields() {
    assert_eq!(
        messages(r#"{"id": "ab", "id": "a", "labels": {"k": "a", "k": "b"}, "guests": [], "guest": [], "\u0069d": 1}"#),
        [
            "id: must not be repeated (duplicate_member) at line 1 column 20",
            "labels.k: must not be repeated (duplicate_member) at line 1 column 51",
            "guest: must not be repeated (duplicate_member) at line 1 column 80",
            "id: must not be repeated (duplicate_member) at line 1 column 95",
        ]
    );
}

#[test]
fn what_is_not_json_is_one_violation() {
    for (text, expected) in [
        ("", "invalid JSON: EOF while parsing a value (json) at line 1 column 0"),
        ("{\"id\": 1,\n \"x\": tru}", "x: invalid JSON: expected ident (json) at line 2 column 10"),
        ("{\"id\": 1} {", "invalid JSON: trailing characters (json) at line 1 column 11"),
        ("{\"x\": [1, 2}", "x[1]: invalid JSON: expected `,` or `]` (json) at line 1 column 12"),
    ] {
        assert_eq!(messages(text), [expected], "{text}");
    }
    let Err(violations) = read_event(b"{\"id\":\n\"\xff\"}", &reading()) else { panic!("it is not UTF-8") };
    assert_eq!(violations.to_string(), "invalid JSON: invalid UTF-8 (json) at line 2 column 2");
    assert_eq!(violations.as_slice()[0].kind, ViolationKind::Syntax);
}

#[test]
fn values_of_the_wrong_type_as_a_whole() {
    assert_eq!(messages("[1]"), ["must be an object (Event), found a list (type) at line 1 column 1"]);
    assert_eq!(messages("null"), ["must be an object (Event), found null (type) at line 1 column 1"]);
}

#[test]
fn depth_is_bounded() {
    let deep = |levels: usize| format!(r#"{{"id": "ab", "extra": {}{}}}"#, "[".repeat(levels), "]".repeat(levels));
    assert_eq!(messages(&deep(126)), [""; 0]);
    assert_eq!(messages(&deep(127)).len(), 1);
    for levels in [1000, 200_000] {
        let found = messages(&deep(levels));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("is nested too deep (depth) at line 1 column 149"), "{found:?}");
    }
    let skipped = format!(r#"{{"id": 1, "unknown": {}{}}}"#, "[".repeat(1000), "]".repeat(1000));
    assert_eq!(messages(&skipped), ["id: must be a string, found a number (type) at line 1 column 8"]);
    let guests = format!("{}1{}", r#"{"start":"#.repeat(300), "}".repeat(300));
    assert!(!messages(&guests).is_empty());
}

#[test]
fn work_is_bounded() {
    let wrong: Vec<String> = (0..200).map(|n| format!(r#""k{n}": {n}"#)).collect();
    let text = format!(r#"{{"labels": {{{}}}}}"#, wrong.join(", "));
    let Err(violations) = read_event(text.as_bytes(), &reading()) else { panic!("it is wrong") };
    assert_eq!((violations.count(), violations.is_incomplete()), (64, true));
    assert!(violations.to_string().ends_with("\nand possibly more"));
    let few = ReadOptions { limits: ReadLimits { max_rounds: 3, ..ReadLimits::DEFAULT }, ..reading() };
    assert_eq!(read_event(text.as_bytes(), &few).map_err(|violations| violations.count()).err(), Some(3));
    let few = ReadOptions { limits: ReadLimits { max_bytes: 1, ..ReadLimits::DEFAULT }, ..reading() };
    assert_eq!(read_event(text.as_bytes(), &few).map_err(|violations| violations.count()).err(), Some(2));
    let few = ReadOptions { limits: ReadLimits { max_values: 100, ..ReadLimits::DEFAULT }, ..reading() };
    let Err(violations) = read_event(text.as_bytes(), &few) else { panic!("it is wrong") };
    assert_eq!(violations.to_string(), "labels.k0: must be a string (type) at line 1 column 19\nand possibly more");
    let few = ReadOptions { context: ValidationContext::VALUE.with_max_violations(5), ..reading() };
    let Err(violations) = read_event(text.as_bytes(), &few) else { panic!("it is wrong") };
    assert_eq!((violations.as_slice().len(), violations.count()), (5, 64));
}

#[test]
fn numbers_are_read_as_by_the_runtime() {
    assert_eq!(messages(r#"{"id": "ab", "sequence": 1e2, "count": "18446744073709551615", "x": 1}"#), [""; 0]);
    assert_eq!(
        messages(r#"{"id": "ab", "sequence": 1e400, "count": "-1", "extra": 1e400}"#),
        [
            "sequence: is out of range (type) at line 1 column 26",
            "count: invalid decimal integer: expected a digit at byte 0 (type) at line 1 column 42",
            "extra: is out of range (type) at line 1 column 57",
        ]
    );
    assert_eq!(
        messages(r#"{"id": "\ud800"}"#),
        ["id: must be valid Unicode, found an unpaired surrogate (type) at line 1 column 8"]
    );
}

#[test]
fn removed_elements_are_counted() {
    let rules_of = |text: &str| {
        let check = |event: Event, checker: &mut Checker<'_>| {
            checker.items(Location::BODY.field("guests"), event.guests.len(), 2, 9)
        };
        let Err(violations) = read_body(text.as_bytes(), &reading(), check) else { panic!("it is wrong") };
        violations.iter().map(|violation| violation.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules_of(r#"{"guests": [{}, 1]}"#), ["type"]);
    assert_eq!(rules_of(r#"{"guests": [1]}"#), ["items", "type"]);
}

#[test]
fn ends_of_strings() {
    assert_eq!(
        messages(r#"{"x\\": "\\\"}", "id": "\"\\\"\\\"", "labels": {"a\"b]": 1}}"#),
        [
            "id: must have 2 to 4 characters, found 5 (length) at line 1 column 24",
            r#"labels["a\"b]"]: must be a string, found a number (type) at line 1 column 58"#,
        ]
    );
}

#[test]
fn dropped_fields_are_not_read() {
    let dropping = options_of_operation("events.insert");
    for text in [
        r#"{"id":"ab","sequence":"x"}"#,
        r#"{"sequence":"x","id":"ab"}"#,
        r#"{ "sequence" : "x" , "id":"ab" , "sequence" : [] }"#,
        r#"{"sequence":{"a":[1,"]}"]},"time":7,"id":"ab"}"#,
        r#"{"id":"ab","start":{"sequence":[],"id":"cd","time":{}},"guests":[{"time":1,"id":"ef"}]}"#,
    ] {
        let (event, _) = read_event(text.as_bytes(), &dropping).expect(text);
        assert_eq!((event.id.as_deref(), event.sequence), (Some("ab"), None), "{text}");
        assert!(read_event(text.as_bytes(), &reading()).is_err(), "{text}");
    }
    // Not in a response, and not if the operation accepts it.
    let text = br#"{"id":"ab","time":7}"#;
    assert!(read_event(text, &dropping).is_ok());
    assert!(read_event(text, &options_of_operation("events.import")).is_err());
    assert!(
        read_event(
            text,
            &ReadOptions { context: ValidationContext { operation: None, ..dropping.context }, ..dropping }
        )
        .is_err()
    );
    assert!(
        read_event(text, &ReadOptions { context: ValidationContext::response(&OPERATION, 0), ..dropping }).is_err()
    );
    // Other violations are reported, and rules treat dropped fields as absent.
    let reported = |text: &str| match read_event(text.as_bytes(), &dropping) {
        Ok(_) => Vec::new(),
        Err(violations) => violations.iter().map(ToString::to_string).collect::<Vec<_>>(),
    };
    assert_eq!(
        reported(r#"{"id":7,"sequence":"x"}"#),
        ["id: must be a string, found a number (type) at line 1 column 7"]
    );
    assert_eq!(reported(r#"{"sequence":"x"}"#), ["id: is required (required) at line 1 column 1"]);
    assert_eq!(reported(r#"{"labels":{"time":1},"id":"ab"}"#).len(), 1, "a key is not a field");
    // Many fields need a single pass.
    let guests = [r#"{"id":"ab","sequence":"x","time":[]}"#; 3].join(",");
    assert!(read_event(format!(r#"{{"id":"ab","guests":[{guests}]}}"#).as_bytes(), &dropping).is_ok());
}

#[test]
fn a_field_sent_by_an_alias_has_its_line_of_the_schema() {
    static ALIASED: Shape = Shape { aliases: &[("guest", "guests")], ..SHAPE };
    static SOURCES: SourceLines = SourceLines { tables: &[&[("Event", "\tevent.yaml:1\nguests\tevent.yaml:5")]] };
    let options = ReadOptions { shape: Some(&ALIASED), sources: &SOURCES, ..reading() };
    let body = br#"{"id": "ab", "guest": [{"id": "a"}, {"id": "ab"}, {"id": "ab"}, {"id": "ab"}]}"#;
    let Err(violations) = read_event(body, &options) else { panic!("there are too many guests") };
    let lines: Vec<_> = violations.iter().map(|found| (found.path.to_string(), found.schema())).collect();
    let expected = [("guest", Some("event.yaml:5")), ("guest[0].id", Some("event.yaml:1"))];
    assert_eq!(lines, expected.map(|(path, line)| (path.to_owned(), line)));
}
