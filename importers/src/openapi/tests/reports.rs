//! Information that schemas do not express, or express elsewhere, is kept, or reported with its location.

use serde_json::{Value, json};

use super::{import, imported, lost, read, schemas};

#[test]
fn server_descriptions_are_kept_or_reported() {
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
            "/a": { "servers": [{ "url": "https://x.example.com/v1" }], "get": { "responses": { "204": {} } } },
            "/b": { "servers": [{ "url": "https://x.example.com/v2" }], "get": { "responses": { "204": {} } } },
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
fn other_tags_are_reported_once() {
    let get = |tags: serde_json::Value| json!({ "get": { "tags": tags, "responses": { "default": { "description": "Something else." }, "200": { "description": "It." } } } });
    let import =
        imported(json!({ "paths": { "/a": get(json!(["Notes", "Old"])), "/b": get(json!(["Notes", "Old", "New"])) } }));
    let reported: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    let expected = [
        ("/paths/~1a/get/tags/1", "the tag `Old` is left out: an operation belongs to one group (and in 1 more place)"),
        ("/paths/~1b/get/tags/2", "the tag `New` is left out: an operation belongs to one group"),
    ];
    assert_eq!(reported, expected);
    let found = read(&import);
    assert_eq!(found["operations"]["notes.get_a"]["errors"], json!({ "default": "Something else." }));
}

#[test]
fn shortened_names_are_reported_in_full() {
    let long = "NotesOfEverybodyWhoEverWroteAnythingDownAnywhere";
    let object = |member: &str| json!({ "type": "object", "required": [member], "properties": { member: { "type": "string" } } });
    let import = schemas(json!({
        long: object("a"), "Other": object("b"), "Both": { "anyOf": [{ "$ref": format!("#/components/schemas/{long}") }, { "$ref": "#/components/schemas/Other" }] },
    }));
    let variants = &read(&import)["unions"]["Both"]["variants"];
    assert_eq!(variants["notes-of-everybody-who-ever-wrote"], long);
    let reported: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    let what = format!("the name `{long}` of the variant is shortened to `notes-of-everybody-who-ever-wrote`");
    assert_eq!(reported, [("/components/schemas/Both/anyOf/0", what.as_str())]);
    let other = format!("{long}ToldElsewhere");
    let of =
        |name: &str| json!({ "anyOf": [{ "$ref": format!("#/components/schemas/{name}") }, { "type": "string" }] });
    let import =
        schemas(json!({ (long): object("a"), (other.clone()): object("b"), "One": of(long), "Two": of(&other) }));
    let reported: Vec<&str> =
        import.notes.iter().map(|note| note.what.as_str()).filter(|what| what.contains("` of the variant")).collect();
    assert!(reported.len() == 2 && reported.iter().any(|what| what.contains(&other)), "{reported:?}");
    let text = format!("openapi: 3.0.0\ninfo: {{ title: {long}, version: v1 }}\npaths: {{}}\n");
    let notes = import_notes(&text);
    assert!(notes.iter().any(|note| note.at == "/info/title" && note.what.contains(long)), "{notes:?}");
}

fn import_notes(text: &str) -> Vec<crate::Loss> {
    import(text).expect("a document").notes
}

#[test]
fn replaced_descriptions_are_reported_unless_used() {
    let id = |more: serde_json::Value| {
        let mut id = json!({ "$ref": "#/components/schemas/Id" });
        id.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        id
    };
    for (other, reported) in [(json!({}), 0), (json!({ "description": "Its own." }), 1)] {
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
        assert_eq!(left, ["/components/schemas/Id/description"][..reported].to_vec());
        assert_eq!(read(&import)["operations"]["get_a"]["response"]["doc"], "All of them.");
    }
}

/// Returns a document with parts that a schema does not express.
fn with_unsupported_parts() -> Value {
    json!({
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
    })
}

#[test]
fn every_omitted_part_is_reported() {
    let import = imported(with_unsupported_parts());
    let unknown = "left out: it has no effect at this location";
    assert_eq!(
        lost(&import),
        [
            ("/components/schemas/Note/properties/list/items/readOnly", unknown),
            ("/paths/~1a/get", "left out: expected an object"),
            ("/paths/~1b/put/parameters", "left out: expected a list"),
            ("/paths/~1b/put/requestBody", "left out: expected an object"),
            ("/paths/~1c", "left out: expected an object"),
        ]
    );
    let once = |name: &str| format!("`{name}` is left out: it does not affect the wire format");
    let reported: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    assert_eq!(
        reported,
        [
            ("/components/parameters/Nowhere", "becomes `string`: it has neither `schema` nor `content`"),
            ("/components/parameters/Nowhere", "left out: nothing refers to it"),
            ("/components/responses/Gone/description", &*once("description")),
            ("/components/schemas/Ids", "left out: nothing refers to this schema without members"),
            (
                "/components/schemas/Note/default",
                "left out: no field or parameter refers to the schema without a default of its own",
            ),
            ("/components/schemas/Note/properties/list/maximum", "left out: it has no effect on a value of this type"),
            ("/components/schemas/Note/properties/title/format", &*once("format")),
            (
                "/components/schemas/Note/properties/word",
                "the format `password` is left out: it only affects how the text is displayed"
            ),
            ("/components/schemas/Note/properties/word/contentMediaType", &*once("contentMediaType")),
            ("/components/schemas/Note/title", &*once("title")),
            ("/components/schemas/Note/xml", &*once("xml")),
            ("/tags/0", "its description is left out: groups of operations have no description"),
        ]
    );
    assert_eq!(read(&import)["operations"]["put_b"]["errors"], json!({ "404": "It never was." }));
}

#[test]
fn report_of_a_part_does_not_hide_siblings() {
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
fn unknown_discriminator_value_is_reported() {
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

#[test]
fn a_parameter_that_becomes_a_string_has_one_message() {
    let text = json!({ "type": "string" });
    let either = json!({ "oneOf": [text, { "type": "array", "items": text }] });
    let import = imported(json!({ "paths": { "/x": { "get": { "operationId": "x", "responses": {}, "parameters": [
        { "name": "a", "in": "query", "style": "simple", "schema": either },
        { "name": "b", "in": "cookie", "style": "simple", "schema": either },
        { "name": "c", "in": "query", "schema": either },
    ] } } } }));
    let all = import.losses.iter().chain(&import.notes);
    let all = all.filter(|one| one.what.starts_with("becomes") || one.what.starts_with("left out"));
    let all =
        all.filter_map(|one| Some((one.at.strip_prefix("/paths/~1x/get/parameters/")?, one.what.split(':').next()?)));
    assert_eq!(
        all.collect::<Vec<_>>(),
        [("0", "becomes `string`"), ("1", "becomes `string`"), ("2/schema/oneOf/0", "left out")]
    );
}

#[test]
fn a_lost_constant_is_reported_as_one() {
    let list = |schema: Value| json!({ "type": "array", "items": schema });
    let content = |schema: Value| json!({ "application/json": { "schema": schema } });
    let union = json!({ "oneOf": [list(json!({ "const": "a" })), { "type": "integer" }] });
    let import = imported(json!({
        "paths": { "/x": { "post": {
            "operationId": "x",
            "requestBody": { "content": content(list(json!({ "type": "string", "const": "a" }))) },
            "responses": {
                "200": { "description": "It.", "content": content(list(json!({ "type": "integer", "const": 2 }))) },
                "404": { "description": "It.", "content": content(list(json!({ "type": "string", "pattern": "a" }))) },
            },
        } } },
        "components": { "schemas": { "Note": { "type": "object", "properties": { "it": union } } } },
    }));
    let own: Vec<_> = lost(&import)
        .into_iter()
        .filter(|(_, what)| what.contains("not supported") || what.contains("supported for"))
        .collect();
    assert_eq!(
        own,
        [
            (
                "/components/schemas/Note/properties/it/oneOf/0",
                "`const` is left out: not supported for variants of a union"
            ),
            ("/paths/~1x/post/requestBody", "`const` is left out: supported for fields only"),
            ("/paths/~1x/post/responses/200", "`const` is left out: supported for fields only"),
            ("/paths/~1x/post/responses/404", "`pattern` is left out: supported for fields only"),
        ]
    );
}
