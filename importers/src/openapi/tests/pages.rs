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

/// Imports an operation, and returns its pagination with the notes.
fn pages(method: &str, operation: Value) -> (Value, Vec<String>) {
    let text = json!({ "type": "string" });
    let note = json!({ "type": "object", "properties": { "id": text, "text": text } });
    let import = imported(json!({
        "paths": { "/notes": { method: operation } },
        "components": { "schemas": { "Note": note } },
    }));
    let notes = import.notes.iter().filter(|note| note.what.contains("pages")).map(|note| note.what.clone()).collect();
    (read(&import)["operations"]["list"]["pages"].clone(), notes)
}

#[test]
fn pages_are_found_by_their_names() {
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let notes = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Note" } });
    let body = |more: Value| {
        let mut all = json!({ "data": notes, "total": number });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let none = || json!({});
    let limit = || query("limit", number.clone());
    let table = [
        (
            list(vec![limit(), query("page_token", text.clone())], body(json!({ "nextPageToken": text })), none()),
            json!({ "size": "limit", "token": "page_token", "next": "nextPageToken", "items": "data" }),
        ),
        (
            list(
                vec![query("starting_after", text.clone())],
                body(json!({ "has_more": { "type": "boolean" } })),
                none(),
            ),
            json!({ "token": "starting_after", "after": "id", "more": "has_more", "items": "data" }),
        ),
        (
            list(
                vec![query("after", text.clone())],
                body(json!({ "has_more": { "type": "boolean" }, "last_id": text })),
                none(),
            ),
            json!({ "token": "after", "next": "last_id", "more": "has_more", "items": "data" }),
        ),
        (
            list(vec![], body(json!({ "@odata.nextLink": text })), none()),
            json!({ "next_url": "@odata.nextLink", "items": "data" }),
        ),
        (
            list(vec![limit()], body(json!({ "next": { "type": "string", "format": "uri" } })), none()),
            json!({ "size": "limit", "next_url": "next", "items": "data" }),
        ),
        (
            list(vec![query("page", number.clone())], Value::Null, json!({ "Link": { "schema": text } })),
            json!({ "link": true }),
        ),
        (
            list(
                vec![query("page", json!({ "type": "integer", "default": 0 })), query("per_page", number.clone())],
                Value::Null,
                none(),
            ),
            json!({ "size": "per_page", "number": "page", "first": 0 }),
        ),
        (
            list(
                vec![query("offset", number.clone()), limit()],
                body(json!({ "hasMore": { "type": "boolean" } })),
                none(),
            ),
            json!({ "size": "limit", "offset": "offset", "more": "hasMore", "items": "data" }),
        ),
    ];
    for (operation, expected) in table {
        let (found, notes) = pages("get", operation.clone());
        assert_eq!(found, expected, "{operation}");
        assert_eq!(notes.len(), 1, "{operation}");
        // Only reads have pages.
        assert_eq!(pages("post", operation), (Value::Null, vec![]));
    }
}

#[test]
fn what_only_looks_like_pages_is_none() {
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
fn pages_of_an_answer_of_several_media_types_are_a_loss() {
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
    assert!(losses.iter().any(|loss| loss.starts_with("its pages are left out")), "{losses:?}");
}
