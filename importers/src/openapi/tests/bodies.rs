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
    assert_eq!(found["response"], json!({ "type": "bytes", "encoding": "base64", "doc": "It is there." }));
    assert_eq!(
        lost(&import),
        [(
            "/paths/~1a/put/responses/201",
            "left out: its body is `bytes`, but that of the response with status 200 is `bytes as base64`"
        )]
    );
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
