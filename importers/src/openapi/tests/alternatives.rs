//! Bodies and answers of several media types.

use serde_json::{Value, json};

use super::{imported, lost, read};

fn patch(body: Value, answer: Value) -> (Value, Vec<String>) {
    let thing = json!({ "type": "object", "properties": { "id": { "type": "string" } } });
    let import = imported(json!({
        "components": { "schemas": { "Thing": thing } },
        "paths": { "/x": { "patch": {
            "operationId": "things.update",
            "requestBody": { "required": true, "content": body },
            "responses": { "200": { "description": "It.", "content": answer } },
        } } },
    }));
    (read(&import), import.losses.iter().map(|loss| loss.what.clone()).collect())
}

fn thing() -> Value {
    json!({ "schema": { "$ref": "#/components/schemas/Thing" } })
}

#[test]
fn a_body_of_several_media_types_has_alternatives() {
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
fn a_json_patch_alone_is_one() {
    let any = json!({ "application/json-patch+json": {} });
    let (found, losses) = patch(any, json!({ "application/json": thing() }));
    assert_eq!((&found["operations"]["things.update"]["body"], losses.len()), (&json!({ "as": "json_patch" }), 0));
    // Of one schema both are, and a schema that is no list says that it is something else.
    let both = json!({ "application/json-patch+json": thing(), "application/merge-patch+json": thing() });
    let (found, _) = patch(both, json!({}));
    let expected = json!({
        "json_patch": { "type": "Thing", "content_types": ["application/json-patch+json"] },
        "merge_patch": { "type": "Thing", "as": "merge_patch" },
    });
    assert_eq!(found["operations"]["things.update"]["body"]["alternatives"], expected);
}

#[test]
fn an_answer_of_several_media_types_has_alternatives() {
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
    let mut answer = found["operations"]["things.update"]["response"].clone();
    answer.as_object_mut().expect("an answer").remove("doc");
    assert_eq!(answer, expected);
}

/// What cannot be told apart, what would be another way to write the same, and what no form can be.
#[test]
fn what_is_no_alternative_is_told() {
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
    // XML with the schema of the JSON is another way to write the same.
    let both = json!({ "type": "Thing", "content_types": ["application/json", "application/xml"] });
    assert_eq!(found["operations"]["things.update"]["body"], both);
    assert_eq!(found["operations"]["things.update"]["response"]["content_types"], both["content_types"]);
    let expected = [
        "left out: `multipart/related` has no place in a schema",
        "left out: another media type has another schema, or is written in another way",
        "left out: what is sent in a form is an object with known members",
    ];
    let mut losses = losses;
    losses.sort_unstable();
    assert_eq!(losses, expected);
}

#[test]
fn alternatives_stand_beside_no_other_success() {
    let text = json!({ "schema": { "type": "string" } });
    let import = imported(json!({ "paths": { "/x": { "get": { "operationId": "get", "responses": {
        "200": { "description": "It.", "content": { "application/json": { "schema": { "type": "integer" } }, "text/plain": text } },
        "201": { "description": "Other.", "content": { "application/json": { "schema": { "type": "integer" } } } },
        "204": { "description": "None." },
    } } } } }));
    assert_eq!(lost(&import).len(), 2, "{:?}", lost(&import));
    assert!(read(&import)["operations"]["get"]["response"]["alternatives"].is_object());
}
