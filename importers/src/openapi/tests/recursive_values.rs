//! Lists and maps that contain themselves, which become unions of one type.

use serde_json::{Value, json};

use super::{imported, lost, read, schemas};

fn to(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn map(values: Value) -> Value {
    json!({ "type": "object", "additionalProperties": values })
}

/// Schemas, and the unions that they become with the types of their variants.
#[test]
fn lists_and_maps_that_contain_themselves_become_unions() {
    let nullable = |mut schema: Value| {
        schema["nullable"] = json!(true);
        schema
    };
    let table = [
        (json!({ "A": list(to("A")) }), ("A", json!({ "list": ["A"] }))),
        (json!({ "A": map(to("A")) }), ("A", json!({ "object": { "string": "A" } }))),
        (json!({ "A": list(map(to("A"))) }), ("A", json!({ "list": [{ "string": "A" }] }))),
        (json!({ "A": list(to("B")), "B": map(to("A")) }), ("A", json!({ "list": [{ "string": "A" }] }))),
        (json!({ "A": list(to("B")), "B": to("A") }), ("A", json!({ "list": ["A"] }))),
        (json!({ "A": to("B"), "B": list(to("A")) }), ("B", json!({ "list": ["B"] }))),
        (json!({ "A": nullable(list(to("A"))) }), ("A", json!({ "list": ["A?"] }))),
        (json!({ "A": list(json!({ "anyOf": [to("A"), { "type": "null" }] })) }), ("A", json!({ "list": ["A?"] }))),
        (json!({ "A": list(json!({ "oneOf": [to("A")] })) }), ("A", json!({ "list": ["A"] }))),
        (json!({ "A": { "oneOf": [list(to("A"))] } }), ("A", json!({ "list": ["A"] }))),
        (json!({ "A": { "type": "array", "minItems": 1, "items": to("A") } }), ("A", json!({ "list": ["A"] }))),
    ];
    for (mut all, (name, variants)) in table {
        let limited = all["A"].get("minItems").is_some();
        all["Note"] = json!({ "type": "object", "properties": { "it": to("A") } });
        let import = schemas(all.clone());
        let found = read(&import);
        assert_eq!(found["resources"]["Note"]["fields"]["it"]["type"], name, "{all}");
        assert_eq!(found["unions"][name]["variants"], variants, "{all}");
        let what: Vec<&str> = lost(&import).into_iter().map(|(_, what)| what).collect();
        let expected: &[&str] = if limited {
            &["`items` is left out: not supported for lists and maps that contain themselves"]
        } else {
            &[]
        };
        assert_eq!(what, expected, "{all}");
    }
}

#[test]
fn inline_lists_can_contain_themselves() {
    let own = json!({ "$ref": "#/components/schemas/Note/properties/it" });
    let import = schemas(json!({ "Note": { "type": "object", "properties": { "it": list(own) } } }));
    assert_eq!(lost(&import), []);
    let found = read(&import);
    assert_eq!(found["resources"]["Note"]["fields"]["it"]["type"], json!(["NoteItItem"]));
    assert_eq!(found["unions"]["NoteItItem"]["variants"], json!({ "list": ["NoteItItem"] }));
}

#[test]
fn bodies_can_contain_themselves() {
    let content = |schema: Value| json!({ "application/json": { "schema": schema } });
    let import = imported(json!({
        "paths": { "/x": { "post": {
            "operationId": "notes.x",
            "requestBody": { "required": true, "content": content(to("Nested")) },
            "responses": { "200": { "description": "x", "content": content(to("Tree")) } },
        } } },
        "components": { "schemas": { "Nested": list(to("Nested")), "Tree": map(to("Tree")) } },
    }));
    assert_eq!(lost(&import), []);
    let operation = &read(&import)["operations"]["notes.x"];
    assert_eq!((&operation["body"], &operation["response"]["type"]), (&json!("Nested"), &json!("Tree")), "{operation}");
}
