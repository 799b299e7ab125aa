//! Schemas.

use serde_json::{Value, json};

use wireform_codegen::schema::resource::UnknownMembers;

use super::{imported, lost, member, read, schemas};
use crate::Options;
use crate::openapi::import_as;

#[test]
fn every_scalar_has_its_type() {
    let table = [
        (json!({"type": "string"}), json!({"type": "string"})),
        (json!({"type": "boolean", "default": true}), json!({"type": "bool", "default": true})),
        (
            json!({"type": "integer", "format": "int32", "minimum": -1, "maximum": 9}),
            json!({"type": "int32", "min": -1, "max": 9}),
        ),
        (json!({"type": "integer", "format": "int32", "minimum": -2_147_483_648_i64}), json!({"type": "int32"})),
        (json!({"type": "integer"}), json!({"type": "int64"})),
        (json!({"type": "integer", "minimum": 0, "maximum": u64::MAX}), json!({"type": "uint64"})),
        (json!({"type": "integer", "format": "uint8", "minimum": 0}), json!({"type": "uint32", "max": 255})),
        (json!({"type": "integer", "exclusiveMinimum": 0}), json!({"type": "int64", "min": 1})),
        (json!({"type": "integer", "minimum": 0, "exclusiveMinimum": true}), json!({"type": "int64", "min": 1})),
        (json!({"type": "number", "multipleOf": 0.5}), json!({"type": "double", "multiple_of": 0.5})),
        (json!({"type": "number", "format": "float", "maximum": 1}), json!({"type": "double", "max": 1})),
        (
            json!({"type": "string", "minLength": 1, "maxLength": 8, "default": "a"}),
            json!({"type": "string", "length": "1..=8", "default": "a"}),
        ),
        (json!({"type": "string", "pattern": "^[a-z]+$"}), json!({"type": "string", "pattern": "[a-z]+"})),
        (
            json!({"type": "string", "pattern": "^a|b$"}),
            json!({"type": "string", "pattern": "(?s:.*)(?:^a|b$)(?s:.*)"}),
        ),
        (json!({"type": "string", "pattern": "^a\\/b"}), json!({"type": "string", "pattern": "(?:a/b)(?s:.*)"})),
        (json!({"type": "string", "format": "date"}), json!({"type": "date"})),
        (json!({"type": "string", "format": "date-time"}), json!({"type": "datetime"})),
        (json!({"type": "string", "format": "uuid"}), json!({"type": "string", "format": "uuid"})),
        (json!({"type": "string", "format": "byte"}), json!({"type": "bytes", "encoding": "base64"})),
        (json!({"type": "string", "example": 12}), json!({"type": "string", "example": "12"})),
        (json!({"type": "string", "format": "date", "example": "2024-13-01"}), json!({"type": "date"})),
        (json!({"type": "string", "enum": ["only"]}), json!({"type": "string", "const": "only"})),
        (json!({"const": 3}), json!({"type": "int64", "const": 3})),
        (json!({"enum": [3.5]}), json!({"type": "double", "const": 3.5})),
        (json!({"type": "string", "readOnly": true}), json!({"type": "string", "behavior": ["output_only"]})),
        (json!({"type": "string", "writeOnly": true}), json!({"type": "string", "behavior": ["input_only"]})),
        (json!({"type": "object"}), json!({"type": "object"})),
        (json!({"type": ["string", "null"]}), json!({"type": "string", "nullable": true})),
        (json!({"type": "integer", "nullable": true}), json!({"type": "int64", "nullable": true})),
        (json!({"type": "array", "items": {"type": ["string", "null"]}}), json!({"type": ["string?"]})),
        (
            json!({"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}),
            json!({"type": "string", "format": "ip"}),
        ),
        (
            json!({"type": "array", "items": {}, "anyOf": [{"maxItems": 0}, {"minItems": 2}]}),
            json!({"type": ["any"], "items": "2.."}),
        ),
        (json!({}), json!({"type": "any"})),
        (
            json!({"type": "array", "items": {"type": "string", "maxLength": 3}, "maxItems": 2, "uniqueItems": true}),
            json!({"type": ["string"], "length": "..=3", "items": "..=2", "unique": true}),
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 2}),
            json!({"type": {"string": "int64"}, "items": "..=2"}),
        ),
    ];
    for (schema, expected) in table {
        let (found, lost) = member(schema.clone());
        assert_eq!(found, expected, "{schema}");
        assert_eq!(lost, [""; 0], "{schema}");
    }
}

