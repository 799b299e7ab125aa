use wireform_runtime::{OpenEnum, UnknownValue};

use super::*;
use crate::cel::EvalError;
use crate::context::Direction;
use crate::formats::Format;
use crate::rule::Rule;
use wireform_runtime::__private::pattern::ByteClass;

/// Returns the lines of the violations of a check.
fn messages(check: impl FnOnce(&Location<'_>, &mut Checker<'_>)) -> Vec<String> {
    messages_in(ValidationContext::VALUE, check)
}

fn messages_in(context: ValidationContext<'_>, check: impl FnOnce(&Location<'_>, &mut Checker<'_>)) -> Vec<String> {
    let mut checker = Checker::new(context);
    check(&Location::BODY, &mut checker);
    checker.into_violations().iter().map(ToString::to_string).collect()
}

#[test]
fn lengths_are_counted_in_code_points() {
    let length = |text: &str, min, max| messages(|at, checker| checker.length(at.field("id"), text, min, max));
    for (text, min, max) in
        [("", 0, 0), ("äöü", 3, 3), ("😀😀", 2, 2), ("abcde", 5, 1024), ("e\u{301}", 2, 2), ("x", 0, usize::MAX)]
    {
        assert_eq!(length(text, min, max), [""; 0], "{text}");
    }
    assert_eq!(length("abc", 5, 1024), ["id: must have 5 to 1024 characters, found 3 (length)"]);
    assert_eq!(length("äöü", 4, 6), ["id: must have 4 to 6 characters, found 3 (length)"]);
    assert_eq!(length("😀😀😀", 0, 2), ["id: must have at most 2 characters, found 3 (length)"]);
    assert_eq!(length("", 1, usize::MAX), ["id: must have at least 1 character, found 0 (length)"]);
}

#[test]
fn texts() {
    static ID: ByteClass = ByteClass::new(&[(b'a', b'v')], 1, usize::MAX);
    let found = messages(|at, checker| {
        checker.pattern(at.field("id"), "abc", &ID, "[a-v]+");
        checker.pattern(at.field("id"), "xyz", &ID, "[a-v]+");
        checker.format(at.field("email"), "a@b", Format::Email);
        checker.format(at.field("email"), "a", Format::Email);
        checker.uri(at.field("url"), "HTTPS://a", &["http", "https"]);
        checker.uri(at.field("url"), "ftp://a", &["http", "https"]);
        checker.uri(at.field("url"), "a", &["http", "https"]);
        checker.bytes_length(at.field("raw"), 3, 0, 3);
        checker.bytes_length(at.field("raw"), 4, 0, 3);
    });
    assert_eq!(
        found,
        [
            "id: must match the pattern `[a-v]+` (pattern)",
            "email: must be an email address (format)",
            "url: must be a URI whose scheme is http or https (schemes)",
            "url: must be a URI (format)",
            "raw: must have at most 3 bytes, found 4 (length)",
        ]
    );
}

#[test]
fn numbers() {
    let found = messages(|at, checker| {
        checker.range(at.field("minutes"), 40320, Some(0), Some(40320));
        checker.range(at.field("minutes"), -1, Some(0), Some(40320));
        checker.range(at.field("width"), 0_u64, Some(1), None);
        checker.range(at.field("share"), f64::NAN, Some(0.0), None);
        checker.range(at.field("share"), 1.5_f32, None, Some(1.1));
        checker.above(at.field("share"), 0.1, 0.0);
        checker.above(at.field("share"), 0.0, 0.0);
        checker.above(at.field("share"), f64::NAN, 0.0);
        checker.below(at.field("share"), 0.9, 1.0);
        checker.below(at.field("share"), 1.5_f32, 1.1);
        checker.multiple_of(at.field("step"), i64::MIN, -1);
        checker.multiple_of(at.field("step"), 7, 5);
        checker.multiple_of(at.field("step"), 0.35, 0.1);
    });
    assert_eq!(
        found,
        [
            "minutes: must be 0 to 40320 (range)",
            "width: must be at least 1 (min)",
            "share: must be at least 0 (min)",
            "share: must be at most 1.1 (max)",
            "share: must be greater than 0 (min)",
            "share: must be greater than 0 (min)",
            "share: must be less than 1.1 (max)",
            "step: must be a multiple of 5 (multiple_of)",
            "step: must be a multiple of 0.1 (multiple_of)",
        ]
    );
}

