//! Security schemes.

use serde_json::{Value, json};

use super::{imported, lost, read};

#[test]
fn a_key_that_no_request_can_show_is_told_and_left_out() {
    let table = [
        ("object", "X-Key", "left out: a key cannot stand in `object`"),
        ("header", "X-Key ", "left out: its name cannot be that of a header, a cookie or a parameter"),
        ("query", "", "left out: its name cannot be that of a header, a cookie or a parameter"),
    ];
    for (place, name, why) in table {
        let import = imported(json!({ "components": { "securitySchemes": {
            "key": { "type": "apiKey", "in": place, "name": name },
            "other": { "type": "apiKey", "in": "query", "name": "a key" },
        } } }));
        assert_eq!(lost(&import), [("/components/securitySchemes/key", why)]);
        let schemes = json!({ "other": { "type": "api_key", "in": "query", "name": "a key" } });
        assert_eq!(read(&import).get("security_schemes"), Some(&schemes), "{}", Value::from(place));
    }
}
