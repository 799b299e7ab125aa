//! Whole documents: YAML, URLs, and documents that cannot be imported.

use serde_json::json;

use super::super::import_as;
use super::{import, imported, lost, read, read_back};
use crate::Options;
use crate::parallel::check_all;

#[test]
fn yaml_and_json_are_equivalent() {
    let yaml = "openapi: 3.0.3\ninfo: { title: The Notes API, version: 1.10 }\nservers:\n- url: https://{region}.example.com/v1/\n  variables: { region: { default: eu } }\npaths:\n  /n:\n    get:\n      operationId: notes.list\n      responses:\n        200:\n          description: on\n";
    let found = read(&read_back(yaml));
    assert_eq!(found["api"], "notes");
    assert_eq!(found["version"], "1.10");
    assert_eq!(found["root"], "https://eu.example.com");
    assert_eq!(found["base_path"], "/v1");
    assert_eq!(found["operations"]["notes.list"]["responses"]["200"]["doc"], "on");
}

#[test]
fn yaml_anchors_merge_keys_and_tags_are_supported() {
    let yaml = r#"openapi: 3.0.3
info: { title: Notes, version: !!str 1.10 }
x-shared:
  listed: &listed
    tags: [notes]
    parameters:
    - { name: limit, in: query, schema: &count { type: integer, format: int32, minimum: !!int "1" } }
    responses: { 200: &done { description: Done. } }
paths:
  /n:
    get: { <<: *listed, operationId: list }
    post:
      <<: *listed
      operationId: add
      parameters: []
      responses: { 201: *done }
components:
  schemas:
    Note: { type: object, properties: { pages: *count, kind: { type: string, default: !kind none } } }
"#;
    let import = read_back(yaml);
    let found = read(&import);
    assert_eq!(found["version"], "1.10");
    assert_eq!(found["operations"]["notes.list"]["query"]["limit"]["min"], 1);
    assert_eq!(found["operations"]["notes.add"]["query"], json!(null));
    assert_eq!(found["operations"]["notes.add"]["responses"]["201"]["doc"], "Done.");
    assert_eq!(found["resources"]["Note"]["fields"]["pages"]["min"], 1);
    assert_eq!(found["resources"]["Note"]["fields"]["kind"]["default"], "none");
    let reported = "the unknown tag `!kind` is left out";
    assert_eq!(lost(&import), [("/components/schemas/Note/properties/kind/default", reported)]);
}

#[test]
fn errors_have_location_and_reason() {
    let with =
        |rest: &str| format!("{{\"openapi\": \"3.0.0\", \"info\": {{\"title\": \"N\", \"version\": \"1\"}}, {rest}}}");
    let deep = format!("{}{}", "{\"a\":".repeat(50_000), "}".repeat(50_000));
    let table = [
        ("".to_owned(), "line 1, column 1: the file is empty"),
        ("{".to_owned(), "line 1, column 1: not JSON: EOF while parsing an object"),
        ("{\"a\": 1, \"a\": 2}".to_owned(), "line 1, column 16: not JSON: duplicate key `a` in an object"),
        ("a: 1\na: 2\n".to_owned(), "line 2, column 1: duplicate key `a`"),
        ("a: &x [*x]\n".to_owned(), "line 1, column 8: alias `*x` refers to a value that contains it"),
        ("[]".to_owned(), "``: not an OpenAPI document: expected an object"),
        (
            "swagger: '2.0'\n".to_owned(),
            "`/swagger`: OpenAPI 2 is not supported; convert the document to version 3 first",
        ),
        ("openapi: 4.0.0\n".to_owned(), "`/openapi`: unsupported OpenAPI version `4.0.0`; expected 3.0 or 3.1"),
        (
            "openapi: 3.0.0\n".to_owned(),
            "`/info`: missing `info` of the API; add a title with ASCII letters, or pass `--name`",
        ),
        (
            with("\"components\": {\"schemas\": {\"A\": {\"$ref\": \"b.yaml#/B\"}}}"),
            "`/components/schemas/A`: `b.yaml#/B` is in another document; bundle the documents into one first",
        ),
        (
            with(
                "\"paths\": {\"/a\": {\"get\": {\"$ref\": \"a.yml\"}, \"put\": {\"$ref\": \"b.yml\"}}, \"/b\": {\"$ref\": \"c.yml\"}}",
            ),
            "`/paths/~1b`: `c.yml` is in another document; bundle the documents into one first (2 more references to other documents)",
        ),
        (
            with("\"tags\": [{\"name\": \"n\", \"description\": {\"$ref\": \"words.yml#/n\"}}]"),
            "`/tags/0/description`: `words.yml#/n` is in another document; bundle the documents into one first",
        ),
        (
            with("\"paths\": {\"$ref\": \"paths.yml\"}, \"components\": {\"schemas\": {\"$ref\": \"schemas.yml\"}}"),
            "`/paths`: `paths.yml` is in another document; bundle the documents into one first (1 more reference to other documents)",
        ),
        (deep, "line 1, column 636: not JSON: recursion limit exceeded"),
    ];
    for (text, expected) in table {
        let reported = import(&text).expect_err("an error").to_string();
        assert_eq!(reported, expected);
    }
}

