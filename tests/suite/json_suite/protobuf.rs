//! The JSON cases of Protocol Buffers: values that a type accepts and rejects, with all intentional differences and
//! their reasons.

use serde_json::Value;
use wireform_runtime::jiff::SignedDuration;
use wireform_runtime::json::{from_str, to_string};
use wireform_runtime::{DateTime, Duration};
use wireform_test_data::requires;
use wireform_tests::shared;

use super::message::Message;

/// Accepted by Protocol Buffers and rejected here.
const REFUSED: &[(&str, &str)] = &[
    ("Int32FieldStringValue", NO_STRING),
    ("Int32FieldStringValueEscaped", NO_STRING),
    ("Int32FieldStringValueZero", NO_STRING),
    ("Int32FieldQuotedExponentialValue", NO_STRING),
    ("FloatFieldQuotedValue", NO_STRING),
    ("FloatFieldQuotedExponentialValue", NO_STRING),
    ("DoubleFieldQuotedValue", NO_STRING),
    ("DoubleFieldQuotedExponentialValue", NO_STRING),
    ("FloatFieldNan", NOT_FINITE),
    ("FloatFieldInfinity", NOT_FINITE),
    ("FloatFieldNegativeInfinity", NOT_FINITE),
    ("DoubleFieldNan", NOT_FINITE),
    ("DoubleFieldInfinity", NOT_FINITE),
    ("DoubleFieldNegativeInfinity", NOT_FINITE),
    ("EnumFieldNumericValueZero", NO_NUMBER),
    ("EnumFieldNumericValueNonZero", NO_NUMBER),
    (
        "BytesFieldBase64Url",
        "bits after the last byte are not zero, so two texts would mean the same bytes (RFC 4648, section 3.5)",
    ),
];

const NO_STRING: &str = "no type is converted into another one; only 64-bit integers that the schema says are strings";
const NOT_FINITE: &str = "JSON has no such number, and a text is none";
const NO_NUMBER: &str = "the values of an enum are names; their numbers are not part of a schema";

/// Rejected by Protocol Buffers and accepted here.
const ACCEPTED: &[(&str, &str)] = &[
    ("TimestampJsonInputTooSmall", "RFC 3339 has the year 0000"),
    ("TimestampJsonInputMissingZ", "a date-time can be without an offset if it has a time zone in another field"),
    ("TimestampJsonInputLowercaseZ", LOWER_CASE),
    ("TimestampJsonInputLowercaseT", LOWER_CASE),
    ("TimestampJsonInputOffsetBoundaryUnderflow", "the text is kept as it is, and RFC 3339 does not limit the instant"),
    ("TimestampJsonInputOffsetBoundaryOverflow", "the text is kept as it is, and RFC 3339 does not limit the instant"),
    ("TimestampJsonInputInvalidNanos", "RFC 3339 does not limit the fraction; more digits than nine are kept"),
    ("FieldMaskInvalidCharacter", "a field mask is a string, and its grammar is that of the operation"),
    ("AnyWktRepresentationWithEmptyTypeAndValue", "any object is taken as it is, its type unread"),
    ("AnyWktRepresentationWithBadType", "any object is taken as it is, its type unread"),
];

const LOWER_CASE: &str = "RFC 3339, section 5.6: `t` and `z` may be in lower case";

/// Accepted by both, but encoded differently.
const OTHERWISE: &[(&str, &str)] = &[
    (
        "OriginalProtoFieldName",
        "a member has the names that the schema gives it; no other spelling is derived, and unknown fields are skipped",
    ),
    ("EnumFieldWithAliasUseAlias", ALIAS),
    ("EnumFieldWithAliasLowerCase", ALIAS),
    ("EnumFieldWithAliasDifferentCase", ALIAS),
];

const ALIAS: &str = "an alias is read as the value that it stands for, and written under that one's name";

/// Values that cannot be encoded because the type cannot represent them, with the reason.
const CANNOT_BE_MADE: &[(&str, &str)] = &[
    ("DurationProtoInput", "a duration is made from a text or a span, and its range is checked there"),
    ("DurationProtoNanos", "seconds and fraction are one number with one sign"),
    ("TimestampProto", "a date-time is a text of RFC 3339, and not a number of seconds"),
    ("FieldMask", "a field mask is a string and is written as it is"),
    ("ValueReject", "a JSON number is finite"),
];

