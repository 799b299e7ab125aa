//! Schemas.

use serde_json::json;

use wireform_codegen::schema::resource::UnknownMembers;

use super::{lost, member, read, schemas};
use crate::Options;
use crate::openapi::import_as;

#[test]
fn members_keep_their_order() {
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
fn all_of_is_merged() {
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
fn empty_and_absent_lists_are_distinct() {
    let tags = json!({ "type": "array", "items": { "type": "string" } });
    let import = schemas(json!({ "Note": { "type": "object", "required": ["tags"], "properties": { "tags": tags } } }));
    assert_eq!(read(&import)["presence"], "explicit");
}

#[test]
fn unknown_members_are_preserved_by_default() {
    let document = json!({ "openapi": "3.1.0", "info": { "title": "Notes", "version": "1" }, "paths": {} }).to_string();
    let imported = |unknown_members| {
        let options = Options { unknown_members, ..Options::default() };
        read(&import_as(&document, &options, None).expect("an OpenAPI document"))["unknown_members"].clone()
    };
    assert_eq!(imported(None), "preserve");
    assert_eq!(imported(Some(UnknownMembers::Preserve)), "preserve");
    assert_eq!(imported(Some(UnknownMembers::Ignore)), json!(null));
}

#[test]
fn schemas_without_members_are_inlined() {
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
    assert_eq!(fields["loop"]["type"], "Loop");
    assert_eq!(fields["inner"]["type"], "NoteInner");
    assert_eq!(fields["list"]["type"], json!(["NoteListItem"]));
    assert_eq!(lost(&import), []);
}

#[test]
fn invalid_rust_names_are_replaced() {
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
    assert_eq!(reported.what, "renamed to `minus_1` in code: its name is invalid, reserved or already used");
    assert_eq!(lost(&import), []);
}

#[test]
fn additional_members_are_typed() {
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
fn null_is_kept_through_references() {
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
fn unevaluated_members_are_additional_members() {
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
fn positional_elements_have_one_type_or_any() {
    let import = schemas(json!({
        "Note": { "type": "object", "properties": {
            "point": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "number" }], "items": false },
            "mixed": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "string" }] },
        } },
    }));
    let fields = read(&import)["resources"]["Note"]["fields"].clone();
    assert_eq!(fields["point"]["type"], json!(["number"]));
    assert_eq!(fields["mixed"]["type"], json!(["any"]));
    let at = "/components/schemas/Note/properties/mixed/prefixItems";
    let places: Vec<String> = lost(&import).into_iter().map(|(at, _)| at.to_owned()).collect();
    assert_eq!(places, [format!("{at}/0"), format!("{at}/1")]);
}

#[test]
fn required_keys_of_maps_are_fields() {
    let text = json!({ "type": "string" });
    let token = json!({ "type": "string", "required": true });
    let import = schemas(json!({
        "Typed": { "type": "object", "required": ["token"], "additionalProperties": text },
        "Combined": { "allOf": [{ "type": "object", "additionalProperties": text }, { "required": ["token"] }] },
        "Mixed": { "type": "object", "required": ["token"], "properties": { "a": { "type": "integer" } }, "additionalProperties": text },
        "Open": { "type": "object", "required": ["token"] },
        "Any": { "type": "object", "required": ["token"], "additionalProperties": true },
        "Note": { "type": "object", "properties": {
            "inner": { "type": "object", "required": ["token"], "additionalProperties": text },
            "list": { "type": "array", "items": { "type": "object", "required": ["token"] } },
        } },
    }));
    let found = read(&import)["resources"].clone();
    for name in ["Typed", "Combined", "Mixed", "NoteInner"] {
        assert_eq!((&found[name]["fields"]["token"], &found[name]["rest"]), (&token, &json!("string")), "{name}");
    }
    for name in ["Open", "Any", "NoteListItem"] {
        let any = json!({ "type": "any", "required": true, "nullable": true });
        assert_eq!(found[name]["fields"]["token"], any, "{name}");
    }
    assert!(import.losses.is_empty(), "{:?}", import.losses);
    // Nothing says what else the object has, or that it has nothing else.
    for more in [json!({ "properties": { "a": text } }), json!({ "additionalProperties": false })] {
        let mut schema = json!({ "type": "object", "required": ["token"] });
        schema.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let import = schemas(json!({ "Note": schema }));
        assert_eq!(lost(&import).len(), 1, "{:?}", import.losses);
    }
}

#[test]
fn places_of_constants_are_a_list_of_their_type() {
    for (constants, ty) in [(json!(["a", "b"]), "string"), (json!([true, false]), "bool"), (json!([1, 2.5]), "number")]
    {
        let places: Vec<_> = constants.as_array().expect("a list").iter().map(|one| json!({ "const": one })).collect();
        let (field, lost) = member(json!({ "type": "array", "prefixItems": places, "items": false }));
        assert_eq!(field, json!({ "type": [ty], "items": "..=2" }), "{constants}");
        assert_eq!(lost.len(), 2, "{lost:?}");
    }
    let (field, _) = member(json!({ "prefixItems": [{ "const": "a" }, { "const": 1 }] }));
    assert_eq!(field["type"], json!(["any"]));
}

#[test]
fn members_of_other_types_than_objects_have_no_effect() {
    let members = json!({ "properties": { "name": { "type": "string" } }, "required": ["name"] });
    for (other, expected) in [
        (json!({ "type": "string" }), json!("string")),
        (json!({ "type": "integer" }), json!("int64")),
        (json!({ "type": "array", "items": { "type": "string" } }), json!(["string"])),
    ] {
        for all in [[members.clone(), other.clone()], [other.clone(), members.clone()]] {
            let import = schemas(json!({
                "Named": { "allOf": all },
                "Note": { "type": "object", "properties": { "named": { "$ref": "#/components/schemas/Named" }, "own": { "allOf": all } } },
            }));
            assert_eq!(lost(&import), [], "{all:?}");
            let fields = &read(&import)["resources"]["Note"]["fields"];
            assert_eq!((&fields["named"]["type"], &fields["own"]["type"]), (&expected, &expected), "{all:?}");
            let at = |key: &str| import.notes.iter().filter(|note| note.at.ends_with(key)).count();
            assert_eq!((at("/properties"), at("/required")), (2, 2), "{:?}", import.notes);
        }
    }
}

/// Members apply to objects, and other values have none.
#[test]
fn members_next_to_several_types_apply_to_the_objects() {
    let import = schemas(json!({
        "Either": { "type": ["object", "string"], "properties": { "name": { "type": "string" } } },
        "Note": { "type": "object", "properties": { "it": { "$ref": "#/components/schemas/Either" } } },
    }));
    assert_eq!(lost(&import), []);
    let found = read(&import);
    let name = found["resources"]["Note"]["fields"]["it"]["type"].as_str().expect("a type").to_owned();
    let variants = found["unions"][&name]["variants"].as_object().expect("variants").values().cloned();
    let variants: Vec<_> = variants.collect();
    assert!(variants.contains(&json!("string")) && variants.len() == 2, "{variants:?}");
}
