//! Unions whose alternatives differ within their members.

use serde_json::{Value, json};
use wireform_codegen::Source;
use wireform_codegen::diagnostics::Code;

use super::{lost, read, schemas};

/// Imports a schema `Whole`, and returns its variants with their fields, and the warnings about hidden variants.
fn whole(schema: Value) -> (Value, Vec<String>) {
    let import = schemas(json!({ "Whole": schema }));
    assert_eq!(lost(&import), []);
    let sources: Vec<Source> = import.files.iter().map(|(path, text)| Source::new(path, text.as_str())).collect();
    let diagnostics = wireform_codegen::check(&sources).diagnostics;
    let hidden = diagnostics.into_iter().filter(|reported| reported.code == Code::HiddenVariant);
    (read(&import)["unions"]["Whole"].clone(), hidden.map(|reported| reported.message).collect())
}

fn object(required: &[&str], members: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": members })
}

#[test]
fn constants_of_every_type_are_kept() {
    let constants = [
        (json!({ "const": true }), json!({ "const": false })),
        (json!({ "type": "integer", "const": 1 }), json!({ "type": "integer", "enum": [2] })),
        (json!({ "const": 0.5 }), json!({ "const": 1.5 })),
        (json!({ "type": "integer", "enum": [1, 2] }), json!({ "type": "integer", "enum": [3, 4] })),
        (json!({ "type": "integer", "maximum": 9 }), json!({ "type": "integer", "minimum": 10 })),
        (json!({ "allOf": [{ "type": "integer", "enum": [1, 2, 3] }, { "enum": [2] }] }), json!({ "enum": [3] })),
    ];
    for (one, other) in constants {
        let schema = json!({ "oneOf": [object(&["a"], json!({ "a": one })), object(&["a"], json!({ "a": other }))] });
        let (union, hidden) = whole(schema);
        assert_eq!(union["variants"].as_object().map(serde_json::Map::len), Some(2), "{one} {other}");
        assert_eq!(hidden, [] as [&str; 0], "{one} {other}");
    }
}

#[test]
fn values_between_which_the_order_decides_are_shown() {
    let list = |items: &str| object(&["d"], json!({ "d": { "type": "array", "items": { "type": items } } }));
    let (_, hidden) = whole(json!({ "oneOf": [list("integer"), list("string")] }));
    assert_eq!(hidden.len(), 1, "{hidden:?}");
    assert!(hidden[0].ends_with("for example `{\"d\":[]}`"), "{hidden:?}");
    let change = |name: &str| {
        let inner = object(&[], json!({ "name": { "const": name } }));
        object(&["kind", "inner"], json!({ "kind": { "const": "change" }, "inner": inner }))
    };
    let (_, hidden) = whole(json!({ "oneOf": [change("opened"), change("closed")] }));
    assert!(hidden[0].ends_with(r#"for example `{"inner":{},"kind":"change"}`"#), "{hidden:?}");
}
