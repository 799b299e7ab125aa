//! Documents to mutate.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::inputs::{corpus, entries};

/// Returns our own documents.
pub fn own() -> Vec<(String, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = ["calendar", "mailbox", "script"].map(|api| root.join(format!("generated/{api}-server/openapi.json")));
    let mut documents = small(files.into());
    documents.extend([("ours: Discovery".to_owned(), notes()), ("ours: OpenAPI".to_owned(), shop())]);
    documents
}

/// Returns public documents.
pub fn public() -> Vec<(String, Value)> {
    small(["discovery/docs", "openapi"].into_iter().flat_map(|folder| entries(corpus(folder))).collect())
}

/// Returns the small documents among some files.
fn small(mut files: Vec<PathBuf>) -> Vec<(String, Value)> {
    files.sort();
    let read = |path: PathBuf| {
        let text = fs_err::read_to_string(&path).ok().filter(|text| text.len() < 60_000)?;
        let value: Value = serde_json::from_str(&text).ok()?;
        (value.get("openapi").is_some() || value.get("kind").is_some()).then(|| (path.display().to_string(), value))
    };
    files.into_iter().filter_map(read).collect()
}

/// Returns a Discovery document that uses most of the format.
fn notes() -> Value {
    json!({
        "kind": "discovery#restDescription", "name": "notes", "version": "v1", "title": "Notes", "description": "Keeps notes.",
        "rootUrl": "https://notes.example.com/", "servicePath": "notes/", "batchPath": "batch", "protocol": "rest",
        "auth": { "oauth2": { "scopes": { "https://notes.example.com/auth/all": { "description": "All." } } } },
        "parameters": { "alt": { "type": "string", "enum": ["json", "media"], "location": "query", "default": "json" } },
        "schemas": {
            "Note": { "id": "Note", "type": "object", "properties": {
                "id": { "type": "string", "readOnly": true }, "size": { "type": "string", "format": "int64" },
                "colour": { "type": "string", "enum": ["RED", "GREEN"], "enumDescriptions": ["As blood.", "As grass."] },
                "labels": { "type": "object", "additionalProperties": { "type": "string" } },
                "parts": { "type": "array", "items": { "type": "object", "properties": { "text": { "type": "string" } } } },
                "next": { "$ref": "Note" } } },
            "Notes": { "id": "Notes", "type": "object", "properties": {
                "notes": { "type": "array", "items": { "$ref": "Note" } }, "nextPageToken": { "type": "string" } } },
        },
        "resources": { "notes": { "methods": {
            "get": { "id": "notes.notes.get", "path": "v1/{+name}", "httpMethod": "GET", "parameterOrder": ["name"],
                "parameters": { "name": { "type": "string", "required": true, "location": "path", "pattern": "^notes/[^/]+$" } },
                "response": { "$ref": "Note" }, "scopes": ["https://notes.example.com/auth/all"] },
            "list": { "id": "notes.notes.list", "path": "v1/notes", "httpMethod": "GET",
                "parameters": { "pageToken": { "type": "string", "location": "query" },
                    "pageSize": { "type": "integer", "format": "int32", "location": "query", "minimum": "1" } },
                "response": { "$ref": "Notes" } },
            "insert": { "id": "notes.notes.insert", "path": "v1/notes", "httpMethod": "POST", "request": { "$ref": "Note" },
                "response": { "$ref": "Note" }, "supportsMediaUpload": true, "mediaUpload": { "accept": ["*/*"],
                    "maxSize": "10MB", "protocols": { "simple": { "multipart": true, "path": "/upload/notes" } } } },
        } } },
    })
}

/// Returns an OpenAPI document that uses most of the format.
fn shop() -> Value {
    let response = |name: &str| json!({ "description": "It.", "content": { "application/json": { "schema": { "$ref": format!("#/components/schemas/{name}") } } } });
    json!({
        "openapi": "3.1.0", "info": { "title": "Shop", "version": "1", "description": "Sells." },
        "servers": [{ "url": "https://{region}.shop.example.com/v1", "variables": { "region": { "default": "eu", "enum": ["eu", "us"] } } }],
        "security": [{ "key": [] }, { "login": ["read"] }],
        "tags": [{ "name": "items", "description": "What is sold." }],
        "paths": { "/items/{id}": {
            "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string", "pattern": "^[a-z]+$" } }],
            "get": { "operationId": "items.get", "tags": ["items"], "responses": { "200": response("Item"), "default": response("Problem") },
                "parameters": [{ "name": "tags", "in": "query", "explode": false, "schema": { "type": "array", "items": { "type": "string" } } },
                    { "name": "filter", "in": "query", "style": "deepObject", "schema": { "type": "object", "properties": { "a": { "type": "integer" } } } }] },
            "put": { "operationId": "items.put", "requestBody": { "required": true, "content": {
                "multipart/form-data": { "schema": { "type": "object", "properties": { "file": { "type": "string", "format": "binary" } } } },
                "application/json": { "schema": { "$ref": "#/components/schemas/Item" } } } }, "responses": { "204": { "description": "Done.",
                "headers": { "X-Left": { "schema": { "type": "integer" } } } } } },
        } },
        "components": {
            "securitySchemes": { "key": { "type": "apiKey", "in": "header", "name": "X-Key" },
                "login": { "type": "oauth2", "flows": { "clientCredentials": { "tokenUrl": "https://x.example.com", "scopes": { "read": "Reads." } } } } },
            "schemas": {
                "Item": { "type": "object", "required": ["id"], "properties": {
                    "id": { "type": "string", "minLength": 1 }, "price": { "type": "number", "minimum": 0 }, "kind": { "$ref": "#/components/schemas/Kind" },
                    "pet": { "oneOf": [{ "$ref": "#/components/schemas/Cat" }, { "$ref": "#/components/schemas/Dog" }], "discriminator": { "propertyName": "says" } },
                    "all": { "allOf": [{ "$ref": "#/components/schemas/Cat" }, { "properties": { "more": { "type": ["string", "null"] } } }] } } },
                "Kind": { "type": "string", "enum": ["big", "small"] },
                "Cat": { "type": "object", "required": ["says"], "properties": { "says": { "const": "meow" } } },
                "Dog": { "type": "object", "required": ["says"], "properties": { "says": { "const": "bark" }, "owner": { "$ref": "#/components/schemas/Item" } } },
                "Problem": { "type": "object", "properties": { "message": { "type": "string" } } },
            },
        },
    })
}
