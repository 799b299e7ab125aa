//! Lists and maps in lists and maps have constraints of their own, also if they are empty.

use lists_of_lists_types::runtime::json;
use lists_of_lists_types::{Grid, GridPatch};
use lists_of_lists_validation::types::requests::{GridsPatch, GridsUpdate};
use lists_of_lists_validation::{Validate as _, Violations, Warnings};

fn rules(result: Result<Warnings, Violations>) -> Vec<String> {
    let found = result.map_or_else(|violations| violations, |warnings| warnings.as_violations().clone());
    found.iter().map(|violation| format!("{} {}", violation.path, violation.rule)).collect()
}

fn of_grid(text: &str) -> Vec<String> {
    rules(GridsUpdate::new(json::from_str::<Grid>(text).expect("a grid")).validate())
}

#[test]
fn inner_lists_are_checked() {
    assert_eq!(of_grid("{}"), [""; 0]);
    assert_eq!(of_grid(r#"{"rows":[["a","b"],["a"]],"layers":[[],[[1,2]]],"more":[["a"]]}"#), [""; 0]);
    assert_eq!(of_grid(r#"{"rows":[["a"],[]]}"#), ["rows[1] items"]);
    assert_eq!(of_grid(r#"{"rows":[["a","b","c"],["a","a"]]}"#), ["rows[0] items", "rows[1][1] unique"]);
    assert_eq!(of_grid(r#"{"rows":[["long"]]}"#), ["rows[0][0] length"]);
    assert_eq!(of_grid(r#"{"layers":[[],[[1,2],[3]]]}"#), ["layers[1][1] items"]);
}

#[test]
fn inner_maps_and_values_of_maps_are_checked() {
    assert_eq!(of_grid(r#"{"groups":{"a":["x"],"b":[]}}"#), ["groups.b items"]);
    assert_eq!(of_grid(r#"{"legend":[{"a":"x"},{}]}"#), ["legend[1] items"]);
    assert_eq!(of_grid(r#"{"more":[[],["a"],["b"]]}"#), ["more items", "more[0] items"]);
}

#[test]
fn parameters_are_checked() {
    let marked = |pairs: Vec<Vec<i32>>| {
        let mut request = GridsUpdate::new(Grid::default());
        request.marked = pairs;
        rules(request.validate())
    };
    assert_eq!(marked(vec![vec![1, 2]]), [""; 0]);
    assert_eq!(marked(vec![vec![1, 2], vec![]]), ["marked[1] items"]);
}

#[test]
fn patches_are_checked() {
    let patch = |text: &str| rules(GridsPatch::new(json::from_str::<GridPatch>(text).expect("a patch")).validate());
    assert_eq!(patch(r#"{"rows":[["a"]],"groups":{"a":null,"b":["x"]}}"#), [""; 0]);
    assert_eq!(patch(r#"{"rows":[[]],"groups":{"a":[]}}"#), ["rows[0] items", "groups.a items"]);
}
