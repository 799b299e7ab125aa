//! Enums that are parts of other types.

use serde_json::{Value, json};

use super::{lost, read, schemas};

fn enums(properties: Value) -> (Value, usize) {
    let import = schemas(json!({ "Note": { "type": "object", "properties": properties } }));
    (read(&import)["enums"].clone(), import.counts.enums)
}

fn names(enums: &Value) -> Vec<&str> {
    enums.as_object().map(|all| all.keys().map(String::as_str).collect()).unwrap_or_default()
}

/// Returns a union whose two variants have a member of one name.
fn variants(first: Value, second: Value) -> Value {
    let object = |kind: Value, other: &str| json!({ "type": "object", "required": [other], "properties": { "kind": kind, other: { "type": "string" } } });
    json!({ "it": { "oneOf": [object(first, "a"), object(second, "b")] } })
}

#[test]
fn equal_enums_are_shared() {
    let kind = json!({ "type": "string", "enum": ["x", "y"], "description": "What it is." });
    let (found, count) = enums(variants(kind.clone(), kind));
    assert_eq!((names(&found).len(), count), (1, 1), "{found}");
}

#[test]
fn enums_with_different_descriptions_are_separate() {
    let kind = json!({ "type": "string", "enum": ["x", "y"], "description": "What it is." });
    for (key, value) in [("description", json!("Another thing.")), ("deprecated", json!(true))] {
        let mut other = kind.clone();
        other[key] = value;
        let (found, count) = enums(variants(kind.clone(), other));
        assert_eq!((names(&found).len(), count), (2, 2), "{key}: {found}");
    }
}

#[test]
fn members_named_like_keywords_are_members() {
    let kind = || json!({ "type": "string", "enum": ["x", "y"] });
    let members = json!({ "text": kind(), "value": kind(), "item": kind(), "list": kind(), "word": kind() });
    let (found, _) = enums(members);
    assert_eq!(names(&found), ["NoteItem", "NoteList", "NoteText", "NoteValue", "NoteWord"]);
    // A list and a map under the same member name share one enum, whatever the name is.
    let lists = json!({ "text": { "oneOf": [kind(), { "type": "array", "items": kind() }] } });
    assert_eq!(names(&enums(lists).0).len(), 1);
}

#[test]
fn variant_hints_are_unique() {
    let object = |name: &str| {
        json!({ "type": "object", "required": ["kind", name], "properties": {
            "kind": { "type": "string", "enum": ["dog"] }, name: { "type": "string" },
        } })
    };
    let cat = json!({ "type": "object", "required": ["kind"], "properties": { "kind": { "type": "string", "enum": ["cat"] } } });
    let it = json!({ "oneOf": [object("a"), object("b"), cat] });
    let import = schemas(json!({ "Note": { "type": "object", "properties": { "it": it } } }));
    let union = &read(&import)["unions"]["NoteIt"]["variants"];
    let variants: Vec<&str> = union.as_object().expect("variants").keys().map(String::as_str).collect();
    assert_eq!(variants, ["cat", "object", "object-2"]);
}

