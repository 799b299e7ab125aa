//! Guesses about what documents do not say, and the overlays that turn them off.

use serde_json::{Value, json};

use super::{import_as, read};
use crate::{Import, Options, Overlay, openapi};

fn document() -> String {
    let parameter = |name: &str| json!({ "name": name, "in": "query", "schema": { "type": "integer", "default": 1 } });
    let content = |schema: Value| json!({ "application/json": { "schema": schema } });
    let book = json!({ "$ref": "#/components/schemas/Book" });
    let words =
        json!({ "type": "object", "properties": { "words": { "type": "array", "items": { "type": "string" } } } });
    json!({
        "openapi": "3.0.3",
        "info": { "title": "Books", "version": "1" },
        "components": { "schemas": {
            "Book": { "type": "object", "properties": { "title": { "type": "string" } } },
            "Failure": { "type": "object", "properties": { "detail": { "type": "string" } } },
        } },
        "paths": {
            "/words": { "get": {
                "operationId": "books.words",
                "parameters": [parameter("page"), parameter("limit")],
                "responses": {
                    "200": { "description": "The words of a page.", "content": content(words) },
                    "404": { "description": "None.", "content": content(json!({ "$ref": "#/components/schemas/Failure" })) },
                },
            } },
            "/book": { "get": {
                "operationId": "books.get",
                "responses": { "default": { "description": "It.", "content": content(book) } },
            } },
        },
    })
    .to_string()
}

fn guesses(import: &Import) -> Vec<(&str, &str)> {
    import.guesses.iter().map(|guess| (guess.at.as_str(), guess.what.as_str())).collect()
}

/// Returns the overlay that a guess names.
fn overlay_of(what: &str) -> &str {
    what.rsplit_once("write `").and_then(|(_, line)| line.strip_suffix("` in the overlay")).expect("an overlay")
}

#[test]
fn each_guess_has_a_place_and_the_overlay_that_turns_it_off() {
    let import = openapi::import(&document()).expect("a document");
    let expected = [
        (
            "/components/schemas/Failure",
            "`detail` is the message of an error, by its name; to turn it off, write `change: { errors: { message: null } }` in the overlay",
        ),
        (
            "/paths/~1book/get/responses/default",
            "the `default` response is that of a success: the operation declares no other; to turn it off, write `change: { operations: { books.get: { response: null } } }` in the overlay",
        ),
        (
            "/paths/~1words/get",
            "pagination of `words` is inferred: `page` is the page number, from 1 according to its default; to turn it off, write `change: { operations: { books.words: { pages: null } } }` in the overlay",
        ),
    ];
    assert_eq!(guesses(&import), expected);
    assert!(import.notes.iter().all(|note| !note.what.contains("pagination")), "{:?}", import.notes);
    for (_, what) in expected {
        let overlay = Overlay::read(overlay_of(what)).expect("an overlay");
        let import = import_as(&document(), &Options::default(), Some(&overlay)).expect("a document");
        let left: Vec<(&str, &str)> = expected.into_iter().filter(|(_, other)| *other != what).collect();
        assert_eq!(guesses(&import), left, "an overlay decides the guess");
    }
}

#[test]
fn confirmed_guess_is_not_reported() {
    let line = "change: { operations: { books.words: { pages: { number: page, size: limit } } } }";
    let overlay = Overlay::read(line).expect("an overlay");
    let import = import_as(&document(), &Options::default(), Some(&overlay)).expect("a document");
    assert_eq!(guesses(&import).len(), 2, "{:?}", guesses(&import));
    assert_eq!(read(&import)["operations"]["books.words"]["pages"]["number"], "page");
}

