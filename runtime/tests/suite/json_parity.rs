//! The JSON of this library compared with that of `serde_json`: the same values, and the same errors at the same
//! positions, for texts that are valid, damaged at each byte, and cut off at each byte.

use std::collections::BTreeMap;
use std::fmt::Debug;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_derive::{Deserialize, Serialize};
use wireform_runtime::__private::WireDeserialize;
use wireform_runtime::serde::de::IgnoredAny;
use wireform_runtime::serde::ser::Serialize;
use wireform_runtime::serde_json::{self, Map, Number, Value};
use wireform_runtime::{FromWire, json};

use crate::sample::{Event, Operation};

/// Struct, newtypes and enums with the representations of serde's derives.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(crate = "wireform_runtime::serde", default)]
struct Derived {
    name: String,
    letter: char,
    pair: (i8, u8),
    unit: (),
    wide: i128,
    large: u128,
    single: f32,
    double: f64,
    choices: Vec<Choice>,
    by_number: BTreeMap<i32, bool>,
    by_wide: BTreeMap<u128, Option<Wrapped>>,
    by_truth: BTreeMap<bool, Marker>,
    by_choice: BTreeMap<Choice, u16>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(crate = "wireform_runtime::serde")]
enum Choice {
    Unit,
    Newtype(i64),
    Tuple(u32, String),
    Struct { a: Option<bool>, b: i16 },
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(crate = "wireform_runtime::serde")]
struct Wrapped(u64);

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(crate = "wireform_runtime::serde")]
struct Marker;

impl WireDeserialize for Derived {}
impl WireDeserialize for Choice {}

/// Value that is skipped.
#[derive(Debug, PartialEq)]
struct Skipped;

impl<'de> FromWire<'de> for Skipped {
    fn from_wire<D: wireform_runtime::serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        wireform_runtime::serde::Deserialize::deserialize(d).map(|IgnoredAny| Self)
    }
}

/// Result in the form that both libraries share: the value, or the line, column and message.
type Outcome<T> = Result<T, (usize, usize, String)>;

fn ours<T: for<'de> FromWire<'de>>(text: &[u8]) -> Outcome<T> {
    let error = match json::from_slice(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    if let Ok(text) = std::str::from_utf8(text) {
        assert_eq!(json::from_str::<T>(text).err().as_ref(), Some(&error), "the same text as a string");
    }
    Err((error.line, error.column, error.message))
}

fn theirs<T: for<'de> FromWire<'de>>(text: &[u8]) -> Outcome<T> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = T::from_wire(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| {
        let position = format!(" at line {} column {}", error.line(), error.column());
        let message = error.to_string();
        // The library keeps messages on one line.
        let message = message.strip_suffix(&position).unwrap_or(&message).replace(char::is_control, " ");
        (error.line(), error.column(), message)
    })
}

fn compare_as<T: for<'de> FromWire<'de> + Debug + PartialEq>(text: &[u8]) {
    let (ours, theirs) = (ours::<T>(text), theirs::<T>(text));
    match (&ours, &theirs) {
        // The library bounds messages, which repeat values.
        (Err(ours), Err(theirs)) if theirs.2.len() > 256 => {
            assert_eq!((ours.0, ours.1), (theirs.0, theirs.1));
            assert!(theirs.2.starts_with(ours.2.trim_end_matches('…')), "{}", ours.2);
        }
        _ => assert_eq!(ours, theirs, "{}: {}", std::any::type_name::<T>(), String::from_utf8_lossy(text)),
    }
}

/// Compares a text as values of types that ask a deserializer for different things.
fn compare(text: &[u8]) {
    compare_as::<Value>(text);
    compare_as::<Skipped>(text);
    compare_as::<Event>(text);
    compare_as::<Derived>(text);
    compare_as::<Choice>(text);
    compare_as::<Vec<f32>>(text);
}

fn compare_as_all(text: &[u8]) {
    compare(text);
    compare_as::<Vec<i32>>(text);
    compare_as::<Vec<u64>>(text);
    compare_as::<Vec<f64>>(text);
    compare_as::<Vec<bool>>(text);
    compare_as::<BTreeMap<String, String>>(text);
}

