//! Detection of paged responses by names.

use serde_json::{Value, json};

use super::{imported, read};

pub(super) fn query(name: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "query", "schema": schema })
}

pub(super) fn list(parameters: Vec<Value>, schema: Value, headers: Value) -> Value {
    let schema = if schema.is_null() {
        json!({ "type": "array", "items": { "$ref": "#/components/schemas/Note" } })
    } else {
        json!({ "type": "object", "properties": schema })
    };
    let ok = json!({ "description": "", "headers": headers, "content": { "application/json": { "schema": schema } } });
    json!({ "operationId": "list", "parameters": parameters, "responses": { "200": ok } })
}

/// Imports an operation, and returns its pagination with the guesses.
pub(super) fn pages(method: &str, operation: Value) -> (Value, Vec<String>) {
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

pub(super) fn text() -> Value {
    json!({ "type": "string" })
}

pub(super) fn number() -> Value {
    json!({ "type": "integer" })
}

pub(super) fn limit() -> Value {
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
            json!({ "size": "limit", "offset": "offset", "more": "hasMore", "total": "total", "items": "data" }),
        ),
    ]
}

#[test]
fn pagination_is_detected_by_names() {
    for (operation, expected) in token_pages().into_iter().chain(other_pages()) {
        let (found, notes) = pages("get", operation.clone());
        assert_eq!(found, expected, "{operation}");
        assert_eq!(notes.len(), 1, "{operation}");
        // A search is a POST; other methods are not repeated for further pages, and URLs replace those of a GET.
        assert_eq!(pages("put", operation.clone()), (Value::Null, vec![]));
        let is_url = found.get("link").or(found.get("next_url")).is_some();
        let is_bare = found.get("number").is_some() && found.get("last").is_none();
        let searched = if is_url || is_bare { Value::Null } else { expected };
        assert_eq!(pages("post", operation).0, searched);
    }
}

/// Returns a page of Spring Data.
fn spring(more: Value) -> Value {
    let count = json!({ "type": "integer", "format": "int32" });
    let flag = json!({ "type": "boolean" });
    let notes = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Note" } });
    let mut all = json!({ "content": notes, "number": count, "size": count, "numberOfElements": count, "first": flag,
        "last": flag, "totalPages": count, "totalElements": { "type": "integer", "format": "int64" } });
    all.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    all
}

fn described(name: &str, doc: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "query", "description": doc, "schema": schema })
}

#[test]
fn the_first_page_comes_from_the_description_the_default_the_minimum_or_the_response() {
    let size = || described("size", "The size of the page to be returned", number());
    let whole = |first: Option<i64>| {
        let mut all = json!({ "size": "size", "number": "page", "last": "last", "total_pages": "totalPages",
            "total": "totalElements", "current": "number", "items": "content" });
        first.iter().for_each(|first| all["first"] = json!(first));
        all
    };
    let spring_page = |page: Value| list(vec![page, size()], spring(json!({})), json!({}));
    let bare = |page: Value| list(vec![page, limit()], Value::Null, json!({}));
    let one = json!({ "size": "limit", "number": "page" });
    let zero = json!({ "size": "limit", "number": "page", "first": 0 });
    let table = [
        (
            spring_page(described("page", "Zero-based page index (0..N)", number())),
            whole(Some(0)),
            "from 0 according to its description",
        ),
        (spring_page(query("page", number())), whole(Some(0)), "from 0 according to the fields of the response"),
        (
            spring_page(described("page", "One-based page number", number())),
            whole(None),
            "from 1 according to its description",
        ),
        (
            spring_page(query("page", json!({ "type": "integer", "default": 1 }))),
            whole(None),
            "from 1 according to its default",
        ),
        (bare(described("page", "Page number, starting from 1.", number())), one.clone(), "description"),
        (bare(query("page", json!({ "type": "integer", "default": 1, "minimum": 0 }))), one.clone(), "default"),
        (bare(query("page", json!({ "type": "integer", "minimum": 1 }))), one, "minimum"),
        (bare(query("page", json!({ "type": "integer", "minimum": 0 }))), zero, "minimum"),
        (
            list(
                vec![
                    described("startIndex", "The 1-based index of the first result.", number()),
                    query("count", number()),
                ],
                with_list(json!({ "totalResults": number() })),
                json!({}),
            ),
            json!({ "size": "count", "offset": "startIndex", "first": 1, "total": "totalResults", "items": "data" }),
            "description",
        ),
    ];
    for (operation, expected, source) in table {
        let (found, notes) = pages("get", operation.clone());
        assert_eq!(found, expected, "{operation}");
        assert!(notes[0].contains(source), "{notes:?}");
        assert!(notes[0].contains("`change: { operations: { list: { pages: null } } }`"), "{notes:?}");
    }
}

