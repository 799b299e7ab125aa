//! Severity of messages: a loss changes a value, a type or a request, and everything else is a note.

use serde_json::{Value, json};

use super::{imported, lost, schemas};
use crate::Import;

fn noted(import: &Import) -> Vec<(&str, &str)> {
    import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect()
}

#[test]
fn unknown_annotations_are_notes_once_per_kind() {
    let field = |more: Value| {
        let mut field = json!({ "type": "string", "placeholder": "Words" });
        field.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        field
    };
    let import = schemas(json!({ "Note": { "type": "object", "order": 1, "properties": {
        "a": field(json!({})),
        "b": field(json!({ "order": { "type": 2 } })),
        "c": { "type": "array", "items": field(json!({})) },
    } } }));
    assert_eq!(lost(&import), []);
    let what = |name: &str, more: usize| {
        let places = if more == 1 { "place" } else { "places" };
        format!("`{name}` is left out: an unknown keyword is an annotation (and in {more} more {places})")
    };
    let expected = [
        ("/components/schemas/Note/order", what("order", 1)),
        ("/components/schemas/Note/properties/a/placeholder", what("placeholder", 2)),
    ];
    assert_eq!(noted(&import), expected.each_ref().map(|(at, what)| (*at, what.as_str())));
}

#[test]
fn misspelled_and_unsupported_keywords_of_schemas_are_losses() {
    let import = schemas(json!({ "Note": { "type": "object", "properties": {
        "a": { "type": "string", "maxlength": 4, "patern": "a" },
        "b": { "type": "array", "items": { "type": "string" }, "contains": { "const": "x" }, "minContains": 2 },
    } } }));
    let at = |name: &str| format!("/components/schemas/Note/properties/{name}");
    let expected = [
        (at("a/maxlength"), "left out: unknown keyword; did you mean `maxLength`?"),
        (at("a/patern"), "left out: unknown keyword; did you mean `pattern`?"),
        (at("b/contains"), "left out: the schema language does not support it"),
        (at("b/minContains"), "left out: the schema language does not support it"),
    ];
    assert_eq!(lost(&import), expected.each_ref().map(|(at, what)| (at.as_str(), *what)));
}

#[test]
fn roles_of_schemes_without_scopes_are_notes() {
    let done = json!({ "204": { "description": "Done." } });
    let import = imported(json!({
        "components": { "securitySchemes": {
            "key": { "type": "apiKey", "in": "header", "name": "X-Key" },
            "token": { "type": "http", "scheme": "bearer" },
        } },
        "paths": { "/x": { "get": { "security": [{ "key": ["admin"] }, { "token": ["write"] }], "responses": done } } },
    }));
    let at = "/paths/~1x/get/security";
    let scopes = "scopes are left out: the scheme does not list them";
    assert_eq!(lost(&import), [(format!("{at}/1/token").as_str(), scopes)]);
    let roles = "roles are left out: requests do not contain them";
    assert_eq!(noted(&import), [(format!("{at}/0/key").as_str(), roles)]);
}

/// Messages with their places.
type Messages = Vec<(String, String)>;

/// Imports an operation whose request and response have these media types, and returns the losses and the notes.
fn operation(content: &Value) -> (Messages, Messages) {
    let import = imported(json!({ "paths": { "/x": { "post": {
        "requestBody": { "required": true, "content": content },
        "responses": {
            "200": { "description": "It.", "content": content },
            "400": { "description": "No.", "content": content },
        },
    } } } }));
    let owned = |all: Vec<(&str, &str)>| {
        all.into_iter()
            .map(|(at, what)| (at.trim_start_matches("/paths/~1x/post/").to_owned(), what.to_owned()))
            .collect()
    };
    (owned(lost(&import)), owned(noted(&import)))
}

#[test]
fn another_representation_of_a_schema_is_not_another_schema() {
    let schema = |name: &str| json!({ "schema": { "type": "object", "properties": { name: { "type": "string" } } } });
    let (losses, notes) = operation(&json!({ "text/plain": schema("a"), "application/json": schema("a") }));
    let at = |part: &str| format!("{part}/content/text~1plain");
    let sent = "left out: the body is sent and accepted as `application/json`, with the same schema";
    assert_eq!(losses, [(at("requestBody"), sent.to_owned())]);
    let received = "left out: the body is requested as `application/json`, with the same schema".to_owned();
    assert_eq!(notes, [(at("responses/200"), received.clone()), (at("responses/400"), received)]);
    let (losses, notes) = operation(&json!({ "application/json": schema("a"), "text/plain": schema("b") }));
    let other = "left out: another media type with a different schema or encoding is imported".to_owned();
    assert_eq!(losses, ["requestBody", "responses/200", "responses/400"].map(|part| (at(part), other.clone())));
    assert_eq!(notes, []);
    let (losses, _) = operation(&json!({ "application/json": schema("a"), "text/event-stream": schema("a") }));
    assert_eq!(losses.len(), 3, "the items of a stream have the schema: {losses:?}");
}

#[test]
fn types_that_become_any_are_losses() {
    let import = schemas(json!({ "Note": { "type": "object", "properties": {
        "union": { "oneOf": [{ "type": "string" }, {}] },
        "list": { "type": "array" },
    } } }));
    assert_eq!(
        lost(&import),
        [("/components/schemas/Note/properties/union", "becomes `any`: one of its alternatives is `any`")]
    );
    assert_eq!(
        noted(&import),
        [("/components/schemas/Note/properties/list", "the elements can have any type: `items` is missing")]
    );
}