const TEXTS: &[&str] = &[
    r#"{"id":"a1","status":"confirmed","version":"18446744073709551615","day":"2026-01-01","length":"-1.50s",
        "attendees":[{"email":"a@\u0062\"","optional":true},{"additionalGuests":2}],"unknown":[{"a":[1,-2.5e3]}],
        "parent":{"parent":{"status":"postponed"}},"weight":0.30000000000000004,"settings":{"x":[null,1e300]}}"#,
    r#"{"name":"\ud83d\ude00 é \\\/\b\f\n\r\t","letter":"ß","pair":[-128,255],"unit":null,"wide":-170141183460469,
        "large":340282366920938463463374607431768211455,"single":3.4028236e38,"double":-1e-7,
        "choices":["Unit",{"Newtype":-5},{"Tuple":[1,"x"]},{"Struct":{"a":null,"b":7}}],
        "by_number":{"-3":true,"4":false},"by_wide":{"99999999999999999999":null,"0":18446744073709551615},
        "by_truth":{"true":null,"false":null},"by_choice":{"Unit":1}}"#,
    r#" [ 0, -0, 1.0, -1E2, 12345678901234567890, 18446744073709551615, -9223372036854775808, 1.7976931348623157e308 ] "#,
    r#"[1e309, 0e99999999999, 1e-99999999999, 0.000000000000000000000000000000001e99999999999]"#,
    r#"[1.00000000000000000000000000000001, 123456789012345678901234567890.5e-3, 0.1e+1, 5e-324, 3.4028235e38, 1e39]"#,
    r#"[true, false, null, "true", {}, [[]], -, "\uD800", "\udc00\ud800"]"#,
    r#"{"a":"b","c":"plain text of more than sixteen bytes","e\u0301":"\u0000\u001f","é":"日本語のテキスト"}"#,
    r#"{"Struct":{"a":true,"b":-1,"c":[1,{"d":2}]}}"#,
    r#""Newtype""#,
    r#"{"Unit":null,"Newtype":1}"#,
];

/// Bytes that replace each byte.
const DAMAGE: &[u8] = b"\"\\{}[],:-.e09nu \n\x1f\x80\xc3";

#[test]
fn texts_have_the_same_values() {
    for text in TEXTS {
        compare_as_all(text.as_bytes());
    }
}

#[test]
fn truncated_texts_have_the_same_errors() {
    for text in TEXTS {
        (0..text.len()).for_each(|end| compare_as_all(&text.as_bytes()[..end]));
    }
}

#[test]
fn damaged_texts_have_the_same_errors() {
    for text in TEXTS {
        for at in 0..text.len() {
            for byte in DAMAGE {
                let mut damaged = text.as_bytes().to_vec();
                damaged[at] = *byte;
                compare(&damaged);
            }
            let mut shorter = text.as_bytes().to_vec();
            shorter.remove(at);
            compare(&shorter);
        }
    }
}

#[test]
fn nesting_has_the_same_limit() {
    for levels in [1, 126, 127, 128, 129, 1000, 100_000] {
        let lists = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        let objects = format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
        let open = "[{\"a\":".repeat(levels);
        for text in [lists, objects, open] {
            compare(text.as_bytes());
            compare(format!("{{\"settings\":{text},\"unknown\":{text}}}").as_bytes());
        }
    }
}

fn same_text<T: Serialize>(value: &T) {
    let theirs = serde_json::to_string(value).map_err(|error| error.to_string());
    assert_eq!(json::to_string(value).map_err(|error| error.to_string()), theirs);
    assert_eq!(json::to_vec(value).ok(), theirs.map(String::into_bytes).ok());
}

#[test]
fn values_have_the_same_text() {
    same_text(&(i128::MIN, u128::MAX, 'é', '"', (), Some(1.5_f32), None::<u8>, [0.1_f64, f64::NAN, f64::INFINITY]));
    same_text(&BTreeMap::from([(Some(true), "a")]));
    same_text(&BTreeMap::from([('\n', 1)]));
    same_text(&BTreeMap::from([(vec![1], 1)]));
    same_text(&BTreeMap::from([((), 1)]));
    same_text(&BTreeMap::from([(Choice::Newtype(1), 1)]));
    same_text(&(Marker, Wrapped(3), Choice::Unit, Choice::Tuple(1, "\u{1}\u{7f}".into())));
    same_text(&Derived::default());
    same_text(&std::path::Path::new("a/b"));
    same_text(&std::net::Ipv4Addr::LOCALHOST);
    for text in TEXTS {
        if let Ok(value) = theirs::<Derived>(text.as_bytes()) {
            same_text(&value);
        }
        if let Ok(value) = theirs::<Event>(text.as_bytes()) {
            same_text(&value);
        }
        if let Ok(value) = theirs::<Operation>(text.as_bytes()) {
            same_text(&value);
        }
    }
}

/// Any JSON value.
fn values() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|float| Number::from_f64(float).map_or(Value::Null, Value::Number)),
        any::<String>().prop_map(Value::String),
        "[a-z \"\\\\\u{0}-\u{20}é]{0,40}".prop_map(Value::String),
    ];
    scalar.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::Array),
            btree_map(any::<String>(), inner, 0..6).prop_map(|map| Value::Object(Map::from_iter(map))),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_is_written_and_read_the_same_way(value in values()) {
        same_text(&value);
        compare(serde_json::to_string(&value).unwrap_or_default().as_bytes());
        compare(serde_json::to_string_pretty(&value).unwrap_or_default().as_bytes());
    }

    #[test]
    fn any_bytes_have_the_same_result(bytes in vec(prop_oneof![any::<u8>(), (0..DAMAGE.len()).prop_map(|at| DAMAGE[at])], 0..40)) {
        compare_as_all(&bytes);
    }

    #[test]
    fn any_float_has_the_same_value(digits in "-?[0-9]{1,25}(\\.[0-9]{1,25})?([eE][+-]?[0-9]{1,4})?") {
        compare_as_all(format!("[{digits}]").as_bytes());
        compare(digits.as_bytes());
    }
}