struct Case {
    name: String,
    json: String,
}

fn cases(list: &str) -> Vec<Case> {
    let file = shared("corpora/protobuf-json/conformance.json");
    let all: Value = serde_json::from_slice(&fs_err::read(file).expect("a file")).expect("JSON");
    let text = |case: &Value, key: &str| case[key].as_str().unwrap_or_default().to_owned();
    let list = all[list].as_array().expect("a list of cases");
    list.iter().map(|case| Case { name: text(case, "name"), json: text(case, "json") }).collect()
}

fn listed(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(listed, _)| *listed == name)
}

/// Returns the expected encoding: null is absent, even in a field of any JSON.
fn expected(message: &str) -> Value {
    let Value::Object(members) = serde_json::from_str(message).expect("JSON") else { panic!("a message is an object") };
    members.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

/// Returns whether two values have the same meaning: a 64-bit integer is encoded as a decimal string, and a 32-bit
/// float as a number with the same nearest float.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(number), Value::String(text)) => *text == number.to_string(),
        (Value::Number(a), Value::Number(b)) => {
            a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a == b || (a as f32) == (b as f32))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

#[requires("corpora/protobuf-json")]
#[test]
fn what_must_parse_parses_to_the_same_value() {
    let cases = cases("must_parse");
    let mut wrong = Vec::new();
    for case in &cases {
        let result = from_str::<Message>(&case.json);
        match (&result, listed(REFUSED, &case.name)) {
            (Err(_), true) => {}
            (Ok(message), false) => {
                let written: Value =
                    serde_json::from_str(&to_string(message).expect("it can be written")).expect("JSON");
                let read = expected(&case.json);
                if same(&read, &written) == listed(OTHERWISE, &case.name) {
                    wrong.push(format!("{}: {read} came back as {written}", case.name));
                }
            }
            _ => wrong.push(format!("{}: {}: {result:?}", case.name, case.json)),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{} must parse: {} refused, {} otherwise", cases.len(), REFUSED.len(), OTHERWISE.len());
}

#[requires("corpora/protobuf-json")]
#[test]
fn what_must_not_parse_is_refused() {
    let cases = cases("must_fail_to_parse");
    let mut wrong = Vec::new();
    for case in &cases {
        let result = from_str::<Message>(&case.json);
        if result.is_ok() != listed(ACCEPTED, &case.name) {
            wrong.push(format!("{}: {}: {result:?}", case.name, case.json));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{} must not parse: {} accepted", cases.len(), ACCEPTED.len());
}

/// An exception for a removed case is an error.
#[requires("corpora/protobuf-json")]
#[test]
fn every_exception_names_a_case() {
    let (parse, fail) = (cases("must_parse"), cases("must_fail_to_parse"));
    let in_list = |list: &[Case], name: &str| list.iter().any(|case| case.name == name);
    for (name, _) in REFUSED.iter().chain(OTHERWISE) {
        assert!(in_list(&parse, name), "{name}");
    }
    for (name, _) in ACCEPTED {
        assert!(in_list(&fail, name), "{name}");
    }
}

#[requires("corpora/protobuf-json")]
#[test]
fn what_must_not_be_written_cannot_be_made() {
    let cases = cases("must_fail_to_serialize");
    for case in &cases {
        let why = CANNOT_BE_MADE.iter().find(|(prefix, _)| case.name.starts_with(prefix));
        assert!(why.is_some(), "{} is new", case.name);
    }
    for seconds in [315_576_000_001, -315_576_000_001] {
        assert!(Duration::try_from(SignedDuration::new(seconds, 0)).is_err(), "{seconds}");
        assert!(Duration::parse(&format!("{seconds}s")).is_err(), "{seconds}");
    }
    assert!(DateTime::parse("10000-01-01T00:00:00Z").is_err());
    assert!(serde_json::Number::from_f64(f64::NAN).is_none() && serde_json::Number::from_f64(f64::INFINITY).is_none());
    println!("{} cases", cases.len());
}
