//! Operations.

use serde_json::{Value, json};

use super::{imported, lost, read};

/// Imports the operation `GET /x` with these members, and returns it with the losses.
fn operation(members: Value) -> (Value, Vec<String>) {
    let import = imported(json!({ "paths": { "/x": { "get": members } } }));
    let operations = read(&import)["operations"].as_object().expect("operations").clone();
    let (_, operation) = operations.into_iter().next().expect("an operation");
    (operation, import.losses.iter().map(|loss| loss.what.clone()).collect())
}

#[test]
fn operations_have_names_and_groups() {
    let get = |id: Value, tags: Value| json!({ "get": { "operationId": id, "tags": tags, "responses": {} } });
    let import = imported(json!({ "paths": {
        "/a": get(json!("notes.list"), json!(["other"])),
        "/b": get(json!("repos/get"), json!([])),
        "/c": get(json!("listAll"), json!(["Big Notes (beta)"])),
        "/d": get(json!("get_v2025.0"), json!(["v1"])),
        "/e/{id}": { "get": { "responses": {} } },
        "/f": get(json!("listAll"), json!(["Big Notes (beta)"])),
        "/g": get(json!("new"), json!([])),
        "/h": get(json!("notes"), json!([])),
    } }));
    let found = read(&import);
    let names: Vec<&str> = found["operations"].as_object().expect("operations").keys().map(String::as_str).collect();
    let expected = [
        "big_notes_beta.listAll",
        "big_notes_beta.listAll_2",
        "get_e_id",
        "new_2",
        "notes.list",
        "notes_2",
        "repos.get",
        "v1.get_v2025_0",
    ];
    assert_eq!(names, expected);
    assert_eq!(found["operations"]["get_e_id"]["path"], json!({ "id": { "type": "string" } }));
    assert_eq!(lost(&import), []);
}

