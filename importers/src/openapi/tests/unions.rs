//! Values of several types.

use serde_json::{Value, json};

use super::{imported, lost, read, schemas};

/// Returns schemas with several kinds of unions.
fn alternatives() -> Value {
    let object = |member: &str, more: serde_json::Value| {
        let mut properties = json!({ member: { "type": "string" } });
        properties.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({ "type": "object", "required": ["kind"], "properties": properties })
    };
    let to = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    json!({
        "Cat": object("name", json!({ "kind": { "type": "string", "enum": ["cat"] } })),
        "Dog": object("bark", json!({ "kind": { "type": "string", "enum": ["dog", "puppy"] } })),
        "Fish": object("fins", json!({ "kind": { "type": "string" } })),
        "Pet": { "description": "A pet.", "oneOf": [to("Cat"), to("Dog")] },
        "Told": { "oneOf": [to("Cat"), to("Fish")], "discriminator": {
            "propertyName": "kind", "mapping": { "cat": "#/components/schemas/Cat", "carp": "Fish", "pike": "Fish" },
        } },
        "Json": { "anyOf": [
            { "type": "string" }, { "type": "string", "format": "uri" }, { "type": "null" }, { "const": "auto" },
            { "type": "array", "items": to("Json") }, { "title": "By name", "type": "object", "additionalProperties": to("Json") },
        ] },
        "Shape": { "type": "object", "properties": { "id": { "type": "string" } }, "oneOf": [
            { "properties": { "radius": { "type": "number" } } },
            { "properties": { "width": { "type": "number" } } },
        ] },
        "Note": { "type": "object", "properties": {
            "owner": { "anyOf": [{ "type": "string" }, to("Cat")] },
            "one": { "oneOf": [to("Cat"), { "type": "null" }] },
            "same": { "oneOf": [{ "type": "string", "maxLength": 3 }, { "type": "string" }] },
            "tagged": { "oneOf": [
                { "type": "object", "required": ["t"], "properties": { "t": { "const": "a" } } },
                { "type": "object", "required": ["t"], "properties": { "t": { "const": "b" }, "x": { "type": "integer" } } },
            ] },
            "free": { "anyOf": [{ "type": "string" }, {}] },
            "both": { "type": ["string", "integer"] },
            "digits": { "oneOf": [
                { "type": "integer" }, { "type": "string", "format": "int64" }, { "type": "string", "format": "byte" },
            ] },
        } },
    })
}

#[test]
fn named_alternatives_are_unions() {
    let import = schemas(alternatives());
    let found = read(&import);
    let unions = &found["unions"];
    assert_eq!(
        unions["Pet"],
        json!({
            "doc": "A pet.", "external": true, "discriminator": "kind",
            "variants": { "cat": "Cat", "dog": "Dog", "puppy": "Dog" },
        })
    );
    assert_eq!(unions["Told"]["discriminator"], "kind");
    assert_eq!(unions["Told"]["variants"], json!({ "cat": "Cat", "carp": "Fish", "pike": "Fish" }));
    assert_eq!(
        unions["Json"]["variants"],
        json!({
            "text": "string",
            "word": "JsonWord",
            "list": ["Json?"],
            "by-name": { "type": { "string": "Json?" }, "doc": "By name" },
        })
    );
    assert_eq!(
        unions["Shape"]["variants"],
        json!({ "with-radius": "ShapeWithRadius", "with-width": "ShapeWithWidth" })
    );
}

#[test]
fn alternatives_of_members_are_unions() {
    let import = schemas(alternatives());
    let found = read(&import);
    let unions = &found["unions"];
    let fields = &found["resources"]["Note"]["fields"];
    assert_eq!(fields["owner"]["type"], "NoteOwner");
    assert_eq!(fields["one"]["type"], "Cat");
    assert_eq!(fields["same"]["type"], "string");
    assert_eq!(unions["NoteTagged"]["discriminator"], "t");
    assert_eq!(fields["free"]["type"], "any");
    assert_eq!(unions["NoteBoth"]["variants"], json!({ "count": "int64", "text": "string" }));
    let digits = json!({
        "count": "int64",
        "int64": { "type": "int64", "encoding": "decimal_string" },
        "byte": { "type": "bytes", "encoding": "base64" },
    });
    assert_eq!(unions["NoteDigits"]["variants"], digits);
}

#[test]
fn unused_parts_are_not_written() {
    let import = imported(json!({ "paths": { "/x": { "get": { "responses": {}, "parameters": [
        { "name": "q", "in": "query", "schema": { "oneOf": [
            { "type": "string", "enum": ["a", "b"] }, { "type": "object", "properties": { "c": { "enum": ["d", "e"] } } },
        ] } },
    ] } } } }));
    let found = read(&import);
    assert_eq!(found["operations"]["get_x"]["query"]["q"], json!({ "type": "string" }));
    assert_eq!([&found["enums"], &found["unions"], &found["resources"]], [&json!(null); 3]);
    assert_eq!(lost(&import).len(), 1, "{:?}", import.losses);
}

#[test]
fn subtypes_of_discriminated_schema_are_variants() {
    let import = schemas(json!({
        "Pet": { "type": "object", "required": ["kind"], "discriminator": { "propertyName": "kind" }, "properties": {
            "kind": { "type": "string" }, "friend": { "$ref": "#/components/schemas/Pet" },
        } },
        "Cat": { "allOf": [{ "$ref": "#/components/schemas/Pet" }, { "type": "object", "properties": { "name": { "type": "string" } } }] },
        "Dog": { "allOf": [{ "$ref": "#/components/schemas/Pet" }, { "type": "object", "properties": { "bark": { "type": "string" } } }] },
    }));
    let found = read(&import);
    assert_eq!(found["unions"]["Pet"]["discriminator"], "kind");
    assert_eq!(found["unions"]["Pet"]["variants"], json!({ "Cat": "Cat", "Dog": "Dog", "Pet": "PetBase" }));
    assert_eq!(found["resources"]["Cat"]["fields"]["friend"]["type"], "Pet");
    assert_eq!(lost(&import), []);
}

#[test]
fn discriminators_can_be_nested() {
    let to = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let object = |members: Value| json!({ "type": "object", "properties": members });
    let import = schemas(json!({
        "Cat": object(json!({ "kind": { "type": "string" }, "breed": { "type": "string" } })),
        "Dog": object(json!({ "breed": { "type": "string" } })),
        "Car": object(json!({ "kind": { "type": "string" } })),
        "Pet": { "oneOf": [to("Cat"), to("Dog")], "discriminator": { "propertyName": "breed" } },
        "Belonging": { "oneOf": [to("Pet"), to("Car")], "discriminator": {
            "propertyName": "kind", "mapping": { "pet": "#/components/schemas/Pet", "car": "#/components/schemas/Car" } } },
        // By the same member, the values are those of the union within.
        "Any": { "oneOf": [to("Pet"), to("Car")], "discriminator": {
            "propertyName": "breed", "mapping": { "Cat": "#/components/schemas/Cat", "car": "#/components/schemas/Car" } } },
    }));
    let found = read(&import);
    assert_eq!(found["unions"]["Belonging"]["discriminator"], "kind");
    assert_eq!(found["unions"]["Belonging"]["variants"], json!({ "pet": "Pet", "car": "Car" }));
    assert_eq!(found["unions"]["Any"]["variants"], json!({ "Cat": "Pet", "Dog": "Pet", "car": "Car" }));
    assert_eq!(lost(&import), []);
}
