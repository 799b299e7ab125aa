//! Null counts as present, so that a required field can be null; constraints do not apply to it.

use nullable_types::runtime::json;
use nullable_types::{Thing, ThingPatch};
use nullable_validation::{Validate as _, types::requests};

fn violations_of(text: &str) -> Vec<String> {
    let thing: Thing = json::from_str(text).expect("a thing");
    let Err(violations) = requests::ThingsUpdate::new("1", thing).validate() else { return Vec::new() };
    violations.iter().map(|violation| format!("{} {}", violation.path, violation.rule)).collect()
}

#[test]
fn constraints_do_not_apply_to_null() {
    assert_eq!(violations_of(r#"{"name":null,"lines":[null],"grid":[[null]],"count":null,"tags":null}"#), [""; 0]);
    assert_eq!(violations_of("{}"), ["name required"]);
    let invalid = r#"{"name":"a","count":-1,"part":{"name":"x"},"tags":["a","b","c","d"],"lines":[null,"a"],"parts":[null,{"name":"x"}],"sizes":{"a":"odd"},"grid":[[1],[null,null,0]]}"#;
    let found = violations_of(invalid);
    let expected = ["name length", "count min", "part.name length", "tags items", "lines[1] length", "parts[1].name length", "sizes.a known_value", "grid[1][2] min"];
    assert_eq!(found, expected);
}

#[test]
fn patches_set_nullable_fields_to_null() {
    let patch: ThingPatch = json::from_str(r#"{"name":null,"sizes":{"a":null},"count":-1}"#).expect("a patch");
    let found = requests::ThingsPatch::new("1", patch).validate().expect_err("a violation");
    assert_eq!(found.iter().map(|violation| violation.path.to_string()).collect::<Vec<_>>(), ["count"]);
    let stored: Thing = json::from_str(r#"{"name":"ab","made":"2026-01-01T00:00:00Z","times":[null,"2026-01-01T00:00:00Z"]}"#).expect("a thing");
    let kept: ThingPatch = json::from_str(r#"{"made":"2026-01-01T01:00:00+01:00","times":[null,"2026-01-01T00:00:00.0Z"]}"#).expect("a patch");
    assert!(requests::ThingsPatch::new("1", kept).validate_against(&stored).is_ok());
    let changed: ThingPatch = json::from_str(r#"{"made":null,"times":[null,null]}"#).expect("a patch");
    let found = requests::ThingsPatch::new("1", changed).validate_against(&stored).expect_err("immutable fields");
    assert_eq!(found.iter().map(|violation| violation.path.to_string()).collect::<Vec<_>>(), ["made", "times"]);
}
