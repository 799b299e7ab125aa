//! Alternatives that only add null.

use serde_json::{Value, json};

use super::{imported, lost, member, read, schemas};

fn to(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Returns schemas with a resource `Note` that has `it` as a member, next to what the idioms refer to.
fn with_member(it: Value) -> Value {
    json!({
        "Part": { "type": "object", "properties": { "a": { "type": "string" } } },
        "Color": { "type": "string", "enum": ["red", "green"] },
        "BlankEnum": { "enum": [""] },
        "NullEnum": { "enum": [null] },
        "Null": { "type": "null" },
        "Indirect": to("NullEnum"),
        "Note": { "type": "object", "properties": { "it": it } },
    })
}

#[test]
fn alternative_that_adds_null_keeps_the_type() {
    let nulls = [
        json!({ "nullable": true }),
        json!({ "nullable": true, "description": "Nothing.", "x-none": 1 }),
        to("NullEnum"),
        to("Indirect"),
        to("Null"),
        json!({ "type": ["null"] }),
        json!({ "nullable": true, "type": "string", "enum": [null] }),
    ];
    for nothing in nulls {
        for key in ["anyOf", "oneOf"] {
            let nullable = |ty: Value| json!({ key: [ty, nothing] });
            let held = [
                (nullable(to("Part")), json!({ "type": "Part", "nullable": true })),
                (nullable(to("Color")), json!({ "type": "Color", "nullable": true })),
                (nullable(json!({ "type": "integer" })), json!({ "type": "int64", "nullable": true })),
                (json!({ "type": "array", "items": nullable(to("Part")) }), json!({ "type": ["Part?"] })),
                (
                    json!({ "type": "object", "additionalProperties": nullable(to("Part")) }),
                    json!({ "type": { "string": "Part?" } }),
                ),
            ];
            for (schema, expected) in held {
                let import = schemas(with_member(schema.clone()));
                assert_eq!(read(&import)["resources"]["Note"]["fields"]["it"], expected, "{schema}");
                assert_eq!(lost(&import), [], "{schema}");
            }
        }
    }
}

/// The enums with which drf-spectacular allows an empty string and null.
#[test]
fn blank_and_null_enums_are_values_of_one_enum() {
    let import = schemas(with_member(json!({ "oneOf": [to("Color"), to("BlankEnum"), to("NullEnum")] })));
    let found = read(&import);
    assert_eq!(found["resources"]["Note"]["fields"]["it"], json!({ "type": "NoteIt", "nullable": true }));
    let values: Vec<&String> = found["enums"]["NoteIt"]["values"].as_object().expect("values").keys().collect();
    assert_eq!(values, ["", "green", "red"]);
    assert_eq!(lost(&import), []);
}

#[test]
fn null_alternatives_make_unions_nullable() {
    // With a type of its own, an alternative is a variant.
    let (field, losses) = member(json!({ "anyOf": [{ "type": "string" }, { "type": "integer", "nullable": true }] }));
    assert_eq!((&field["nullable"], losses.len()), (&json!(true), 0));
    let import = schemas(with_member(json!({ "anyOf": [to("Part"), { "type": "string" }, { "nullable": true }] })));
    let variants = json!({ "part": "Part", "text": "string" });
    assert_eq!(read(&import)["unions"]["NoteIt"]["variants"], variants);
}

#[test]
fn bodies_of_json_can_be_null() {
    let nullable = |ty: Value| json!({ "anyOf": [ty, { "type": "null" }] });
    let operation = |schema: Value, media: &str| {
        let body = json!({ "description": "A body.", "content": { media: { "schema": schema } } });
        json!({ "requestBody": body, "responses": { "200": body, "404": body } })
    };
    let import = |schema: Value, media: &str| {
        imported(json!({
            "paths": { "/it": { "put": operation(schema, media) } },
            "components": { "schemas": {
                "Part": { "type": "object", "properties": { "a": { "type": "string" } } },
                "Maybe": { "type": ["object", "null"], "properties": { "a": { "type": "string" } } },
            } },
        }))
    };
    for (schema, ty) in [
        (nullable(json!({ "type": "number" })), "number?"),
        (nullable(to("Part")), "Part?"),
        (to("Maybe"), "Maybe?"),
        (json!({ "type": ["boolean", "null"] }), "bool?"),
    ] {
        let import = import(schema.clone(), "application/json");
        let found = read(&import)["operations"]["put_it"].clone();
        let types = ["body", "response"].map(|key| found[key]["type"].clone());
        assert_eq!(types, [json!(ty), json!(ty)], "{schema}: {found}");
        assert_eq!(
            lost(&import),
            [("/paths/~1it/put/responses/404", "null is left out: the body of an error cannot be null")]
        );
    }
    let list = import(nullable(json!({ "type": "array", "items": { "type": "string" } })), "application/json");
    assert!(lost(&list).iter().any(|(_, what)| *what == "null is left out: a list or a map as a body cannot be null"));
    let xml = import(nullable(to("Part")), "application/xml");
    assert!(lost(&xml).iter().any(|(_, what)| *what == "null is left out: only JSON has null"), "{:?}", lost(&xml));
}

#[test]
fn alternative_without_a_type_is_a_loss() {
    let (field, losses) = member(json!({ "anyOf": [{ "type": "string" }, {}] }));
    assert_eq!(field["type"], "any");
    assert_eq!(losses, ["becomes `any`: one of its alternatives is `any`"]);
}

#[test]
fn null_as_the_only_alternative_is_null() {
    for schema in [json!({ "anyOf": [{ "type": "null" }] }), json!({ "oneOf": [{ "const": null }] })] {
        let (field, lost) = member(schema.clone());
        assert_eq!(lost, [""; 0], "{schema}");
        assert_eq!(field, json!({ "type": "any", "nullable": true, "const": null }), "{schema}");
    }
}
