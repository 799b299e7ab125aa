//! Absent fields and parameters have default values.

use defaults_types::requests::ValuesList;
use defaults_types::runtime::{Decimal, json};
use defaults_types::{Defaults, Level};

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

#[test]
fn defaults_of_every_type_are_decoded() {
    let (value, request) = (Defaults::default(), ValuesList::new(1));
    let shown = |value: &dyn Fn() -> String, json: &str| assert_eq!(value(), json);
    shown(&|| json::to_string(value.day_or_default()).expect("JSON"), r#""2026-02-28""#);
    shown(&|| json::to_string(value.moment_or_default()).expect("JSON"), r#""2026-02-28T09:30:00Z""#);
    shown(&|| json::to_string(value.until_or_default()).expect("JSON"), r#""09:30:00""#);
    shown(&|| json::to_string(value.within_or_default()).expect("JSON"), r#""1.5s""#);
    shown(&|| json::to_string(value.bytes_or_default()).expect("JSON"), r#""YQ==""#);
    shown(&|| json::to_string(value.tags_or_default()).expect("JSON"), r#"["a","b"]"#);
    shown(&|| json::to_string(value.totals_or_default()).expect("JSON"), r#"["1","18446744073709551615"]"#);
    shown(&|| json::to_string(value.levels_or_default()).expect("JSON"), "[]");
    shown(&|| json::to_string(value.counts_or_default()).expect("JSON"), r#"{"a":1}"#);
    shown(
        &|| json::to_string(value.size_or_default()).expect("JSON"),
        r#"{"width":3,"inner":{"days":["2026-02-28"]}}"#,
    );
    shown(&|| json::to_string(value.anything_or_default()).expect("JSON"), r#"{"a":[1,null]}"#);
    assert_eq!(value.size_or_default().inner_or_default().width, None);
    assert_eq!(request.since_or_default(), value.day_or_default());
    assert_eq!(request.levels_or_default(), &[Level::High, Level::Low]);
    assert_eq!(request.size_or_default().least, Some(1));
    let given = Defaults { tags: vec!["c".to_owned()], levels: Some(vec![Level::Low]), ..Defaults::default() };
    assert_eq!((given.tags_or_default(), given.levels_or_default()), (&vec!["c".to_owned()], &vec![Level::Low]));
}