#[test]
fn parameters_stand_where_they_stood() {
    let import = imported(json!({
        "components": { "parameters": { "Page": { "name": "page", "in": "query", "schema": { "type": "integer" } } } },
        "paths": { "/n/{id}": {
            "parameters": [
                { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
                { "name": "page", "in": "query", "schema": { "type": "string" } },
            ],
            "post": { "responses": {}, "parameters": [
                { "$ref": "#/components/parameters/Page" },
                { "name": "id", "in": "query", "schema": { "type": "string" } },
                { "name": "tags", "in": "query", "explode": false, "schema": { "type": "array", "items": { "type": "string" } } },
                { "name": "words", "in": "query", "style": "spaceDelimited", "explode": false, "schema": { "type": "array", "items": { "type": "string" } } },
                { "name": "sizes", "in": "query", "style": "pipeDelimited", "schema": { "type": "array", "items": { "type": "integer" } } },
                { "name": "many", "in": "query", "style": "pipeDelimited", "explode": true, "schema": { "type": "array", "items": { "type": "integer" } } },
                { "name": "If-Match", "in": "header", "schema": { "type": "string" } },
                { "name": "If-None-Match", "in": "header", "schema": { "type": "string" } },
                { "name": "Authorization", "in": "header", "schema": { "type": "string" } },
                { "name": "X-Id", "in": "header", "required": true, "schema": { "type": "string", "enum": ["a"] } },
                { "name": "X-More", "in": "header", "schema": { "type": "string", "enum": ["a"] } },
                { "name": "filter", "in": "query", "style": "deepObject", "schema": { "type": "object", "properties": { "a": { "type": "string" } } } },
                { "name": "shape", "in": "query", "content": { "application/json": { "schema": { "type": "array", "items": {} } } } },
                { "name": "sid", "in": "cookie", "schema": { "type": "string" } },
            ] },
        } },
    }));
    let found = &read(&import)["operations"]["post_n_id"];
    assert_eq!(found["path"], json!({ "id": { "type": "string" } }));
    assert_eq!(
        found["query"],
        json!({
            "page": { "type": "int64" },
            "id": { "type": "string", "name": "id_2" },
            "tags": { "type": ["string"], "style": "comma" },
            "words": { "type": ["string"], "style": "space" },
            "sizes": { "type": ["int64"], "style": "pipe" },
            "many": { "type": ["int64"] },
            "filter": { "type": "PostNIdFilter", "style": "deep" },
            "shape": { "type": ["any"], "style": "json" },
        })
    );
    assert_eq!(
        found["headers"],
        json!({
            "X-Id": { "type": "string", "required": true, "const": "a" },
            "X-More": { "type": "string", "pattern": "a" },
        })
    );
    assert_eq!(found["cookies"], json!({ "sid": { "type": "string" } }));
    assert_eq!(found["conditional"], json!(["if_match", "if_none_match"]));
}

#[test]
fn answers_and_errors_have_their_types() {
    let error = |name: &str| json!({ "description": "Wrong.", "content": { "application/json": { "schema": { "$ref": format!("#/components/schemas/{name}") } } } });
    let import = imported(json!({
        "components": {
            "schemas": {
                "Note": { "type": "object", "properties": { "id": { "type": "string" } } },
                "Problem": { "type": "object", "properties": { "message": { "type": "string" } } },
                "Other": { "type": "object", "properties": { "why": { "type": "string" } } },
            },
            "responses": { "Problem": error("Problem") },
        },
        "paths": { "/n": {
            "post": {
                "operationId": "notes.insert",
                "summary": "Adds a note",
                "requestBody": { "required": true, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Note" } } } },
                "responses": {
                    "201": { "description": "It is there.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Note" } } } },
                    "404": { "$ref": "#/components/responses/Problem" },
                    "409": error("Other"),
                    "default": { "$ref": "#/components/responses/Problem" },
                },
            },
            "patch": {
                "requestBody": { "content": { "application/merge-patch+json": { "schema": { "$ref": "#/components/schemas/Note" } } } },
                "responses": { "default": { "description": "Done." } },
            },
        } },
    }));
    let found = read(&import);
    assert_eq!(found["errors"], json!({ "body": "Problem", "message": "message" }));
    assert_eq!(
        found["operations"]["notes.insert"],
        json!({
            "doc": "Adds a note.",
            "http": "POST /n",
            "body": "Note",
            "responses": { "201": { "type": "Note", "doc": "It is there." } },
            "errors": { "404": "Wrong.", "409": { "doc": "Wrong.", "body": "Other" }, "default": "Wrong." },
        })
    );
    assert_eq!(
        found["operations"]["patch_n"]["body"],
        json!({
            "type": "Note",
            "as": "merge_patch",
            "required": false,
            "content_types": ["application/merge-patch+json"],
        })
    );
    assert_eq!(lost(&import), []);
}

#[test]
fn what_has_no_place_is_a_loss() {
    let (found, lost) = operation(json!({
        "responses": {},
        "callbacks": { "done": {} },
        "requestBody": { "content": { "application/json": { "schema": {} } } },
    }));
    assert_eq!(found, json!({ "http": "GET /x", "body": { "type": "any", "required": false } }));
    assert_eq!(lost, ["left out: requests sent by a server (callbacks and webhooks) are not supported"]);
}

#[test]
fn bodies_and_answers_can_be_taken_as_they_are() {
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
fn bodies_and_answers_keep_how_they_are_written() {
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
            "left out: it is `bytes`, and the success with status 200 is `bytes as base64`"
        )]
    );
}

