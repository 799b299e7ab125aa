//! Values of additional fields are validated and reported with their paths.

use rest_validation::Rules;
use rest_validation::requests::ShelvesInsert;
use rest_validation::runtime::CheckRequests as _;
use rest_validation::types::runtime::Request as _;
use rest_validation::types::{Counts, Marks, Shelf, ShelfPatch};
use rest_validation::{Validate as _, read};

fn violations_of<T>(found: Result<T, rest_validation::Violations>) -> Vec<String> {
    let Err(violations) = found else { return Vec::new() };
    violations.iter().map(|violation| format!("{} {}", violation.path, violation.rule)).collect()
}

#[test]
fn additional_fields_have_paths() {
    assert_eq!(violations_of(read::<Counts>(br#"{"red":"-1","blue":true,"total":1}"#)), ["red min", "blue type"]);
    let shelf = read::<Shelf>(br#"{"name":"n","a":{"label":"123456"},"b":{"label":1}}"#);
    assert_eq!(violations_of(shelf), ["a.label length", "b.label type"]);
    let patch = read::<ShelfPatch>(br#"{"a":{"label":"123456"},"b":null}"#);
    assert_eq!(violations_of(patch), ["a.label length"]);
    assert_eq!(violations_of(read::<Marks>(br#"{"art":null,"music":"0","sport":"1"}"#)), ["music min"]);
    let counts = Counts::default().with_rest([("red", -1)]);
    assert_eq!(violations_of(counts.validate()), ["red min"]);
}

#[test]
fn additional_fields_are_not_drift_but_unknown_fields_within_are() {
    let response = br#"{"name":"n","counts":{"red":"1"},"a":{"label":"1","wide":true}}"#;
    let report = Rules.check_response(ShelvesInsert::OPERATION, response).expect("an operation");
    let found: Vec<String> = report.iter().map(|drift| drift.path.to_string()).collect();
    assert_eq!(found, ["a.wide"]);
}