#[test]
fn lists() {
    let found = messages(|at, checker| {
        checker.items(at.field("overrides"), 5, 0, 5);
        checker.items(at.field("overrides"), 6, 0, 5);
        checker.items_unless_empty(at.field("absent"), 0, 1, 5);
        checker.items_unless_empty(at.field("overrides"), 7, 1, 5);
        checker.unique(at.field("tags"), &["a", "b"]);
        checker.unique(at.field("tags"), &["a", "b", "a", "a"]);
    });
    assert_eq!(
        found,
        [
            "overrides: must have at most 5 elements, found 6 (items)",
            "overrides: must have 1 to 5 elements, found 7 (items)",
            "tags[2]: must be unique, but equals element 0 (unique)",
            "tags[3]: must be unique, but equals element 0 (unique)",
        ]
    );
}

enum Status {
    Known,
    Unknown(UnknownValue<Self>),
}

wireform_runtime::open_enum! { Status "Status" { 0 Known "known" } }

fn response_context() -> ValidationContext<'static> {
    ValidationContext { direction: Direction::Response, ..ValidationContext::VALUE }
}

#[test]
fn enum_values() {
    let check = |at: &Location<'_>, checker: &mut Checker<'_>| {
        checker.enum_known(at.field("status"), &Status::Known);
        checker.enum_known(at.field("status"), &Status::from_text("later\n"));
        checker.enum_not_sendable(at.field("type"), true, "fromGmail");
        checker.enum_not_sendable(at.field("type"), false, "fromGmail");
        checker.deprecated_value(at.field("solution"), true, "eventHangout", Some("hangoutsMeet"));
        checker.deprecated(at.field("colorId"), true, Some("eventLabelId"));
        checker.output_only_rejected(at.field("created"), true);
    };
    assert_eq!(
        messages(check),
        [
            r#"status: "later\n" is not a value of Status (known_value)"#,
            "type: must not be `fromGmail` in a request (sendable_value)",
            "warning: solution: the value eventHangout is deprecated: use hangoutsMeet (deprecated)",
            "warning: colorId: is deprecated: use eventLabelId (deprecated)",
            "created: is set by the server and cannot be sent (output_only)",
        ]
    );
    assert_eq!(messages_in(response_context(), check), [""; 0], "received values may be any of these");
    assert_eq!(
        messages_in(response_context().with_drift(), check),
        [r#"warning: status: "later\n" is not a value of Status (known_value)"#]
    );
}

#[test]
fn presence_and_change() {
    const LABELS: Option<&str> = Some("params.eventLabelVersion == 1");
    let found = messages(|at, checker| {
        checker.required(at.field("end"), true);
        checker.required(at.field("end"), false);
        checker.required_in_patch(at.field("title"), false);
        checker.required_in_patch(at.field("start"), true);
        checker.constant(at.field("version"), &2, &2, "2");
        checker.constant(at.field("version"), "1", "2", "\"2\"");
        checker.kind(at.field("kind"), None, "calendar#event", "\"calendar#event\"");
        checker.kind(at.field("kind"), Some("calendar#event"), "calendar#event", "\"calendar#event\"");
        checker.kind(at.field("kind"), Some("x"), "calendar#event", "\"calendar#event\"");
        checker.immutable(at.field("id"), true);
        checker.immutable(at.field("id"), false);
        checker.transition(at.field("status"), true);
        checker.transition(at.field("status"), false);
        checker.ignored(at.field("eventLabelId"), true, Condition::new(3), LABELS);
        let mut effective = ConditionSet::ALL;
        effective.set(Condition::new(3), false);
        checker.set_effective(effective.clone());
        checker.ignored(at.field("eventLabelId"), true, Condition::new(3), LABELS);
        checker.ignored(at.field("eventLabelId"), true, Condition::new(2), LABELS);
        checker.ignored(at.field("eventLabelId"), false, Condition::new(3), LABELS);
        effective.set(Condition::new(3), true);
        checker.set_effective(effective.clone());
        checker.ignored(at.field("eventLabelId"), true, Condition::new(3), LABELS);
        effective.set(Condition::new(127), false);
        checker.set_effective(effective);
        checker.ignored(at.field("attachments"), true, Condition::new(127), None);
    });
    assert_eq!(
        found,
        [
            "end: is required (required)",
            "start: cannot be null: it is required, and null removes it (required)",
            "version: must be \"2\" (constant)",
            "kind: must be \"calendar#event\" (constant)",
            "id: cannot be changed after creation (immutable)",
            "status: cannot change to this state (states)",
            "warning: eventLabelId: has no effect unless `params.eventLabelVersion == 1`: the server ignores it (effective_when)",
            "warning: attachments: has no effect in this operation: the server ignores it (effective_when)",
        ]
    );
}

#[test]
fn rules() {
    static RULE: Rule = Rule::new("event.order", "end is before start").at(&["end", "dateTime"]).schema("event.yaml:7");
    let mut checker = Checker::new(ValidationContext::VALUE);
    let at = Location::BODY;
    checker.rule(at, &RULE, Ok(true));
    checker.rule(at, &RULE, Err(EvalError::MissingOperand));
    checker.rule(at.field("items").index(2), &RULE, Ok(false));
    checker.rule(at, &RULE, Err(EvalError::Overflow));
    let Err(violations) = checker.finish() else { panic!("it is broken") };
    let found: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], "items[2].end.dateTime: end is before start (event.order)");
    assert!(found[1].starts_with("end.dateTime: the condition cannot be evaluated: "), "{found:?}");
    assert_eq!(violations.as_slice()[0].schema(), Some("event.yaml:7"));
}

