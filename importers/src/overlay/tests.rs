#![allow(clippy::expect_used)] // a test that fails says so by panicking

use serde_json::{Value, json};

use super::Overlay;
use crate::{Import, ImportError, discovery};

fn import_with_overlay(overlay: &str) -> Result<Import, ImportError> {
    let method =
        |name: &str| json!({"httpMethod": "GET", "path": format!("notes/{name}"), "response": {"$ref": "Note"}});
    let document = json!({
        "kind": "discovery#restDescription", "name": "notes", "version": "v1", "description": "Keeps notes.",
        "auth": {"oauth2": {"scopes": {"https://www.googleapis.com/auth/notes": {"description": "Notes."}}}},
        "schemas": {"Note": {"type": "object", "description": "A note.", "properties": {
            "id": {"type": "string", "description": "Its name."},
            "state": {"type": "string", "enum": ["ON", "OFF"], "enumDescriptions": ["Is on.", "Is off."]},
        }}},
        "resources": {"notes": {"methods": {"get": method("one"), "last": method("last")}}},
    });
    discovery::import_with(&document.to_string(), Some(&Overlay::read(overlay)?))
}

/// Returns the contents of all files, merged by section.
fn read(import: &Import) -> Value {
    let mut whole = json!({});
    for text in import.files.values() {
        let file: Value = serde_yaml::from_str(text).expect("YAML");
        for (section, value) in file.as_object().expect("a mapping") {
            match (whole.get_mut(section).and_then(Value::as_object_mut), value.as_object()) {
                (Some(there), Some(more)) => there.extend(more.clone()),
                _ => drop(whole.as_object_mut().expect("an object").insert(section.clone(), value.clone())),
            }
        }
    }
    whole
}

#[test]
fn overlay_changes_removes_and_adds() {
    let import = import_with_overlay(
        r"
change:
  doc: Keeps what people write down.
  scopes: { notes: { aliases: [memos] } }
  resources:
    Note:
      fields:
        id: { doc: null, behavior: [identifier], example: 7x, max: 7 }
  enums: { NoteState: { values: { ON: { deprecated: true }, OFF: null } } }
  operations:
    notes.get: { response: { doc: The note. } }
    notes.last: null
add:
  resources:
    Note: { fields: { text: { type: string, doc: What it says. } } }
    Pen: { external: true, fields: { ink: { type: string } } }
  operations:
    notes.pens.get: { http: GET /pen, response: Pen }
",
    )
    .expect("an overlay that fits");
    let whole = read(&import);
    assert_eq!(whole["doc"], "Keeps what people write down.");
    assert_eq!(whole["scopes"]["notes"], json!({"doc": "Notes.", "aliases": ["memos"]}));
    let note = &whole["resources"]["Note"];
    assert_eq!(note["doc"], "A note.");
    assert_eq!(note["fields"]["id"], json!({"type": "string", "behavior": ["identifier"], "example": "7x", "max": 7}));
    assert_eq!(note["fields"]["text"], json!({"type": "string", "doc": "What it says."}));
    assert_eq!(whole["enums"]["NoteState"]["values"], json!({"ON": {"doc": "Is on.", "deprecated": true}}));
    assert_eq!(whole["operations"]["notes.get"]["response"], json!({"type": "Note", "doc": "The note."}));
    assert_eq!(whole["operations"]["notes.last"], Value::Null);
    assert_eq!(whole["resources"]["Pen"]["external"], true);
    assert!(import.files["operations.yaml"].contains("notes.pens.get"), "{:?}", import.files);
}

