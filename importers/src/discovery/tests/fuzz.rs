//! Randomly damaged documents: an import ends in an error or in files that the schema reader accepts, and never panics.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};
use wireform_codegen::{Severity, Source};

use crate::discovery::import;
use crate::parallel::check_all;

/// Returns a document that uses most of the format.
pub fn full_document() -> Value {
    let text = json!({"type": "string", "description": "Words."});
    let parameter = |more: Value| {
        let mut it = json!({"type": "string", "location": "path", "required": true});
        it.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        it
    };
    json!({
        "kind": "discovery#restDescription", "name": "notes", "version": "v1", "title": "Notes", "protocol": "rest",
        "rootUrl": "https://example.com/", "servicePath": "api/", "batchPath": "batch", "mtlsRootUrl": "https://m.example.com/",
        "endpoints": [{"endpointUrl": "https://e.example.com/", "location": "east", "description": "Regional"}],
        "auth": {"oauth2": {"scopes": {"https://www.googleapis.com/auth/notes": {"description": "Notes."}}}},
        "parameters": {"alt": {"type": "string", "location": "query", "enum": ["json"], "default": "json"}},
        "schemas": {
            "Note": {"id": "Note", "type": "object", "properties": {
                "name": text, "state": {"type": "string", "enum": ["ON", "OFF"], "enumDescriptions": ["Is on.", "Is off."]},
                "parts": {"type": "array", "items": {"type": "object", "properties": {"note": {"$ref": "Note"}}}},
                "labels": {"type": "object", "additionalProperties": text}, "level": {"$ref": "Level"}, "shape": {"$ref": "Shape"}, "at": {"type": "string", "format": "google-datetime"},
                "size": {"type": "integer", "format": "int32", "minimum": "1", "maximum": "9", "default": "3"},
            }},
            "Shape": {"type": "object", "variant": {"discriminant": "kind", "map": [{"type_value": "note", "$ref": "Note"}]}},
            "Level": {"type": "integer", "format": "int32", "enum": ["1", "2"], "enumDescriptions": ["Low.", "High."]},
            "Notes": {"type": "object", "properties": {"nextPageToken": text, "notes": {"type": "array", "items": {"$ref": "Note"}}}},
            "Operation": {"type": "object", "properties": {
                "name": text, "done": {"type": "boolean"}, "error": {"$ref": "Note"},
                "response": {"type": "object", "additionalProperties": {"type": "any"}},
            }},
        },
        "resources": {
            "notes": {"methods": {
                "list": {"httpMethod": "GET", "path": "v1/notes", "response": {"$ref": "Notes"},
                    "parameters": {"pageToken": {"type": "string", "location": "query"}, "pageSize": {"type": "integer", "location": "query"}}},
                "patch": {"httpMethod": "PATCH", "path": "v1/{+name}", "flatPath": "v1/notes/{notesId}", "request": {"$ref": "Note"},
                    "response": {"$ref": "Operation"}, "parameters": {"name": parameter(json!({"pattern": "^notes/[^/]+$"}))},
                    "scopes": ["https://www.googleapis.com/auth/notes"]},
                "upload": {"httpMethod": "POST", "path": "v1/notes", "supportsMediaUpload": true, "request": {"$ref": "Note"},
                    "mediaUpload": {"accept": ["image/*"], "maxSize": "1MB", "protocols": {"simple": {"path": "/upload/v1/notes", "multipart": true}}}},
            }},
            "operations": {"methods": {"get": {"httpMethod": "GET", "path": "v1/{+name}", "response": {"$ref": "Operation"},
                "parameters": {"name": parameter(json!({"pattern": "^operations/[^/]+$"}))}}}},
        },
    })
}

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides.max(1)
    }

    fn odd_text(&mut self) -> String {
        const TEXTS: [&str; 16] = [
            "",
            " ",
            "../x",
            "a/../b",
            "\u{0}",
            "\u{202e}",
            "{x}",
            "{+x}",
            "r#type",
            "\"; fn main() {}",
            "*/",
            "#[x]",
            "ä",
            "-1",
            "null",
            "Note",
        ];
        TEXTS[self.below(TEXTS.len())].to_owned()
    }

    fn odd_value(&mut self) -> Value {
        match self.below(12) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(-3),
            3 => json!(1e300),
            4 => json!([]),
            5 => json!({}),
            6 => json!({"$ref": "Note"}),
            7 => json!({"type": "array", "items": {"type": "array", "items": {"$ref": "Notes"}}}),
            8 => (0..60).fold(json!({"type": "string"}), |inner, _| json!({"type": "array", "items": inner})),
            9 => json!("x".repeat(3000)),
            _ => Value::String(self.odd_text()),
        }
    }

    /// Changes a value at a random location.
    fn damage(&mut self, value: &mut Value) {
        let goes_on = self.below(6) > 0;
        match value {
            Value::Object(members) if goes_on && !members.is_empty() => self.damage_member(members),
            Value::Array(items) if goes_on && !items.is_empty() => {
                let at = self.below(items.len());
                self.damage(&mut items[at]);
            }
            other => *other = self.odd_value(),
        }
    }

    fn damage_member(&mut self, members: &mut Map<String, Value>) {
        let keys: Vec<String> = members.keys().cloned().collect();
        let key = &keys[self.below(keys.len())];
        match self.below(10) {
            0 => drop(members.remove(key)),
            1 => {
                let value = members.remove(key).unwrap_or_default();
                members.insert(self.odd_text(), value);
            }
            2 => {
                let other = members[&keys[self.below(keys.len())]].clone();
                members.insert(key.clone(), other);
            }
            _ => self.damage(&mut members[key]),
        }
    }
}

