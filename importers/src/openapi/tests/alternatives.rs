//! Bodies and responses with several media types.

use serde_json::{Value, json};

use super::{imported, lost, read, read_back};

fn patch(body: Value, response: Value) -> (Value, Vec<String>) {
    let thing = json!({ "type": "object", "properties": { "id": { "type": "string" } } });
    let import = imported(json!({
        "components": { "schemas": { "Thing": thing } },
        "paths": { "/x": { "patch": {
            "operationId": "things.update",
            "requestBody": { "required": true, "content": body },
            "responses": { "200": { "description": "It.", "content": response } },
        } } },
    }));
    (read(&import), import.losses.iter().map(|loss| loss.what.clone()).collect())
}

fn thing() -> Value {
    json!({ "schema": { "$ref": "#/components/schemas/Thing" } })
}

#[test]
fn body_with_several_media_types_has_alternatives() {
    let operations = json!({ "schema": { "type": "array", "items": { "type": "object", "required": ["op"], "properties": { "op": { "type": "string" } } } } });
    let parts =
        json!({ "schema": { "type": "object", "properties": { "file": { "type": "string", "format": "binary" } } } });
    let (found, losses) = patch(
        json!({
            "multipart/form-data": parts,
            "application/json-patch+json": operations,
            "application/merge-patch+json": { "schema": { "type": "object", "properties": { "name": { "type": "string" } } } },
            "application/json": thing(),
            "text/json": thing(),
            "text/markdown": { "schema": { "type": "string" } },
            "image/png": {},
            "image/*": { "schema": { "type": "string", "format": "binary" } },
        }),
        json!({ "application/json": thing() }),
    );
    assert_eq!(losses, [] as [&str; 0]);
    let expected = json!({
        "json": { "type": "Thing", "content_types": ["application/json", "text/json"] },
        "multipart": { "type": "ThingsUpdateMultipartBody", "content_types": ["multipart/form-data"] },
        "json_patch": { "as": "json_patch" },
        "merge_patch": { "type": "ThingsUpdateMergePatchBody", "as": "merge_patch" },
        "markdown": { "type": "string", "content_types": ["text/markdown"] },
        "image": { "type": "bytes", "content_types": ["image/*", "image/png"] },
    });
    assert_eq!(found["operations"]["things.update"]["body"]["alternatives"], expected);
    assert_eq!(found["resources"]["ThingsUpdateMultipartBody"]["fields"]["file"]["type"], "file");
}

#[test]
fn single_json_patch_is_detected() {
    let any = json!({ "application/json-patch+json": {} });
    let (found, losses) = patch(any, json!({ "application/json": thing() }));
    assert_eq!((&found["operations"]["things.update"]["body"], losses.len()), (&json!({ "as": "json_patch" }), 0));
    // With one schema both are JSON Patches; a schema that is not a list is something else.
    let both = json!({ "application/json-patch+json": thing(), "application/merge-patch+json": thing() });
    let (found, _) = patch(both, json!({}));
    let expected = json!({
        "json_patch": { "type": "Thing", "content_types": ["application/json-patch+json"] },
        "merge_patch": { "type": "Thing", "as": "merge_patch" },
    });
    assert_eq!(found["operations"]["things.update"]["body"]["alternatives"], expected);
}

#[test]
fn response_with_several_media_types_has_alternatives() {
    let (found, losses) = patch(
        json!({ "application/json": thing() }),
        json!({
            "application/pdf": { "schema": { "type": "string", "format": "binary" } },
            "text/csv": { "schema": { "type": "string" } },
            "application/json": thing(),
            "application/hal+json": { "schema": { "type": "object", "properties": { "a": { "type": "string" } } } },
        }),
    );
    assert_eq!(losses, [] as [&str; 0]);
    let expected = json!({ "alternatives": {
        "json": "Thing",
        "pdf": { "type": "bytes", "content_types": ["application/pdf"] },
        "csv": { "type": "string", "content_types": ["text/csv"] },
        "hal_json": { "type": "ThingsUpdateResponseHalJson", "content_types": ["application/hal+json"] },
    } });
    let mut response = found["operations"]["things.update"]["response"].clone();
    response.as_object_mut().expect("a response").remove("doc");
    assert_eq!(response, expected);
}

