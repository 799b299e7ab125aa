//! Declared redirections, and responses to conditional requests.

use serde_json::{Value, json};

use super::{imported, read};

/// Imports the responses of an operation; returns the operation, the losses and the notes.
fn responses(method: &str, responses: Value) -> (Value, Vec<String>, Vec<String>) {
    let import = imported(
        json!({ "paths": { "/things": { method: { "operationId": "things.call", "responses": responses } } } }),
    );
    let operation = read(&import)["operations"]["things.call"].clone();
    let texts = |all: &[crate::Loss]| all.iter().map(|one| one.what.clone()).collect();
    (operation, texts(&import.losses), texts(&import.notes))
}

fn location() -> Value {
    json!({ "Location": { "schema": { "type": "string", "format": "uri" } } })
}

#[test]
fn redirections_keep_their_headers() {
    for status in ["302", "303", "307"] {
        let written = json!({ status: { "description": "Moved.", "headers": location() } });
        let (operation, losses, _) = responses("get", written);
        assert_eq!(operation["responses"][status]["headers"]["Location"]["type"], "string", "{operation}");
        assert_eq!(losses, Vec::<String>::new());
    }
}

#[test]
fn the_body_of_a_redirection_is_kept() {
    let object =
        json!({ "application/json": { "schema": { "type": "object", "properties": { "a": { "type": "string" } } } } });
    let written = json!({
        "200": { "description": "It." },
        "302": { "description": "Moved.", "content": object },
        "303": { "description": "Moved.", "content": { "text/html": { "schema": { "type": "string" } } } },
    });
    let (operation, losses, notes) = responses("get", written);
    assert_eq!(operation["responses"]["302"]["type"], "ThingsCallResponse", "{operation}");
    assert_eq!(operation["responses"]["303"]["content_types"], json!(["text/html"]), "{operation}");
    assert_eq!((losses, notes), (vec![], vec![]));
}

#[test]
fn a_class_of_redirections_is_a_loss() {
    let (_, losses, _) =
        responses("get", json!({ "200": { "description": "It." }, "3XX": { "description": "Moved." } }));
    assert_eq!(losses, ["left out: a redirection requires a single status"]);
}

#[test]
fn a_redirection_next_to_a_raw_body_is_a_note() {
    let png = json!({ "image/png": { "schema": { "type": "string", "format": "binary" } } });
    let written = json!({ "302": { "description": "Moved.", "headers": location() }, "200": { "description": "It.", "content": png } });
    let (_, losses, notes) = responses("get", written);
    assert_eq!(losses, Vec::<String>::new());
    assert!(notes.iter().any(|note| note.contains("are errors with their headers")), "{notes:?}");
}

#[test]
fn a_declared_304_makes_a_read_conditional() {
    let object =
        json!({ "application/json": { "schema": { "type": "object", "properties": { "a": { "type": "string" } } } } });
    let written =
        json!({ "200": { "description": "It.", "content": object }, "304": { "description": "Not changed." } });
    let (operation, losses, notes) = responses("get", written.clone());
    assert_eq!(operation["conditional"], json!(["if_none_match"]));
    assert_eq!(losses, Vec::<String>::new());
    assert!(notes.iter().any(|note| note.contains("`conditional: [if_none_match]` is added")), "{notes:?}");
    // A write returns it like a success without a body.
    let (operation, _, _) = responses("post", written);
    assert_eq!(operation.get("conditional"), None);
    assert!(operation["responses"].get("304").is_some());
}

#[test]
fn pages_next_to_other_successes_are_reported() {
    let page = json!({ "type": "object", "properties": {
        "items": { "type": "array", "items": { "type": "string" } }, "next_cursor": { "type": "string" },
    } });
    let other = json!({ "type": "object", "properties": { "url": { "type": "string" } } });
    let response =
        |schema: &Value| json!({ "description": "It.", "content": { "application/json": { "schema": schema } } });
    let import = |responses: Value| {
        let cursor = json!({ "name": "cursor", "in": "query", "schema": { "type": "string" } });
        let import = imported(json!({ "paths": { "/things": { "get": {
            "operationId": "things.list", "parameters": [cursor], "responses": responses,
        } } } }));
        let notes = import.notes.iter().filter(|note| note.what.contains("pagination"));
        let notes: Vec<_> = notes.map(|note| (note.at.clone(), note.what.clone())).collect();
        (read(&import)["operations"]["things.list"]["pages"].clone(), notes)
    };
    let note = |why: &str| vec![("/paths/~1things/get".to_owned(), format!("pagination is left out: {why}"))];
    for status in ["202", "302"] {
        let (pages, notes) = import(json!({ "200": response(&page), status: response(&other) }));
        assert_eq!((pages, notes), (Value::Null, note("the responses have bodies of several types")));
    }
    let (pages, notes) = import(json!({ "200": response(&page), "204": { "description": "None." } }));
    assert_eq!((pages, notes), (Value::Null, note("another success has no body")));
    let (pages, notes) = import(json!({ "200": response(&other), "302": response(&other) }));
    assert_eq!((pages, notes), (Value::Null, vec![]), "it has no pages");
    let (pages, notes) = import(json!({ "200": response(&page), "304": { "description": "Same." } }));
    assert_eq!((&pages["next"], notes), (&json!("next_cursor"), vec![]));
}
