//! Empty and absent are equal unless the schema declares explicit presence; null means absent.

use presence_types::Presence;
use presence_types::runtime::json;

#[test]
fn only_explicit_presence_survives() {
    let wire = r#"{"plain":[],"listed":[],"plainMap":{},"listedMap":{}}"#;
    let value: Presence = json::from_str(wire).expect("a value");
    assert_eq!(json::to_string(&value).expect("JSON"), r#"{"listed":[],"listedMap":{}}"#);
    let nulls: Presence = json::from_str(r#"{"plain":null,"listed":null,"plainMap":null,"listedMap":null}"#).expect("a value");
    assert_eq!(nulls, Presence::default());
}
