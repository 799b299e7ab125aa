//! Schemas that include each other by `oneOf`, `anyOf`, `allOf` and references.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use super::{lost, read, read_back, schemas};
use crate::nesting_limits::TOO_MANY_MERGES;
use crate::parallel::check_all;

fn to(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The usual form of a class with subclasses in springdoc and Jackson: the subclasses extend the class that lists them.
#[test]
fn alternatives_that_extend_their_base_are_written_once() {
    let base = |more: Value| {
        let mut base = json!({ "oneOf": [to("X"), to("Y")], "properties": { "op": { "type": "string" } } });
        base.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        base
    };
    let with_member = |name: &str| json!({ "allOf": [to("B"), { "properties": { name: { "type": "string" } } }] });
    for more in [json!({}), json!({ "discriminator": { "propertyName": "op" } })] {
        for (x, y) in
            [(json!({ "allOf": [to("B")] }), json!({ "allOf": [to("B")] })), (with_member("x"), with_member("y"))]
        {
            let import = schemas(json!({ "B": base(more.clone()), "X": x, "Y": y }));
            assert!(import.losses.iter().all(|loss| loss.what != TOO_MANY_MERGES), "{:?}", lost(&import));
            assert!(read(&import)["unions"]["B"].is_object(), "{:?}", import.files);
        }
    }
}

fn name() -> impl Strategy<Value = String> {
    "[A-F]"
}

/// A schema of at most three levels: an object, a list, alternatives, parts, a reference or a text.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => name().prop_map(|name| to(&name)),
        1 => Just(json!({ "type": "string" })),
        1 => Just(json!({ "properties": { "op": { "type": "string" } } })),
        1 => name().prop_map(|value| json!({ "type": "object", "required": ["op"], "properties": { "op": { "const": value } } })),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let list = || prop::collection::vec(inner.clone(), 1..4);
        let key = prop_oneof![Just("oneOf"), Just("anyOf"), Just("allOf")];
        let combined = (key, list(), any::<[bool; 2]>(), name()).prop_map(|(key, list, [tagged, member], base)| {
            let mut schema = json!({ key: list });
            if tagged {
                schema["discriminator"] = json!({ "propertyName": "op", "mapping": { "a": to(&base)["$ref"] } });
            }
            if member {
                schema["properties"] = json!({ "op": { "type": "string" }, "to": to(&base) });
            }
            schema
        });
        prop_oneof![
            4 => combined,
            1 => inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            1 => (name(), inner.clone()).prop_map(|(name, it)| json!({ "type": "object", "properties": { name: it } })),
            1 => inner.prop_map(|values| json!({ "type": "object", "additionalProperties": values })),
        ]
    })
}

/// Every import ends within its budget, and the schema reader accepts the result.
#[test]
fn recursive_schemas_end() {
    check_all(&[1, 2, 3, 4], |seed| {
        let config = ProptestConfig { cases: 2_500, failure_persistence: None, ..ProptestConfig::default() };
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[*seed; 32]);
        let schemas = prop::collection::btree_map(name(), schema(), 1..7);
        let checked = TestRunner::new_with_rng(config, random).run(&schemas, |all| {
            let document = json!({
                "openapi": "3.1.0", "info": { "title": "Notes", "version": "1.10" }, "components": { "schemas": all },
            });
            read_back(&document.to_string());
            Ok(())
        });
        checked.expect("an import that ends and can be read");
    });
}
