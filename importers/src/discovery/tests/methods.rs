//! Methods, with their paths, bodies and media.

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
fn bodies_can_have_types_of_their_own() {
    let any = json!({"type": "object", "additionalProperties": {"type": "any"}});
    let digits = json!({"type": "string", "format": "int64"});
    let import = imported(json!({"resources": {"notes": {"methods": {
        "put": {"httpMethod": "PUT", "path": "notes", "request": any, "response": any},
        "all": {"httpMethod": "GET", "path": "notes", "response": {"type": "array", "items": {"type": "string"}}},
        "count": {
            "httpMethod": "POST", "path": "notes:count", "request": {"type": "array", "items": digits}, "response": digits,
        },
    }}}}));
    let operations = &read(&import)["operations"];
    let map = json!({"type": {"string": "any"}});
    assert_eq!((&operations["notes.put"]["body"], &operations["notes.put"]["response"]), (&map, &map));
    assert_eq!(operations["notes.all"]["response"], json!(["string"]));
    let count = &operations["notes.count"];
    assert_eq!(count["body"], json!({"type": ["int64"], "encoding": "decimal_string"}));
    assert_eq!(count["response"], json!({"type": "int64", "encoding": "decimal_string"}));
    assert_eq!(lost(&import), []);
}

#[test]
fn the_version_of_a_method_is_a_header_that_is_always_sent() {
    let import = imported(json!({"resources": {"notes": {"methods": {
        "get": {"httpMethod": "GET", "path": "notes", "apiVersion": "2026-01-01-preview"},
        "put": {"httpMethod": "PUT", "path": "notes", "apiVersion": "1 \u{e9}"},
    }}}}));
    let operations = &read(&import)["operations"];
    assert_eq!(
        operations["notes.get"]["headers"],
        json!({"X-Goog-Api-Version": {
            "type": "string", "doc": "The version of the interface that is asked.", "const": "2026-01-01-preview",
        }})
    );
    assert_eq!(operations["notes.put"]["headers"], json!(null));
    assert_eq!(lost(&import), [("/resources/notes/methods/put/apiVersion", "left out: it cannot be a header value")]);
}

#[test]
fn a_body_can_be_the_only_member_of_an_object() {
    let import = imported(json!({
        "features": ["dataWrapper"],
        "schemas": {"Note": {"type": "object", "properties": {}}},
        "resources": {"notes": {"methods": {
            "put": {"httpMethod": "PUT", "path": "notes", "request": {"$ref": "Note"}, "response": {"$ref": "Note"}},
        }}},
    }));
    let whole = read(&import);
    assert_eq!(whole["operations"]["notes.put"]["body"], "NotesPutRequest");
    assert_eq!(whole["resources"]["NotesPutRequest"]["fields"]["data"]["type"], "Note");
    assert_eq!(whole["operations"]["notes.put"]["response"], "NotesPutResponse");
    assert_eq!(lost(&import), []);
    let odd = imported(json!({"features": ["thumbs"], "schemas": {}}));
    assert_eq!(lost(&odd), [("/features/0", "left out: unknown feature")]);
}

