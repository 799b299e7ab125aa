//! Types that no operation refers to.

use serde_json::{Value, json};

use super::read;
use crate::openapi::import_as;
use crate::{Import, Options, Overlay};

fn document() -> String {
    let text = json!({ "type": "string", "x-lost": 1, "format": "runes" });
    let part = json!({ "type": "object", "properties": { "text": text } });
    let of = |name: &str| json!({ "type": "object", "properties": { "part": { "$ref": name } } });
    let body = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Note" } } });
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Notes", "version": "1" },
        "paths": { "/a": { "get": { "operationId": "a", "responses": { "200": { "description": "", "content": body } } } } },
        "components": { "schemas": {
            "Note": of("#/components/schemas/Part"),
            "Part": part,
            "Event": { "type": "object", "properties": {
                "inner": of("#/components/schemas/Kept"),
                "not": { "type": "string", "not": {} },
            } },
            "Kept": part,
        } },
    })
    .to_string()
}

fn resources(import: &Import) -> Vec<String> {
    let all: Value = read(import)["resources"].clone();
    all.as_object().expect("resources").keys().cloned().collect()
}

fn notes(import: &Import) -> Vec<&str> {
    let left_out = import.notes.iter().filter(|note| note.what.contains("--all-types"));
    left_out.map(|note| note.at.rsplit('/').next().unwrap_or_default()).collect()
}

#[test]
fn unreferenced_types_are_omitted() {
    let import = import_as(&document(), &Options::default(), None).expect("a document");
    assert_eq!(resources(&import), ["Note", "Part"]);
    assert_eq!(notes(&import), ["Event", "Kept"]);
    assert!(import.losses.iter().all(|loss| !loss.at.contains("Event")), "{:?}", import.losses);
}

#[test]
fn unreferenced_types_are_kept_on_request() {
    let options = Options { keeps_unreferenced: true, ..Options::default() };
    let import = import_as(&document(), &options, None).expect("a document");
    assert_eq!(resources(&import), ["Event", "EventInner", "Kept", "Note", "Part"]);
    assert!(notes(&import).is_empty());
    assert!(import.losses.iter().any(|loss| loss.at.contains("Event")));
    // An overlay may name a type.
    let overlay = "change: { resources: { Kept: { doc: A part that is kept. } } }";
    let overlay = Overlay::read(overlay).expect("an overlay");
    let import = import_as(&document(), &Options::default(), Some(&overlay)).expect("a document");
    assert_eq!(resources(&import), ["Kept", "Note", "Part"]);
}

#[test]
fn document_without_operations_keeps_types() {
    let mut document: Value = serde_json::from_str(&document()).expect("JSON");
    document.as_object_mut().expect("an object").remove("paths");
    let import = import_as(&document.to_string(), &Options::default(), None).expect("a document");
    assert_eq!(resources(&import).len(), 5);
}
