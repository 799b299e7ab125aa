//! Forms as bodies of requests.

use serde_json::{Value, json};

use super::{imported, lost, read};

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
fn additional_members_are_typed_in_forms_and_brackets() {
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
fn files_are_supported_in_multipart_forms_only() {
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
fn unsupported_form_encodings_are_reported() {
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
    let style = "`style` and `explode` are left out: forms repeat the fields of lists, and encode objects as JSON";
    assert_eq!(
        lost(&import),
        [
            (at("file/headers").as_str(), "left out: headers of the parts of a form are not supported"),
            (at("inner").as_str(), style),
            (at("plain").as_str(), "`contentType` is left out: forms encode scalars as text, and objects as JSON"),
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
fn json_list_is_one_form_part() {
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
    assert_eq!(operation["body"]["lists"], json!({ "whole": "json", "words": "json" }));
}

#[test]
fn lists_of_url_encoded_forms_have_delimiters() {
    let schema = json!({ "type": "object", "properties": {
        "tags": { "type": "array", "items": { "type": "string" } },
        "sizes": { "type": "array", "items": { "$ref": "#/components/schemas/Size" } },
        "words": { "type": "array", "items": { "type": "string", "enum": ["a", "b"] } },
        "more": { "type": "array", "items": { "type": "string" } },
        "parts": { "type": "array", "items": { "type": "object", "properties": { "x": { "type": "string" } } } },
        "none": { "type": "array", "items": { "type": ["string", "null"] } },
        "maybe": { "type": ["array", "null"], "items": { "type": "string" } },
    } });
    let encoding = json!({
        "tags": { "explode": false, "contentType": "text/csv" },
        "sizes": { "style": "spaceDelimited" },
        "words": { "style": "pipeDelimited", "explode": false },
        "more": { "style": "pipeDelimited", "explode": true },
        "parts": { "explode": false },
        "none": { "explode": false },
        "maybe": { "explode": false },
    });
    let body = |content: Value| {
        imported(json!({
            "components": { "schemas": { "Size": { "type": "integer", "minimum": 1 } } },
            "paths": { "/a": { "post": {
                "operationId": "a", "requestBody": { "required": true, "content": content },
            } } },
        }))
    };
    let form = json!({ "schema": schema, "encoding": encoding });
    let import = body(json!({ "application/x-www-form-urlencoded": form }));
    let lists = json!({ "tags": "comma", "sizes": "space", "words": "pipe", "maybe": "comma" });
    assert_eq!(read(&import)["operations"]["a"]["body"]["lists"], lists);
    let style = "`style` and `explode` are left out: forms repeat the fields of lists, and encode objects as JSON";
    let at = "/paths/~1a/post/requestBody/content/application~1x-www-form-urlencoded/encoding";
    assert_eq!(lost(&import), [(format!("{at}/none").as_str(), style), (format!("{at}/parts").as_str(), style)]);
    // The parts of a multipart form have no delimiters.
    let import = body(json!({
        "application/x-www-form-urlencoded": { "schema": schema, "encoding": { "tags": { "explode": false } } },
        "multipart/form-data": { "schema": schema },
    }));
    let alternatives = &read(&import)["operations"]["a"]["body"]["alternatives"];
    assert_eq!(alternatives["form"]["lists"], json!({ "tags": "comma" }));
    assert_eq!(alternatives["multipart"]["lists"], Value::Null);
    let import =
        body(json!({ "multipart/form-data": { "schema": schema, "encoding": { "tags": { "explode": false } } } }));
    assert_eq!(lost(&import).len(), 1);
}
