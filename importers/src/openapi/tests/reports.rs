//! Information that schemas do not express, or express elsewhere, is kept, or reported with its location.

use serde_json::json;

use super::{import, imported, lost, read, schemas};

#[test]
fn what_is_said_of_servers_is_kept_or_told() {
    let variable = |values: serde_json::Value| json!({ "default": "a", "enum": values, "description": "A letter." });
    let import = imported(json!({
        "servers": [
            { "url": "https://x.example.com/v1", "description": "The first." },
            { "url": "https://x.example.com/v2", "description": "The next." },
            { "url": "https://{one}.example.com/v1", "description": "By letter.", "variables": {
                "one": variable(json!(["a", "b", 3])), "two": variable(json!(["a", "c"])),
            } },
            { "url": "https://{one}-{two}.example.com/v1", "variables": { "one": variable(json!(["a", "d"])), "two": variable(json!(["a", "e"])) } },
            { "url": "https://{none}.example.com/v1" },
            { "url": "https://x.example.com/v1/", "description": "Again." },
        ],
        "paths": {
            "/a": { "servers": [{ "url": "https://x.example.com/v1" }], "get": { "responses": {} } },
            "/b": { "servers": [{ "url": "https://x.example.com/v2" }], "get": { "responses": {} } },
        },
    }));
    let found = read(&import);
    let with = |name: &str, value: &str| format!("With `{name}` as `{value}`. A letter.");
    let expected = json!({
        "by-letter": { "url": "https://a.example.com", "doc": "By letter." },
        "b": { "url": "https://b.example.com", "doc": format!("By letter. {}", with("one", "b")) },
        "3": { "url": "https://3.example.com", "doc": format!("By letter. {}", with("one", "3")) },
        "a-a-example-com": "https://a-a.example.com",
        "d": { "url": "https://d-a.example.com", "doc": with("one", "d") },
        "e": { "url": "https://a-e.example.com", "doc": with("two", "e") },
    });
    assert_eq!(found["endpoints"], expected);
    assert_eq!(found["base_path"], json!({ "path": "/v1", "aliases": ["/v2"] }));
    let places: Vec<&str> = lost(&import).into_iter().map(|(at, _)| at).collect();
    assert_eq!(places, ["/paths/~1b/servers", "/servers/4"]);
    let noted: Vec<&str> = import.notes.iter().map(|note| note.at.as_str()).collect();
    let expected = [
        "/paths/~1a/servers",
        "/servers/0/description",
        "/servers/1/description",
        "/servers/2/variables/two",
        "/servers/3",
        "/servers/5",
    ];
    assert_eq!(noted, expected);
}

#[test]
fn what_other_tags_say_is_told_once() {
    let get = |tags: serde_json::Value| json!({ "get": { "tags": tags, "responses": { "default": { "description": "Something else." }, "200": { "description": "It." } } } });
    let import =
        imported(json!({ "paths": { "/a": get(json!(["Notes", "Old"])), "/b": get(json!(["Notes", "Old", "New"])) } }));
    let told: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    let expected = [
        ("/paths/~1a/get/tags/1", "the tag `Old` is left out: an operation is in one group; so it is in 1 more place"),
        ("/paths/~1b/get/tags/2", "the tag `New` is left out: an operation is in one group"),
    ];
    assert_eq!(told, expected);
    let found = read(&import);
    assert_eq!(found["operations"]["notes.get_a"]["errors"], json!({ "default": "Something else." }));
}

