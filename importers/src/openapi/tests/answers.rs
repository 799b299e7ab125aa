//! Several successes.

use serde_json::{Value, json};

use super::{imported, lost, read};

/// What an operation with these answers becomes, and what is lost with its status.
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
    // Text can be empty, and what can be anything can be null.
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
fn what_is_said_of_a_class_of_errors_is_told_where_it_stands() {
    let error = json!({ "type": "object", "properties": { "code": { "type": "string" } } });
    let beside = json!({ "$ref": "#/components/responses/D", "description": "Beside the reference." });
    let said = json!({ "description": "", "content": { "application/json": {
        "schema": { "$ref": "#/components/schemas/E", "description": "Only here." },
    } } });
    for (own, more) in [(json!(null), None), (json!("Its own."), Some("/components/responses/D/description"))] {
        let import = imported(json!({
            "paths": { "/a": { "get": { "responses": { "4XX": beside, "5XX": said } } } },
            "components": {
                "responses": { "D": { "description": own, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/E" } } } } },
                "schemas": { "E": error },
            },
        }));
        assert_eq!(lost(&import), []);
        let at = |what: &str| {
            import.notes.iter().filter(|note| note.what.contains(what)).map(|note| note.at.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(at("without a status of their own"), ["/paths/~1a/get/responses/4XX/description"]);
        let schema = "/paths/~1a/get/responses/5XX/content/application~1json/schema/description";
        let told: Vec<&str> = more.into_iter().chain([schema]).collect();
        assert_eq!(at("`description`").first(), told.first(), "{:?}", import.notes);
    }
}