#[test]
fn referenced_operation_is_resolved() {
    let get = json!({ "operationId": "read", "responses": { "204": { "description": "Done." } } });
    let import = imported(json!({ "paths": {
        "/a": { "get": { "$ref": "#/paths/~1b/get" } },
        "/b": { "get": get },
    } }));
    let operations = &read(&import)["operations"];
    let lines: Vec<_> = operations.as_object().expect("operations").values().map(|one| one["http"].clone()).collect();
    assert_eq!(lines, ["GET /a", "GET /b"]);
    assert_eq!(lost(&import), []);
}

#[test]
fn missing_values_are_located_at_their_parent() {
    let text = "openapi: 3.0.0\ninfo:\n  version: v1\n";
    let error = import(text).expect_err("an error");
    assert_eq!(error.place(text), Some((3, 3)), "{error}");
    assert_eq!(import("openapi: 3.0.0\n").expect_err("an error").place("openapi: 3.0.0\n"), Some((1, 1)));
}

fn named(name: &str) -> Options<'_> {
    Options { name: Some(name), ..Options::default() }
}

#[test]
fn shortened_title_is_reported() {
    for (title, name, reported) in [
        ("Путь", "api", true),
        ("3D API", "d", true),
        ("Café", "caf", true),
        ("The Notes API", "notes", false),
        ("Notes REST API Reference", "notes", false),
        ("Reference", "reference", false),
        ("Example's official OpenAPI spec + extensions of friends", "example-official", true),
        ("Letters Request & Response Specification", "letters-request-response", false),
        ("Notes with fixes and amendments from a reader", "notes-with-fixes", true),
    ] {
        let text = format!("openapi: 3.0.0\ninfo: {{ title: \"{title}\", version: v1 }}\npaths: {{}}\n");
        let import = import(&text).expect("a document");
        assert_eq!(import.api, name);
        assert_eq!(import.notes.iter().any(|note| note.what.contains("`--name`")), reported, "{:?}", import.notes);
    }
    let text = "openapi: 3.0.0\ninfo: { title: Путь, version: v1 }\npaths: {}\n";
    let import = import_as(text, &named("way"), None).expect("a document");
    assert_eq!((import.api.as_str(), import.notes.len()), ("way", 0));
    for name in ["", "../way", "Way", "w/a"] {
        let error = import_as(text, &named(name), None).expect_err("an error").to_string();
        assert!(error.contains("is not a valid API name"), "{error}");
    }
}

#[test]
fn renamed_items_are_reported() {
    let text = json!({ "type": "string" });
    let members = json!({ "fn": text, "Fn": text, "": text, "e": { "type": "string", "enum": ["a", "A", ""] } });
    let import = imported(json!({ "components": { "schemas": { "N": { "type": "object", "properties": members } } } }));
    let reported: Vec<_> = import.notes.iter().filter_map(|note| note.what.split_once(" in code")).collect();
    let reported: Vec<&str> = reported.into_iter().map(|(reported, _)| reported).collect();
    let expected = ["renamed to `member`", "`A` is renamed to `A_2`", "`` is renamed to `empty`", "renamed to `fn_2`"];
    assert_eq!(reported, expected, "{:?}", import.notes);
}

#[test]
fn cyclic_schemas_become_any() {
    let to = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let note = json!({ "type": "object", "properties": { "it": to("A") } });
    let import = imported(json!({ "components": { "schemas": { "A": to("B"), "B": to("A"), "Note": note } } }));
    assert_eq!(read(&import)["resources"]["Note"]["fields"]["it"]["type"], "any");
    assert!(
        lost(&import).iter().all(|(_, what)| what.starts_with("becomes `any`: the schema contains nothing but itself"))
    );
    assert!(!import.losses.is_empty());
    let own = json!({ "type": "object", "allOf": [to("A")], "properties": { "x": { "type": "string" } } });
    let import = imported(json!({ "components": { "schemas": { "A": own } } }));
    assert_eq!(lost(&import), []);
    assert_eq!(read(&import)["resources"]["A"]["fields"], json!({ "x": { "type": "string" } }));
}

