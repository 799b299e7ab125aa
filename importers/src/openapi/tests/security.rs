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

#[test]
fn a_scope_of_several_flows_is_one_scope() {
    let flow =
        |doc: &str| json!({ "tokenUrl": "https://example.com/token", "scopes": { "notes": doc, "read": "To read." } });
    let import = imported(json!({ "components": { "securitySchemes": { "token": { "type": "oauth2", "flows": {
        "clientCredentials": flow("To write."),
        "password": flow("To write."),
        "implicit": { "authorizationUrl": "https://example.com/a", "scopes": { "notes": "Another thing.", "rpc": "Calls." } },
    } } } } }));
    assert_eq!(lost(&import), []);
    assert_eq!(read(&import)["scopes"], json!({ "notes": "To write.", "read": "To read.", "rpc": "Calls." }));
    let noted: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    let at = "/components/securitySchemes/token/flows/implicit/scopes/notes";
    assert_eq!(noted, [(at, "left out: another flow says what the scope is for")]);
}