#[test]
fn lists_of_whole_numbers_are_enums() {
    let import = schemas(json!({
        "Level": { "type": "integer", "enum": [1, 2.0, -1], "default": 1, "x-enum-varnames": ["low", "high", "below"] },
        "Open": { "anyOf": [{ "const": 7, "title": "Lucky." }, { "type": "integer" }] },
        "Note": { "type": "object", "properties": {
            "level": { "$ref": "#/components/schemas/Level", "default": 2 },
            "first_level": { "allOf": [{ "$ref": "#/components/schemas/Level" }] },
            "no_level": { "allOf": [{ "$ref": "#/components/schemas/Level" }], "default": null },
            "levels": { "type": "array", "items": { "type": "integer", "format": "int32", "enum": [10, 20] } },
            "large": { "enum": [18_446_744_073_709_551_615_u64, 0] },
            "words": { "type": "string", "enum": [1, 2], "default": 1 },
            "open": { "$ref": "#/components/schemas/Open" },
        } },
    }));
    let found = read(&import);
    let level = &found["enums"]["Level"];
    assert_eq!(level["type"], "int64");
    assert_eq!(level["values"], json!({ "1": { "name": "low" }, "2": { "name": "high" }, "-1": { "name": "below" } }));
    let fields = &found["resources"]["Note"]["fields"];
    assert_eq!(fields["level"], json!({ "type": "Level", "default": 2 }));
    assert_eq!(fields["first_level"], json!({ "type": "Level", "default": 1 }));
    assert_eq!(fields["no_level"], json!({ "type": "Level" }));
    assert_eq!(found["enums"]["NoteLevelsItem"]["type"], "int32");
    assert_eq!(found["enums"]["NoteLarge"]["type"], "uint64");
    assert_eq!(found["enums"]["NoteWords"].get("type"), None);
    assert_eq!(found["enums"]["Open"]["values"], json!({ "7": "Lucky." }));
    assert_eq!(lost(&import), []);
}

#[test]
fn what_no_value_can_be_is_told_and_left_out() {
    let table = [
        (json!({"type": "array", "items": {}, "minItems": 3, "maxItems": 2}), json!({"type": ["any"]})),
        (
            json!({"type": "object", "additionalProperties": true, "minProperties": 3, "maxProperties": 2}),
            json!({"type": "object"}),
        ),
        (json!({"type": "integer", "exclusiveMinimum": 5, "maximum": 5}), json!({"type": "int64"})),
        (json!({"type": "number", "minimum": 5, "exclusiveMaximum": 5}), json!({"type": "double", "min": 5})),
        (json!({"type": "integer", "format": "int32", "const": 5_000_000_000_u64}), json!({"type": "int32"})),
        (json!({"type": "integer", "const": 0.5}), json!({"type": "int64"})),
        (json!({"type": "integer", "oneOf": [{"minimum": 5}, {"maximum": 2}]}), json!({"type": "int64"})),
        (json!({"type": "string", "minLength": 5, "maxLength": 4}), json!({"type": "string", "length": "..=4"})),
    ];
    for (schema, expected) in table {
        let (found, lost) = member(schema.clone());
        assert_eq!(found, expected, "{schema}");
        let places = ["oneOf", "minProperties"].iter().any(|key| schema.get(key).is_some());
        assert_eq!(lost.len(), if places { 2 } else { 1 }, "{schema}: {lost:?}");
    }
}

#[test]
fn members_have_the_order_of_what_they_are_made_of() {
    let import = schemas(json!({
        "Base": { "type": "object", "properties": { "z": { "type": "string" }, "y": { "type": "string" } } },
        "Note": { "allOf": [
            { "$ref": "#/components/schemas/Base" },
            { "properties": { "b": { "type": "string" }, "y": { "description": "Again." } } },
            { "$ref": "#/components/schemas/Last" },
            { "properties": { "a": { "type": "string" } } },
        ] },
        "Last": { "type": "object", "properties": { "m": { "type": "string" } } },
    }));
    let text = &import.files["types.yaml"];
    let note = text.split("  Note:").nth(1).expect("a resource");
    let members: Vec<&str> =
        note.lines().filter_map(|line| line.strip_prefix("      ")?.split_once(':')).map(|(name, _)| name).collect();
    assert_eq!(members, ["\"y\"", "z", "b", "m", "a"]);
}