#[test]
fn bodies_can_be_forms() {
    let schema = json!({ "$ref": "#/components/schemas/Note" });
    let import = imported(json!({
        "components": { "schemas": { "Note": { "type": "object", "properties": { "id": { "type": "string" } } },
            "Upload": { "type": "object", "properties": {
                "file": { "type": "string", "format": "binary" },
                "more": { "type": "array", "items": { "type": "string", "format": "binary" } },
                "inner": { "type": "object", "properties": { "raw": { "type": "string", "format": "binary" } } },
            } },
        } },
        "paths": { "/a": {
            "patch": { "responses": {}, "requestBody": { "required": true, "content": {
                "multipart/form-data": { "schema": { "$ref": "#/components/schemas/Upload" } },
            } } },
            "post": { "responses": {}, "requestBody": { "required": true, "content": {
                "application/x-www-form-urlencoded": { "schema": schema },
                "application/json": { "schema": schema },
            } } },
            "put": { "responses": {}, "requestBody": { "required": true, "content": {
                "application/x-www-form-urlencoded": { "schema": { "title": "Inline", "type": "object", "properties": { "a": { "type": "string" } } } },
            } } },
        } },
    }));
    let operations = &read(&import)["operations"];
    assert_eq!(
        operations["post_a"]["body"],
        json!({ "type": "Note", "content_types": ["application/json", "application/x-www-form-urlencoded"] })
    );
    assert_eq!(operations["put_a"]["body"]["type"], "PutABody");
    assert_eq!(operations["patch_a"]["body"]["content_types"], json!(["multipart/form-data"]));
    assert_eq!(read(&import)["resources"]["Upload"]["fields"]["file"]["type"], "file");
    assert_eq!(read(&import)["resources"]["Upload"]["fields"]["more"]["type"], json!(["file"]));
    assert_eq!(read(&import)["resources"]["UploadInner"]["fields"]["raw"]["type"], "string");
    assert_eq!(lost(&import), []);
}

