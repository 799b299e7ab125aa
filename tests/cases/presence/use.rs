//! Empty and absent are equal unless the schema declares explicit presence; null means absent.

use presence_types::Presence;
use presence_types::runtime::json;

#[test]
fn only_explicit_presence_survives() {
    let wire = r#"{"plain":[],"told":[],"plainMap":{},"toldMap":{}}"#;
    let value: Presence = json::from_str(wire).expect("a value");
    assert_eq!(json::to_string(&value).expect("JSON"), r#"{"told":[],"toldMap":{}}"#);
    let nulls: Presence = json::from_str(r#"{"plain":null,"told":null,"plainMap":null,"toldMap":null}"#).expect("a value");
    assert_eq!(nulls, Presence::default());
}