#[test]
fn integer_lists_are_enums() {
    let import = schemas(json!({
        "Level": { "type": "integer", "enum": [1, 2.0, -1], "default": 1, "x-enum-varnames": ["low", "high", "below"] },
        "Note": { "type": "object", "properties": {
            "level": { "$ref": "#/components/schemas/Level", "default": 2 },
            "first_level": { "allOf": [{ "$ref": "#/components/schemas/Level" }] },
            "no_level": { "allOf": [{ "$ref": "#/components/schemas/Level" }], "default": null },
            "levels": { "type": "array", "items": { "type": "integer", "format": "int32", "enum": [10, 20] } },
            "large": { "enum": [18_446_744_073_709_551_615_u64, 0] },
            "words": { "type": "string", "enum": [1, 2], "default": 1 },
        } },
    }));
    let found = read(&import);
    let level = &found["enums"]["Level"];
    assert_eq!(level["type"], "int64");
    assert_eq!(level["values"], json!({ "1": { "name": "low" }, "2": { "name": "high" }, "-1": { "name": "below" } }));
    let fields = &found["resources"]["Note"]["fields"];
    assert_eq!(fields["level"], json!({ "type": "Level", "default": 2 }));
    assert_eq!(fields["first_level"], json!({ "type": "Level", "default": 1 }));
    assert_eq!(fields["no_level"], json!({ "type": "Level" }));
    assert_eq!(found["enums"]["NoteLevelsItem"]["type"], "int32");
    assert_eq!(found["enums"]["NoteLarge"]["type"], "uint64");
    assert_eq!(found["enums"]["NoteWords"].get("type"), None);
    assert_eq!(lost(&import), []);
}

#[test]
fn string_alternatives_are_one_enum() {
    let import = schemas(json!({
        "State": { "description": "A state.", "oneOf": [
            { "description": "It is there.", "type": "string", "enum": ["present"] },
            { "const": "gone", "title": "It is gone." },
            { "type": "string", "enum": ["a", "b"], "description": "Either." },
        ] },
        "Note": { "type": "object", "properties": {
            "state": { "$ref": "#/components/schemas/State", "default": "a" },
            "own": { "type": "string", "enum": ["*", "<", "", "A", "a"] },
        } },
    }));
    let found = read(&import);
    assert_eq!(found["enums"]["State"]["values"]["present"], "It is there.");
    assert_eq!(found["enums"]["State"]["values"]["gone"], "It is gone.");
    assert_eq!(found["enums"]["State"]["values"]["b"], json!({}));
    assert_eq!(found["resources"]["Note"]["fields"]["state"], json!({ "type": "State", "default": "a" }));
    assert_eq!(found["enums"]["NoteOwn"]["values"].as_object().expect("values").len(), 5);
    assert_eq!(found["enums"]["NoteOwn"].get("external"), None);
    assert_eq!(lost(&import), []);
}

/// An enum would refuse the other values of requests.
#[test]
fn lists_next_to_any_value_of_their_type_are_that_type() {
    let import = super::imported(json!({
        "components": { "schemas": {
            "Known": { "enum": ["a", "b"] },
            "Word": { "anyOf": [{ "$ref": "#/components/schemas/Known" }, { "type": "string" }] },
            "Note": { "type": "object", "properties": {
                "word": { "$ref": "#/components/schemas/Word", "default": "c", "description": "A word." },
                "words": { "type": "array", "items": { "oneOf": [{ "type": "string" }, { "const": "x" }] } },
                "number": { "anyOf": [{ "const": 7 }, { "type": "integer", "format": "int32" }], "default": 8 },
            } },
        } },
        "paths": { "/x": { "get": { "operationId": "get", "responses": {}, "parameters": [
            { "name": "word", "in": "query", "schema": { "$ref": "#/components/schemas/Word" } },
        ] } } },
    }));
    assert_eq!(lost(&import), []);
    let found = read(&import);
    let fields = &found["resources"]["Note"]["fields"];
    assert_eq!(fields["word"], json!({ "type": "string", "default": "c", "doc": "A word." }));
    assert_eq!(fields["words"], json!({ "type": ["string"] }));
    assert_eq!(fields["number"], json!({ "type": "int32", "default": 8 }));
    assert_eq!(found["operations"]["get"]["query"]["word"], json!({ "type": "string" }));
    let notes: Vec<_> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    let what = "its values are left out: another alternative accepts every value of the type";
    for at in ["Word/anyOf/0", "Note/properties/words/items/oneOf/1", "Note/properties/number/anyOf/0"] {
        let at = format!("/components/schemas/{at}");
        assert!(notes.contains(&(at.as_str(), what)), "{at}: {notes:?}");
    }
}
