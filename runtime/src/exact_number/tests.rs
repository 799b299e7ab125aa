use std::collections::{BTreeMap, HashSet};

use super::*;
use crate::json::{from_str, to_string};

fn of(text: &str) -> Number {
    Number::parse(text).unwrap_or_default()
}

#[test]
fn numbers_are_written_as_they_were_read() {
    for text in [
        "0",
        "-0",
        "-0.0",
        "5",
        "5.0",
        "5e0",
        "0.10",
        "1E+2",
        "-12.50e-3",
        "9007199254740993",
        "18446744073709551616",
        "-9223372036854775809",
        "0.1000000000000000055511151231257827",
        "1e400",
        "-1e-999999999",
        "1e999999999",
    ] {
        let read: Result<Number, _> = from_str(text);
        assert_eq!(read.as_ref().ok().map(Number::as_str), Some(text));
        assert_eq!(read.ok().and_then(|number| to_string(&[number]).ok()), Some(format!("[{text}]")));
    }
    for text in ["\"5\"", "null", "true", "[]", "{}", "01", "+1", ".5", "1.", "1e", "NaN", "-", "", "5 5"] {
        assert!(from_str::<Number>(text).is_err(), "{text}");
    }
    assert_eq!(from_str::<Option<Number>>("null").ok(), Some(None));
    assert_eq!(from_str::<Vec<Number>>("[ 1.0 ,2 ]").map(|list| list.len()).ok(), Some(2));
}

#[test]
fn other_formats_have_the_same_value_or_fail() {
    let value = |text: &str| serde_json::to_value(of(text)).ok().map(|value| value.to_string());
    assert_eq!(value("18446744073709551615").as_deref(), Some("18446744073709551615"));
    assert_eq!(value("-3").as_deref(), Some("-3"));
    assert_eq!(value("5.0").as_deref(), Some("5.0"));
    assert_eq!(value("0.10").as_deref(), Some("0.1"));
    assert_eq!([value("1e400"), value("9007199254740993.0"), value("0.1000000000000000055")], [None, None, None]);
    for (json, text) in [("5", Some("5")), ("5.0", Some("5")), ("-2.5", Some("-2.5")), ("\"5\"", None), ("null", None)]
    {
        let read = serde_json::from_str::<serde_json::Value>(json).ok().and_then(|it| serde_json::from_value(it).ok());
        assert_eq!(read.as_ref().map(Number::as_str), text);
    }
}

#[test]
fn equal_values_are_equal() {
    let all: HashSet<Number> = ["5", "5.0", "5e0", "0.05e2", "50e-1", "5.00000000000000000000000000000"].map(of).into();
    assert_eq!(all.len(), 1);
    assert_eq!(["0", "-0", "0.0", "-0e9"].map(of).into_iter().collect::<HashSet<_>>().len(), 1);
    assert_eq!(["1", "10", "0.1", "-1", "11", "101"].map(of).into_iter().collect::<HashSet<_>>().len(), 6);
    assert!(of("9007199254740992") < of("9007199254740993"));
    assert!(of("1e999999999") > of("9e999999998") && of("-1e999999999") < of("1e-999999999"));
    assert!(of("0.1000000000000000055") != of("0.1"));
}

#[test]
fn numbers_compare_with_those_of_rust() {
    assert!(of("5.0") == 5 && of("5") == 5.0 && of("0.1") == 0.1 && of("1e400") > f64::MAX);
    assert!(
        of("9007199254740993") == 9_007_199_254_740_993_i64 && of("-1") < 0 && of("18446744073709551616") > u64::MAX
    );
    assert!(5 == of("5") && 0.5 == of("0.50"));
    assert_eq!(of("1").partial_cmp(&f64::NAN), None);
}

#[test]
fn integers_are_recognised_in_each_notation() {
    for (text, value) in [
        ("5.0", Some(5)),
        ("1e3", Some(1000)),
        ("1200e-2", Some(12)),
        ("-0", Some(0)),
        ("0e999999999", Some(0)),
        ("9223372036854775807", Some(i64::MAX)),
        ("-9223372036854775808.000", Some(i64::MIN)),
        ("9223372036854775808", None),
        ("0.5", None),
        ("12e-1", None),
        ("1e-999999999", None),
        ("1e999999999", None),
        ("170141183460469231731687303715884105728", None),
    ] {
        assert_eq!(of(text).as_i64(), value, "{text}");
    }
    assert_eq!((of("18446744073709551615").as_u64(), of("-1").as_u64()), (Some(u64::MAX), None));
}

#[test]
fn floats_have_their_shortest_digits() {
    let text = |value: f64| Number::try_from(value).map(|number| number.to_string()).ok();
    for (value, expected) in [(5.0, "5"), (0.1, "0.1"), (-2.5, "-2.5"), (-0.0, "-0"), (1e300, "1e+300")] {
        assert_eq!(text(value).as_deref(), Some(expected));
    }
    assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(text), [None, None, None]);
    assert_eq!(Number::try_from(0.1_f32).map(|number| number.to_string()).as_deref(), Ok("0.1"));
}

#[test]
fn common_numbers_are_small() {
    assert_eq!(size_of::<Option<Number>>(), 24);
    assert!(matches!(Number::from(u64::MAX).text, NumberText::Inline(20, _)));
    assert!(matches!(of("-1.2345678901234567e+100").text, NumberText::Heap(_)));
}

#[test]
fn forms_have_numbers_as_they_were_written() {
    let texts = |fields: &[(&str, &str)]| -> Vec<(String, String)> {
        fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    let numbers = ["0.10", "1e400", "7"].map(of);
    let list = BTreeMap::from([("a", &numbers)]);
    let fields = crate::form::fields(&list).unwrap_or_default();
    assert_eq!(fields, texts(&[("a", "0.10"), ("a", "1e400"), ("a", "7")]));
    // JSON within a form has the same values, and no digits are lost in silence.
    let nested = BTreeMap::from([("a", BTreeMap::from([("b", &numbers)]))]);
    let fields = crate::form::fields(&nested).unwrap_or_default();
    assert_eq!(fields, texts(&[("a", r#"{"b":[0.1,"1e400",7]}"#)]));
    let fields = crate::form::brackets::fields("a", &nested).unwrap_or_default();
    assert_eq!(fields, texts(&[("a[a][b][0]", "0.10"), ("a[a][b][1]", "1e400"), ("a[a][b][2]", "7")]));
}