#[test]
fn import_is_deterministic() {
    let document = json!({ "components": { "schemas": { "B": { "enum": ["a", "b"] }, "A": { "type": "object", "properties": { "x": { "enum": ["a", "b"] } } } } } });
    assert_eq!(imported(document.clone()).files, imported(document).files);
}

#[test]
fn servers_become_root_base_path_and_endpoints() {
    let import = imported(json!({
        "servers": [
            { "url": "https://{region}.example.com/v1", "variables": { "region": { "default": "us", "enum": ["us", "eu"] } } },
            { "url": "https://test.example.com/v1/", "description": "Sandbox" },
            { "url": "https://us.example.com/v2" },
            { "url": "https://old.example.com/v0" },
        ],
        "paths": { "/x": { "servers": [{ "url": "https://up.example.com" }], "get": { "responses": {} } } },
    }));
    let found = read(&import);
    assert_eq!(found["root"], "https://us.example.com");
    assert_eq!(found["base_path"], json!({ "path": "/v1", "aliases": ["/v2"] }));
    assert_eq!(
        found["endpoints"],
        json!({
            "eu": { "url": "https://eu.example.com", "doc": "With `region` as `eu`." },
            "sandbox": { "url": "https://test.example.com", "doc": "Sandbox" },
        })
    );
    let places: Vec<&str> = lost(&import).into_iter().map(|(at, _)| at).collect();
    assert_eq!(places, ["/paths/~1x/servers", "/servers/3"]);
}

/// Returns a document that uses most of the format.
fn full() -> serde_json::Value {
    json!({
        "openapi": "3.0.3",
        "info": { "title": "Notes", "version": "1" },
        "servers": [{ "url": "https://{r}.example.com/v1", "variables": { "r": { "default": "a", "enum": ["a", "b"] } } }],
        "security": [{ "key": [] }],
        "components": {
            "securitySchemes": { "key": { "type": "oauth2", "flows": { "implicit": { "authorizationUrl": "https://a.b", "scopes": { "x": "X" } } } } },
            "schemas": {
                "A": { "allOf": [{ "$ref": "#/components/schemas/B" }, { "properties": { "k": { "enum": ["a", "b"] } } }], "required": ["k"] },
                "B": { "type": "object", "properties": { "n": { "type": "integer", "minimum": 1, "maximum": 5, "default": 2 }, "l": { "type": "array", "items": { "$ref": "#/components/schemas/C" } } } },
                "C": { "oneOf": [{ "$ref": "#/components/schemas/A" }, { "type": "string", "pattern": "^a$" }], "discriminator": { "propertyName": "k", "mapping": { "a": "A" } } },
                "D": { "type": "object", "additionalProperties": { "$ref": "#/components/schemas/D" } },
                "E": { "oneOf": [
                    { "type": "object", "required": ["t"], "properties": { "t": { "const": "x" }, "e": { "type": "integer", "enum": [1, 2], "default": 1 } } },
                    { "type": "object", "required": ["t"], "properties": { "t": { "const": "y" } } },
                ] },
                "F": { "type": "object", "properties": {
                    "s": { "type": "string", "minLength": 2, "maxLength": 5, "default": "ab", "example": "abc" },
                    "t": { "type": "array", "items": { "type": "number", "exclusiveMinimum": 1, "maximum": 3 }, "minItems": 1, "maxItems": 9 },
                    "c": { "type": "integer", "format": "int32", "const": 4 },
                    "x": { "type": "number", "multipleOf": 0.5, "minimum": 0, "exclusiveMaximum": 5, "default": 1 },
                } },
            },
        },
        "paths": { "/n/{id}": { "post": {
            "operationId": "n.x", "tags": ["n"],
            "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
            "requestBody": { "content": { "multipart/form-data": { "schema": { "$ref": "#/components/schemas/A" } } } },
            "responses": { "200": { "description": "x", "headers": { "X": { "schema": { "type": "integer" } } }, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/C" } } } }, "default": { "description": "e" } },
        } } },
    })
}

/// Collects variants of a document, each with another value at one location.
fn mutations(value: &serde_json::Value, with: &serde_json::Value, all: &mut Vec<serde_json::Value>, path: &str) {
    let mut whole = full();
    if let Some(slot) = whole.pointer_mut(path) {
        *slot = with.clone();
        all.push(whole);
    }
    let below = |key: &str| format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
    match value {
        serde_json::Value::Object(members) => {
            members.iter().for_each(|(key, value)| mutations(value, with, all, &below(key)));
        }
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| mutations(value, with, all, &below(&index.to_string())));
        }
        _ => {}
    }
}