#[test]
fn what_holds_at_once_is_put_together() {
    let import = schemas(json!({
        "Base": { "type": "object", "required": ["id"], "properties": { "id": { "type": "string" } } },
        "Alias": { "allOf": [{ "$ref": "#/components/schemas/Base" }, { "description": "The same." }] },
        "Note": {
            "description": "A note.",
            "allOf": [
                { "$ref": "#/components/schemas/Base" },
                { "type": "object", "required": ["text"], "properties": {
                    "text": { "type": "string" },
                    "id": { "description": "Its name.", "maxLength": 4 },
                    "other": { "$ref": "#/components/schemas/Alias" },
                    "self": { "$ref": "#/components/schemas/Note", "description": "Itself." },
                } },
            ],
        },
    }));
    let note = &read(&import)["resources"]["Note"];
    assert_eq!(note["doc"], "A note.");
    assert_eq!(
        note["fields"],
        json!({
            "text": { "type": "string", "required": true },
            "id": { "type": "string", "doc": "Its name.", "required": true, "length": "..=4" },
            "other": { "type": "Base", "doc": "The same." },
            "self": { "type": "Note", "doc": "Itself." },
        })
    );
    assert_eq!(lost(&import), []);
}

#[test]
fn texts_in_several_parts_are_one_enum() {
    let import = schemas(json!({
        "State": { "description": "A state.", "oneOf": [
            { "description": "It is there.", "type": "string", "enum": ["present"] },
            { "const": "gone", "title": "It is gone." },
            { "type": "string", "enum": ["a", "b"], "description": "Either." },
        ] },
        "Open": { "anyOf": [{ "enum": ["x", "y"] }, { "type": "string" }] },
        "Note": { "type": "object", "properties": {
            "state": { "$ref": "#/components/schemas/State", "default": "a" },
            "open": { "$ref": "#/components/schemas/Open" },
            "own": { "type": "string", "enum": ["*", "<", "", "A", "a"] },
        } },
    }));
    let found = read(&import);
    assert_eq!(found["enums"]["State"]["values"]["present"], "It is there.");
    assert_eq!(found["enums"]["State"]["values"]["gone"], "It is gone.");
    assert_eq!(found["enums"]["State"]["values"]["b"], json!({}));
    assert_eq!(found["enums"]["Open"]["values"], json!({ "x": {}, "y": {} }));
    assert_eq!(found["resources"]["Note"]["fields"]["state"], json!({ "type": "State", "default": "a" }));
    assert_eq!(found["enums"]["NoteOwn"]["values"].as_object().expect("values").len(), 5);
    assert_eq!(found["enums"]["NoteOwn"].get("external"), None);
    assert_eq!(lost(&import), []);
}

