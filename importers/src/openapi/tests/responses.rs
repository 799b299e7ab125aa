//! Several successes, and errors.

use serde_json::{Value, json};

use super::{imported, lost, read};

/// Imports an operation with these responses, and returns it with the losses by status.
fn answers(responses: Value) -> (Value, Vec<(String, String)>) {
    let import = imported(json!({ "paths": { "/x": { "get": { "operationId": "x", "responses": responses } } } }));
    let lost = import.losses.iter().map(|loss| {
        let status = loss.at.rsplit('/').next().unwrap_or_default();
        (status.to_owned(), loss.what.clone())
    });
    (read(&import)["operations"]["x"].clone(), lost.collect())
}

fn answer(media: &str, schema: Value) -> Value {
    json!({ "description": "It.", "content": { media: { "schema": schema } } })
}

#[test]
fn a_success_can_be_without_the_body_that_another_one_has() {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let (found, lost) = answers(json!({
        "202": { "description": "Not yet." },
        "200": answer("application/json", texts.clone()),
        "204": { "description": "Nothing." },
    }));
    let expected = json!({
        "200": { "type": ["string"], "doc": "It." }, "202": { "doc": "Not yet." }, "204": { "doc": "Nothing." },
    });
    assert_eq!((&found["responses"], lost), (&expected, vec![]));
}

#[test]
fn successes_that_differ_are_told_with_what_each_of_them_is() {
    let (found, lost) = answers(json!({
        "200": answer("application/json", json!({ "type": "array", "items": { "type": "string" } })),
        "201": answer("application/json", json!({ "type": "object", "additionalProperties": { "type": "integer" } })),
        "204": { "description": "Nothing." },
    }));
    assert_eq!(found["responses"].as_object().map(serde_json::Map::len), Some(2));
    let why = "left out: it is `{string: int64}`, and the success with status 200 is `[string]`";
    assert_eq!(lost, [("201".to_owned(), why.to_owned())]);
    // Text can be empty, and any value can be null.
    for (media, schema, ty) in
        [("text/plain", json!({ "type": "string" }), "string"), ("application/json", json!({}), "any")]
    {
        let (found, lost) = answers(json!({ "200": answer(media, schema), "204": { "description": "Nothing." } }));
        assert_eq!(found["response"]["type"], ty);
        let why = format!("left out: it has no body, and the success with status 200 always has one, `{ty}`");
        assert_eq!(lost, [("204".to_owned(), why)]);
    }
    let (_, lost) = answers(json!({ "200": { "description": "It." }, "2XX": { "description": "Another." } }));
    assert_eq!(lost, [("2XX".to_owned(), "left out: another success has the status 200 already".to_owned())]);
}

#[test]
fn errors_have_types_and_headers_by_status_by_class_and_by_default() {
    let error = |media: &str, schema: Value, headers: Value| json!({ "description": "Wrong.", "content": { media: { "schema": schema } }, "headers": headers });
    let of = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let header = |ty: &str| json!({ "X-Left": { "schema": { "type": ty } } });
    let with = |member: &str| json!({ "type": "object", "properties": { member: { "type": "string" } } });
    let import = imported(json!({
        "components": { "schemas": { "Most": with("message"), "Invalid": with("field"), "Odd": with("odd") } },
        "paths": {
            "/a": { "get": { "operationId": "a", "responses": {
                "200": { "description": "It." },
                "404": error("application/json", of("Most"), json!({})),
                "409": error("application/json", json!({ "type": "array", "items": of("Odd") }), json!({})),
                "422": error("application/problem+json", of("Invalid"), header("integer")),
                "4XX": error("application/json", of("Odd"), header("integer")),
                "5xx": error("text/plain", json!({ "type": "string" }), header("string")),
                "500": error("application/json", of("Most"), json!({})),
                "default": error("application/json", of("Most"), json!({})),
            } } },
            "/b": { "head": { "operationId": "b", "responses": { "404": error("application/json", of("Odd"), json!({})) } } },
        },
    }));
    let found = read(&import);
    let headers = json!({ "X-Left": { "type": "int64" } });
    assert_eq!(found["errors"], json!({ "body": "Most", "message": "message" }));
    let expected = json!({
        "404": "Wrong.",
        "409": { "doc": "Wrong.", "body": ["Odd"] },
        "422": { "doc": "Wrong.", "body": "Invalid", "content_types": ["application/problem+json"], "headers": headers },
        "500": "Wrong.",
        "4XX": { "doc": "Wrong.", "body": "Odd", "headers": headers },
        "5XX": { "doc": "Wrong.", "body": "string", "content_types": ["text/plain"] },
        "default": "Wrong.",
    });
    assert_eq!(found["operations"]["a"]["errors"], expected);
    assert_eq!(found["operations"]["b"]["errors"], json!({ "404": "Wrong." }));
    let what = "left out: another response has the header with another type";
    assert_eq!(lost(&import), [("/paths/~1a/get/responses/5xx/headers/X-Left", what)]);
}
