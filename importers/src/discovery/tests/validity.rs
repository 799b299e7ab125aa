//! Documents that contradict their format: each kind is a loss or a note, with its place.

use serde_json::{Value, json};

use super::imported;

/// Returns a document with a method.
fn method(members: Value) -> Value {
    let mut method = json!({ "id": "notes.a", "httpMethod": "GET", "path": "a" });
    method.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
    json!({ "methods": { "a": method } })
}

/// Returns a document with a schema as a property of a resource.
fn schema(schema: Value) -> Value {
    json!({ "schemas": { "Note": { "type": "object", "properties": { "it": schema } } } })
}

const MEMBER: &str = "/schemas/Note/properties/it";

#[test]
fn invalid_documents_are_reported() {
    let query = |parameter: Value| method(json!({ "parameters": { "p": parameter } }));
    let parameter = "/methods/a/parameters/p";
    let mut ids = method(json!({}));
    ids["methods"]["b"] = json!({ "id": "notes.a", "httpMethod": "GET", "path": "b" });
    let mut paths = method(json!({}));
    paths["methods"]["b"] = json!({ "id": "notes.b", "httpMethod": "GET", "path": "a" });
    let table = [
        (method(json!({ "path": "a/{b}" })), "note", "/methods/a", "the path variable `b` becomes `string`"),
        (ids, "note", "/methods/b", "another method has the `id: notes.a`"),
        (paths, "loss", "/methods/b", "another one has the same HTTP method and path"),
        (query(json!({ "type": "string", "location": "body" })), "loss", parameter, "unknown location `body`"),
        (query(json!({ "type": "string", "location": "path" })), "loss", parameter, "it does not occur in the path"),
        (
            method(json!({ "response": { "$ref": "Nothing" } })),
            "loss",
            "/methods/a/response",
            "unknown schema `Nothing`",
        ),
        (json!({ "schemas": { "Note": null } }), "loss", "/schemas/Note", "expected an object"),
        (schema(Value::Null), "loss", MEMBER, "expected an object"),
        (schema(json!({ "type": "text" })), "loss", MEMBER, "becomes `any`"),
        (schema(json!({ "type": "array" })), "loss", MEMBER, "the elements become `any`"),
        (
            schema(json!({ "type": "string", "enum": ["a", "a"] })),
            "loss",
            &format!("{MEMBER}/enum/1"),
            "duplicate value",
        ),
        (
            schema(json!({ "type": "string", "enum": ["a"], "default": "b" })),
            "loss",
            MEMBER,
            "`default: b` is left out",
        ),
        (schema(json!({ "type": "integer", "default": "b" })), "loss", MEMBER, "`default: b` is left out"),
        (
            schema(json!({ "type": "integer", "minimum": "2", "maximum": "1" })),
            "loss",
            MEMBER,
            "greater than `maximum`",
        ),
    ];
    for (document, severity, at, what) in table {
        let import = imported(document);
        let found = if severity == "loss" { &import.losses } else { &import.notes };
        assert!(
            found.iter().any(|one| one.at == at && one.what.contains(what)),
            "{what}: {:?} {:?}",
            import.losses,
            import.notes
        );
    }
}