#[test]
fn values_of_several_types_are_unions() {
    let object = |member: &str, more: serde_json::Value| {
        let mut properties = json!({ member: { "type": "string" } });
        properties.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({ "type": "object", "required": ["kind"], "properties": properties })
    };
    let to = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let import = schemas(json!({
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
    }));
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
fn a_part_that_nothing_has_in_the_end_is_not_written() {
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
fn schemas_that_are_made_of_one_with_a_discriminator_are_its_variants() {
    let import = schemas(json!({
        "Pet": { "type": "object", "required": ["kind"], "discriminator": { "propertyName": "kind" }, "properties": {
            "kind": { "type": "string" }, "friend": { "$ref": "#/components/schemas/Pet" },
        } },
        "Cat": { "allOf": [{ "$ref": "#/components/schemas/Pet" }, { "type": "object", "properties": { "name": { "type": "string" } } }] },
        "Dog": { "allOf": [{ "$ref": "#/components/schemas/Pet" }, { "type": "object", "properties": { "bark": { "type": "string" } } }] },
    }));
    let found = read(&import);
    assert_eq!(found["unions"]["Pet"]["discriminator"], "kind");
    assert_eq!(found["unions"]["Pet"]["variants"], json!({ "Cat": "Cat", "Dog": "Dog" }));
    assert_eq!(found["resources"]["Cat"]["fields"]["friend"]["type"], "Pet");
    assert_eq!(lost(&import), []);
}

#[test]
fn discriminators_stand_within_each_other() {
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

#[test]
fn lists_of_a_document_tell_empty_from_absent() {
    let tags = json!({ "type": "array", "items": { "type": "string" } });
    let import = schemas(json!({ "Note": { "type": "object", "required": ["tags"], "properties": { "tags": tags } } }));
    assert_eq!(read(&import)["presence"], "explicit");
}

#[test]
fn members_that_a_document_does_not_declare_are_kept_unless_somebody_says_otherwise() {
    let document = json!({ "openapi": "3.1.0", "info": { "title": "Notes", "version": "1" }, "paths": {} }).to_string();
    let said = |unknown_members| {
        let options = Options { unknown_members, ..Options::default() };
        read(&import_as(&document, &options, None).expect("an OpenAPI document"))["unknown_members"].clone()
    };
    assert_eq!(said(None), "preserve");
    assert_eq!(said(Some(UnknownMembers::Preserve)), "preserve");
    assert_eq!(said(Some(UnknownMembers::Ignore)), json!(null));
}

#[test]
fn schemas_without_members_are_written_out_where_they_are_used() {
    let import = schemas(json!({
        "Id": { "type": "string", "description": "A name.", "maxLength": 9, "example": "n1" },
        "Ids": { "type": "array", "items": { "$ref": "#/components/schemas/Id" }, "maxItems": 3 },
        "Loop": { "type": "array", "items": { "$ref": "#/components/schemas/Loop" } },
        "Note": { "type": "object", "properties": {
            "id": { "$ref": "#/components/schemas/Id" },
            "ids": { "$ref": "#/components/schemas/Ids", "description": "All of them." },
            "loop": { "$ref": "#/components/schemas/Loop" },
            "inner": { "type": "object", "title": "Inner", "properties": { "a": { "type": "string" } } },
            "list": { "type": "array", "items": { "type": "object", "properties": { "a": { "type": "string" } } } },
        } },
    }));
    let found = read(&import);
    let fields = &found["resources"]["Note"]["fields"];
    assert_eq!(fields["id"], json!({ "type": "string", "doc": "A name.", "length": "..=9", "example": "n1" }));
    assert_eq!(fields["ids"]["type"], json!(["string"]));
    assert_eq!((&fields["ids"]["items"], &fields["ids"]["length"]), (&json!("..=3"), &json!("..=9")));
    assert_eq!(fields["loop"]["type"], json!(["any"]));
    assert_eq!(fields["inner"]["type"], "NoteInner");
    assert_eq!(fields["list"]["type"], json!(["NoteListItem"]));
    assert_eq!(lost(&import).len(), 1, "{:?}", import.losses);
}

#[test]
fn names_that_rust_does_not_have_are_given_others() {
    let import = schemas(json!({
        "verify.v2/Service-item": { "type": "object", "properties": {
            "type": { "type": "string" }, "Type": { "type": "string" }, "$ref.x": { "type": "string" },
            "+1": { "type": "integer" }, "-1": { "type": "integer" }, "größe": { "type": "string" },
        } },
        "Verify_V2 Service item": { "type": "object", "properties": { "a": { "type": "string" } } },
        "string": { "type": "object", "properties": { "a": { "type": "string" } } },
        "über": { "type": "object", "properties": { "a": { "type": "string" } } },
    }));
    let found = read(&import);
    let names: Vec<&str> = found["resources"].as_object().expect("resources").keys().map(String::as_str).collect();
    assert_eq!(names, ["Ber", "String", "VerifyV2ServiceItem", "VerifyV2ServiceItem_2"]);
    let fields = &found["resources"]["VerifyV2ServiceItem_2"]["fields"];
    assert_eq!(fields["+1"], json!({ "type": "int64" }));
    assert_eq!(fields["-1"], json!({ "type": "int64", "name": "minus_1" }));
    let reported = import.notes.iter().find(|note| note.at.ends_with("/properties/-1")).expect("a note");
    assert_eq!(reported.what, "it is called `minus_1` in code, because its own name cannot be used or is taken");
    assert_eq!(lost(&import), []);
}

#[test]
fn members_beside_the_named_ones_have_their_type() {
    let import = schemas(json!({
        "Counts": {
            "type": "object", "properties": { "total": { "type": "integer" }, "rest": { "type": "string" } },
            "additionalProperties": { "type": "string", "format": "int64", "minimum": 0, "description": "By colour." },
        },
        "Parts": { "type": "object", "properties": { "a": {} }, "additionalProperties": {
            "type": "object", "properties": { "b": { "type": "string" } },
        } },
        "Open": { "type": "object", "properties": { "a": {} }, "additionalProperties": {} },
        "Null": { "type": "object", "properties": { "a": {} }, "additionalProperties": { "type": ["string", "null"] } },
    }));
    let resources = &read(&import)["resources"];
    assert_eq!(
        resources["Counts"]["rest"],
        json!({ "type": "int64", "doc": "By colour.", "name": "rest_2", "min": 0, "encoding": "decimal_string" })
    );
    assert_eq!(resources["Parts"]["rest"], "PartsRest");
    assert_eq!(resources["PartsRest"]["fields"]["b"]["type"], "string");
    let kept = |name: &str| (resources[name]["rest"].clone(), resources[name]["unknown_members"].clone());
    assert_eq!(kept("Open"), (json!(null), json!("preserve")));
    assert_eq!(kept("Null"), (json!({ "type": "string", "nullable": true }), json!(null)));
    assert_eq!(lost(&import), []);
}

#[test]
fn a_value_that_is_null_alone_is_told() {
    for schema in [json!({ "type": "null" }), json!({ "enum": [null] }), json!({ "type": ["null"] })] {
        let (found, lost) = member(schema);
        assert_eq!(found["type"], "any");
        assert_eq!(lost, ["becomes `any`: a value that is null alone has no type"]);
    }
}

#[test]
fn null_is_kept_through_references_to_objects_enums_and_unions() {
    let import = schemas(json!({
        "Color": { "type": "string", "nullable": true, "enum": ["red", "green", null] },
        "Part": { "type": ["object", "null"], "properties": { "a": { "type": "string" } } },
        "Way": { "oneOf": [{ "$ref": "#/components/schemas/Part" }, { "type": "string" }] },
        "Whole": { "type": "object", "properties": { "a": { "type": "string" } } },
        "Other": { "$ref": "#/components/schemas/Color" },
        "Note": {
            "type": "object",
            "required": ["part"],
            "properties": {
                "color": { "$ref": "#/components/schemas/Color" },
                "part": { "$ref": "#/components/schemas/Part" },
                "way": { "allOf": [{ "$ref": "#/components/schemas/Way" }] },
                "other": { "$ref": "#/components/schemas/Other" },
                "whole": { "$ref": "#/components/schemas/Whole" },
                "colors": { "type": "array", "items": { "$ref": "#/components/schemas/Color" } },
                "parts": { "additionalProperties": { "$ref": "#/components/schemas/Part" } },
                "wholes": { "type": "array", "items": { "$ref": "#/components/schemas/Whole" } },
            },
            "additionalProperties": { "$ref": "#/components/schemas/Part" },
        },
    }));
    let note = &read(&import)["resources"]["Note"];
    let fields = &note["fields"];
    assert_eq!(fields["color"], json!({ "type": "Color", "nullable": true }));
    assert_eq!(fields["part"], json!({ "type": "Part", "required": true, "nullable": true }));
    assert_eq!(fields["way"], json!({ "type": "Way", "nullable": true }));
    assert_eq!(fields["other"], json!({ "type": "Color", "nullable": true }));
    assert_eq!(fields["whole"], json!({ "type": "Whole" }));
    assert_eq!(fields["colors"], json!({ "type": ["Color?"] }));
    assert_eq!(fields["parts"], json!({ "type": { "string": "Part?" } }));
    assert_eq!(fields["wholes"], json!({ "type": ["Whole"] }));
    assert_eq!(note["rest"], json!({ "type": "Part", "nullable": true }));
    assert_eq!(lost(&import), []);
}

#[test]
fn what_is_left_unevaluated_is_what_no_other_schema_names() {
    let import = schemas(json!({
        "Base": { "type": "object", "properties": { "id": { "type": "integer", "format": "int32" } } },
        "Open": { "allOf": [{ "$ref": "#/components/schemas/Base" }], "unevaluatedProperties": { "type": "string" } },
        "Any": { "type": "object", "properties": { "id": { "type": "string" } }, "unevaluatedProperties": {} },
        "Closed": { "type": "object", "properties": { "id": { "type": "string" } }, "unevaluatedProperties": { "not": {} } },
        "Words": { "type": "object", "properties": { "words": {
            "type": "object", "unevaluatedProperties": { "type": "string" },
        } } },
    }));
    assert_eq!(lost(&import), []);
    let resources = read(&import)["resources"].clone();
    assert_eq!(resources["Open"]["rest"], json!("string"));
    assert_eq!(resources["Any"]["unknown_members"], json!("preserve"));
    assert!(resources["Closed"]["rest"].is_null() && resources["Closed"]["unknown_members"].is_null());
    assert_eq!(resources["Words"]["fields"]["words"]["type"], json!({ "string": "string" }));
}

#[test]
fn elements_by_place_have_one_type_or_any() {
    let import = schemas(json!({
        "Note": { "type": "object", "properties": {
            "point": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "number" }], "items": false },
            "mixed": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "string" }] },
        } },
    }));
    let fields = read(&import)["resources"]["Note"]["fields"].clone();
    assert_eq!(fields["point"]["type"], json!(["double"]));
    assert_eq!(fields["mixed"]["type"], json!(["any"]));
    let at = "/components/schemas/Note/properties/mixed/prefixItems";
    let places: Vec<String> = lost(&import).into_iter().map(|(at, _)| at.to_owned()).collect();
    assert_eq!(places, [format!("{at}/0"), format!("{at}/1")]);
}
