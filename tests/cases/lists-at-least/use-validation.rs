//! An empty list or map has too few elements where it is a value, and none where it is absent.

use lists_at_least_types::runtime::json;
use lists_at_least_types::{Box, BoxPatch};
use lists_at_least_validation::types::requests::{BoxesPatch, BoxesUpdate};
use lists_at_least_validation::{Validate as _, Violations, Warnings};

fn rules(result: Result<Warnings, Violations>) -> Vec<String> {
    let found = result.map_or_else(|violations| violations, |warnings| warnings.as_violations().clone());
    found.iter().map(|violation| format!("{} {}", violation.path, violation.rule)).collect()
}

fn of_box(text: &str) -> Vec<String> {
    rules(BoxesUpdate::new(json::from_str::<Box>(text).expect("a box")).validate())
}

#[test]
fn empty_values_have_too_few_elements() {
    assert_eq!(of_box("{}"), ["needed required"]);
    assert_eq!(of_box(r#"{"needed":["a"],"tags":null}"#), [""; 0]);
    assert_eq!(of_box(r#"{"needed":["a"],"given":["a","b"],"filled":[],"tags":["a"],"sizes":{"a":1}}"#), [""; 0]);
    let empty = r#"{"needed":[],"given":[],"filled":[],"tags":[],"sizes":{},"inner":{"needed":[]}}"#;
    let expected = ["needed items", "given items", "tags items", "sizes items", "inner.needed items"];
    assert_eq!(of_box(empty), expected);
}

#[test]
fn patches_set_lists_with_enough_elements() {
    let patch = |text: &str| rules(BoxesPatch::new(json::from_str::<BoxPatch>(text).expect("a patch")).validate());
    assert_eq!(patch(r#"{"needed":[],"given":[],"filled":[],"tags":[]}"#), ["needed items", "given items", "tags items"]);
    assert_eq!(patch(r#"{"needed":["a"],"given":null,"filled":["a"],"tags":null}"#), ["filled items"]);
}
