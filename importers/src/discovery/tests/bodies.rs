//! Bodies of requests and responses.

use serde_json::json;

use super::{imported, lost, read};

#[test]
fn inline_bodies_have_types() {
    let any = json!({"type": "object", "additionalProperties": {"type": "any"}});
    let digits = json!({"type": "string", "format": "int64"});
    let import = imported(json!({"resources": {"notes": {"methods": {
        "put": {"httpMethod": "PUT", "path": "notes", "request": any, "response": any},
        "all": {"httpMethod": "GET", "path": "notes", "response": {"type": "array", "items": {"type": "string"}}},
        "count": {
            "httpMethod": "POST", "path": "notes:count", "request": {"type": "array", "items": digits}, "response": digits,
        },
    }}}}));
    let operations = &read(&import)["operations"];
    let map = json!({"type": {"string": "any"}});
    assert_eq!((&operations["notes.put"]["body"], &operations["notes.put"]["response"]), (&map, &map));
    assert_eq!(operations["notes.all"]["response"], json!(["string"]));
    let count = &operations["notes.count"];
    assert_eq!(count["body"], json!({"type": ["int64"], "encoding": "decimal_string"}));
    assert_eq!(count["response"], json!({"type": "int64", "encoding": "decimal_string"}));
    assert_eq!(lost(&import), []);
}

#[test]
fn body_can_be_wrapped_in_an_object() {
    let import = imported(json!({
        "features": ["dataWrapper"],
        "schemas": {"Note": {"type": "object", "properties": {}}},
        "resources": {"notes": {"methods": {
            "put": {"httpMethod": "PUT", "path": "notes", "request": {"$ref": "Note"}, "response": {"$ref": "Note"}},
        }}},
    }));
    let whole = read(&import);
    assert_eq!(whole["operations"]["notes.put"]["body"], "NotesPutRequest");
    assert_eq!(whole["resources"]["NotesPutRequest"]["fields"]["data"]["type"], "Note");
    assert_eq!(whole["operations"]["notes.put"]["response"], "NotesPutResponse");
    assert_eq!(lost(&import), []);
    let odd = imported(json!({"features": ["thumbs"], "schemas": {}}));
    assert_eq!(lost(&odd), [("/features/0", "left out: unknown feature")]);
}

#[test]
fn patch_of_resource_is_a_merge_patch_and_http_body_is_raw() {
    let method = |verb: &str, of: &str| json!({"httpMethod": verb, "path": format!("{verb}/{of}"), "request": {"$ref": of}, "response": {"$ref": of}});
    let raw = json!({"type": "object", "properties": {
        "contentType": {"type": "string"}, "data": {"type": "string", "format": "byte"},
        "extensions": {"type": "array", "items": {"type": "any"}},
    }});
    let import = imported(json!({
        "schemas": {
            "Note": {"type": "object", "properties": {}}, "NoteRequest": {"type": "object", "properties": {}},
            "GoogleApi__HttpBody": raw, "OtherHttpBody": {"type": "object", "properties": {"data": {"type": "string"}}},
        },
        "resources": {"notes": {"methods": {
            "patch": method("PATCH", "Note"), "put": method("PUT", "Note"), "ask": method("PATCH", "NoteRequest"),
            "raw": method("POST", "GoogleApi__HttpBody"), "other": method("POST", "OtherHttpBody"),
        }}},
    }));
    let operations = &read(&import)["operations"];
    let raw = json!({"type": "bytes", "content_types": ["*/*"]});
    for (name, body, response) in [
        ("patch", json!({"type": "Note", "as": "merge_patch"}), json!("Note")),
        ("put", json!("Note"), json!("Note")),
        ("ask", json!("NoteRequest"), json!("NoteRequest")),
        ("raw", raw.clone(), raw),
        ("other", json!("OtherHttpBody"), json!("OtherHttpBody")),
    ] {
        let operation = &operations[format!("notes.{name}")];
        assert_eq!((&operation["body"], &operation["response"]), (&body, &response), "{name}");
    }
    assert_eq!(lost(&import), []);
}