#[test]
fn rules_can_warn() {
    static RULE: Rule = Rule::new("attendee.label", "the label is not known").warning();
    let mut checker = Checker::new(ValidationContext::VALUE);
    checker.rule(Location::BODY, &RULE, Ok(false));
    let warnings = checker.finish().map(|warnings| warnings.to_string());
    assert_eq!(warnings.as_deref(), Ok("warning: the label is not known (attendee.label)"));
}

#[test]
fn violations_beyond_the_limit_are_counted() {
    let mut checker = Checker::new(ValidationContext::VALUE.with_max_violations(2));
    for index in 0..5 {
        checker.deprecated(Location::BODY.field("a").index(index), true, None);
    }
    assert_eq!(checker.violation_count(), 5);
    checker.required(Location::BODY.field("b"), false);
    let Err(violations) = checker.finish() else { panic!("a counted error rejects the value too") };
    assert_eq!((violations.as_slice().len(), violations.omitted(), violations.count()), (2, 4, 6));
    assert!(violations.to_string().ends_with("\nand 4 more"), "{violations}");
    let passes = Checker::new(ValidationContext::VALUE).finish();
    assert!(passes.is_ok_and(|warnings| warnings.is_empty()));
}

#[test]
fn secrets_are_redacted() {
    let found = messages(|at, checker| {
        checker.length(at.field("pin").secret(), "123", 5, 9);
        let tokens = at.field("tokens").secret();
        checker.enum_known(tokens.key("hunter2"), &Status::from_text("hunter3"));
        checker.items(tokens.key("hunter2"), 2, 0, 1);
    });
    assert_eq!(
        found,
        [
            "pin: must have 5 to 9 characters (length)",
            "tokens[…]: is not a value of Status (known_value)",
            "tokens[…]: must have at most 1 element (items)",
        ]
    );
}

#[test]
fn violations_as_json() {
    let mut checker = Checker::new(ValidationContext::VALUE);
    checker.length(Location::BODY.field("attendees").index(3).field("id"), "abc", 5, 1024);
    checker.range(Location::parameter("maxResults"), 0, Some(1), None);
    let Err(violations) = checker.finish() else { panic!("it is broken") };
    let expected = serde_json::json!({ "violations": [
        { "in": "body", "path": "attendees[3].id", "rule": "length", "severity": "error", "kind": "schema",
          "message": "must have 5 to 1024 characters, found 3", "constraint": { "min": 5, "max": 1024, "found": 3 } },
        { "in": "parameter", "path": "maxResults", "rule": "min", "severity": "error", "kind": "schema",
          "message": "must be at least 1", "constraint": { "min": 1 } },
    ] });
    assert_eq!(violations.to_json(), expected);
}

#[test]
fn errors_evict_warnings() {
    let at = Location::BODY;
    let mut checker = Checker::new(ValidationContext::VALUE.with_max_violations(3));
    for _ in 0..5 {
        checker.deprecated(at.field("colorId"), true, None);
    }
    checker.required(at.field("end"), false);
    checker.deprecated(at.field("colorId"), true, None);
    let Err(violations) = checker.finish() else { panic!("a member is missing") };
    let reported: Vec<&str> = violations.iter().map(|one| one.rule).collect();
    assert_eq!((reported, violations.omitted()), (vec!["deprecated", "deprecated", "required"], 4));
}

#[test]
fn a_stored_value_of_another_type_is_an_error() {
    let stored = String::from("abc");
    let mut checker = Checker::new(ValidationContext::VALUE.with_stored(&stored));
    assert_eq!(checker.stored::<String>(), Some(&stored));
    assert_eq!(checker.violation_count(), 0);
    // A pointer has another type than its target.
    let pointer = Box::new(stored);
    let mut checker = Checker::new(ValidationContext::VALUE.with_stored(&pointer));
    assert_eq!((checker.stored::<String>(), checker.stored::<String>()), (None, None));
    let Err(violations) = checker.finish() else { panic!("no check was possible") };
    assert_eq!(violations.iter().map(|one| one.rule).collect::<Vec<_>>(), ["stored"], "it is reported once");
    let mut checker = Checker::new(ValidationContext::VALUE);
    assert_eq!(checker.stored::<String>(), None);
    assert!(checker.finish().is_ok(), "nothing is stored");
}
