//! Schemas that extend others, directly and through several levels.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{lost, read, schemas};
use crate::Options;
use crate::node::{Node, Report};
use crate::openapi::importer::Importer;
use crate::openapi::{document, resources};

fn to(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Returns a schema that extends another by a member.
fn extending(base: &str, member: &str) -> Value {
    json!({ "allOf": [to(base), { "type": "object", "properties": { member: { "type": "string" } } }] })
}

/// Returns the schemas `Lion` → `Cat` → `Root` ← `Dog` with this discriminator at the root.
fn lions(discriminator: Value) -> Value {
    json!({
        "Lion": extending("Cat", "mane"),
        "Root": { "type": "object", "required": ["kind"], "discriminator": discriminator, "properties": {
            "kind": { "type": "string" }, "friend": to("Root"),
        } },
        "Cat": extending("Root", "lives"),
        "Dog": extending("Root", "bark"),
    })
}

#[test]
fn subtypes_of_subtypes_are_variants() {
    let import = schemas(lions(json!({ "propertyName": "kind" })));
    let found = read(&import);
    let variants = json!({ "Cat": "Cat", "Dog": "Dog", "Lion": "Lion", "Root": "RootBase" });
    assert_eq!(found["unions"]["Root"]["variants"], variants);
    let fields = |name: &str| found["resources"][name]["fields"].as_object().map(|fields| fields.len());
    assert_eq!([fields("RootBase"), fields("Cat"), fields("Lion")], [Some(2), Some(3), Some(4)]);
    assert_eq!(found["resources"]["RootBase"]["fields"]["friend"]["type"], "Root");
    assert_eq!(lost(&import), []);
    // Without members of its own, a subtype is a variant too.
    let mut all = lions(json!({ "propertyName": "kind" }));
    all["Lion"] = json!({ "allOf": [to("Cat")] });
    let found = read(&schemas(all));
    assert_eq!(found["unions"]["Root"]["variants"]["Lion"], "RootLion");
    assert_eq!(found["resources"]["RootLion"]["fields"].as_object().map(|fields| fields.len()), Some(3));
}

#[test]
fn mapping_names_grandchildren_and_the_base() {
    let mapping =
        json!({ "root": to("Root")["$ref"], "lion": to("Lion")["$ref"], "cat": "Cat", "dog": to("Dog")["$ref"] });
    let import = schemas(lions(json!({ "propertyName": "kind", "mapping": mapping })));
    let variants = json!({ "cat": "Cat", "dog": "Dog", "lion": "Lion", "root": "RootBase" });
    assert_eq!(read(&import)["unions"]["Root"]["variants"], variants);
    assert_eq!(lost(&import), []);
    // A mapping without the base means that no object is of the base itself.
    let mapping = json!({ "lion": to("Lion")["$ref"], "cat": "Cat" });
    let import = schemas(lions(json!({ "propertyName": "kind", "mapping": mapping })));
    let variants = json!({ "cat": "Cat", "Dog": "Dog", "lion": "Lion" });
    assert_eq!(read(&import)["unions"]["Root"]["variants"], variants);
}

#[test]
fn mapping_of_alternatives_names_grandchildren() {
    let mut all = lions(json!({ "propertyName": "kind" }));
    let mapping = json!({ "cat": "Cat", "dog": "Dog", "lion": "Lion", "bird": "Bird" });
    all["Pet"] =
        json!({ "oneOf": [to("Cat"), to("Dog")], "discriminator": { "propertyName": "kind", "mapping": mapping } });
    let import = schemas(all);
    let variants = json!({ "cat": "Cat", "dog": "Dog", "lion": "Lion" });
    assert_eq!(read(&import)["unions"]["Pet"]["variants"], variants);
    let at = "/components/schemas/Pet/discriminator/mapping/bird";
    assert_eq!(lost(&import), [(at, "left out: it refers to none of the alternatives")]);
}

/// An intermediate schema with a discriminator of its own is a union in the union.
#[test]
fn discriminators_of_several_levels_are_nested() {
    let mut all = lions(json!({ "propertyName": "kind" }));
    let cat = json!({ "propertyName": "breed" });
    all["Cat"] =
        json!({ "allOf": [to("Root")], "discriminator": cat, "properties": { "breed": { "type": "string" } } });
    let import = schemas(all);
    let unions = &read(&import)["unions"];
    assert_eq!(unions["Cat"]["variants"], json!({ "Lion": "Lion", "Cat": "CatBase" }));
    assert_eq!(unions["Root"]["variants"], json!({ "Cat": "Cat", "Dog": "Dog", "Root": "RootBase" }));
}

#[test]
fn what_a_discriminator_leads_to_is_kept() {
    let response =
        json!({ "200": { "description": "It.", "content": { "application/json": { "schema": to("Root") } } } });
    let import = super::super::import(
        &json!({
            "openapi": "3.0.3", "info": { "title": "Notes", "version": "1" },
            "components": { "schemas": lions(json!({ "propertyName": "kind" })) },
            "paths": { "/x": { "get": { "operationId": "get", "responses": response } } },
        })
        .to_string(),
    )
    .expect("a document");
    let out: Vec<&str> = import
        .notes
        .iter()
        .filter(|note| note.what.starts_with("left out: no operation"))
        .map(|note| note.at.as_str())
        .collect();
    assert_eq!(out, [] as [&str; 0]);
    assert!(read(&import)["resources"]["Lion"].is_object());
}

/// springdoc writes both: the base lists its subtypes, and each subtype extends the base.
#[test]
fn base_that_lists_its_subtypes_keeps_their_names() {
    let subtypes = json!([to("Cat"), to("Dog")]);
    let members = json!({ "op": { "type": "string" } });
    for mapping in [json!({}), json!({ "Cat": to("Cat")["$ref"], "Dog": "Dog" })] {
        let import = schemas(json!({
            "Animal": { "type": "object", "required": ["op"], "properties": members, "oneOf": subtypes,
                "discriminator": { "propertyName": "op", "mapping": mapping } },
            "Cat": extending("Animal", "lives"),
            // Without members of its own, it would be the union.
            "Dog": { "allOf": [to("Animal"), { "type": "object" }] },
        }));
        let union = &read(&import)["unions"]["Animal"];
        assert_eq!(
            (&union["discriminator"], &union["variants"]),
            (&json!("op"), &json!({ "Cat": "Cat", "Dog": "AnimalDog" }))
        );
        assert_eq!(lost(&import), []);
    }
}

#[test]
fn mapping_names_variants_of_the_same_shape() {
    let part = json!({ "type": "object", "properties": { "op": { "type": "string" }, "value": { "type": "string" } } });
    let mapping = json!({ "is": to("Is")["$ref"], "isNot": "IsNot" });
    let alternatives = json!([to("Is"), to("IsNot")]);
    let discriminator = json!({ "propertyName": "op", "mapping": mapping });
    for base in
        [json!({}), json!({ "type": "object", "required": ["op"], "properties": { "op": { "type": "string" } } })]
    {
        let mut whole = base.clone();
        whole["oneOf"] = alternatives.clone();
        whole["discriminator"] = discriminator.clone();
        let import = schemas(json!({ "Is": part, "IsNot": part, "Condition": whole }));
        let found = read(&import);
        let union = &found["unions"]["Condition"];
        assert_eq!(union["discriminator"], "op", "{base}");
        let names: Vec<&String> = union["variants"].as_object().expect("variants").keys().collect();
        assert_eq!(names, ["is", "isNot"], "{base}");
        let types = if base == json!({}) { ["Is", "IsNot"] } else { ["ConditionIs", "ConditionIsNot"] };
        assert_eq!([&union["variants"]["is"], &union["variants"]["isNot"]], types);
        assert_eq!(lost(&import), []);
    }
}

/// Discriminators can be integers and booleans.
#[test]
fn discriminator_of_another_type_is_kept() {
    let part = |tag: Value| json!({ "type": "object", "required": ["t"], "properties": { "t": tag, "a": { "type": "string" } } });
    let kinds = [
        (json!({ "type": "integer" }), json!({ "type": "integer" }), ["1", "2"], true),
        (json!({ "type": "integer", "enum": [1] }), json!({ "const": 2 }), ["1", "2"], true),
        (json!({ "type": "integer", "enum": [1] }), json!({ "const": 2 }), ["1", "2"], false),
        (json!({ "type": "boolean" }), json!({ "const": false }), ["true", "false"], true),
        (json!({ "const": "x" }), json!({ "type": "string", "enum": ["y"] }), ["x", "y"], false),
    ];
    for (one, other, names, has_mapping) in kinds {
        let mapping = json!({ (names[0]): "One", (names[1]): to("Two")["$ref"] });
        let mapping = if has_mapping { mapping } else { json!({}) };
        let import = schemas(json!({
            "One": part(one), "Two": part(other),
            "Whole": { "oneOf": [to("One"), to("Two")], "discriminator": { "propertyName": "t", "mapping": mapping } },
        }));
        assert_eq!(lost(&import), []);
        let union = &read(&import)["unions"]["Whole"];
        assert_eq!(union["discriminator"], "t");
        let types = names.map(|name| &union["variants"][name]);
        assert!(types.iter().all(|ty| ty.is_string() || ty["type"].is_string()), "{union}");
    }
}

#[test]
fn member_that_can_be_null_is_no_inferred_discriminator() {
    let part = |tag: Value| json!({ "type": "object", "required": ["t"], "properties": { "t": tag } });
    for nullable in [json!({ "type": ["string", "null"], "const": "a" }), json!({ "enum": ["a", null] })] {
        let import = schemas(json!({
            "One": part(nullable), "Two": part(json!({ "const": "b" })),
            "Whole": { "oneOf": [to("One"), to("Two")] },
        }));
        assert_eq!(read(&import)["unions"]["Whole"]["discriminator"], Value::Null);
    }
}

#[test]
fn discriminator_of_several_types_is_a_loss() {
    let part = |tag: Value| json!({ "type": "object", "required": ["t"], "properties": { "t": tag } });
    let mapping = json!({ "1": "One", "a": "Two" });
    let import = schemas(json!({
        "One": part(json!({ "type": "integer" })), "Two": part(json!({ "type": "string" })),
        "Whole": { "oneOf": [to("One"), to("Two")], "discriminator": { "propertyName": "t", "mapping": mapping } },
    }));
    assert_eq!(read(&import)["unions"]["Whole"]["discriminator"], Value::Null);
    assert_eq!(lost(&import).len(), 1);
}

/// A subtype for which the discriminator has no value affects none of the others.
#[test]
fn subtype_without_a_value_does_not_remove_the_discriminator() {
    let extending = |base: &str, field: &str| {
        let own = json!({ "type": "object", "properties": { field: { "type": "string" } } });
        json!({ "allOf": [to(base), own] })
    };
    let kinds = [
        (json!({ "type": "integer" }), ["1", "2"]),
        (json!({ "type": "integer", "enum": [1, 2] }), ["1", "2"]),
        (json!({ "type": "boolean" }), ["true", "false"]),
        (json!({ "type": "string", "enum": ["cat", "dog"] }), ["cat", "dog"]),
    ];
    for (kind, names) in kinds {
        let mapping = json!({ (names[0]): to("Cat")["$ref"], (names[1]): to("Dog")["$ref"] });
        let import = schemas(json!({
            "Pet": { "type": "object", "required": ["kind"], "properties": { "kind": kind },
                "discriminator": { "propertyName": "kind", "mapping": mapping } },
            "Cat": extending("Pet", "a"), "Dog": extending("Pet", "b"), "Lion": extending("Cat", "c"),
        }));
        let union = &read(&import)["unions"]["Pet"];
        assert_eq!(union["discriminator"], "kind", "{kind}");
        let variants: Vec<&String> = union["variants"].as_object().expect("variants").keys().collect();
        let mut sorted = names;
        sorted.sort_unstable();
        assert_eq!(variants, sorted, "{kind}");
        let what = "the schema is not a variant of the union: the discriminator has no value for it";
        assert_eq!(lost(&import), [("/components/schemas/Lion", what)], "{kind}");
    }
}

/// Each schema of a chain includes all before it, so that their number is quadratic; each step of the import needs them.
#[test]
fn chains_are_merged_a_few_times() {
    let length = 60;
    let link = |at: usize| {
        let own = json!({ "properties": { format!("m{at}"): { "type": "string" } } });
        (format!("S{at}"), json!({ "allOf": [to(&format!("S{}", at - 1)), own] }))
    };
    let mut all: serde_json::Map<_, _> = (1..length).map(link).collect();
    let base = json!({ "required": ["k"], "properties": { "k": { "type": "string" } }, "discriminator": { "propertyName": "k" } });
    all.insert("S0".to_owned(), base);
    let text = json!({
        "openapi": "3.1.0", "info": { "title": "Notes", "version": "1" }, "components": { "schemas": all },
    });
    let (document, _) = document::read(&text.to_string(), &Options::default()).expect("JSON");
    let (report, names) = (Report::with_extensions(), BTreeMap::new());
    let mut importer = Importer::new(&Node::root(&document, &report), &names);
    resources::define(&mut importer);
    resources::write_all(&mut importer);
    let merges = report.merges();
    assert!(merges < 3 * length * length, "{merges}");
}