#[test]
fn overlay_targets_must_exist() {
    let table = [
        ("change:\n  resources: { Noet: { doc: x } }", 2, 16, "did you mean `Note`?"),
        ("change:\n  resources: { Note: { fields: { gone: { doc: x } } } }", 2, 34, "`resources.Note.fields.gone`"),
        ("change:\n  operations: { notes.gone: null }", 2, 17, "not in the document"),
        (
            "change:\n  operations: { notes.get: { query: { x: { type: string } } } }",
            2,
            39,
            "operations.notes.get.query.x",
        ),
        ("change:\n  security_schemes: { nope: { type: basic } }", 2, 23, "`security_schemes.nope`"),
        ("change:\n  unions: { Nope: { doc: x } }", 2, 13, "`unions.Nope`"),
        ("change:\n  title: null", 2, 3, "`title`"),
        ("add:\n  resources: { Note: { doc: x } }", 2, 24, "already in the document"),
        ("add: { title: null }", 1, 15, "null cannot be added"),
        ("change: { api: other }", 1, 11, "cannot be changed here"),
        ("change: { resources: { Note: x } }", 1, 30, "expected a mapping"),
        ("change: { resources: 3 }", 1, 22, "expected a mapping"),
        ("change: [a]", 1, 9, "expected a mapping"),
        ("resources: {}", 1, 1, "expected `change` or `add`"),
        ("change: &a {}", 1, 9, ""),
        ("change: {", 1, 9, ""),
        ("", 1, 1, ""),
    ];
    for (overlay, at_line, at_column, message) in table {
        match import_with_overlay(overlay) {
            Err(ImportError::Overlay(all)) => {
                assert!(all[0].problem.contains(message), "{overlay}: {all:?}");
                assert_eq!((all[0].line, all[0].column), (at_line, at_column), "{overlay}: {all:?}");
            }
            other => panic!("{overlay}: {other:?}"),
        }
    }
    // All errors are reported at once.
    let overlay =
        "change:\n  api: x\n  resources: { Gone: { doc: x }, Note: { fields: { none: null } } }\nadd: { title: null }";
    let Err(ImportError::Overlay(all)) = import_with_overlay(overlay) else { panic!("{overlay}") };
    assert_eq!(all.iter().map(|one| one.line).collect::<Vec<_>>(), [2, 3, 3, 4]);
}

#[test]
fn short_form_is_expanded_by_overlay() {
    let document = json!({
        "kind": "discovery#restDescription", "name": "notes", "version": "v1", "batchPath": "batch",
        "schemas": {
            "Note": {
                "type": "object",
                "properties": { "id": { "type": "string", "deprecated": true } },
                "additionalProperties": { "type": "integer" },
            },
            "Mail": { "type": "object", "properties": { "kind": { "type": "string" } } },
            "Way": { "type": "object", "variant": { "discriminant": "kind", "map": [{ "type_value": "mail", "$ref": "Mail" }] } },
        },
    });
    let overlay = r"
change:
  version: 1.10
  batch: { max: 7 }
  resources:
    Note: { fields: { id: { deprecated: { use: name } } }, rest: { doc: How many. } }
  unions: { Way: { variants: { mail: { doc: By mail. } } } }
";
    let overlay = Overlay::read(overlay).expect("an overlay");
    let import = discovery::import_with(&document.to_string(), Some(&overlay)).expect("an overlay that fits");
    let whole = read(&import);
    assert!(import.files["api.yaml"].contains("version: 1.10\n"), "{}", import.files["api.yaml"]);
    assert_eq!(whole["batch"], json!({ "path": "/batch", "max": 7 }));
    assert_eq!(whole["resources"]["Note"]["fields"]["id"]["deprecated"], json!({ "use": "name" }));
    assert_eq!(whole["resources"]["Note"]["rest"], json!({ "type": "int64", "doc": "How many." }));
    assert_eq!(whole["unions"]["Way"]["variants"]["mail"], json!({ "type": "Mail", "doc": "By mail." }));
}

#[test]
fn map_type_is_a_short_form_of_variants() {
    let document = json!({
        "openapi": "3.1.0", "info": { "title": "Notes", "version": "1" },
        "components": { "schemas": { "Way": { "anyOf": [
            { "type": "object", "additionalProperties": { "type": "string" } }, { "type": "integer" },
        ] } } },
    });
    let overlay = Overlay::read("change: { unions: { Way: { variants: { object: { doc: By name. } } } } }");
    let import = crate::openapi::import_with(&document.to_string(), Some(&overlay.expect("an overlay")));
    let variants = &read(&import.expect("an overlay that fits"))["unions"]["Way"]["variants"];
    assert_eq!(variants["object"], json!({ "type": { "string": "string" }, "doc": "By name." }));
    assert_eq!(variants["count"], "int64");
}
