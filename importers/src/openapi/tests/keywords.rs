//! Each keyword of JSON Schema and of schemas in OpenAPI is imported, a note or a loss.

use serde_json::{Value, json};

use super::{imported, read};
use crate::Import;

/// Outcome of a keyword; information of the publisher is left out without a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Imported,
    Note,
    Loss,
    Information,
}

use Outcome::{Imported, Information, Loss, Note};

/// Keywords with a schema of a member to which they are added.
fn keywords() -> Vec<(&'static str, Value, Value, Outcome)> {
    let (text, number, whole) =
        (json!({ "type": "string" }), json!({ "type": "number" }), json!({ "type": "integer" }));
    let list = json!({ "type": "array", "items": text });
    let map = json!({ "type": "object", "additionalProperties": text });
    let object = json!({ "type": "object", "properties": { "a": text, "b": text } });
    let tuple = json!({ "type": "array", "prefixItems": [text, text] });
    let schema = || json!({ "type": "string", "minLength": 2 });
    vec![
        // Core
        ("$anchor", text.clone(), json!("it"), Information),
        ("$comment", text.clone(), json!("It."), Note),
        ("$defs", text.clone(), json!({ "A": { "type": "string" } }), Note),
        ("$dynamicAnchor", text.clone(), json!("it"), Note),
        ("$dynamicRef", json!({}), json!("#it"), Loss),
        ("$id", text.clone(), json!("https://example.com/it"), Note),
        ("$ref", json!({}), json!("#/components/schemas/Text"), Imported),
        ("$schema", text.clone(), json!("https://json-schema.org/draft/2020-12/schema"), Information),
        ("$vocabulary", text.clone(), json!({ "https://example.com": true }), Note),
        // Applicators
        ("additionalItems", list.clone(), json!(false), Loss),
        ("additionalProperties", object.clone(), json!({ "type": "integer" }), Imported),
        ("allOf", json!({}), json!([text]), Imported),
        ("anyOf", json!({}), json!([text, whole]), Imported),
        ("contains", list.clone(), schema(), Loss),
        ("dependencies", object.clone(), json!({ "a": ["b"] }), Loss),
        ("dependentRequired", object.clone(), json!({ "a": ["b"] }), Imported),
        ("dependentRequired", map.clone(), json!({ "a": ["b"] }), Loss),
        ("dependentSchemas", object.clone(), json!({ "a": { "required": ["b"] } }), Imported),
        ("else", object.clone(), json!({ "required": ["b"] }), Note),
        ("if", object.clone(), json!({ "required": ["b"] }), Note),
        ("items", json!({ "type": "array" }), text.clone(), Imported),
        ("items", json!({ "type": "array" }), json!(false), Imported),
        ("items", tuple.clone(), json!(false), Imported),
        ("items", tuple, whole.clone(), Loss),
        ("not", text.clone(), json!({ "const": "a" }), Loss),
        ("not", object.clone(), json!({ "required": ["a", "b"] }), Imported),
        ("oneOf", json!({}), json!([text, whole]), Imported),
        ("prefixItems", json!({ "type": "array" }), json!([text, text]), Imported),
        ("properties", json!({ "type": "object" }), json!({ "a": text }), Imported),
        ("unevaluatedItems", list.clone(), json!(false), Loss),
        ("unevaluatedProperties", object.clone(), json!({ "type": "integer" }), Imported),
        ("unevaluatedProperties", object.clone(), json!(false), Note),
        // Validation
        ("const", text.clone(), json!("a"), Imported),
        ("const", json!({ "enum": ["a", "b"] }), json!("a"), Imported),
        ("const", json!({ "enum": ["a", "b"] }), json!("c"), Loss),
        ("enum", text.clone(), json!(["a", "b"]), Imported),
        ("exclusiveMaximum", whole.clone(), json!(10), Imported),
        ("exclusiveMinimum", whole.clone(), json!(1), Imported),
        ("exclusiveMinimum", number.clone(), json!(0.5), Imported),
        ("maxContains", list.clone(), json!(2), Loss),
        ("maxItems", list.clone(), json!(2), Imported),
        ("maxLength", text.clone(), json!(2), Imported),
        ("maxProperties", map.clone(), json!(2), Imported),
        ("maxProperties", object.clone(), json!(2), Loss),
        ("maximum", whole.clone(), json!(10), Imported),
        ("minContains", list.clone(), json!(2), Loss),
        ("minItems", list.clone(), json!(2), Imported),
        ("minLength", text.clone(), json!(2), Imported),
        ("minProperties", map.clone(), json!(2), Imported),
        ("minProperties", object.clone(), json!(1), Loss),
        ("minimum", whole.clone(), json!(1), Imported),
        ("multipleOf", whole.clone(), json!(2), Imported),
        ("pattern", text.clone(), json!("^a$"), Imported),
        ("required", object.clone(), json!(["a"]), Imported),
        ("required", object.clone(), json!(["c"]), Loss),
        ("type", json!({}), json!("string"), Imported),
        ("uniqueItems", list.clone(), json!(true), Imported),
        // Format, content and annotations
        ("contentEncoding", text.clone(), json!("base64"), Imported),
        ("contentEncoding", text.clone(), json!("quoted-printable"), Loss),
        ("contentMediaType", text.clone(), json!("image/png"), Note),
        ("contentSchema", text.clone(), json!({ "type": "object" }), Note),
        ("default", text.clone(), json!("a"), Imported),
        ("deprecated", text.clone(), json!(true), Imported),
        ("description", text.clone(), json!("It."), Imported),
        ("examples", text.clone(), json!(["a"]), Imported),
        ("format", text.clone(), json!("date"), Imported),
        ("format", text.clone(), json!("own"), Note),
        ("format", number, json!("own"), Note),
        ("readOnly", text.clone(), json!(true), Imported),
        ("title", text.clone(), json!("It"), Imported),
        ("writeOnly", text.clone(), json!(true), Imported),
        // OpenAPI
        ("discriminator", object, json!({ "propertyName": "a" }), Loss),
        ("example", text.clone(), json!("a"), Imported),
        ("externalDocs", text.clone(), json!({ "url": "https://example.com" }), Information),
        ("nullable", text.clone(), json!(true), Imported),
        ("xml", text.clone(), json!({ "name": "b" }), Note),
    ]
}