/// Returns a document whose operations have bodies of media ranges.
fn with_ranges() -> String {
    let book = || json!({ "$ref": "#/components/schemas/Book" });
    let content =
        |types: &[&str]| -> Value { types.iter().map(|ty| ((*ty).to_owned(), json!({ "schema": book() }))).collect() };
    let response = |types: &[&str]| json!({ "description": "It.", "content": content(types) });
    let page = json!({ "type": "object", "properties": {
        "books": { "type": "array", "items": book() }, "next_cursor": { "type": "string" },
    } });
    let cursor = json!({ "name": "cursor", "in": "query", "schema": { "type": "string" } });
    let other = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    json!({
        "openapi": "3.0.3",
        "info": { "title": "Books", "version": "1" },
        "components": { "schemas": { "Book": { "type": "object", "properties": { "title": { "type": "string" } } } } },
        "paths": {
            "/book": { "post": {
                "operationId": "books.add",
                "requestBody": { "content": content(&["*/*"]) },
                "responses": { "201": response(&["application/*"]), "404": response(&["*/*"]) },
            } },
            "/books": { "get": { "operationId": "books.list", "parameters": [cursor], "responses": {
                "200": { "description": "All.", "content": { "*/*": { "schema": page } } },
            } } },
            "/certain": { "get": { "operationId": "books.certain", "responses": {
                "200": response(&["*/*", "application/json"]),
                "203": response(&["application/hal+json", "*/*"]),
            } } },
            "/mixed": { "get": { "operationId": "books.mixed", "responses": {
                "200": response(&["application/vnd.book+json"]),
                "404": response(&["application/xml", "*/*"]),
            } } },
            "/several": { "get": { "operationId": "books.several", "responses": { "200": {
                "description": "It.",
                "content": {
                    "application/octet-stream": { "schema": { "type": "string", "format": "binary" } },
                    "*/*": { "schema": other },
                },
            } } } },
            "/number": { "get": { "operationId": "books.number", "responses": {
                "200": { "description": "It.", "content": { "*/*": { "schema": { "type": "string", "format": "int64" } } } },
                "default": { "description": "", "content": content(&["*/*"]) },
            } } },
            "/text": { "get": { "operationId": "books.text", "responses": {
                "200": { "description": "It.", "content": { "*/*": { "schema": { "type": "string" } } } },
            } } },
        },
    })
    .to_string()
}

#[test]
fn media_range_as_json_is_a_guess() {
    let import = openapi::import(&with_ranges()).expect("a document");
    let ranges = |import: &Import| -> Vec<(String, String)> {
        let all = import.guesses.iter().filter(|guess| guess.what.contains("is assumed to be JSON"));
        all.map(|guess| (guess.at.clone(), guess.what.clone())).collect()
    };
    let line = |operation: &str, keys: &str| format!("change: {{ operations: {{ books.{operation}: {{ {keys} }} }} }}");
    let any = "content_types: [\"*/*\"]";
    let expected = [
        ("/book/post/requestBody", "*/*", line("add", &format!("body: {{ {any}, type: bytes }}"))),
        (
            "/book/post/responses/201",
            "application/*",
            line("add", "responses: { 201: { content_types: [\"application/*\"], type: bytes } }"),
        ),
        ("/book/post/responses/404", "*/*", line("add", &format!("errors: {{ 404: {{ {any}, body: bytes }} }}"))),
        ("/books/get/responses/200", "*/*", line("list", &format!("response: {{ {any}, type: bytes }}, pages: null"))),
        ("/mixed/get/responses/404", "*/*", line("mixed", &format!("errors: {{ 404: {{ {any}, body: bytes }} }}"))),
        (
            "/number/get/responses/200",
            "*/*",
            line("number", &format!("response: {{ {any}, type: bytes, encoding: null }}")),
        ),
        (
            "/number/get/responses/default",
            "*/*",
            line("number", &format!("errors: {{ default: {{ {any}, body: bytes }} }}")).replace("change:", "add:"),
        ),
        (
            "/several/get/responses/200",
            "*/*",
            line("several", &format!("response: {{ alternatives: {{ json: {{ {any}, type: bytes }} }} }}")),
        ),
    ]
    .map(|(at, range, overlay)| {
        let at = format!("/paths/~1{}/content/{}", &at[1..], range.replace('/', "~1"));
        (at, format!("`{range}` is assumed to be JSON; to turn it off, write `{overlay}` in the overlay"))
    });
    assert_eq!(ranges(&import), expected);
    for (at, what) in &expected {
        let overlay = Overlay::read(overlay_of(what)).expect("an overlay");
        let import = import_as(&with_ranges(), &Options::default(), Some(&overlay)).expect("a document");
        let left: Vec<_> = expected.iter().filter(|(other, _)| other != at).cloned().collect();
        assert_eq!(ranges(&import), left, "an overlay decides the guess");
        super::read_all(&import);
    }
    let confirmed = "change: { operations: { books.add: { body: { content_types: [application/json] } } } }";
    let confirmed = Overlay::read(confirmed).expect("an overlay");
    let import = import_as(&with_ranges(), &Options::default(), Some(&confirmed)).expect("a document");
    assert_eq!(ranges(&import), expected[1..]);
}