#[test]
fn an_uncertain_first_page_is_left_out_with_the_overlay_that_adds_it() {
    let bare = |page: Value| list(vec![page, limit()], Value::Null, json!({}));
    let table = [
        (bare(query("page", number())), "{ size: limit, number: page, first: 1 }", "may count from 0 or from 1"),
        // Contradictions.
        (
            bare(described("page", "Zero-based page index", json!({ "type": "integer", "default": 1 }))),
            "{ size: limit, number: page, first: 1 }",
            "from 0 or from 1",
        ),
        (
            bare(described("page", "Zero-based page index", json!({ "type": "integer", "minimum": 1 }))),
            "{ size: limit, number: page, first: 1 }",
            "from 0 or from 1",
        ),
        (bare(query("startIndex", number())), "{ size: limit, first: 0, offset: startIndex }", "from 0 or from 1"),
        (
            bare(described("offset", "The page offset", number())),
            "{ size: limit, offset: offset }",
            "may count pages or items",
        ),
    ];
    for (operation, overlay, why) in table {
        let (found, notes) = pages("get", operation.clone());
        assert_eq!(found, Value::Null, "{operation}");
        assert!(notes[0].contains(why), "{notes:?}");
        let line = format!("`change: {{ operations: {{ list: {{ pages: {overlay} }} }} }}`");
        assert!(notes[0].contains(&line), "{line}: {notes:?}");
    }
}

#[test]
fn totals_of_one_page_are_not_those_of_the_list() {
    let count = |doc: &str| json!({ "type": "integer", "description": doc });
    let page = query("page", json!({ "type": "integer", "default": 1 }));
    let shape =
        with_list(json!({ "total": count("The number of items in this page."), "page_count": count("The items.") }));
    let (found, _) = pages("get", list(vec![page, limit()], shape, json!({})));
    assert_eq!(found, json!({ "size": "limit", "number": "page", "items": "data" }));
}

#[test]
fn a_search_has_its_page_in_the_body() {
    let body = |properties: Value| json!({ "content": { "application/json": { "schema": { "type": "object", "properties": properties } } } });
    let search = |properties: Value, shape: Value| {
        let mut operation = list(vec![], shape, json!({}));
        operation["requestBody"] = body(properties);
        operation
    };
    let cursor = search(
        json!({ "start_cursor": text(), "cursor": text(), "page_size": number() }),
        with_list(json!({ "next_cursor": { "type": "string", "nullable": true }, "has_more": { "type": "boolean" } })),
    );
    let (found, notes) = pages("post", cursor);
    assert_eq!(
        found,
        json!({ "in": "body", "size": "page_size", "token": "cursor", "next": "next_cursor", "items": "data" })
    );
    assert_eq!(notes.len(), 1);
    let page = json!({ "type": "integer", "default": 1 });
    let shape = with_list(json!({ "total_pages": number(), "total": number() }));
    let (found, _) = pages("post", search(json!({ "page": page, "limit": number() }), shape));
    let expected = json!({ "in": "body", "size": "limit", "number": "page", "total_pages": "total_pages", "total": "total", "items": "data" });
    assert_eq!(found, expected);
    // A write with a number of pages, such as a book.
    let (found, notes) = pages("post", search(json!({ "page": page, "limit": number() }), Value::Null));
    assert_eq!((found, notes), (Value::Null, vec![]));
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
