//! No silence: a schema that says something and becomes `any` is a loss, wherever it is.

use serde_json::{Value, json};

use super::{imported, lost, read};

/// Schemas that say something, but nothing that can be a type; `SELF` is the location of the schema itself.
fn meaningless() -> Vec<Value> {
    let reference = |to: &str| json!({ "$ref": to });
    let mut all = vec![
        json!({ "$ref": null }),
        json!({ "$ref": 5 }),
        json!({ "$ref": ["#/components/schemas/Text"] }),
        json!({ "$ref": null, "description": "It." }),
        json!({ "$ref": "#anchor" }),
        json!({ "allOf": [{ "$ref": "SELF" }] }),
        json!({ "oneOf": [{ "$ref": "SELF" }] }),
        json!({ "anyOf": [{ "$ref": "SELF" }, { "type": "null" }] }),
        json!({ "oneOf": [{ "$ref": "SELF" }, { "type": "string" }] }),
        json!({ "$ref": "SELF", "description": "It." }),
        json!({ "allOf": [{ "oneOf": [] }] }),
        json!({ "oneOf": [{ "anyOf": [] }, { "type": "string" }] }),
        json!({ "enum": [] }),
        json!({ "not": { "type": "string" } }),
        json!({ "minimum": 1 }),
        json!({ "minItems": 1 }),
        json!({ "uniqueItems": true }),
        json!({ "format": "date" }),
        json!({ "type": "file" }),
        json!({ "type": [] }),
        json!({ "type": 5 }),
        json!({ "type": "array", "items": { "oneOf": [] } }),
        json!({ "type": "array", "items": { "$ref": null } }),
        json!({ "type": "array", "items": "string" }),
        json!({ "type": "object", "additionalProperties": { "allOf": [] } }),
        json!({ "prefixItems": [{ "type": "string" }, { "type": "integer" }] }),
        json!({ "prefixItems": [] }),
        json!({ "if": { "type": "string" }, "then": { "minLength": 1 } }),
        json!({ "allOf": [{ "type": "string" }, { "type": "integer" }] }),
        json!({ "type": ["string", "integer"], "allOf": [{ "type": "boolean" }] }),
        json!(false),
        json!(5),
        json!("string"),
    ];
    all.extend(["oneOf", "anyOf", "allOf"].map(|key| json!({ key: [] })));
    all.extend(["oneOf", "anyOf", "allOf"].map(|key| json!({ key: null })));
    all.extend(["oneOf", "anyOf", "allOf"].map(|key| json!({ key: {} })));
    all.extend(["type", "properties", "items", "enum", "additionalProperties"].map(|key| json!({ key: null })));
    all.extend(
        [
            "SELF",
            "#/info",
            "#/info/title",
            "#/components",
            "#/components/schemas",
            "#/components/schemas/Nothing",
            "#/components/responses/R",
            "#/components/responses/R/content",
            "#/components/responses/R/content/application~1json",
            "#/components/parameters/P",
            "#/components/schemas/Object/properties",
            "#/components/schemas/Object/required",
            "#/components/schemas/Cycle/properties/a",
            "#/paths/~1x",
            "#/paths/~1x/post",
        ]
        .map(reference),
    );
    all
}

