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
