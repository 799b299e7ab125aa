//! A value without a discriminator is decoded as the variant whose constants, types and bounds it satisfies.

use unions_by_content_types::runtime::{FromWire, Value, json, serde::Serialize};
use unions_by_content_types::{
    Accepted, Anything, Bad, Change, Closed, Color, Data, Deep, Event, EventOrText, Fine, Good, Holder, Identifier, Joined, Left, Level, Lists, Mix, Opened, Outcome as ErrorOrNull, Outer,
    Page, Password, Ratio, Refused, Renamed, Reply, Result as Outcome, Seven, Short, Size, Tables, Time, Tree,
};

/// Decodes a text, checks that it is encoded as it was, and returns the beginning of its debug output: the variant.
fn variant<T: for<'de> FromWire<'de> + Serialize + std::fmt::Debug>(text: &str) -> String {
    let value: T = json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    // An unknown value is a map in the order of its keys.
    let parsed = |text: &str| json::from_str::<Value>(text).expect("JSON");
    assert_eq!(parsed(&json::to_string(&value).expect("JSON")), parsed(text));
    let shown = format!("{value:?}");
    shown.split(['(', ' ']).next().unwrap_or_default().to_owned()
}

#[test]
fn a_constant_null_is_sent() {
    assert_eq!(json::to_string(&ErrorOrNull::from(Fine::default())).expect("JSON"), r#"{"error":null}"#);
}

#[test]
fn the_contents_determine_the_variant() {
    type Variant = fn(&str) -> String;
    let table: &[(Variant, &[(&str, &str)])] = &[
        (variant::<Outcome>, &[
            (r#"{"ok":true}"#, "Good"),
            (r#"{"ok":false}"#, "Bad"),
            (r#"{"ok":false,"v":"a"}"#, "Bad"),
            (r#"{"v":"a"}"#, "Good"),
        ]),
        (variant::<ErrorOrNull>, &[
            (r#"{"error":"a"}"#, "Failed"),
            (r#"{"error":1}"#, "Any"),
            (r#"{"error":null}"#, "Fine"),
            (r#"{"error":null,"value":"a"}"#, "Fine"),
            (r#"{"error":null,"code":1}"#, "Any"),
            (r#"{"error":1,"value":"a"}"#, "Unknown"),
        ]),
        (variant::<Identifier>, &[
            (r#"{"id":"a word"}"#, "Word"),
            (r#"{"id":"123e4567-e89b-42d3-a456-426614174000"}"#, "Uuid"),
            (r#"{"id":"a@example.com"}"#, "Mail"),
            (r#"{"id":"ABC-1"}"#, "Code"),
            (r#"{"id":"ABC-"}"#, "Word"),
            (r#"{"id":"2026-01-01"}"#, "Day"),
        ]),
        (variant::<Password>, &[
            (r#"{"text":"aB3$efgh"}"#, "Strong"),
            (r#"{"text":"aB3$efg"}"#, "Weak"),
            (r#"{"text":"aB34efgh"}"#, "Weak"),
            (r#"{"text":"äöüäöüA1a."}"#, "Strong"),
        ]),
        (variant::<Data>, &[
            (r#"{"d":["a"]}"#, "Texts"),
            (r#"{"d":[1,2]}"#, "Numbers"),
            (r#"{"d":[]}"#, "Numbers"),
            (r#"{"d":["1"]}"#, "Texts"),
            (r#"{"d":[1,"a"]}"#, "Unknown"),
        ]),
        (variant::<Anything>, &[
            (r#"{"d":[1]}"#, "Numbers"),
            (r#"{"d":[null]}"#, "Values"),
            (r#"{"d":[1,null,{"a":null}]}"#, "Values"),
            (r#"{"named":true,"a":"b","c":null}"#, "Others"),
            (r#"{"named":true,"a":1}"#, "Unknown"),
        ]),
        (variant::<Outer>, &[
            (r#"{"data":{"d":["a"]},"day":"2026-01-01"}"#, "First"),
            (r#"{"data":{"d":["a"]},"day":"someday"}"#, "Second"),
            (r#"{"data":{"d":[1]},"day":"2026-01-01"}"#, "First"),
        ]),
        (variant::<Change>, &[
            (r#"{"kind":"change","inner":{"name":"opened"}}"#, "Opened"),
            (r#"{"kind":"change","inner":{"name":"closed"}}"#, "Closed"),
            (r#"{"kind":"change","inner":{}}"#, "Opened"),
            (r#"{"kind":"change","inner":{"name":"merged"}}"#, "Unknown"),
            (r#"{"kind":"other","inner":{"name":"closed"}}"#, "Unknown"),
        ]),
        (variant::<Level>, &[
            (r#"{"level":1}"#, "Low"),
            (r#"{"level":4}"#, "High"),
            (r#"{"level":9}"#, "Code"),
            (r#"{"level":5}"#, "Low"),
        ]),
        (variant::<Color>, &[
            (r#"{"color":"red"}"#, "Warm"),
            (r#"{"color":"green"}"#, "Cold"),
            (r#"{"color":"grey"}"#, "Warm"),
        ]),
        (variant::<Time>, &[
            (r#"{"at":"2026-01-01T00:00:00Z"}"#, "Moment"),
            (r#"{"at":"2026-01-01"}"#, "Day"),
            (r#"{"at":"soon"}"#, "Words"),
            (r#"{"at":"2026-02-31"}"#, "Words"),
        ]),
        (variant::<Size>, &[
            (r#"{"size":5}"#, "Small"),
            (r#"{"size":50}"#, "Large"),
            (r#"{"size":500}"#, "Any"),
            (r#"{"size":-1}"#, "Any"),
        ]),
        (variant::<Tables>, &[
            (r#"{"table":{"a":1}}"#, "Counts"),
            (r#"{"table":{"a":"b"}}"#, "Names"),
            (r#"{"table":{"a":true}}"#, "Flags"),
            (r#"{"table":{}}"#, "Counts"),
            (r#"{"table":{"a":1,"b":true}}"#, "Unknown"),
        ]),
        (variant::<Deep>, &[
            (r#"{"d":{"a":[1]}}"#, "Numbers"),
            (r#"{"d":{"a":["2026-01-01T00:00:00Z"]}}"#, "Moments"),
            (r#"{"d":{"a":["2026-01-01T00:00:00Z"],"b":["c"]}}"#, "Words"),
            (r#"{"d":{"a":[]}}"#, "Numbers"),
        ]),
        (variant::<Holder>, &[
            (r#"{"held":{"a":"x"}}"#, "Narrow"),
            (r#"{"held":{"b":"x"}}"#, "Wide"),
            (r#"{"held":{"a":"x","b":"y"}}"#, "Narrow"),
            (r#"{"held":{"b":"y","later":1}}"#, "Wide"),
            (r#"{"held":{"later":1}}"#, "Narrow"),
        ]),
        (variant::<Lists>, &[
            (r#"[{"kind":"change","inner":{"name":"opened"}}]"#, "Openings"),
            (r#"[{"kind":"change","inner":{"name":"closed"}}]"#, "Closings"),
            ("[1]", "Numbers"),
            ("[]", "Openings"),
        ]),
        (variant::<Short>, &[
            (r#"{"text":"abc"}"#, "Short"),
            (r#"{"text":"abcd"}"#, "Any"),
            (r#"{"text":""}"#, "Any"),
            (r#"{"text":"äöü"}"#, "Short"),
        ]),
        (variant::<Ratio>, &[
            (r#"{"ratio":0.5}"#, "Half"),
            (r#"{"ratio":7}"#, "Seven"),
            (r#"{"ratio":1.5}"#, "Other"),
            (r#"{"ratio":9.5}"#, "Other"),
        ]),
        (variant::<Tree>, &[
            (r#"{"value":1}"#, "Leaf"),
            (r#"{"value":"a"}"#, "Branch"),
            (r#"{"value":"a","left":{"value":1},"right":{"left":{"value":"b"}}}"#, "Branch"),
            ("{}", "Leaf"),
        ]),
        (variant::<Event>, &[
            (r#"{"type":1,"who":"a"}"#, "Joined"),
            (r#"{"type":2,"who":"a"}"#, "Left"),
            (r#"{"type":3,"name":"a"}"#, "Renamed"),
            (r#"{"type":4,"name":"a"}"#, "Moved"),
            (r#"{"type":5,"name":"a"}"#, "Unknown"),
            (r#"{"type":"1","who":"a"}"#, "Unknown"),
        ]),
        (variant::<Reply>, &[
            (r#"{"ok":true,"v":"a"}"#, "Accepted"),
            (r#"{"ok":false,"v":"a"}"#, "Refused"),
            (r#"{"ok":"true"}"#, "Unknown"),
            (r#"{"ok":1}"#, "Unknown"),
        ]),
        (variant::<EventOrText>, &[
            (r#"{"type":2,"who":"a"}"#, "Event"),
            (r#"{"d":["a"]}"#, "Other"),
            ("\"a\"", "Words"),
        ]),
        (variant::<Mix>, &[("\"a\"", "Mixed"), ("1", "Mixed"), ("true", "Mixed"), ("\"b\"", "Words"), ("2", "Mixed"), ("[]", "Unknown")]),
    ];
    for (decode, rows) in table {
        for (text, expected) in *rows {
            assert_eq!(decode(text), *expected, "{text}");
        }
    }
}

/// A value of one variant is no error of what is around it.
#[test]
fn values_of_later_variants_are_no_errors() {
    let text = concat!(
        r#"{"result":{"ok":false},"data":{"d":["a"]},"change":{"kind":"change","inner":{"name":"closed"}},"#,
        r#""level":{"level":9},"tables":{"table":{"a":true}}}"#
    );
    let page: Page = json::from_str(text).expect("a page");
    assert_eq!(json::to_string(&page).expect("JSON"), text);
    assert!(page.result.as_ref().and_then(Outcome::as_bad).is_some());
}

#[test]
fn conversions_set_the_constants() {
    let text = |value: &dyn Fn() -> String| value();
    let table = [
        (text(&|| json::to_string(&Outcome::from(Good::default())).expect("JSON")), r#"{"ok":true}"#),
        (text(&|| json::to_string(&Outcome::from(Bad::default())).expect("JSON")), r#"{"ok":false}"#),
        (text(&|| json::to_string(&Change::from(Closed::default())).expect("JSON")), r#"{"kind":"change","inner":{"name":"closed"}}"#),
        (text(&|| json::to_string(&Change::from(Opened::default())).expect("JSON")), r#"{"kind":"change","inner":{"name":"opened"}}"#),
        (text(&|| json::to_string(&Event::from(Joined::default())).expect("JSON")), r#"{"type":1}"#),
        (text(&|| json::to_string(&Event::from(Left::default())).expect("JSON")), r#"{"type":2}"#),
        (text(&|| json::to_string(&Event::Moved(Renamed::default().into())).expect("JSON")), r#"{"type":4}"#),
        (text(&|| json::to_string(&Reply::from(Accepted::default())).expect("JSON")), r#"{"ok":true}"#),
        (text(&|| json::to_string(&Reply::from(Refused::default())).expect("JSON")), r#"{"ok":false}"#),
        (text(&|| json::to_string(&Ratio::from(Seven::default())).expect("JSON")), r#"{"ratio":7}"#),
    ];
    for (sent, expected) in table {
        assert_eq!(sent, expected);
    }
}

/// A tree is decoded in time that does not grow exponentially with its depth, although each level is tried.
#[test]
fn deep_values_are_decoded_in_bounded_time() {
    let depth = 60;
    let text = format!("{}{{\"value\":\"a\"}}{}", "{\"left\":".repeat(depth), "}".repeat(depth));
    let value: Tree = json::from_str(&text).expect("a tree");
    assert_eq!(json::to_string(&value).expect("JSON"), text);
}