/// Documents with a schema at different places, each with the location of the schema.
fn documents(schema: &Value) -> Vec<(Value, &'static str)> {
    let content = |schema: &Value| json!({ "content": { "application/json": { "schema": schema } } });
    let done = json!({ "204": { "description": "Done." } });
    let member = |schema: Value| json!({ "type": "object", "properties": { "it": schema } });
    let component = |schema: Value, more: Value| json!({ "schemas": { "Note": schema }, "more": more });
    let mut places = vec![
        (component(member(schema.clone()), json!({})), "#/components/schemas/Note/properties/it"),
        (
            component(member(json!({ "type": "array", "items": schema })), json!({})),
            "#/components/schemas/Note/properties/it/items",
        ),
        (
            component(member(json!({ "type": "object", "additionalProperties": schema })), json!({})),
            "#/components/schemas/Note/properties/it/additionalProperties",
        ),
        (component(member(json!({ "allOf": [schema] })), json!({})), "#/components/schemas/Note/properties/it/allOf/0"),
        (
            component(member(json!({ "oneOf": [{ "type": "boolean" }, schema] })), json!({})),
            "#/components/schemas/Note/properties/it/oneOf/1",
        ),
        (component(json!({ "type": "array", "items": schema }), json!({})), "#/components/schemas/Note/items"),
        (component(schema.clone(), json!({})), "#/components/schemas/Note"),
    ];
    let of_body = content(schema);
    places.push((
        component(json!({}), json!({ "requestBody": of_body })),
        "#/paths/~1x/post/requestBody/content/application~1json/schema",
    ));
    places.push((
        component(json!({}), json!({ "parameters": [{ "name": "p", "in": "query", "schema": schema }] })),
        "#/paths/~1x/post/parameters/0/schema",
    ));
    let mut response = of_body;
    response["description"] = json!("It.");
    places.push((
        component(json!({}), json!({ "responses": { "200": response } })),
        "#/paths/~1x/post/responses/200/content/application~1json/schema",
    ));
    let build = |(parts, at): (Value, &'static str)| {
        let mut schemas = parts["schemas"].clone();
        schemas["Object"] = json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } });
        schemas["Cycle"] = json!({ "type": "object", "properties": {
            "a": { "$ref": "#/components/schemas/Cycle/properties/b" },
            "b": { "$ref": "#/components/schemas/Cycle/properties/a" },
        } });
        if at != "#/components/schemas/Cycle" && !schema.to_string().contains("Cycle") {
            schemas.as_object_mut().expect("an object").remove("Cycle");
        }
        let used = json!({ "$ref": "#/components/schemas/Note" });
        let mut operation = json!({ "operationId": "x", "responses": done });
        operation["requestBody"] = content(&json!({ "type": "object", "properties": { "note": used } }));
        if schemas["Note"] == json!({}) {
            schemas.as_object_mut().expect("an object").remove("Note");
            operation.as_object_mut().expect("an object").remove("requestBody");
        }
        operation.as_object_mut().expect("an object").extend(parts["more"].as_object().expect("an object").clone());
        let document = json!({
            "components": {
                "schemas": schemas,
                "responses": { "R": { "description": "R.", "content": { "application/json": { "schema": { "type": "object" } } } } },
                "parameters": { "P": { "name": "p", "in": "query", "schema": { "type": "string" } } },
            },
            "paths": { "/x": { "post": operation } },
        });
        let text = document.to_string().replace("\"SELF\"", &json!(at).to_string());
        (serde_json::from_str(&text).expect("JSON"), at)
    };
    places.into_iter().map(build).collect()
}

/// Returns whether a schema file has the type `any`, also of elements and values.
fn has_any(value: &Value) -> bool {
    match value {
        Value::String(text) => text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "any"),
        Value::Array(items) => items.iter().any(has_any),
        Value::Object(members) => members.iter().any(|(key, value)| key != "doc" && has_any(value)),
        _ => false,
    }
}

#[test]
fn whatever_becomes_any_is_a_loss() {
    let mut silent = Vec::new();
    for schema in meaningless() {
        for (document, at) in documents(&schema) {
            if schema == json!(false) && at.ends_with("/items") {
                // Only an empty list is valid, whatever the type of its elements is.
                continue;
            }
            let import = imported(document);
            let found = read(&import);
            let sections = ["resources", "unions", "operations"].map(|section| &found[section]);
            if lost(&import).is_empty() && sections.into_iter().any(has_any) {
                silent.push(format!("{schema} at {at}"));
            }
        }
    }
    assert!(silent.is_empty(), "{} silent:\n{}", silent.len(), silent.join("\n"));
}

#[test]
fn schemas_without_a_statement_are_any_without_a_loss() {
    for schema in [
        json!({}),
        json!(true),
        json!({ "description": "It." }),
        json!({ "allOf": [{}] }),
        json!({ "$ref": "#/components/schemas/Anything/properties/a", "description": "It." }),
        json!({ "allOf": [{ "$ref": "#/components/schemas/Anything/properties/a" }] }),
        json!({ "type": "array", "items": {} }),
    ] {
        let import = imported(json!({ "components": { "schemas": {
            "Note": { "type": "object", "properties": { "it": schema } },
            "Anything": { "type": "object", "properties": { "a": {} } },
        } } }));
        assert_eq!(lost(&import), [], "{schema}");
    }
}
