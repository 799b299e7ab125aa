//! Bodies of requests and responses.

use serde_json::json;

use super::{imported, lost, operation, read};

#[test]
fn raw_bodies_are_supported() {
    let import = imported(json!({ "paths": { "/a": { "put": {
        "requestBody": { "required": true, "content": {
            "image/png": { "schema": { "type": "string", "format": "binary" } },
            "image/*": {},
        } },
        "responses": {
            "200": {
                "description": "It is there.",
                "content": { "text/plain": { "schema": { "type": "string" } } },
                "headers": {
                    "X-Left": { "description": "How many are left.", "required": true, "schema": { "type": "integer" } },
                    "X-Tags": { "schema": { "type": "array", "items": { "type": "string" } } },
                    "Content-Type": { "schema": { "type": "string" } },
                },
            },
            "429": { "description": "Too many.", "headers": { "Retry-After": { "schema": { "type": "integer", "format": "uint32" } } } },
        },
    } } } }));
    let found = &read(&import)["operations"]["put_a"];
    assert_eq!(found["body"], json!({ "type": "bytes", "content_types": ["image/*", "image/png"] }));
    assert_eq!(
        found["response"],
        json!({
            "type": "string", "doc": "It is there.", "content_types": ["text/plain"],
            "headers": {
                "X-Left": { "type": "int64", "doc": "How many are left.", "required": true },
                "X-Tags": { "type": ["string"] },
            },
        })
    );
    assert_eq!(
        found["errors"],
        json!({ "429": { "doc": "Too many.", "headers": { "Retry-After": { "type": "uint32" } } } })
    );
    assert_eq!(lost(&import), []);
}

#[test]
fn media_types_of_bodies_are_kept() {
    let import = imported(json!({ "paths": { "/a": { "put": {
        "requestBody": { "required": true, "content": { "application/json": {
            "schema": { "type": "array", "items": { "type": "string", "format": "int64" } },
        } } },
        "responses": {
            "200": { "description": "It is there.", "content": { "application/json": {
                "schema": { "type": "string", "format": "byte" },
            } } },
            "201": { "description": "It is new.", "content": { "application/json": {
                "schema": { "type": "string", "contentEncoding": "base64url" },
            } } },
        },
    } } } }));
    let found = &read(&import)["operations"]["put_a"];
    assert_eq!(found["body"], json!({ "type": ["int64"], "encoding": "decimal_string" }));
    let expected = json!({
        "200": { "type": "bytes", "encoding": "base64", "doc": "It is there." },
        "201": { "type": "bytes", "doc": "It is new." },
    });
    assert_eq!((&found["responses"], lost(&import)), (&expected, vec![]));
}

#[test]
fn string_of_any_media_type_is_raw() {
    let (found, lost) = operation(json!({ "responses": { "200": { "description": "It.", "content": {
        "*/*": { "schema": { "type": "string" } } } } } }));
    assert_eq!(found["response"], json!({ "type": "string", "content_types": ["text/plain"], "doc": "It." }));
    assert_eq!(lost, ["becomes `text/plain`: a string of any media type is raw text"]);
    let (found, lost) = operation(json!({ "responses": { "200": { "description": "It.", "content": {
        "*/*": { "schema": { "type": "array", "items": { "type": "string" } } } } } } }));
    assert_eq!(found["response"], json!({ "type": ["string"], "doc": "It." }));
    assert_eq!(lost, Vec::<String>::new());
}

#[test]
fn merge_patch_without_members_is_reported() {
    let import = imported(
        json!({ "paths": { "/x": { "patch": { "responses": {}, "requestBody": { "required": true, "content": {
        "application/merge-patch+json": { "schema": { "type": "array", "items": { "type": "string" } } } } } } } } }),
    );
    let why = "`as: merge_patch` is left out: a merge patch requires an object with known members";
    assert_eq!(lost(&import), [("/paths/~1x/patch/requestBody", why)]);
}

/// Imports an operation with a request and a response in these media types.
fn in_media_types(content: &serde_json::Value) -> crate::Import {
    imported(json!({
        "components": { "schemas": {
            "Count": { "type": "integer" },
            "Thing": { "type": "object", "properties": { "a": { "type": "string" } } },
            "File": { "type": "string", "format": "binary" },
            "Anything": { "type": "object" },
        } },
        "paths": { "/a": { "put": {
            "operationId": "a",
            "requestBody": { "required": true, "content": content },
            "responses": { "200": { "description": "It.", "content": content } },
        } } },
    }))
}

