//! An exclusive end of a range is a violation, and everything within the range is none.

use exclusive_bounds_types::{Item, Share};
use exclusive_bounds_validation::{Validate as _, read, types::requests::ItemsList};

fn violations_of(text: &str) -> Vec<String> {
    match read::<Item>(text.as_bytes()) {
        Ok(_) => Vec::new(),
        Err(violations) => violations.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn ends_are_not_in_the_range() {
    let table: [(&str, &[&str]); 14] = [
        (r#"{"price": 1e-300, "rate": 0, "count": 1, "exact": "0.1000001", "sizes": [-1.25]}"#, &[]),
        (r#"{"price": 0}"#, &["price: must be greater than 0 (min)"]),
        (r#"{"price": -1}"#, &["price: must be greater than 0 (min)"]),
        (r#"{"price": 100}"#, &[]),
        (r#"{"price": 100.5}"#, &["price: must be at most 100 (max)"]),
        (r#"{"rate": 1.5}"#, &["rate: must be less than 1.5 (max)"]),
        (r#"{"count": 0}"#, &["count: must be 1 to 9 (range)"]),
        (r#"{"exact": "0.100"}"#, &["exact: must be greater than 0.10 (min)"]),
        (r#"{"exact": "1.0"}"#, &["exact: must be less than 1 (max)"]),
        (r#"{"exact": "0.99999999999999999999"}"#, &[]),
        (r#"{"sizes": [0, -1.5]}"#, &["sizes[1]: must be greater than -1.5 (min)"]),
        (r#"{"other": 3}"#, &["other: must be less than 3 (max)"]),
        (r#"{"other": 2.5}"#, &[]),
        (r#"{"share": {"of": 0.5}}"#, &[]),
    ];
    for (text, expected) in table {
        assert_eq!(violations_of(text).iter().map(|one| one.split(" at line").next().unwrap_or(one)).collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn exclusive_ends_distinguish_variants() {
    let (item, _) = read::<Item>(br#"{"share": {"of": 1}}"#).expect("valid");
    assert!(matches!(item.share, Some(Share::Whole(_))), "{item:?}");
    let (item, _) = read::<Item>(br#"{"share": {"of": 0.75}}"#).expect("valid");
    assert!(matches!(item.share, Some(Share::Part(_))), "{item:?}");
}

#[test]
fn parameters_have_exclusive_ends() {
    let request = ItemsList { above: Some(0.0) };
    assert_eq!(request.validate().expect_err("a violation").to_string(), "parameter above: must be greater than 0 (min)");
    let request = ItemsList { above: Some(0.5) };
    assert!(request.validate().is_ok());
}