#[test]
fn names_that_are_cut_are_told_with_the_whole_of_them() {
    let long = "NotesOfEverybodyWhoEverWroteAnythingDownAnywhere";
    let object = |member: &str| json!({ "type": "object", "required": [member], "properties": { member: { "type": "string" } } });
    let import = schemas(json!({
        long: object("a"), "Other": object("b"), "Both": { "anyOf": [{ "$ref": format!("#/components/schemas/{long}") }, { "$ref": "#/components/schemas/Other" }] },
    }));
    let variants = &read(&import)["unions"]["Both"]["variants"];
    assert_eq!(variants["notes-of-everybody-who-ever-wrote"], long);
    let told: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    let what = format!("the variant is called `notes-of-everybody-who-ever-wrote`, after the beginning of `{long}`");
    assert_eq!(told, [("/components/schemas/Both/anyOf/0", what.as_str())]);
    let other = format!("{long}ToldElsewhere");
    let of =
        |name: &str| json!({ "anyOf": [{ "$ref": format!("#/components/schemas/{name}") }, { "type": "string" }] });
    let import =
        schemas(json!({ (long): object("a"), (other.clone()): object("b"), "One": of(long), "Two": of(&other) }));
    let told: Vec<&str> =
        import.notes.iter().map(|note| note.what.as_str()).filter(|what| what.starts_with("the variant")).collect();
    assert!(told.len() == 2 && told.iter().any(|what| what.contains(&other)), "{told:?}");
    let text = format!("openapi: 3.0.0\ninfo: {{ title: {long}, version: v1 }}\npaths: {{}}\n");
    let notes = import_notes(&text);
    assert!(notes.iter().any(|note| note.at == "/info/title" && note.what.contains(long)), "{notes:?}");
}

fn import_notes(text: &str) -> Vec<crate::Loss> {
    import(text).expect("a document").notes
}

#[test]
fn a_text_that_another_stands_beside_is_told_unless_it_is_said_elsewhere() {
    let id = |more: serde_json::Value| {
        let mut id = json!({ "$ref": "#/components/schemas/Id" });
        id.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        id
    };
    for (other, told) in [(json!({}), 0), (json!({ "description": "Its own." }), 1)] {
        let import = imported(json!({
            "components": { "schemas": {
                "Id": { "type": "string", "description": "A name." },
                "Note": { "type": "object", "properties": { "id": id(json!({ "description": "The name." })), "other": id(other) } },
            } },
            "paths": { "/a": { "get": { "responses": { "200": { "content": { "application/json": {
                "schema": { "type": "array", "description": "All of them.", "items": { "$ref": "#/components/schemas/Note" } },
            } } } } } } },
        }));
        let left: Vec<&str> = import
            .notes
            .iter()
            .filter(|note| note.what.contains("`description`"))
            .map(|note| note.at.as_str())
            .collect();
        assert_eq!(left, ["/components/schemas/Id/description"][..told].to_vec());
        assert_eq!(read(&import)["operations"]["get_a"]["response"]["doc"], "All of them.");
    }
}

#[test]
fn nothing_is_left_out_in_silence() {
    let import = imported(json!({
        "tags": [{ "name": "n", "description": "Notes." }],
        "components": {
            "schemas": {
                "Ids": { "type": "array", "items": { "type": "string" } },
                "Note": { "type": "object", "title": "A note", "description": "One.", "default": {}, "xml": { "name": "n" }, "properties": {
                    "list": { "type": "array", "maximum": 4, "items": { "type": "string", "readOnly": true } },
                    "word": { "type": "string", "contentMediaType": "text/csv", "format": "password" },
                    "title": { "type": "object", "format": "uri-map" },
                } },
            },
            "parameters": { "Nowhere": { "name": "x", "in": "query" } },
            "responses": { "Gone": { "description": "It was there." } },
        },
        "paths": {
            "/a": { "get": "hello" },
            "/b": { "put": { "requestBody": 3, "parameters": {}, "responses": { "404": { "$ref": "#/components/responses/Gone", "description": "It never was." } } } },
            "/c": 4,
        },
    }));
    let unknown = "left out: it has no effect at this location";
    assert_eq!(
        lost(&import),
        [
            ("/components/schemas/Note/default", unknown),
            ("/components/schemas/Note/properties/list/items/readOnly", unknown),
            ("/paths/~1a/get", "left out: expected an object"),
            ("/paths/~1b/put/parameters", "left out: expected a list"),
            ("/paths/~1b/put/requestBody", "left out: expected an object"),
            ("/paths/~1c", "left out: expected an object"),
        ]
    );
    let once = |name: &str| format!("left out here and wherever it stands, in 1 place: `{name}`");
    let told: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    assert_eq!(
        told,
        [
            ("/components/parameters/Nowhere", "left out: nothing refers to it"),
            ("/components/responses/Gone/description", &*once("description")),
            (
                "/components/schemas/Ids",
                "left out: nothing refers to it, and what has no members of its own has no name in a schema"
            ),
            (
                "/components/schemas/Note/properties/list/maximum",
                "left out: it says nothing about a value of this type"
            ),
            ("/components/schemas/Note/properties/title/format", &*once("format")),
            (
                "/components/schemas/Note/properties/word",
                "the format `password` is left out: it is for those who show the text"
            ),
            ("/components/schemas/Note/properties/word/contentMediaType", &*once("contentMediaType")),
            ("/components/schemas/Note/title", &*once("title")),
            ("/components/schemas/Note/xml", &*once("xml")),
            ("/tags/0", "its description is left out: a group of operations has none"),
        ]
    );
    assert_eq!(read(&import)["operations"]["put_b"]["errors"], json!({ "404": "It never was." }));
}