#[test]
fn parameters_that_are_nowhere_or_twice_are_told() {
    let import = imported(json!({ "paths": { "/n/{id}/{part}": {
        "parameters": [{ "name": "q", "in": "query", "schema": { "type": "integer" } }],
        "get": { "responses": {}, "parameters": [
            { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
            { "name": "q", "in": "query", "schema": { "type": "string" } },
            { "name": "q", "in": "query", "schema": { "type": "boolean" } },
        ] },
    } } }));
    let found = &read(&import)["operations"]["get_n_id_part"];
    assert_eq!(found["path"]["part"], json!({ "type": "string" }));
    assert_eq!(found["query"], json!({ "q": { "type": "string" } }));
    let expected = "left out: another parameter has this name and this place already";
    assert_eq!(lost(&import), [("/paths/~1n~1{id}~1{part}/get/parameters/2", expected)]);
    assert_eq!(import.notes.len(), 1);
    assert_eq!(import.notes[0].what, "`part` of the path becomes a text: no parameter says what it is");
}

#[test]
fn the_media_types_of_errors_are_told() {
    let import = imported(json!({
        "components": { "schemas": { "Problem": { "type": "object", "properties": { "title": { "type": "string" } } } } },
        "paths": { "/n": { "get": { "responses": { "400": { "description": "Wrong.", "content": {
            "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } },
        } } } } } },
    }));
    assert_eq!(read(&import)["errors"]["body"], "Problem");
    assert_eq!(lost(&import), []);
    let reported: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    let what = "`application/problem+json` is left out: errors of the API are read as JSON, whatever they are called";
    assert_eq!(reported, [("/paths/~1n/get/responses/400/content", what)]);
}

#[test]
fn members_beside_the_named_ones_have_their_type_in_forms_and_in_brackets() {
    let more = |schema: Value| json!({ "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": schema });
    let body = |kind: &str, schema: Value| json!({ "content": { kind: { "schema": schema } } });
    let import = imported(json!({
        "components": { "schemas": { "Counts": more(json!({ "type": ["integer", "null"] })) } },
        "paths": {
            "/a": { "post": { "requestBody": body("application/x-www-form-urlencoded", json!({ "$ref": "#/components/schemas/Counts" })) } },
            "/b": { "post": { "requestBody": body("multipart/form-data", more(json!({ "type": "string", "format": "binary" }))) } },
            "/c": { "get": { "parameters": [
                { "name": "like", "in": "query", "style": "deepObject", "schema": more(json!({ "type": "integer" })) },
                { "name": "open", "in": "query", "style": "deepObject", "schema": more(json!({})) },
            ] } },
        },
    }));
    let found = read(&import);
    assert_eq!(found["resources"]["Counts"]["rest"], json!({ "type": "int64", "nullable": true }));
    assert_eq!(found["resources"]["PostBBody"]["rest"], "file");
    assert_eq!(found["operations"]["get_c"]["query"]["like"], json!({ "type": "GetCLike", "style": "brackets" }));
    assert_eq!(found["operations"]["get_c"]["query"]["open"], json!({ "type": "GetCOpen", "style": "deep" }));
    assert_eq!(found["resources"]["GetCLike"]["rest"], "int64");
    assert_eq!(lost(&import), []);
}

#[test]
fn files_stand_in_what_is_sent_in_parts_alone() {
    let to = || json!({ "schema": { "$ref": "#/components/schemas/Upload" } });
    let upload = json!({ "type": "object", "properties": { "file": { "type": "string", "format": "binary" } } });
    let parts = json!({ "post": { "requestBody": { "content": { "multipart/form-data": to() } } } });
    let both =
        json!({ "post": { "requestBody": { "content": { "multipart/form-data": to(), "application/json": to() } } } });
    let response = json!({ "get": { "responses": { "200": { "content": { "application/json": to() } } } } });
    for (other, ty, losses) in [(json!({}), "file", 0), (both, "string", 1), (response, "string", 1)] {
        let import = imported(
            json!({ "components": { "schemas": { "Upload": upload } }, "paths": { "/a": parts, "/b": other } }),
        );
        assert_eq!(read(&import)["resources"]["Upload"]["fields"]["file"]["type"], ty, "{other}");
        assert_eq!(lost(&import).len(), losses, "{other}: {:?}", import.losses);
    }
}

#[test]
fn a_text_of_any_media_type_is_taken_as_it_is() {
    let (found, lost) = operation(json!({ "responses": { "200": { "description": "It.", "content": {
        "*/*": { "schema": { "type": "string" } } } } } }));
    assert_eq!(found["response"], json!({ "type": "string", "content_types": ["text/plain"], "doc": "It." }));
    assert_eq!(lost, ["is taken as `text/plain`: a text that could be of any media type is taken as it is"]);
    let (found, lost) = operation(json!({ "responses": { "200": { "description": "It.", "content": {
        "*/*": { "schema": { "type": "array", "items": { "type": "string" } } } } } } }));
    assert_eq!(found["response"], json!({ "type": ["string"], "doc": "It." }));
    assert_eq!(lost, Vec::<String>::new());
}

#[test]
fn how_the_parts_of_a_form_are_written_is_told_where_it_is_not_our_way() {
    let import = imported(json!({ "paths": { "/a": { "post": { "requestBody": { "required": true, "content": {
        "multipart/form-data": {
            "schema": { "type": "object", "properties": {
                "file": { "type": "string", "format": "binary" }, "words": { "type": "array", "items": { "type": "string" } },
                "inner": { "type": "object", "properties": { "a": { "type": "string" } } }, "plain": { "type": "string" },
            } },
            "encoding": {
                "file": { "contentType": "image/png", "headers": { "X-Left": { "schema": { "type": "integer" } } } },
                "words": { "style": "form", "explode": false },
                "inner": { "style": "pipeDelimited", "explode": false },
                "plain": { "contentType": "application/xml" },
            },
        },
    } } } } } }));
    let at = |rest: &str| format!("/paths/~1a/post/requestBody/content/multipart~1form-data/encoding/{rest}");
    let style = "`style` and `explode` are left out: lists in a form are repeated, and objects are JSON";
    assert_eq!(
        lost(&import),
        [
            (at("file/headers").as_str(), "left out: a part of a form has no headers of its own"),
            (at("inner").as_str(), style),
            (at("plain").as_str(), "`contentType` is left out: values in a form are texts, and objects are JSON"),
            (at("words").as_str(), style),
        ]
    );
    let reported: Vec<&str> = import.notes.iter().map(|note| note.at.as_str()).collect();
    assert_eq!(reported, [at("file")]);
    let ours = imported(json!({ "paths": { "/a": { "post": { "requestBody": { "content": {
        "application/x-www-form-urlencoded": {
            "schema": { "type": "object", "properties": {
                "words": { "type": "array", "items": { "type": "string" } }, "inner": { "type": "object", "properties": {} } } },
            "encoding": { "words": { "style": "form", "explode": true }, "inner": { "contentType": "application/json" } },
        },
    } } } } } }));
    assert_eq!(lost(&ours), []);
}

#[test]
fn a_patch_of_something_that_has_no_members_is_told() {
    let import = imported(
        json!({ "paths": { "/x": { "patch": { "responses": {}, "requestBody": { "required": true, "content": {
        "application/merge-patch+json": { "schema": { "type": "array", "items": { "type": "string" } } } } } } } } }),
    );
    let why = "`as: merge_patch` is left out: what is merged is an object with known members";
    assert_eq!(lost(&import), [("/paths/~1x/patch/requestBody", why)]);
}

#[test]
fn operations_that_no_server_routes_are_for_clients() {
    let get = |id: &str, parameters: serde_json::Value| json!({ "operationId": id, "parameters": parameters, "responses": {} });
    let action = json!([{ "name": "Action", "in": "query", "schema": { "type": "string", "enum": ["b"] } }]);
    let with_body = json!({ "operationId": "e", "responses": {}, "requestBody": { "required": true, "content": { "application/json": { "schema": {} } } } });
    let import = imported(json!({ "paths": {
        "/a": { "get": get("a", json!([])) },
        "/a?Action=b&flag": { "get": get("b", action) },
        "/a#c": { "get": get("c", json!([])) },
        "/d/": { "get": get("d", json!([])) },
        "/e": { "get": with_body },
        "/f?a%20b=1": { "get": get("f", json!([])) },
    } }));
    let operations = &read(&import)["operations"];
    assert_eq!(operations["a"], json!({ "http": "GET /a" }));
    let query = json!({
        "Action": { "type": "string", "required": true, "const": "b" },
        "flag": { "type": "string", "required": true, "const": "" },
    });
    assert_eq!(operations["b"], json!({ "http": "GET /a", "query": query, "client_only": true }));
    assert_eq!(operations["c"], json!({ "http": "GET /a", "client_only": true }));
    assert_eq!(operations["d"], json!({ "http": "GET /d/", "client_only": true }));
    assert_eq!(operations["e"], json!({ "http": "GET /e", "body": "any" }));
    let left_out = "the operation is left out: a path with a query (`a%20b=1`) is not supported";
    assert_eq!(lost(&import), [("/paths/~1f?a%20b=1/get", left_out)]);
    let reported: Vec<&str> = import.notes.iter().map(|note| note.at.as_str()).collect();
    let expected = [
        "/paths/~1a#c/get",
        "/paths/~1a?Action=b&flag/get",
        "/paths/~1a?Action=b&flag/get/parameters/0",
        "/paths/~1d~1/get",
    ];
    assert_eq!(reported, expected);
}

#[test]
fn a_list_whose_part_is_json_is_one_part() {
    let list = json!({ "type": "array", "items": { "type": "object", "properties": { "a": { "type": "string" } } } });
    let import = imported(json!({ "paths": { "/a": { "post": { "requestBody": { "required": true, "content": {
        "multipart/form-data": {
            "schema": { "type": "object", "properties": {
                "files": { "type": "array", "items": { "type": "string", "format": "binary" } },
                "whole": list, "each": list, "words": { "type": "array", "items": { "type": "string" } },
            } },
            "encoding": {
                "files": { "contentType": "*/*" },
                "whole": { "contentType": "application/json; charset=utf-8", "explode": true },
                "words": { "contentType": "application/json" },
            },
        },
    } } } } } }));
    assert_eq!(lost(&import), []);
    let found = read(&import);
    let (_, operation) = found["operations"].as_object().expect("operations").iter().next().expect("an operation");
    assert_eq!(operation["body"]["json_lists"], json!(["whole", "words"]));
}