/// Alternatives that are ambiguous, duplicate another representation, or cannot be a form.
#[test]
fn unsupported_alternatives_are_reported() {
    let other = json!({ "schema": { "type": "object", "properties": { "b": { "type": "string" } } } });
    let list = json!({ "schema": { "type": "array", "items": { "type": "string" } } });
    let (found, losses) = patch(
        json!({
            "application/json": thing(),
            "application/json; odata=full": other,
            "application/xml": thing(),
            "application/x-www-form-urlencoded": list,
            "multipart/related": thing(),
        }),
        json!({ "application/json": thing(), "application/xml": thing() }),
    );
    // XML with the schema of the JSON is another representation of the same content.
    let both = json!({ "type": "Thing", "content_types": ["application/json", "application/xml"] });
    assert_eq!(found["operations"]["things.update"]["body"], both);
    assert_eq!(found["operations"]["things.update"]["response"]["content_types"], both["content_types"]);
    let expected = [
        "left out: a form requires an object with known members",
        "left out: another media type with a different schema or encoding is imported",
        "left out: the schema language does not support `multipart/related`",
    ];
    let mut losses = losses;
    losses.sort_unstable();
    assert_eq!(losses, expected);
}

#[test]
fn alternatives_conflict_with_other_successes() {
    let text = json!({ "schema": { "type": "string" } });
    let import = imported(json!({ "paths": { "/x": { "get": { "operationId": "get", "responses": {
        "200": { "description": "It.", "content": { "application/json": { "schema": { "type": "integer" } }, "text/plain": text } },
        "201": { "description": "Other.", "content": { "application/json": { "schema": { "type": "integer" } } } },
        "204": { "description": "None." },
    } } } } }));
    assert_eq!(lost(&import).len(), 2, "{:?}", lost(&import));
    assert!(read(&import)["operations"]["get"]["response"]["alternatives"].is_object());
}

/// Equal alternatives conflict too: only one response of an operation can have them.
#[test]
fn equal_alternatives_of_two_successes_conflict() {
    let content = json!({ "application/json": { "schema": { "type": "integer" } }, "text/plain": { "schema": { "type": "string" } } });
    let import = imported(json!({ "paths": { "/x": { "get": { "operationId": "get", "responses": {
        "200": { "description": "It.", "content": content },
        "201": { "description": "Other.", "content": content },
    } } } } }));
    let expected = "left out: its body is `one of 2 media types`, but that of the response with status 200 is `one of 2 media types`";
    assert_eq!(lost(&import), [("/paths/~1x/get/responses/201", expected)]);
    assert!(read(&import)["operations"]["get"]["response"]["alternatives"].is_object());
}