#[test]
fn mutated_document_is_an_error_or_a_schema() {
    let mut dice = Random(11);
    let damaged = |round: usize| {
        let mut document = full_document();
        for _ in 0..=dice.below(4) {
            dice.damage(&mut document);
        }
        (round, document.to_string())
    };
    let documents: Vec<(usize, String)> = (0..1500).map(damaged).collect();
    let taken = AtomicUsize::new(0);
    check_all(&documents, |(round, document)| {
        let Ok(import) = import(document) else { return };
        taken.fetch_add(1, Ordering::Relaxed);
        let sources: Vec<Source> = import.files.iter().map(|(path, text)| Source::new(path, text.as_str())).collect();
        let Err(output) = wireform_codegen::load(&sources) else { return };
        let reported: Vec<_> =
            output.diagnostics.iter().filter(|reported| reported.code.severity() == Severity::Error).collect();
        assert!(reported.is_empty(), "round {round}: {:?}\n{document}", reported.first());
    });
    let taken = taken.into_inner();
    assert!(taken > 500, "{taken}");
}

#[test]
fn long_names_are_shortened() {
    let long = "n".repeat(1_000_000);
    let import = import(
        &json!({"kind": "discovery#restDescription", "name": "notes", "schemas": {
            &long: {"type": "object", "properties": {&long: {"type": "string", "enum": [&long]}}},
        }, "resources": {&long: {"methods": {&long: {"httpMethod": "GET", "path": "notes"}}}}})
        .to_string(),
    );
    let import = import.expect("a document");
    let sources: Vec<Source> = import.files.iter().map(|(path, text)| Source::new(path, text.as_str())).collect();
    assert!(wireform_codegen::load(&sources).is_ok());
}

#[test]
fn name_option_does_not_affect_other_parts() {
    let document = json!({ "kind": "discovery#restDescription", "name": "notes", "version": "v1", "resources": {} });
    let options = crate::Options { name: Some("pens"), ..Default::default() };
    let import = crate::discovery::import_as(&document.to_string(), &options, None).expect("a document");
    assert_eq!((import.api.as_str(), import.losses, import.notes), ("pens", vec![], vec![]));
    assert_eq!(crate::discovery::name_of(&document).as_deref(), Some("notes-v1"));
}
