//! Methods, with their parameters, headers and media.

use serde_json::{Value, json};

use super::{imported, lost, read};

#[test]
fn methods_become_operations() {
    let import = imported(json!({
        "rootUrl": "https://example.com/", "servicePath": "api/",
        "auth": {"oauth2": {"scopes": {"https://www.googleapis.com/auth/notes": {"description": "Notes."}}}},
        "parameters": {"key": {"type": "string", "location": "query"}, "fields": {"type": "string", "location": "query"}},
        "schemas": {"Note": {"type": "object", "properties": {"id": {"type": "string", "annotations": {"required": ["notes.notes.put"]}}}}},
        "resources": {"notes": {"methods": {
            "put": {
                "id": "notes.notes.put", "httpMethod": "PUT", "path": "v1/{+name}:set", "flatPath": "v1/notes/{notesId}:set",
                "parameterOrder": ["name"], "request": {"$ref": "Note"}, "scopes": ["https://www.googleapis.com/auth/notes"],
                "parameters": {
                    "name": {"type": "string", "location": "path", "required": true, "pattern": "^notes/[^/]+$"},
                    "body": {"type": "string", "location": "query", "repeated": true, "enum": ["A"]},
                    "key": {"type": "string", "location": "query", "required": true},
                },
            },
            "get": {"id": "notes.notes.get", "httpMethod": "GET", "path": "v1/notes", "request": {"$ref": "Note"}, "response": {"$ref": "Note"}},
            "head": {"id": "notes.notes.head", "httpMethod": "HEAD", "path": "v1/notes", "request": {"$ref": "Note"}},
        }}},
    }));
    let whole = read(&import);
    let put = &whole["operations"]["notes.put"];
    assert_eq!(put["http"], "PUT /v1/{+name}:set");
    assert_eq!(put["path"], json!({"name": {"type": "string", "pattern": "notes/[^/]+"}}));
    assert_eq!(put["query"]["body"], json!({"type": ["NotesPutBody"], "name": "body_2"}));
    assert_eq!((&put["body"], &put["response"], &put["scopes"]), (&json!("Note"), &Value::Null, &json!(["notes"])));
    // A method's own parameter replaces the standard one.
    assert_eq!(
        (&put["parameters"], &whole["operations"]["notes.get"]["parameters"]),
        (&Value::Null, &json!(["replaced"]))
    );
    assert_eq!(whole["resources"]["Note"]["fields"]["id"]["required"], json!({"in": ["notes.put"]}));
    assert_eq!((&whole["root"], &whole["base_path"]), (&json!("https://example.com"), &json!("/api")));
    assert_eq!(whole["operations"]["notes.get"]["body"], "Note");
    assert_eq!(
        lost(&import),
        [("/resources/notes/methods/head/request", "left out: a HEAD request cannot have a body")]
    );
}

#[test]
fn method_version_is_a_constant_header() {
    let import = imported(json!({"resources": {"notes": {"methods": {
        "get": {"httpMethod": "GET", "path": "notes", "apiVersion": "2026-01-01-preview"},
        "put": {"httpMethod": "PUT", "path": "notes", "apiVersion": "1 \u{e9}"},
    }}}}));
    let operations = &read(&import)["operations"];
    assert_eq!(
        operations["notes.get"]["headers"],
        json!({"X-Goog-Api-Version": {
            "type": "string", "doc": "The requested version of the API.", "const": "2026-01-01-preview",
        }})
    );
    assert_eq!(operations["notes.put"]["headers"], json!(null));
    assert_eq!(lost(&import), [("/resources/notes/methods/put/apiVersion", "left out: invalid header value")]);
}

#[test]
fn media_uploads_use_declared_paths() {
    let import = imported(json!({"resources": {"notes": {"methods": {
        "put": {
            "httpMethod": "POST", "path": "v1/{+name}/media",
            "parameters": {"name": {"type": "string", "location": "path", "required": true}},
            "supportsMediaUpload": true, "supportsMediaDownload": true, "useMediaDownloadService": true,
            "mediaUpload": {"accept": ["image/*", "x y"], "maxSize": "3KB", "protocols": {
                "simple": {"path": "/upload/v1/{+name}/media", "multipart": true},
                "resumable": {"path": "/resumable/upload/v1/media"},
            }},
        },
    }}}}));
    let expected = json!({
        "upload": ["image/*"], "max_bytes": 3072, "download": true,
        "simple": {"path": "/upload/v1/{+name}/media", "multipart": true},
    });
    assert_eq!(read(&import)["operations"]["notes.put"]["media"], expected);
    let upload = "/resources/notes/methods/put/mediaUpload";
    let places: Vec<&str> = import.losses.iter().map(|loss| loss.at.as_str()).collect();
    assert_eq!(places, [upload, &format!("{upload}/protocols/resumable")]);
}

#[test]
fn omitted_methods_are_not_referenced() {
    let import = imported(json!({
        "schemas": {
            "Note": { "type": "object", "properties": {
                "id": { "type": "string", "annotations": { "required": ["notes.gone", "notes.list"] } } } },
            "Notes": { "type": "object", "properties": {
                "notes": { "type": "array", "items": { "$ref": "Note" } }, "nextPageToken": { "type": "string" } } },
        },
        "resources": { "notes": { "methods": {
            "gone": { "id": "notes.gone", "path": "{", "httpMethod": "GET", "request": { "$ref": "Note" } },
            "list": { "id": "notes.list", "path": "notes", "httpMethod": "POST", "request": { "$ref": "Note" },
                "response": { "$ref": "Notes" }, "parameters": {
                    "pageSize": { "type": "integer", "format": "int32", "location": "path" },
                    "pageToken": { "type": "string", "location": "query" } } },
        } } },
    }));
    let found = read(&import);
    assert_eq!(found["resources"]["Note"]["fields"]["id"]["required"], json!({ "in": ["notes.list"] }));
    let pages = json!({ "token": "pageToken", "next": "nextPageToken", "items": "notes" });
    assert_eq!(found["operations"]["notes.list"]["pages"], pages);
    assert!(
        lost(&import)
            .contains(&("/schemas/Note/properties/id/annotations", "`notes.gone` is left out: unknown method"))
    );
}