#[test]
fn media_range_next_to_json_is_not_an_alternative() {
    let (thing, other) =
        (thing(), json!({ "schema": { "type": "object", "properties": { "b": { "type": "string" } } } }));
    // In both orders, which a JSON value of serde_json does not keep.
    for content in [
        format!(r#"{{ "application/json": {thing}, "*/*": {other} }}"#),
        format!(r#"{{ "*/*": {other}, "application/json": {thing} }}"#),
        format!(r#"{{ "application/*": {other}, "Application/JSON": {thing}, "*/*": {other} }}"#),
    ] {
        let document = json!({
            "openapi": "3.1.0",
            "info": { "title": "Notes", "version": "1" },
            "components": { "schemas": { "Thing": { "type": "object", "properties": { "id": { "type": "string" } } } } },
            "paths": { "/x": { "put": {
                "operationId": "things.update",
                "requestBody": { "required": true, "content": "CONTENT" },
                "responses": { "200": { "description": "It.", "content": "CONTENT" } },
            } } },
        });
        let import = read_back(&document.to_string().replace("\"CONTENT\"", &content));
        let operation = &read(&import)["operations"]["things.update"];
        for held in [&operation["body"], &operation["response"]] {
            assert!(*held == "Thing" || held["type"] == "Thing", "{content}: {held}");
        }
        assert_eq!(import.losses.len(), content.matches("/*").count() * 2, "{:?}", import.losses);
    }
}

#[test]
fn json_with_patch_media_type_is_json() {
    let content = json!({
        "application/json-patch+json": thing(),
        "application/json": thing(),
        "text/json": thing(),
    });
    let (found, losses) = patch(content, json!({}));
    assert_eq!(losses, [] as [&str; 0]);
    let types = json!(["application/json", "application/json-patch+json", "text/json"]);
    let body = &found["operations"]["things.update"]["body"];
    let mut found: Vec<&str> =
        body["content_types"].as_array().expect("types").iter().filter_map(Value::as_str).collect();
    found.sort_unstable();
    assert_eq!((&body["type"], json!(found)), (&json!("Thing"), types));
    // A schema with members but without a type is not a list either, nor are alternatives that are not lists.
    let members = json!({ "properties": { "a": { "type": "string" } } });
    for schema in [members.clone(), json!({ "oneOf": [members, { "type": "string" }] }), json!({ "type": ["object"] })]
    {
        let (found, _) = patch(json!({ "application/json-patch+json": { "schema": schema } }), json!({}));
        let body = &found["operations"]["things.update"]["body"];
        assert!(body.get("as").is_none() && body.get("type").is_some(), "{body}");
    }
}

#[test]
fn list_of_any_schema_is_a_json_patch() {
    let list = json!({ "type": "array", "items": {} });
    for schema in [
        list.clone(),
        json!({ "items": {} }),
        json!({ "type": ["array", "null"] }),
        json!({ "allOf": [list] }),
        json!({}),
    ] {
        let (found, _) = patch(json!({ "application/json-patch+json": { "schema": schema } }), json!({}));
        assert_eq!(found["operations"]["things.update"]["body"]["as"], "json_patch");
    }
}

#[test]
fn only_merge_patch_excludes_plain_json() {
    let list = json!({ "schema": { "type": "array", "items": { "type": "string" } } });
    let content = json!({ "application/merge-patch+json": thing(), "application/x-www-form-urlencoded": list });
    let (found, losses) = patch(content, json!({}));
    assert_eq!(losses.len(), 1, "{losses:?}");
    let expected = json!({ "type": "Thing", "as": "merge_patch", "content_types": ["application/merge-patch+json"] });
    assert_eq!(found["operations"]["things.update"]["body"], expected);
}

#[test]
fn supported_forms_are_not_losses() {
    let list = json!({ "schema": { "type": "array", "items": { "type": "string" } } });
    let content = json!({
        "application/json": list,
        "application/x-www-form-urlencoded": list,
        "multipart/form-data": thing(),
    });
    let (found, losses) = patch(content, json!({}));
    let alternatives = &found["operations"]["things.update"]["body"]["alternatives"];
    assert_eq!(alternatives["multipart"]["content_types"], json!(["multipart/form-data"]));
    assert_eq!(losses, ["left out: a form requires an object with known members"]);
}

#[test]
fn unsupported_json_patch_constraints_are_reported() {
    let losses = |schema: Value| {
        let import = imported(json!({ "paths": { "/x": { "patch": {
            "operationId": "update",
            "requestBody": { "required": true, "content": { "application/json-patch+json": { "schema": schema } } },
            "responses": { "204": { "description": "Done." } },
        } } } }));
        let at = |at: &str| at.rsplit_once("/schema/").map_or_else(|| at.to_owned(), |(_, at)| at.to_owned());
        import.losses.iter().map(|loss| at(&loss.at)).collect::<Vec<_>>()
    };
    let all = json!({ "type": "string", "enum": ["add", "remove", "replace", "move", "copy", "test"] });
    let operation = |op: Value, path: Value, value: Value| json!({ "type": "object", "required": ["op", "path"], "properties": { "op": op, "path": path, "from": { "type": "string" }, "value": value } });
    let text = json!({ "type": "string" });
    let standard = operation(all.clone(), text.clone(), json!({ "type": "object", "description": "Any." }));
    assert_eq!(losses(json!({ "type": "array", "items": standard })), [] as [&str; 0]);
    let one = |op: &str| operation(json!({ "enum": [op] }), text.clone(), json!({}));
    assert_eq!(losses(json!({ "type": "array", "items": { "oneOf": [one("add"), one("test")] } })), [] as [&str; 0]);
    let narrow = operation(
        json!({ "type": "string", "enum": ["replace"] }),
        json!({ "type": "string", "pattern": "^/name$" }),
        json!({ "type": "string", "maxLength": 5 }),
    );
    let found = losses(json!({ "type": "array", "minItems": 1, "maxItems": 9, "items": narrow }));
    let expected =
        ["items/properties/op/enum", "items/properties/path/pattern", "items/properties/value", "maxItems", "minItems"];
    assert_eq!(found, expected);
}

#[test]
fn a_file_described_with_the_schema_of_the_json_is_bytes() {
    let any = json!({ "schema": { "type": "object" } });
    let content = json!({ "application/json": any, "application/octet-stream": any });
    let (found, losses) = patch(json!({ "application/json": thing() }), content);
    assert_eq!(losses, [] as [&str; 0]);
    let expected = json!({
        "json": "object",
        "bytes": { "type": "bytes", "content_types": ["application/octet-stream"] },
    });
    assert_eq!(found["operations"]["things.update"]["response"]["alternatives"], expected);
    // An object with known members is another representation of the JSON.
    let content = json!({ "application/json": thing(), "application/octet-stream": thing() });
    let (found, losses) = patch(json!({ "application/json": thing() }), content);
    assert_eq!((&found["operations"]["things.update"]["response"]["type"], losses.len()), (&json!("Thing"), 0));
}
