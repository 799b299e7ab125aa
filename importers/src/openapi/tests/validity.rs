//! Documents that contradict the specification: each kind is an error, a loss or a note, with its place.

use serde_json::{Value, json};

use super::import_as;
use crate::{ImportError, Options};

/// Returns a document with these members of the operation `GET /x`.
fn operation(members: Value) -> Value {
    let mut operation = json!({ "operationId": "x", "responses": { "204": { "description": "Done." } } });
    operation.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
    json!({ "paths": { "/x": { "get": operation } } })
}

fn parameter(members: Value) -> Value {
    let mut parameter = json!({ "name": "p", "in": "query" });
    parameter.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
    operation(json!({ "parameters": [parameter] }))
}

fn body(body: Value) -> Value {
    json!({ "paths": { "/x": { "post": {
        "operationId": "x", "requestBody": body, "responses": { "204": { "description": "Done." } },
    } } } })
}

fn components(section: &str, components: Value) -> Value {
    json!({ "paths": {}, "components": { section: components } })
}

/// Returns a document with a schema as a member of a resource.
fn schema(schema: Value) -> Value {
    components("schemas", json!({ "A": { "type": "object", "properties": { "it": schema } } }))
}

const PARAMETER: &str = "/paths/~1x/get/parameters/0";
const MEMBER: &str = "/components/schemas/A/properties/it";

/// Imports a document, and returns its messages as `error`, `loss` or `note`, with their places.
fn messages(mut document: Value, version: &str) -> Vec<(&'static str, String, String)> {
    document["openapi"] = version.into();
    document["info"] = json!({ "title": "Notes", "version": "1" });
    let options = Options { keeps_unreferenced: true, ..Options::default() };
    match import_as(&document.to_string(), &options, None) {
        Ok(import) => {
            let losses = import.losses.into_iter().map(|loss| ("loss", loss.at, loss.what));
            losses.chain(import.notes.into_iter().map(|note| ("note", note.at, note.what))).collect()
        }
        Err(ImportError::Document { at, problem }) => vec![("error", at, problem)],
        Err(other) => panic!("{other}"),
    }
}

