//! Detection of paginated responses and long-running operations.

use serde_json::{Value, json};

use super::{imported, read};

#[test]
fn pagination_is_detected_by_token_and_items() {
    let response = |mut members: Value| {
        members["nextPageToken"] = json!({"type": "string"});
        json!({"type": "object", "properties": members})
    };
    let list = |of: Value| json!({"type": "array", "items": of});
    let (note, text) = (json!({"$ref": "Note"}), json!({"type": "string"}));
    let table = [
        ("one", json!({"items": list(note.clone()), "unreachable": list(text.clone())}), Some("items")),
        ("texts", json!({"names": list(text.clone())}), Some("names")),
        ("map", json!({"items": {"type": "object", "additionalProperties": note}}), Some("items")),
        ("group", json!({"notes": list(note.clone()), "parts": list(note.clone())}), Some("notes")),
        ("two", json!({"a": list(note.clone()), "b": list(note.clone())}), None),
        ("texts_2", json!({"a": list(text.clone()), "b": list(text)}), None),
        ("none", json!({}), None),
    ];
    let mut document =
        json!({"schemas": {"Note": {"type": "object", "properties": {}}}, "resources": {"notes": {"methods": {}}}});
    let query = |ty: &str| json!({"type": ty, "location": "query"});
    for (name, members, _) in &table {
        document["schemas"][name] = response(members.clone());
        document["resources"]["notes"]["methods"][name] = json!({
            "httpMethod": "GET", "path": name, "response": {"$ref": name},
            "parameters": {"pageToken": query("string"), "maxResults": query("integer")},
        });
    }
    let import = imported(document.clone());
    for (name, _, items) in &table {
        let expected = items
            .map(|items| json!({"size": "maxResults", "token": "pageToken", "next": "nextPageToken", "items": items}));
        let pages = &read(&import)["operations"][format!("notes.{name}")]["pages"];
        assert_eq!(*pages, expected.unwrap_or(Value::Null), "{name}");
    }
    // A token of another type is not a page token.
    document["resources"]["notes"]["methods"]["one"]["parameters"]["pageToken"] = query("integer");
    assert_eq!(read(&imported(document))["operations"]["notes.one"]["pages"], Value::Null);
}

/// Returns a document with long-running operations.
fn with_long_running_operations() -> Value {
    let object = json!({"type": "object", "additionalProperties": {"type": "any"}});
    let text = json!({"type": "string"});
    let method = |verb: &str, path: &str, response: &str, names: &[&str]| {
        let variable = json!({"type": "string", "location": "path", "required": true});
        let all: serde_json::Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), variable.clone())).collect();
        json!({"httpMethod": verb, "path": path, "response": {"$ref": response}, "parameters": all})
    };
    json!({
        "schemas": {
            "Status": {"type": "object", "properties": {"message": text}},
            "Operation": {"type": "object", "properties": {
                "name": text, "done": {"type": "boolean"}, "response": object, "metadata": object,
                "error": {"$ref": "Status"},
            }},
            "OldOperation": {"type": "object", "properties": {
                "id": text, "status": {"type": "string", "enum": ["pending", "done"]}, "error": text,
            }},
            "LoneOperation": {"type": "object", "properties": {
                "name": text, "done": {"type": "boolean"}, "response": object, "error": {"$ref": "Status"},
            }},
        },
        "resources": {
            "operations": {"methods": {"get": method("GET", "v1/{+name}", "Operation", &["name"])}},
            "places": {"methods": {
                "make": method("POST", "places", "Operation", &[]),
                "old": method("POST", "places/{place}/old", "OldOperation", &["place"]),
                "whole": method("POST", "old", "OldOperation", &[]),
                "lone": method("POST", "lone", "LoneOperation", &[]),
            }},
            "wholeOperations": {"methods": {"get": method("GET", "old/{id}", "OldOperation", &["id"])}},
            "placeOperations": {"methods": {
                "get": method("GET", "places/{place}/old/{id}", "OldOperation", &["place", "id"]),
            }},
        },
    })
}

#[test]
fn long_running_operations_are_detected_by_shape() {
    let import = imported(with_long_running_operations());
    let whole = read(&import);
    let work = |name: &str| whole["resources"][name]["long_running"].clone();
    let names =
        json!({"name": "name", "done": "done", "response": "response", "error": "error", "metadata": "metadata"});
    let mut expected = names;
    expected["poll"] = json!("operations.get");
    assert_eq!(work("Operation"), expected);
    let polls = json!(["placeOperations.get", "wholeOperations.get"]);
    let done = json!({"field": "status", "values": ["done"]});
    assert_eq!(work("OldOperation"), json!({"name": "id", "done": done, "poll": polls}));
    assert_eq!(work("LoneOperation"), Value::Null);
    let poll_of = |name: &str| whole["operations"][name]["long_running"]["poll"].clone();
    assert_eq!(
        (poll_of("places.old"), poll_of("places.whole")),
        (json!("placeOperations.get"), json!("wholeOperations.get"))
    );
    assert_eq!(poll_of("places.make"), Value::Null);
}