#[test]
fn mutated_documents_never_panic_and_yield_valid_schemas() {
    let text = full().to_string();
    read_back(&text);
    let prefixes: Vec<&str> = (0..text.len()).filter_map(|end| text.get(..end)).collect();
    check_all(&prefixes, |prefix| assert!(import(prefix).is_err(), "{prefix}"));
    let values = [
        json!(null),
        json!([]),
        json!({}),
        json!("../x\u{0}{}"),
        json!(-1e300),
        json!(true),
        json!([{}, 1, "a"]),
        json!(""),
        json!("Unknown"),
        json!(5_000_000_000_u64),
        json!("string"),
        json!(0),
    ];
    let mut all = Vec::new();
    values.iter().for_each(|value| mutations(&full(), value, &mut all, ""));
    assert!(all.len() > 600, "{}", all.len());
    check_all(&all, |document| {
        if import(&document.to_string()).is_ok() {
            read_back(&document.to_string());
        }
    });
}

#[test]
fn yaml_in_flow_style_is_not_json() {
    for text in [
        "{openapi: 3.1.0, info: {title: Notes, version: '1.10'}, paths: {}}",
        "# Notes\n{openapi: 3.1.0, info: {title: Notes, version: '1.10'}, paths: {}}",
        "  { \"openapi\": \"3.1.0\", \"info\": { \"title\": Notes, \"version\": \"1.10\" }, \"paths\": {}, }\n",
        "{\n  openapi: 3.1.0, # the version\n  info: { title: Notes, version: '1.10' }\n}",
    ] {
        assert_eq!(read_back(text).api, "notes", "{text}");
    }
    // The error is that of the format which the text starts like.
    let error = import("{\"openapi\": \"3.1.0\", \"info\": {").expect_err("an error").to_string();
    assert!(error.contains("not JSON"), "{error}");
}

#[test]
fn titles_without_a_name_are_replaced_by_the_name_of_the_file() {
    for title in ["", "  ", "!!!", "123", "Путь"] {
        for (file, expected) in
            [("book-shop", "book-shop"), ("2024", "api-2024"), ("2024-01", "api-2024-01"), ("3dogs", "dogs")]
        {
            let text =
                json!({ "openapi": "3.1.0", "info": { "title": title, "version": "1" }, "paths": {} }).to_string();
            let options = Options { file: Some(file), ..Options::default() };
            let import = import_as(&text, &options, None).expect("a document");
            assert_eq!(import.api, expected, "{title}");
            let notes: Vec<_> = import.notes.iter().filter(|note| note.what.contains("after the file")).collect();
            assert_eq!(notes.len(), 1, "{:?}", import.notes);
            let parsed = serde_json::from_str(&text).expect("JSON");
            assert_eq!(crate::openapi::name_of(&parsed, Some(file)).as_deref(), Some(expected));
        }
    }
}

#[test]
fn json_with_comments_or_trailing_commas_is_noted() {
    let text =
        "{\n  \"openapi\": \"3.1.0\", # the version\n  \"info\": { \"title\": \"Notes\", \"version\": \"1\" },\n}";
    let noted = read_back(text);
    let notes: Vec<&str> = noted.notes.iter().map(|note| note.what.as_str()).collect();
    assert!(notes.iter().any(|note| note.starts_with("not JSON, at line 2, column 23")), "{notes:?}");
    let document = "{\n  \"openapi\": \"3.1.0\",\n  \"info\": { \"title\": \"Notes\", \"version\": \"1\" },\n  \"tags\": [],\n  \"x-a\": 1\n}";
    assert!(import(document).is_ok());
    for (part, with) in [
        ("  \"info\"", "  // its title\n  \"info\""),
        ("  \"info\"", "  /* its title */ \"info\""),
        ("[]", "[\n  // nothing\n  \"a\" ]"),
        ("1\n", "1 // one\n"),
        ("1\n", "null /* nothing */\n"),
        ("},", "}, // the title"),
    ] {
        let text = document.replace(part, with);
        let error = import(&text).expect_err(&text).to_string();
        assert!(error.contains("not JSON"), "{error}");
    }
}