#[test]
fn what_is_said_of_a_part_hides_nothing_beside_it() {
    let import = schemas(json!({
        "Note": { "type": "object", "properties": { "address": { "type": "string", "format": "ipv4", "items": { "type": "string" } } } },
        "Pet": { "type": "object", "required": ["kind"], "properties": { "kind": { "type": "string" } },
            "discriminator": { "propertyName": "kind" }, "items": { "type": "string" } },
        "Cat": { "allOf": [{ "$ref": "#/components/schemas/Pet" }, { "type": "object", "properties": { "a": { "type": "string" } } }] },
    }));
    let places: Vec<&str> = lost(&import).into_iter().map(|(at, _)| at).collect();
    assert!(places.contains(&"/components/schemas/Note/properties/address"), "{places:?}");
    assert!(places.contains(&"/components/schemas/Note/properties/address/items"), "{places:?}");
    assert!(places.contains(&"/components/schemas/Pet/items"), "{places:?}");
}

#[test]
fn limits_beside_listed_values_are_those_of_their_type_or_say_nothing() {
    let nothing = "left out: it says nothing about a value of this type";
    let broken = |value: &str| format!("left out: `{value}`, which is listed, does not keep it");
    let table = [
        (json!({"type": "string", "enum": ["a", "b"], "minimum": 3}), None, Some(nothing)),
        (json!({"type": "string", "enum": ["a"], "minimum": 3}), None, Some(nothing)),
        (json!({"type": "integer", "enum": [1, 2], "minLength": 3}), None, Some(nothing)),
        (json!({"type": "integer", "enum": [4, 2], "exclusiveMinimum": 2}), Some(broken("2")), None),
        (json!({"type": "integer", "enum": [4, 2], "minimum": 2, "exclusiveMinimum": true}), Some(broken("2")), None),
        (json!({"type": "integer", "enum": [4, 2], "exclusiveMaximum": 5, "multipleOf": 2}), None, None),
        (json!({"type": "integer", "enum": [4, 3], "multipleOf": 2}), Some(broken("3")), None),
    ];
    for (schema, loss, note) in table {
        let import = schemas(json!({ "Note": { "type": "object", "properties": { "it": schema } }, "It": schema }));
        let what = |all: &[crate::Loss]| {
            all.iter()
                .filter(|one| one.at.starts_with("/components/schemas/Note"))
                .map(|one| one.what.clone())
                .collect::<Vec<_>>()
        };
        let found = (what(&import.losses), what(&import.notes));
        assert_eq!(found, (Vec::from_iter(loss), Vec::from_iter(note.map(str::to_owned))), "{schema}");
    }
}

