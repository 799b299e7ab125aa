//! An absent value counts as its default where versions are compared, and in rules.

use defaults_types::runtime::json;
use defaults_types::{Fixed, FixedPatch, Structured};
use defaults_validation::{Validate as _, types::requests};

/// Returns the immutable fields that a replacement and a patch change.
fn changed(stored: &str, sent: &str) -> [Vec<String>; 2] {
    let stored: Fixed = json::from_str(stored).expect("what is stored");
    let (new, patch): (Fixed, FixedPatch) = (json::from_str(sent).expect("a value"), json::from_str(sent).expect("a patch"));
    let found = [requests::FixedSet::new(new).validate_against(&stored), requests::FixedPatch::new(patch).validate_against(&stored)];
    found.map(|result| match result {
        Ok(_) => Vec::new(),
        Err(violations) => violations.iter().map(|violation| violation.path.to_string()).collect(),
    })
}

#[test]
fn the_default_of_an_absent_immutable_field_is_no_change() {
    for same in [
        r#"{"count":3}"#,
        r#"{"start":"2026-01-01T00:00:00Z"}"#,
        r#"{"start":"2026-01-01T01:00:00.0+01:00"}"#,
        r#"{"wait":"60.0s"}"#,
        r#"{"price":"0.1"}"#,
        r#"{"times":["2026-01-01T01:00:00+01:00"]}"#,
        r#"{"prices":{"a":"0.1"}}"#,
        r#"{"round":{"at":"2026-01-01T01:00:00+01:00"}}"#,
        r#"{"ended":"2026-01-01T01:00:00+01:00","note":"a"}"#,
    ] {
        assert_eq!(changed("{}", same), [[""; 0]; 2], "{same}");
        assert_eq!(changed(same, same), [[""; 0]; 2], "{same}");
    }
}

#[test]
fn another_value_than_the_default_is_a_change() {
    let other = r#"{"count":4,"start":"2026-01-01T00:00:01Z","wait":"61s","price":"0.11","times":[],"prices":{"a":"0.2"},"round":{"at":"2027-01-01T00:00:00Z"},"ended":null,"note":null}"#;
    let all = ["count", "start", "wait", "price", "times", "prices", "round", "ended", "note"];
    assert_eq!(changed("{}", other), [all, all]);
    assert_eq!(changed(other, other), [[""; 0]; 2]);
}

#[test]
fn rules_read_defaults() {
    let is_valid = |tags: &[&str]| {
        let mut body = Structured::default();
        if !tags.is_empty() {
            body.tags = Some(tags.iter().map(|tag| (*tag).to_owned()).collect());
        }
        let mut request = requests::StructuredSet::new(body);
        let with_default = request.validate().is_ok();
        request.tags = vec!["c".to_owned()];
        (with_default, request.validate().is_ok())
    };
    assert_eq!(is_valid(&[]), (true, false));
    assert_eq!(is_valid(&["b"]), (false, false));
    assert_eq!(is_valid(&["b", "c"]), (true, false));
}