#[test]
fn plain_text_of_a_number_or_a_boolean_is_its_json() {
    let reference = json!({ "$ref": "#/components/schemas/Count" });
    for (schema, ty) in [
        (json!({ "type": "integer", "format": "int32" }), "int32"),
        (json!({ "type": "number" }), "number"),
        (json!({ "type": "boolean" }), "bool"),
        (reference, "int64"),
    ] {
        let import = in_media_types(&json!({ "text/plain": { "schema": schema } }));
        let found = read(&import)["operations"]["a"].clone();
        assert_eq!(found["body"], json!({ "type": ty, "content_types": ["text/plain"] }));
        assert_eq!(
            (&found["response"]["type"], &found["response"]["content_types"]),
            (&json!(ty), &json!(["text/plain"]))
        );
        assert_eq!(lost(&import), []);
    }
    let schema = json!({ "schema": { "type": "integer" } });
    let import = in_media_types(
        &json!({ "text/plain": schema, "application/json": schema, "text/json": schema, "*/*": schema }),
    );
    let types = json!(["application/json", "text/json", "text/plain"]);
    let found = read(&import)["operations"]["a"].clone();
    let mut found = found["body"]["content_types"].as_array().cloned().unwrap_or_default();
    found.sort_by_key(ToString::to_string);
    assert_eq!((json!(found), lost(&import)), (types, vec![]));
}

#[test]
fn json_in_three_media_types_is_json() {
    let schema = json!({ "schema": { "$ref": "#/components/schemas/Thing" } });
    let import = imported(json!({
        "components": { "schemas": { "Thing": { "type": "object", "properties": { "a": { "type": "string" } } } } },
        "paths": { "/a": { "get": { "operationId": "a", "responses": { "200": { "description": "It.", "content": {
            "text/plain": schema, "application/json": schema, "text/json": schema,
        } } } } } },
    }));
    let found = read(&import)["operations"]["a"].clone();
    assert_eq!(found["response"]["content_types"], json!(["application/json", "text/json"]));
    let note = "left out: the body is requested as `application/json`, with the same schema";
    assert_eq!((lost(&import), import.notes[0].what.as_str()), (vec![], note));
}

#[test]
fn files_are_recognised_through_references() {
    let of = |name: &str| json!({ "schema": { "$ref": format!("#/components/schemas/{name}") } });
    for (json, file) in [("Thing", "File"), ("Anything", "Anything"), ("Thing", "Anything")] {
        let import = in_media_types(&json!({ "application/json": of(json), "application/octet-stream": of(file) }));
        let found = read(&import)["operations"]["a"].clone();
        for place in ["body", "response"] {
            let bytes = json!({ "type": "bytes", "content_types": ["application/octet-stream"] });
            assert_eq!(found[place]["alternatives"]["bytes"], bytes, "{found}");
        }
        assert_eq!(lost(&import), []);
    }
    let import = in_media_types(&json!({ "image/png": of("File") }));
    assert_eq!((&read(&import)["operations"]["a"]["body"]["type"], lost(&import)), (&json!("bytes"), vec![]));
}

#[test]
fn bodies_that_are_collections_have_counts() {
    let texts = |least: u64| json!({ "type": "array", "items": { "type": "string" }, "minItems": least });
    let unique = json!({ "type": "array", "uniqueItems": true, "maxItems": 9, "items": { "type": "integer" } });
    let map = json!({ "type": "object", "additionalProperties": texts(1), "minProperties": 2 });
    let body = |schema: &serde_json::Value| {
        let import = imported(json!({ "paths": { "/a": { "put": {
            "operationId": "a",
            "requestBody": { "required": true, "content": { "application/json": { "schema": schema } } },
            "responses": { "200": { "description": "It is there.", "content": { "application/json": { "schema": schema } } } },
        } } } }));
        assert_eq!(lost(&import), []);
        let found = &read(&import)["operations"]["a"];
        let keys = |of: &str| ["type", "items", "unique", "elements"].map(|key| found[of][key].clone());
        assert_eq!(keys("response"), keys("body"));
        found["body"].clone()
    };
    assert_eq!(body(&texts(1)), json!({ "type": ["string"], "items": "1.." }));
    assert_eq!(body(&unique), json!({ "type": ["int64"], "items": "..=9", "unique": true }));
    let expected = json!({ "type": { "string": ["string"] }, "items": "2..", "elements": { "items": "1.." } });
    assert_eq!(body(&map), expected);
}

#[test]
fn alternatives_that_are_collections_have_counts() {
    let import = imported(json!({ "paths": { "/a": { "put": {
        "operationId": "a",
        "requestBody": { "required": true, "content": {
            "application/json": { "schema": { "type": "array", "minItems": 1, "items": { "type": "string" } } },
            "text/csv": { "schema": { "type": "string" } },
        } },
        "responses": { "200": { "description": "It is there.", "content": {
            "application/json": { "schema": { "type": "array", "maxItems": 5, "items": { "type": "string" } } },
            "text/csv": { "schema": { "type": "string" } },
        } } },
    } } } }));
    let found = &read(&import)["operations"]["a"];
    let json = |of: &str| found[of]["alternatives"]["json"].clone();
    assert_eq!(json("body"), json!({ "type": ["string"], "items": "1.." }));
    assert_eq!(json("response"), json!({ "type": ["string"], "items": "..=5" }));
    assert_eq!(lost(&import), []);
}