#[test]
fn what_a_type_cannot_hold_is_told() {
    let loss = |what: &str| (vec![what.to_owned()], Vec::new());
    let note = |what: &str| (Vec::new(), vec![what.to_owned()]);
    let beyond = "the limits are left out: the only value that there is, is beyond them";
    let table = [
        (
            json!({"type": "integer", "maximum": 1e30}),
            json!({"type": "int64"}),
            loss("`maximum: 1e+30` is left out: no type holds all whole numbers up to it"),
        ),
        (
            json!({"type": "integer", "minimum": -1e30}),
            json!({"type": "int64"}),
            loss("`minimum: -1e+30` is left out: no type holds all whole numbers up to it"),
        ),
        (
            json!({"type": "integer", "minimum": -5, "maximum": u64::MAX}),
            json!({"type": "int64", "min": -5}),
            loss("`maximum: 18446744073709551615` is left out: no type holds all whole numbers up to it"),
        ),
        (
            json!({"type": "integer", "format": "int32", "maximum": 1e10}),
            json!({"type": "int32"}),
            note("`maximum: 10000000000.0` is left out: the format ends before it"),
        ),
        (
            json!({"type": "integer", "format": "big", "maximum": 1e30}),
            json!({"type": "int64"}),
            (
                vec!["`maximum: 1e+30` is left out: no type holds all whole numbers up to it".to_owned()],
                vec!["the format `big` is left out: it is not known".to_owned()],
            ),
        ),
        // A type with the minimum 0 would lose negative numbers.
        (
            json!({"type": "integer", "maximum": u64::MAX}),
            json!({"type": "int64"}),
            loss("`maximum: 18446744073709551615` is left out: no type holds all whole numbers up to it"),
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": -1, "maximum": u64::MAX}),
            json!({"type": "uint64"}),
            (Vec::new(), Vec::new()),
        ),
        (
            json!({"type": "boolean", "pattern": "x"}),
            json!({"type": "bool"}),
            note("left out: it says nothing about a value of this type"),
        ),
        (
            json!({"type": "integer", "multipleOf": 1e30}),
            json!({"type": "int64"}),
            loss("`multipleOf: 1e+30` is left out: it is not a number of this type"),
        ),
        (
            json!({"type": "string", "format": "binary"}),
            json!({"type": "string"}),
            note(
                "the format `binary` is left out: bytes as they are stand in no JSON and in no field, so it is a text",
            ),
        ),
        (
            json!({"type": "string", "format": "text"}),
            json!({"type": "string"}),
            note("the format `text` is left out: it says what the type does"),
        ),
        (
            json!({"type": "string", "readOnly": true, "writeOnly": true}),
            json!({"type": "string", "behavior": ["output_only"]}),
            loss("`writeOnly` is left out: a member that only the server writes is never sent to it"),
        ),
        (json!({"const": 5, "minimum": 10}), json!({"type": "int64", "const": 5}), loss(beyond)),
        (json!({"const": 5, "multipleOf": 2}), json!({"type": "int64", "const": 5}), loss(beyond)),
        (
            json!({"const": 5, "minimum": 5, "maximum": 9}),
            json!({"type": "int64", "const": 5}),
            (Vec::new(), Vec::new()),
        ),
        (
            json!({"type": "string", "const": "abc", "maxLength": 2}),
            json!({"type": "string", "const": "abc"}),
            loss(beyond),
        ),
        (
            json!({"type": "string", "const": "abc", "pattern": "^b"}),
            json!({"type": "string", "const": "abc"}),
            loss(beyond),
        ),
        (
            json!({"type": "string", "enum": ["abc"], "pattern": "^a", "minLength": 1}),
            json!({"type": "string", "const": "abc"}),
            (Vec::new(), Vec::new()),
        ),
    ];
    for (schema, expected, told) in table {
        let import = schemas(json!({ "Note": { "type": "object", "properties": { "it": schema } } }));
        assert_eq!(read(&import)["resources"]["Note"]["fields"]["it"], expected, "{schema}");
        let what = |all: &[crate::Loss]| all.iter().map(|one| one.what.clone()).collect::<Vec<_>>();
        assert_eq!((what(&import.losses), what(&import.notes)), told, "{schema}");
    }
}

#[test]
fn a_value_of_a_discriminator_that_is_for_no_alternative_is_told() {
    let one = |kind: &str| json!({ "type": "object", "required": ["k"], "properties": { "k": { "const": kind } } });
    let import = schemas(json!({
        "Card": one("card"), "Bill": one("Bill"), "Cash": one("cash"),
        "Pay": {
            "oneOf": [{ "$ref": "#/components/schemas/Card" }, { "$ref": "#/components/schemas/Bill" }],
            "discriminator": { "propertyName": "k", "mapping": {
                "card": "#/components/schemas/Card", "bill": "#/components/schemas/Bil", "cash": "#/components/schemas/Cash",
            } },
        },
    }));
    let places: Vec<&str> = lost(&import).into_iter().map(|(at, _)| at).collect();
    let at = |value: &str| format!("/components/schemas/Pay/discriminator/mapping/{value}");
    assert_eq!(places, [at("bill"), at("cash")]);
}