#[test]
fn media_go_up_where_the_document_says() {
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
fn a_variable_that_holds_no_slash_is_a_segment() {
    let variable = |more: Value| {
        let mut it = json!({"type": "string", "location": "path", "required": true});
        it.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        it
    };
    let import = imported(json!({"resources": {"notes": {"methods": {"get": {
        "httpMethod": "GET", "path": "v1/a/{+a}/{+b}/{+c}:read_it",
        "parameters": {
            "a": variable(json!({"format": "int64", "pattern": "^[^/]+$"})),
            "b": variable(json!({"enum": ["X_1"]})),
            "c": variable(json!({})),
        },
    }}}}}));
    assert_eq!(read(&import)["operations"]["notes.get"]["http"], "GET /v1/a/{a}/{b}/{+c}:read_it");
    assert_eq!(lost(&import), []);
}

#[test]
fn paths_that_nothing_tells_apart_are_written_segment_by_segment() {
    let method = |of: &str| {
        let name = json!({"type": "string", "location": "path", "required": true, "pattern": "^[^/]+/[^/]+$"});
        json!({"httpMethod": "GET", "path": "v1/{+name}", "flatPath": format!("v1/{of}/{{{of}Id}}"), "parameters": {"name": name}})
    };
    let import = imported(json!({"resources": {
        "a": {"methods": {"get": method("a"), "again": method("a")}},
        "b": {"methods": {"get": method("b")}},
    }}));
    let operations = &read(&import)["operations"];
    assert_eq!(operations["b.get"]["http"], "GET /v1/b/{bId}");
    assert_eq!(operations["b.get"]["path"]["bId"]["type"], "string");
    assert_eq!(operations["a.get"], Value::Null);
    let places: Vec<&str> = import.losses.iter().map(|loss| loss.at.as_str()).collect();
    assert_eq!(places, ["/resources/a/methods/again", "/resources/a/methods/get", "/resources/b/methods/get"]);
}

#[test]
fn a_patch_of_a_resource_is_a_merge_patch_and_a_body_of_bytes_is_raw() {
    let method = |verb: &str, of: &str| json!({"httpMethod": verb, "path": format!("{verb}/{of}"), "request": {"$ref": of}, "response": {"$ref": of}});
    let raw = json!({"type": "object", "properties": {
        "contentType": {"type": "string"}, "data": {"type": "string", "format": "byte"},
        "extensions": {"type": "array", "items": {"type": "any"}},
    }});
    let import = imported(json!({
        "schemas": {
            "Note": {"type": "object", "properties": {}}, "NoteRequest": {"type": "object", "properties": {}},
            "GoogleApi__HttpBody": raw, "OtherHttpBody": {"type": "object", "properties": {"data": {"type": "string"}}},
        },
        "resources": {"notes": {"methods": {
            "patch": method("PATCH", "Note"), "put": method("PUT", "Note"), "ask": method("PATCH", "NoteRequest"),
            "raw": method("POST", "GoogleApi__HttpBody"), "other": method("POST", "OtherHttpBody"),
        }}},
    }));
    let operations = &read(&import)["operations"];
    let raw = json!({"type": "bytes", "content_types": ["*/*"]});
    for (name, body, response) in [
        ("patch", json!({"type": "Note", "as": "merge_patch"}), json!("Note")),
        ("put", json!("Note"), json!("Note")),
        ("ask", json!("NoteRequest"), json!("NoteRequest")),
        ("raw", raw.clone(), raw),
        ("other", json!("OtherHttpBody"), json!("OtherHttpBody")),
    ] {
        let operation = &operations[format!("notes.{name}")];
        assert_eq!((&operation["body"], &operation["response"]), (&body, &response), "{name}");
    }
    assert_eq!(lost(&import), []);
}

#[test]
fn pages_are_known_by_their_token_and_what_they_are_of() {
    let answer = |mut members: Value| {
        members["nextPageToken"] = json!({"type": "string"});
        json!({"type": "object", "properties": members})
    };
    let list = |of: Value| json!({"type": "array", "items": of});
    let (note, text) = (json!({"$ref": "Note"}), json!({"type": "string"}));
    let table = [
        ("one", json!({"items": list(note.clone()), "unreachable": list(text.clone())}), Some("items")),
        ("texts", json!({"names": list(text.clone())}), Some("names")),
        ("map", json!({"items": {"type": "object", "additionalProperties": note}}), Some("items")),
        ("group", json!({"notes": list(note.clone()), "parts": list(note.clone())}), Some("notes")),
        ("two", json!({"a": list(note.clone()), "b": list(note.clone())}), None),
        ("texts_2", json!({"a": list(text.clone()), "b": list(text)}), None),
        ("none", json!({}), None),
    ];
    let mut document =
        json!({"schemas": {"Note": {"type": "object", "properties": {}}}, "resources": {"notes": {"methods": {}}}});
    let query = |ty: &str| json!({"type": ty, "location": "query"});
    for (name, members, _) in &table {
        document["schemas"][name] = answer(members.clone());
        document["resources"]["notes"]["methods"][name] = json!({
            "httpMethod": "GET", "path": name, "response": {"$ref": name},
            "parameters": {"pageToken": query("string"), "maxResults": query("integer")},
        });
    }
    let import = imported(document.clone());
    for (name, _, items) in &table {
        let expected = items
            .map(|items| json!({"size": "maxResults", "token": "pageToken", "next": "nextPageToken", "items": items}));
        let pages = &read(&import)["operations"][format!("notes.{name}")]["pages"];
        assert_eq!(*pages, expected.unwrap_or(Value::Null), "{name}");
    }
    // A token of another type is not a page token.
    document["resources"]["notes"]["methods"]["one"]["parameters"]["pageToken"] = query("integer");
    assert_eq!(read(&imported(document))["operations"]["notes.one"]["pages"], Value::Null);
}

#[test]
fn work_that_goes_on_is_known_by_its_shape() {
    let object = json!({"type": "object", "additionalProperties": {"type": "any"}});
    let text = json!({"type": "string"});
    let method = |verb: &str, path: &str, answer: &str, names: &[&str]| {
        let variable = json!({"type": "string", "location": "path", "required": true});
        let all: serde_json::Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), variable.clone())).collect();
        json!({"httpMethod": verb, "path": path, "response": {"$ref": answer}, "parameters": all})
    };
    let import = imported(json!({
        "schemas": {
            "Status": {"type": "object", "properties": {"message": text}},
            "Operation": {"type": "object", "properties": {
                "name": text, "done": {"type": "boolean"}, "response": object, "metadata": object,
                "error": {"$ref": "Status"},
            }},
            "OldOperation": {"type": "object", "properties": {
                "id": text, "status": {"type": "string", "enum": ["pending", "done"]}, "error": text,
            }},
            "LoneOperation": {"type": "object", "properties": {
                "name": text, "done": {"type": "boolean"}, "response": object, "error": {"$ref": "Status"},
            }},
        },
        "resources": {
            "operations": {"methods": {"get": method("GET", "v1/{+name}", "Operation", &["name"])}},
            "places": {"methods": {
                "make": method("POST", "places", "Operation", &[]),
                "old": method("POST", "places/{place}/old", "OldOperation", &["place"]),
                "whole": method("POST", "old", "OldOperation", &[]),
                "lone": method("POST", "lone", "LoneOperation", &[]),
            }},
            "wholeOperations": {"methods": {"get": method("GET", "old/{id}", "OldOperation", &["id"])}},
            "placeOperations": {"methods": {
                "get": method("GET", "places/{place}/old/{id}", "OldOperation", &["place", "id"]),
            }},
        },
    }));
    let whole = read(&import);
    let work = |name: &str| whole["resources"][name]["long_running"].clone();
    let names =
        json!({"name": "name", "done": "done", "response": "response", "error": "error", "metadata": "metadata"});
    let mut expected = names;
    expected["poll"] = json!("operations.get");
    assert_eq!(work("Operation"), expected);
    let polls = json!(["placeOperations.get", "wholeOperations.get"]);
    let done = json!({"field": "status", "values": ["done"]});
    assert_eq!(work("OldOperation"), json!({"name": "id", "done": done, "poll": polls}));
    assert_eq!(work("LoneOperation"), Value::Null);
    let asks = |name: &str| whole["operations"][name]["long_running"]["poll"].clone();
    assert_eq!(
        (asks("places.old"), asks("places.whole")),
        (json!("placeOperations.get"), json!("wholeOperations.get"))
    );
    assert_eq!(asks("places.make"), Value::Null);
}

#[test]
fn what_is_left_out_of_a_method_is_named_nowhere_else() {
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
