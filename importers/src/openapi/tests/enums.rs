//! Enums that are parts of other types.

use serde_json::{Value, json};

use super::{read, schemas};

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
fn enums_that_are_the_same_are_one() {
    let kind = json!({ "type": "string", "enum": ["x", "y"], "description": "What it is." });
    let (found, count) = enums(variants(kind.clone(), kind));
    assert_eq!((names(&found).len(), count), (1, 1), "{found}");
}

#[test]
fn enums_of_which_other_things_are_said_are_several() {
    let kind = json!({ "type": "string", "enum": ["x", "y"], "description": "What it is." });
    for (key, value) in [("description", json!("Another thing.")), ("deprecated", json!(true))] {
        let mut other = kind.clone();
        other[key] = value;
        let (found, count) = enums(variants(kind.clone(), other));
        assert_eq!((names(&found).len(), count), (2, 2), "{key}: {found}");
    }
}

#[test]
fn members_that_are_called_like_what_holds_values_are_members() {
    let kind = || json!({ "type": "string", "enum": ["x", "y"] });
    let members = json!({ "text": kind(), "value": kind(), "item": kind(), "list": kind(), "word": kind() });
    let (found, _) = enums(members);
    assert_eq!(names(&found), ["NoteItem", "NoteList", "NoteText", "NoteValue", "NoteWord"]);
    // A list and a map under the same member name share one enum, whatever the name is.
    let lists = json!({ "text": { "oneOf": [kind(), { "type": "array", "items": kind() }] } });
    assert_eq!(names(&enums(lists).0).len(), 1);
}

#[test]
fn no_two_variants_have_one_hint() {
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