/// Imports a schema as a member of the only resource.
fn member(schema: &Value) -> Import {
    imported(json!({ "components": { "schemas": {
        "Note": { "type": "object", "properties": { "it": schema } },
        "Text": { "type": "string", "maxLength": 7 },
    } } }))
}

#[test]
fn each_keyword_of_a_schema_is_imported_a_note_or_a_loss() {
    let mut wrong = Vec::new();
    for (keyword, schema, value, outcome) in keywords() {
        let mut with = schema.clone();
        with[keyword] = value;
        let (without, import) = (member(&schema), member(&with));
        let before = |all: &[crate::Loss], one: &crate::Loss| all.iter().any(|other| other == one);
        let losses: Vec<_> = import.losses.iter().filter(|one| !before(&without.losses, one)).collect();
        let notes: Vec<_> = import.notes.iter().filter(|one| !before(&without.notes, one)).collect();
        let is_changed = read(&import)["resources"] != read(&without)["resources"];
        let found = match (losses.is_empty(), is_changed, notes.is_empty()) {
            (false, ..) => Loss,
            (true, true, _) => Imported,
            (true, false, false) => Note,
            (true, false, true) => Information,
        };
        if found != outcome {
            wrong.push(format!("`{keyword}` in {with}: expected {outcome:?}, found {found:?} {losses:?} {notes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_list_without_further_elements_has_a_maximum() {
    let text = json!({ "type": "string" });
    for (schema, items) in [
        (json!({ "prefixItems": [text, text], "items": false }), json!("..=2")),
        (json!({ "prefixItems": [text, text], "items": false, "maxItems": 1 }), json!("..=1")),
        (json!({ "prefixItems": [text, text], "items": false, "maxItems": 5, "minItems": 2 }), json!(2)),
        (json!({ "type": "array", "items": false }), json!("..=0")),
        (json!({ "allOf": [{ "prefixItems": [text], "items": false }], "type": "array" }), json!("..=1")),
    ] {
        let (field, losses) = super::member(schema.clone());
        assert_eq!(losses, [] as [&str; 0], "{schema}");
        assert_eq!(field["items"], items, "{schema}: {field}");
    }
}