/// Checks that each document has a message, and if it is an error no other.
fn assert_reported(table: Vec<(Value, &str, &str, &str)>) {
    let mut missing = Vec::new();
    for (document, severity, at, what) in table {
        let found = messages(document.clone(), "3.0.3");
        let is_expected =
            |(own, place, message): &(&str, String, String)| *own == severity && place == at && message.contains(what);
        if !found.iter().any(is_expected) {
            missing.push(format!("{severity} {at}: {what}\n  found: {found:?}\n"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.concat());
}

#[test]
fn invalid_parameters_are_reported() {
    let text = json!({ "type": "string" });
    let content = json!({ "application/json": { "schema": text } });
    let list = json!({ "type": "array", "items": text });
    let header = |header: Value| {
        operation(json!({ "responses": { "204": { "description": "Done.", "headers": { "X-A": header } } } }))
    };
    let at_header = "/paths/~1x/get/responses/204/headers/X-A";
    let in_path = json!({ "paths": { "/x/{p}": { "get": {
        "operationId": "x", "parameters": [{ "name": "p", "in": "path", "schema": text }],
        "responses": { "204": { "description": "Done." } },
    } } } });
    let twice = operation(json!({ "parameters": [
        { "name": "X-A", "in": "header", "schema": text }, { "name": "x-a", "in": "header", "schema": text },
    ] }));
    assert_reported(vec![
        (parameter(json!({ "schema": text, "content": content })), "error", PARAMETER, "it has `schema` and `content`"),
        (header(json!({ "schema": text, "content": content })), "error", at_header, "it has `schema` and `content`"),
        (parameter(json!({ "content": {} })), "error", PARAMETER, "its `content` is empty"),
        (header(json!({ "content": {} })), "error", at_header, "its `content` is empty"),
        (
            parameter(json!({ "schema": text, "style": "tabs" })),
            "error",
            PARAMETER,
            "unknown style `tabs`; expected one of",
        ),
        (header(json!({ "schema": text, "style": "tabs" })), "error", at_header, "unknown style `tabs`"),
        (
            parameter(json!({ "schema": text, "style": "matrix" })),
            "note",
            PARAMETER,
            "`matrix` does not exist in the query",
        ),
        (header(json!({ "schema": text, "style": "form" })), "note", at_header, "`form` does not exist in headers"),
        (
            parameter(json!({ "schema": list, "style": "deepObject" })),
            "note",
            PARAMETER,
            "`deepObject` is not defined for the type `array`",
        ),
        (
            parameter(json!({ "content": content, "style": "form" })),
            "note",
            &format!("{PARAMETER}/style"),
            "it has no effect on `content`",
        ),
        (parameter(json!({})), "note", PARAMETER, "it has neither `schema` nor `content`"),
        (in_path, "note", "/paths/~1x~1{p}/get/parameters/0", "parameters in the path must have `required: true`"),
        (twice, "loss", "/paths/~1x/get/parameters/1", "another parameter has the same name and location"),
    ]);
}

#[test]
fn invalid_operations_are_reported() {
    let done = json!({ "204": { "description": "Done." } });
    let get = |path: &str| json!({ path: { "get": { "responses": done } } });
    let ids = json!({ "paths": { "/a": { "get": { "operationId": "x", "responses": done } }, "/b": { "get": { "operationId": "x", "responses": done } } } });
    let equal =
        json!({ "paths": { "/a/{b}": { "get": { "responses": done } }, "/a/{c}": { "put": { "responses": done } } } });
    let form = |encoding: Value| {
        let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        body(json!({ "content": { "multipart/form-data": { "schema": schema, "encoding": encoding } } }))
    };
    let encoding = "/paths/~1x/post/requestBody/content/multipart~1form-data/encoding";
    let variable = |variable: Value| json!({ "paths": {}, "servers": [{ "url": "https://{a}.example.com", "variables": { "a": variable } }] });
    assert_reported(vec![
        (operation(json!({ "responses": {} })), "note", "/paths/~1x/get", "the operation declares no responses"),
        (json!({ "paths": { "/x": { "get": {} } } }), "note", "/paths/~1x/get", "the operation declares no responses"),
        (ids, "note", "/paths/~1b/get", "another operation has the `operationId: x`"),
        (equal, "note", "/paths/~1a~1{c}", "the path equals `/a/{b}` except for names of variables"),
        (
            json!({ "paths": get("/{a}/{a}") }),
            "loss",
            "/paths/~1{a}~1{a}",
            "the variable `a` occurs several times in the path",
        ),
        (body(json!({ "content": {} })), "note", "/paths/~1x/post/requestBody", "has no `content`"),
        (body(json!({ "description": "None." })), "note", "/paths/~1x/post/requestBody", "has no `content`"),
        (form(json!({ "b": {} })), "note", &format!("{encoding}/b"), "the body has no field with this name"),
        (form(json!({ "a": { "style": "tabs" } })), "error", &format!("{encoding}/a"), "unknown style `tabs`"),
        (
            form(json!({ "a": { "style": "matrix" } })),
            "note",
            &format!("{encoding}/a"),
            "`matrix` does not exist in a form",
        ),
        (
            variable(json!({ "default": "c", "enum": ["a", "b"] })),
            "note",
            "/servers/0/variables/a/default",
            "not among the values of `enum`",
        ),
        (
            variable(json!({ "default": "a", "enum": ["a", "a"] })),
            "note",
            "/servers/0/variables/a/enum/1",
            "listed several times",
        ),
    ]);
}

#[test]
fn invalid_components_are_reported() {
    let scheme = |scheme: Value| components("securitySchemes", json!({ "s": scheme }));
    let mut table = Vec::new();
    let sections = [
        "callbacks",
        "examples",
        "headers",
        "links",
        "parameters",
        "requestBodies",
        "responses",
        "schemas",
        "securitySchemes",
    ];
    let places: Vec<String> = sections.iter().map(|section| format!("/components/{section}/A")).collect();
    for (section, at) in sections.iter().zip(&places) {
        table.push((components(section, json!({ "A": null })), "error", at.as_str(), "found null"));
    }
    table.extend([
        (components("headers", json!({ "a!b": {} })), "note", "/components/headers/a!b", "invalid name of a component"),
        (scheme(json!({ "type": "secret" })), "note", "/components/securitySchemes/s", "its type `secret` is unknown"),
        (
            scheme(json!({ "type": "http", "scheme": "secret" })),
            "note",
            "/components/securitySchemes/s",
            "becomes an API key",
        ),
    ]);
    assert_reported(table);
}

#[test]
fn invalid_schemas_are_reported() {
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let cycle =
        |key: &str| components("schemas", json!({ "A": { key: [reference("B")] }, "B": { key: [reference("A")] } }));
    let own = |key: &str| components("schemas", json!({ "A": { key: [reference("A")] } }));
    let members = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let redundant = components("schemas", json!({ "A": { "allOf": [reference("A"), members] } }));
    assert_reported(vec![
        (
            schema(json!({ "allOf": [{ "type": "string" }, { "type": "integer" }] })),
            "loss",
            MEMBER,
            "its parts allow no common type",
        ),
        (
            schema(json!({ "type": "string", "allOf": [{ "type": "object" }] })),
            "loss",
            MEMBER,
            "its parts allow no common type",
        ),
        (own("allOf"), "loss", "/components/schemas/A", "contains itself"),
        (redundant, "note", "/components/schemas/A", "contains itself"),
        (own("anyOf"), "loss", "/components/schemas/A", "contains itself"),
        (own("oneOf"), "loss", "/components/schemas/A", "contains itself"),
        (cycle("allOf"), "loss", "/components/schemas/A", "contains itself"),
        (cycle("anyOf"), "loss", "/components/schemas/A", "contains itself"),
        (cycle("oneOf"), "loss", "/components/schemas/A", "contains itself"),
        (schema(Value::Null), "loss", MEMBER, "expected a schema"),
        (schema(json!({ "type": "text" })), "loss", &format!("{MEMBER}/type"), "unknown type `text`"),
        (
            schema(json!({ "type": "string", "enum": ["a", "b"], "default": "c" })),
            "loss",
            &format!("{MEMBER}/default"),
            "default",
        ),
        (schema(json!({ "type": "integer", "default": "c" })), "loss", &format!("{MEMBER}/default"), "default"),
        (schema(json!({ "type": "boolean", "default": 3 })), "loss", &format!("{MEMBER}/default"), "default"),
        (schema(json!({ "type": "string", "default": null })), "note", MEMBER, "the value cannot be null"),
        (
            schema(json!({ "type": "integer", "enum": ["a", "b"] })),
            "loss",
            &format!("{MEMBER}/enum/0"),
            "the type `integer` is left out",
        ),
        (
            schema(json!({ "type": "boolean", "enum": ["true"] })),
            "loss",
            &format!("{MEMBER}/enum/0"),
            "the type `boolean` is left out",
        ),
        (
            schema(json!({ "type": "string", "enum": ["a", 2] })),
            "note",
            &format!("{MEMBER}/enum/1"),
            "becomes a string",
        ),
        (
            schema(json!({ "type": "string", "enum": ["a", null] })),
            "note",
            &format!("{MEMBER}/enum/1"),
            "the value is nullable",
        ),
        (
            schema(json!({ "type": "string", "enum": ["a", "b", "a"] })),
            "note",
            &format!("{MEMBER}/enum/2"),
            "listed several times",
        ),
        (schema(json!({ "type": "array" })), "note", MEMBER, "`items` is missing"),
        (
            schema(json!({ "type": "string", "minLength": -1 })),
            "loss",
            &format!("{MEMBER}/minLength"),
            "an integer of at least 0",
        ),
        (
            schema(json!({ "type": "string", "minLength": 3, "maxLength": 2 })),
            "loss",
            MEMBER,
            "greater than `maxLength`",
        ),
    ]);
}

#[test]
fn keys_of_another_version_are_reported_once_per_key() {
    let reported = |document: Value, version: &str| -> Vec<(String, String)> {
        let found = messages(document, version).into_iter().filter(|(_, _, what)| what.contains("is part of OpenAPI"));
        found.map(|(severity, at, what)| (format!("{severity} {at}"), what)).collect()
    };
    let new = |key: &str, more: &str| {
        format!("`{key}` is part of OpenAPI 3.1, and is read as there, in a document of version 3.0{more}")
    };
    let document = schema(json!({ "type": ["string", "null"], "const": "a", "allOf": [{ "const": "a" }] }));
    let expected = [
        (format!("note {MEMBER}"), new("const", " (and in 1 more place)")),
        (format!("note {MEMBER}"), new("type", "")),
    ];
    assert_eq!(reported(document.clone(), "3.0.0"), expected);
    assert_eq!(reported(document, "3.1.0"), []);
    let mut document = components("securitySchemes", json!({ "s": { "type": "mutualTLS" } }));
    document["webhooks"] = json!({});
    document["components"]["pathItems"] = json!({});
    let keys: Vec<String> = reported(document.clone(), "3.0.4").into_iter().map(|(at, _)| at).collect();
    assert_eq!(keys, ["note /components/pathItems", "note /components/securitySchemes/s", "note /webhooks"]);
    assert_eq!(reported(document, "3.1.0"), []);
    let old = schema(json!({ "type": "integer", "nullable": true, "minimum": 1, "exclusiveMinimum": true }));
    let expected = ["exclusiveMinimum", "nullable"].map(|key| {
        let what = format!("`{key}` is part of OpenAPI 3.0, and is read as there, in a document of version 3.1");
        (format!("note {MEMBER}"), what)
    });
    assert_eq!(reported(old.clone(), "3.1.0"), expected);
    assert_eq!(reported(old, "3.0.0"), []);
}
