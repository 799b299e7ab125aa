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
