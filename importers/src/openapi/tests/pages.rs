//! Detection of paged responses by names.

use serde_json::{Value, json};

use super::{imported, read};

fn query(name: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "query", "schema": schema })
}

fn list(parameters: Vec<Value>, schema: Value, headers: Value) -> Value {
    let schema = if schema.is_null() {
        json!({ "type": "array", "items": { "$ref": "#/components/schemas/Note" } })
    } else {
        json!({ "type": "object", "properties": schema })
    };
    let ok = json!({ "description": "", "headers": headers, "content": { "application/json": { "schema": schema } } });
    json!({ "operationId": "list", "parameters": parameters, "responses": { "200": ok } })
}

/// Imports an operation, and returns its pagination with the guesses.
fn pages(method: &str, operation: Value) -> (Value, Vec<String>) {
    let text = json!({ "type": "string" });
    let note = json!({ "type": "object", "properties": { "id": text, "text": text } });
    let import = imported(json!({
        "paths": { "/notes": { method: operation } },
        "components": { "schemas": { "Note": note } },
    }));
    let guesses = import
        .guesses
        .iter()
        .filter(|guess| guess.what.starts_with("pagination"))
        .map(|guess| guess.what.clone())
        .collect();
    (read(&import)["operations"]["list"]["pages"].clone(), guesses)
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn number() -> Value {
    json!({ "type": "integer" })
}

fn limit() -> Value {
    query("limit", number())
}

/// Returns the members of a response with a list and further members.
fn with_list(more: Value) -> Value {
    let notes = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Note" } });
    let mut all = json!({ "data": notes, "total": number() });
    all.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    all
}

/// Returns operations with page tokens, and their pagination.
fn token_pages() -> Vec<(Value, Value)> {
    vec![
        (
            list(vec![limit(), query("page_token", text())], with_list(json!({ "nextPageToken": text() })), json!({})),
            json!({ "size": "limit", "token": "page_token", "next": "nextPageToken", "items": "data" }),
        ),
        (
            list(
                vec![query("starting_after", text())],
                with_list(json!({ "has_more": { "type": "boolean" } })),
                json!({}),
            ),
            json!({ "token": "starting_after", "after": "id", "more": "has_more", "items": "data" }),
        ),
        (
            list(
                vec![query("after", text())],
                with_list(json!({ "has_more": { "type": "boolean" }, "last_id": text() })),
                json!({}),
            ),
            json!({ "token": "after", "next": "last_id", "more": "has_more", "items": "data" }),
        ),
    ]
}

/// Returns operations with URLs, page numbers or offsets, and their pagination.
fn other_pages() -> Vec<(Value, Value)> {
    vec![
        (
            list(vec![], with_list(json!({ "@odata.nextLink": text() })), json!({})),
            json!({ "next_url": "@odata.nextLink", "items": "data" }),
        ),
        (
            list(vec![limit()], with_list(json!({ "next": { "type": "string", "format": "uri" } })), json!({})),
            json!({ "size": "limit", "next_url": "next", "items": "data" }),
        ),
        (
            list(vec![query("page", number())], Value::Null, json!({ "Link": { "schema": text() } })),
            json!({ "link": true }),
        ),
        (
            list(
                vec![query("page", json!({ "type": "integer", "default": 0 })), query("per_page", number())],
                Value::Null,
                json!({}),
            ),
            json!({ "size": "per_page", "number": "page", "first": 0 }),
        ),
        (
            list(
                vec![query("offset", number()), limit()],
                with_list(json!({ "hasMore": { "type": "boolean" } })),
                json!({}),
            ),
            json!({ "size": "limit", "offset": "offset", "more": "hasMore", "items": "data" }),
        ),
    ]
}

#[test]
fn pagination_is_detected_by_names() {
    for (operation, expected) in token_pages().into_iter().chain(other_pages()) {
        let (found, notes) = pages("get", operation.clone());
        assert_eq!(found, expected, "{operation}");
        assert_eq!(notes.len(), 1, "{operation}");
        // Only reads have pages.
        assert_eq!(pages("post", operation), (Value::Null, vec![]));
    }
}

#[test]
fn similar_shapes_are_not_pagination() {
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let notes = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Note" } });
    let table = [
        // A number without a size, a token that no response contains, two lists, no list.
        list(vec![query("page", number.clone())], json!({ "data": notes }), json!({})),
        list(vec![query("cursor", text.clone())], json!({ "data": notes }), json!({})),
        list(
            vec![query("page", number.clone()), query("limit", number.clone())],
            json!({ "a": notes, "b": notes }),
            json!({}),
        ),
        list(vec![query("page", number.clone()), query("limit", number)], json!({ "text": text }), json!({})),
    ];
    for operation in table {
        assert_eq!(pages("get", operation.clone()), (Value::Null, vec![]), "{operation}");
    }
}

#[test]
fn pagination_with_several_media_types_is_a_loss() {
    let items = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Thing" } });
    let page = json!({ "type": "object", "properties": { "items": items, "nextPageToken": { "type": "string" } } });
    let import = super::imported(json!({
        "components": { "schemas": { "Thing": { "type": "object", "properties": { "id": { "type": "string" } } }, "Page": page } },
        "paths": { "/things": { "get": {
            "operationId": "things.list",
            "parameters": [query("pageToken", json!({ "type": "string" }))],
            "responses": { "200": { "description": "Them.", "content": {
                "application/json": { "schema": { "$ref": "#/components/schemas/Page" } },
                "text/csv": { "schema": { "type": "string" } },
            } } },
        } } },
    }));
    let losses: Vec<&str> = import.losses.iter().map(|loss| loss.what.as_str()).collect();
    assert!(losses.iter().any(|loss| loss.starts_with("pagination is left out")), "{losses:?}");
}
