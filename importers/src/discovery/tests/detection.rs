//! Detection of paginated responses and long-running operations.

use serde_json::{Value, json};
use wireform_codegen::Source;

use super::{imported, read};
use crate::Overlay;
use crate::discovery::import_with;

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

#[test]
fn each_guess_has_a_place_and_the_overlay_that_turns_it_off() {
    let mut document = with_long_running_operations();
    let text = json!({"type": "string", "location": "query"});
    document["schemas"]["List"] = json!({"type": "object", "properties": {
        "nextPageToken": {"type": "string"}, "items": {"type": "array", "items": {"$ref": "Status"}},
    }});
    document["resources"]["places"]["methods"]["list"] =
        json!({"httpMethod": "GET", "path": "places", "parameters": {"pageToken": text}, "response": {"$ref": "List"}});
    document["resources"]["places"]["methods"]["patch"] =
        json!({"httpMethod": "PATCH", "path": "places", "request": {"$ref": "Status"}});
    let import = imported(document.clone());
    for (key, value) in [("kind", "discovery#restDescription"), ("name", "notes"), ("version", "v1")] {
        document[key] = value.into();
    }
    let text = document.to_string();
    let guesses: Vec<(&str, &str)> =
        import.guesses.iter().map(|guess| (guess.at.as_str(), guess.what.as_str())).collect();
    let of_profile =
        "`profile` is that of the publisher of these documents: reasons of errors, rate limits and request ids";
    let expected = [
        ("", of_profile, "profile: null"),
        (
            "/resources/places/methods/list",
            "pagination of `items` is inferred from `pageToken` and `nextPageToken`",
            "operations: { places.list: { pages: null } }",
        ),
        (
            "/resources/places/methods/patch/request",
            "the body of a PATCH is a merge patch",
            "operations: { places.patch: { body: { as: null } } }",
        ),
        (
            "/schemas/OldOperation",
            "`OldOperation` is a long-running operation, by its shape",
            "resources: { OldOperation: { long_running: null } }, operations: { places.old: { long_running: null }, places.whole: { long_running: null } }",
        ),
        (
            "/schemas/Operation",
            "`Operation` is a long-running operation, by its shape",
            "resources: { Operation: { long_running: null } }",
        ),
    ];
    let messages: Vec<String> = expected
        .iter()
        .map(|(_, what, overlay)| format!("{what}; to turn it off, write `change: {{ {overlay} }}` in the overlay"))
        .collect();
    let located: Vec<(&str, &str)> =
        expected.iter().zip(&messages).map(|((at, ..), what)| (*at, what.as_str())).collect();
    assert_eq!(guesses, located);
    for (at, _, overlay) in expected {
        let overlay = Overlay::read(&format!("change: {{ {overlay} }}")).expect("an overlay");
        let import = import_with(&text, Some(&overlay)).expect("a document");
        let sources: Vec<Source> = import.files.iter().map(|(path, text)| Source::new(path, text.as_str())).collect();
        assert!(wireform_codegen::load(&sources).is_ok(), "{at}");
        let left = import.guesses;
        assert_eq!(left.len(), expected.len() - 1, "{at}");
        assert!(left.iter().all(|guess| guess.at != at), "{at}");
    }
}
