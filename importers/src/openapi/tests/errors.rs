//! Errors in one operation or one schema, which affect only what depends on them.

use serde_json::{Value, json};

use super::{imported, lost, read};
use crate::{MAX_BYTES, Options};

/// Returns a document with invalid parts.
fn partly_invalid() -> Value {
    let done = json!({ "204": { "description": "Done." } });
    let body = |media: &str| json!({ "content": { media: { "schema": { "type": "string" } } } });
    json!({
        "paths": {
            "/a": { "get": { "operationId": "a", "responses": done, "parameters": [
                { "$ref": "#/components/parameters/Pag" }, { "in": "query" }, { "name": "x", "in": "body" },
            ] } },
            "/b": { "post": { "operationId": "b", "requestBody": { "$ref": "#/components/requestBodies/B" }, "responses": done } },
            "/c": { "get": { "operationId": "c", "responses": {
                "200": { "$ref": "#/components/responses/C" }, "20": { "description": "?" }, "204": { "description": "Done." },
            } } },
            "/d": { "post": { "operationId": "d", "requestBody": body("text"), "responses": done } },
            "/e": { "post": { "operationId": "e", "requestBody": body("text/<any>"), "responses": done } },
            "/f": { "$ref": "#/paths/~1f" },
            "/g": { "get": { "operationId": "g", "responses": done } },
        },
        "components": {
            "parameters": { "Page": { "name": "page", "in": "query", "schema": { "type": "string" } } },
            "schemas": { "A": { "$ref": "#/components/schemas/Pen" }, "B": { "type": "object", "properties": {
                "a": { "$ref": "#/components/schemas/A" }, "pen": { "$ref": "#/components/schemas/Pen" },
            } } },
        },
    })
}

#[test]
fn invalid_parts_do_not_affect_others() {
    let import = imported(partly_invalid());
    let here = read(&import);
    let operations: Vec<&String> = here["operations"].as_object().expect("operations").keys().collect();
    assert_eq!(operations, ["a", "b", "c", "d", "e", "g"]);
    assert_eq!(here["resources"]["B"]["fields"]["pen"]["type"], "any");
    assert_eq!(
        lost(&import),
        [
            ("/components/schemas/A", "left out: nothing found at `#/components/schemas/Pen`"),
            ("/components/schemas/B/properties/pen", "left out: nothing found at `#/components/schemas/Pen`"),
            (
                "/paths/~1a/get/parameters/0",
                "left out: nothing found at `#/components/parameters/Pag`; did you mean `Page`?"
            ),
            ("/paths/~1a/get/parameters/1", "left out: a parameter requires `name` and `in`"),
            ("/paths/~1a/get/parameters/2", "left out: a parameter cannot be in `body`"),
            ("/paths/~1b/post/requestBody", "left out: nothing found at `#/components/requestBodies/B`"),
            ("/paths/~1c/get/responses/20", "left out: invalid status `20`"),
            ("/paths/~1c/get/responses/200", "left out: nothing found at `#/components/responses/C`"),
            ("/paths/~1d/post/requestBody/content/text", "left out: the schema language does not support `text`"),
            (
                "/paths/~1e/post/requestBody/content/text~1<any>",
                "left out: the schema language does not support `text/<any>`"
            ),
            ("/paths/~1f", "left out: cyclic reference"),
        ]
    );
}

#[test]
fn references_are_percent_decoded_and_invalid_escapes_stay() {
    let parameter = |name: &str| json!({ "name": name, "in": "query", "schema": { "type": "string" } });
    let import = imported(json!({
        "paths": { "/a": { "get": { "operationId": "a", "responses": { "204": { "description": "Done." } }, "parameters": [
            { "$ref": "#/components/parameters/a%20%62" }, { "$ref": "#/components/parameters/%+1" },
            { "$ref": "#/components/parameters/%zz%" },
        ] } } },
        "components": {
            "parameters": { "a b": parameter("x"), "%+1": parameter("y"), "%zz%": parameter("z") },
        },
    }));
    assert_eq!(lost(&import), []);
    let parameters = read(&import)["operations"]["a"]["query"].clone();
    let names: Vec<&String> = parameters.as_object().expect("parameters").keys().collect();
    assert_eq!(names, ["x", "y", "z"]);
}

#[test]
fn maximum_size_can_be_raised() {
    let head = "openapi: 3.0.0\ninfo: { title: Notes, version: v1 }\npaths: {}\n";
    let text = format!("{head}#{}\n", " ".repeat(MAX_BYTES));
    let reported = super::super::import(&text).expect_err("an error").to_string();
    assert!(reported.contains("the maximum is 33554432"), "{reported}");
    let options = Options { max_bytes: MAX_BYTES * 2, ..Options::default() };
    assert!(super::super::import_as(&text, &options, None).is_ok());
}

#[test]
fn tolerated_yaml_is_a_note() {
    let head = "openapi: 3.0.0\ninfo:\n  title: Notes\n  version: v1\n  x-list: [\n    a,\n  ]\npaths: {\n}\n";
    let import = super::super::import(head).expect("a document");
    let notes: Vec<&str> = import.notes.iter().map(|note| note.what.as_str()).collect();
    let reported = notes.iter().filter(|note| note.contains("PyYAML")).count();
    assert_eq!(reported, 1, "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("line 7, column 3")), "{notes:?}");
}
