//! Unknown fields are preserved for a whole API, except in a resource that ignores them.

use unknown_members_of_an_api_types::runtime::json;
use unknown_members_of_an_api_types::{Closed, Counts, Settings};

#[test]
fn the_setting_of_the_api_is_the_default_of_its_resources() {
    let wire = r#"{"theme":"dark","window":{"width":2,"height":3},"later":null}"#;
    let settings: Settings = json::from_str(wire).expect("settings");
    assert_eq!(json::to_string(&settings).expect("JSON"), wire);
    assert_eq!(settings.window.expect("a window").unknown_members.len(), 1);
    let closed: Closed = json::from_str(r#"{"theme":"dark","later":1}"#).expect("closed settings");
    assert_eq!(json::to_string(&closed).expect("JSON"), r#"{"theme":"dark"}"#);
    let counts: Counts = json::from_str(r#"{"total":3,"small":2}"#).expect("counts");
    assert_eq!(json::to_string(&counts).expect("JSON"), r#"{"total":3,"small":2}"#);
}
