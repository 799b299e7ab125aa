//! Absent fields and parameters have default values.

use defaults_types::requests::{StructuredSet, ValuesList};
use defaults_types::runtime::{Decimal, json};
use defaults_types::{Defaults, Level, Structured};

#[test]
fn absent_parameters_have_defaults() {
    let mut request = ValuesList::new(1);
    assert_eq!((request.flag_or_default(), request.count_or_default()), (true, -3));
    assert_eq!((request.total_or_default(), request.ratio_or_default()), (Decimal(u64::MAX), 0.5));
    assert_eq!((request.text_or_default(), request.level_or_default()), ("short", &Level::High));
    (request.count, request.level) = (Some(4), Some(Level::Low));
    assert_eq!((request.count_or_default(), request.level_or_default()), (4, &Level::Low));
    assert_eq!(request.text, None);
}

#[test]
fn absent_fields_have_defaults_and_stay_absent() {
    let value = Defaults::default();
    assert_eq!((value.flag_or_default(), value.text_or_default()), (true, "a \"quoted\"\ntext"));
    assert_eq!(json::to_string(&value).expect("JSON"), "{}");
}

/// Compares the defaults of fields with those in the schema, as JSON.
macro_rules! assert_defaults {
    ($value:expr; $($method:ident $expected:literal)*) => {
        let found = [$((stringify!($method), json::to_string(&$value.$method()).expect("JSON"), $expected)),*];
        let wrong: Vec<_> = found.into_iter().filter(|(_, found, expected)| found != expected).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    };
}

#[test]
fn absent_fields_of_every_type_have_defaults() {
    let value = Structured::default();
    assert_defaults! { value;
        day_or_default r#""2026-02-28""#
        later_or_default r#""2027-01-01""#
        moment_or_default r#""2026-02-28T12:00:00.250-01:30""#
        wait_or_default r#""-1.50s""#
        clock_or_default r#""09:30:00Z""#
        seen_or_default r#""Sun, 06 Nov 1994 08:49:37 GMT""#
        span_or_default r#""P1DT2H""#
        data_or_default "[251,255]"
        tags_or_default r#"["a","true"]"#
        none_or_default "[]"
        days_or_default r#"["2026-02-28"]"#
        files_or_default r#"["+/8="]"#
        prices_or_default r#"["0.10"]"#
        numbers_or_default "[1,2.5]"
        holes_or_default "[1,null]"
        table_or_default "[[1.0],[]]"
        counts_or_default r#"{"a":1,"b":-2}"#
        empty_or_default "{}"
        labels_or_default r#"{"name":"a","b":2}"#
        shape_or_default r#""square""#
        round_or_default r#"{"radius":1.5}"#
        pet_or_default r#"{"kind":"cat","lives":7}"#
        dog_or_default r#"{"kind":"dog","tricks":["sit"]}"#
        free_or_default r#"{"a":[1,-0.5,true,null,"x"],"b":{}}"#
        blank_or_default "{}"
        value_or_default "18446744073709551615"
    }
    let settings = r#"{"level":"low","sizes":[2],"total":"18446744073709551615","note":null,"inner":{"since":"2026-01-01T00:00:00Z"},"more":[1]}"#;
    assert_eq!(json::to_string(value.settings_or_default()).expect("JSON"), settings);
    assert_eq!(json::from_str::<Structured>(&format!(r#"{{"settings":{settings}}}"#)).expect("a value").settings.as_ref(), Some(value.settings_or_default()));
    assert_eq!(json::to_string(&value).expect("JSON"), "{}");
}

#[test]
fn an_empty_list_is_not_an_absent_one() {
    let value: Structured = json::from_str(r#"{"tags":[]}"#).expect("a value");
    assert!(value.tags_or_default().is_empty());
    let mut request = StructuredSet::new(Structured::default());
    assert_eq!(request.tags_or_default(), ["a", "b"]);
    request.tags.push("c".into());
    assert_eq!(request.tags_or_default(), ["c"]);
}
