//! The registry contains every resource.

use wireform_tests::registry::ALL;

#[test]
fn every_resource_decodes_an_empty_object() {
    assert!(ALL.len() > 60);
    for entry in ALL {
        let text = (entry.codec.round_trip)(b"{}").expect("an empty object is a value of every resource");
        let expected = if entry.resource == "Operation" { r#"{"done":false}"# } else { "{}" };
        assert_eq!(text, expected, "{} {}", entry.api, entry.resource);
    }
}
