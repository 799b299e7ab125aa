//! Deeply recursive documents, and operations that an import must never make public.

use serde_json::{Map, Value, json};
use wireform_codegen::load;
use wireform_importers::{Import, discovery, openapi};

use crate::inputs::sources;

/// Length of a chain of references that would overflow the stack of a recursive function.
const LONG: usize = 5000;

/// Returns schemas in which `S0` is derived from `S1`, `S1` from `S2`, and so on; the last is a text.
fn chain(made_of: impl Fn(&str) -> Value) -> Map<String, Value> {
    let mut schemas: Map<String, Value> =
        (0..LONG).map(|at| (format!("S{at}"), made_of(&format!("S{}", at + 1)))).collect();
    schemas.insert(format!("S{LONG}"), json!({ "type": "string" }));
    schemas
}

fn read_back(import: &Import) {
    load(&sources(import)).expect("the schema reader accepts the written schema");
}

fn openapi_of(schemas: &Map<String, Value>, first: &Value) -> Import {
    let schemas = [
        schemas.clone(),
        Map::from_iter([("Whole".to_owned(), json!({ "type": "object", "properties": { "x": first } }))]),
    ];
    let schemas: Map<String, Value> = schemas.into_iter().flatten().collect();
    let response = json!({ "200": { "description": "All.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Whole" } } } } });
    let document = json!({
        "openapi": "3.1.0",
        "info": { "title": "Chains", "version": "1" },
        "paths": { "/all": { "get": { "responses": response } } },
        "components": { "schemas": schemas },
    });
    openapi::import(&document.to_string()).expect("an OpenAPI document")
}

#[test]
fn long_chains_of_openapi_schemas_end_in_a_loss() {
    let reference = |next: &str| json!({ "$ref": format!("#/components/schemas/{next}") });
    let list = |next: &str| json!({ "type": "array", "items": { "$ref": format!("#/components/schemas/{next}") } });
    for schemas in [chain(reference), chain(list)] {
        let import = openapi_of(&schemas, &reference("S0"));
        assert!(import.losses.iter().any(|loss| loss.what.starts_with("becomes `any`")), "{:?}", import.losses);
        read_back(&import);
    }
}

#[test]
fn long_chains_of_discovery_schemas_end_in_a_loss() {
    let list = |next: &str| json!({ "type": "array", "items": { "$ref": next } });
    let mut schemas = chain(list);
    schemas.insert(
        "Whole".to_owned(),
        json!({ "id": "Whole", "type": "object", "properties": { "x": { "$ref": "S0" } } }),
    );
    let all = json!({ "id": "chains.all", "path": "all", "httpMethod": "GET", "response": { "$ref": "Whole" } });
    let document = json!({
        "kind": "discovery#restDescription", "name": "chains", "version": "v1",
        "schemas": schemas, "methods": { "all": all },
    });
    let import = discovery::import(&document.to_string()).expect("a Discovery document");
    assert!(import.losses.iter().any(|loss| loss.what.starts_with("becomes `any`")), "{:?}", import.losses);
    read_back(&import);
}

#[test]
fn type_depth_is_limited_like_in_schemas() {
    for (levels, is_kept) in [(8, true), (9, false)] {
        let ty = (0..levels).fold(json!({ "type": "string" }), |ty, _| json!({ "type": "array", "items": ty }));
        let import = openapi_of(&Map::new(), &ty);
        assert_eq!(import.losses.is_empty(), is_kept, "{levels}: {:?}", import.losses);
        read_back(&import);
    }
}

#[test]
fn operations_with_unknown_schemes_are_not_public() {
    let operation =
        |security: Value| json!({ "security": security, "responses": { "204": { "description": "Done." } } });
    let document = json!({
        "openapi": "3.1.0",
        "info": { "title": "Locks", "version": "1" },
        "security": [{ "digest": [] }],
        "paths": {
            "/standard": { "get": { "responses": { "204": { "description": "Done." } } } },
            "/digest": { "get": operation(json!([{ "digest": [] }])) },
            "/nowhere": { "get": operation(json!([{ "nowhere": [] }])) },
            "/either": { "get": operation(json!([{ "digest": [] }, { "key": [] }])) },
            "/open": { "get": operation(json!([])) },
        },
        "components": { "securitySchemes": {
            "digest": { "type": "http", "scheme": "digest" },
            "nowhere": { "type": "apiKey" },
            "key": { "type": "apiKey", "in": "header", "name": "X-Key" },
        } },
    });
    let import = openapi::import(&document.to_string()).expect("an OpenAPI document");
    let all: String = import.files.values().cloned().collect();
    for (path, security) in [
        ("/standard", None),
        ("/digest", None),
        ("/nowhere", Some("[nowhere]")),
        ("/either", Some("[digest, key]")),
        ("/open", Some("[]")),
    ] {
        let (_, operation) = all.split_once(&format!("http: GET {path}\n")).unwrap_or_else(|| panic!("{path}: {all}"));
        let own = operation.split("http: ").next().and_then(|own| own.split_once("security: "));
        assert_eq!(own.and_then(|(_, list)| list.lines().next()), security, "{path}: {all}");
    }
    assert!(all.contains("\nsecurity: [digest]\n"), "{all}");
    let notes: Vec<&str> = import.notes.iter().map(|note| note.at.as_str()).collect();
    for at in ["/components/securitySchemes/digest", "/components/securitySchemes/nowhere"] {
        assert!(notes.contains(&at), "{at}: {notes:?}");
    }
    read_back(&import);
}

#[test]
fn part_that_includes_its_parent_is_written_once() {
    let all = json!({ "allOf": [
        { "$ref": "#/components/schemas/Item" },
        { "properties": { "more": { "type": "string" } } },
    ] });
    let item = json!({ "type": "object", "properties": { "all": all } });
    let import =
        openapi_of(&Map::from_iter([("Item".to_owned(), item)]), &json!({ "$ref": "#/components/schemas/Item" }));
    assert_eq!(import.losses, [], "{:?}", import.files);
    let written: Vec<&str> = import.files.values().flat_map(|text| text.lines()).map(str::trim).collect();
    assert_eq!(written.iter().filter(|line| **line == "all: { type: ItemAll }").count(), 2, "{:?}", import.files);
    read_back(&import);
}

#[test]
fn recursive_alternatives_are_written_once() {
    let one = json!({ "allOf": [
        { "$ref": "#/components/schemas/Item" },
        { "properties": { "more": { "type": "string" } } },
    ] });
    let item = json!({ "type": "object", "properties": { "of": { "oneOf": [one, { "type": "string" }] } } });
    let import =
        openapi_of(&Map::from_iter([("Item".to_owned(), item)]), &json!({ "$ref": "#/components/schemas/Item" }));
    assert_eq!(import.losses, [], "{:?}", import.files);
    let written: Vec<&str> = import.files.values().flat_map(|text| text.lines()).map(str::trim).collect();
    assert_eq!(written.iter().filter(|line| **line == "of: { type: ItemOf }").count(), 2, "{:?}", import.files);
    read_back(&import);
}

#[test]
fn constraints_of_recursive_lists_are_a_loss() {
    let of_itself = json!({ "allOf": [{ "$ref": "#/components/schemas/Nested" }, { "minItems": 1 }] });
    let nested = json!({ "type": "array", "items": of_itself });
    let import =
        openapi_of(&Map::from_iter([("Nested".to_owned(), nested)]), &json!({ "$ref": "#/components/schemas/Nested" }));
    assert!(import.losses.iter().any(|loss| loss.what.starts_with("`items` is left out")), "{:?}", import.losses);
    read_back(&import);
}

#[test]
fn multiplying_parts_end_in_a_loss() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let parts =
        |of: &dyn Fn(&str) -> Value| names.iter().map(|name| ((*name).to_owned(), of(name))).collect::<Map<_, _>>();
    let leaf = |name: &str| json!({ "allOf": [{ "$ref": "#/components/schemas/Item" }, { "properties": { format!("of_{name}"): { "type": "string" } } }] });
    let item =
        parts(&|_| json!({ "allOf": [{ "$ref": "#/components/schemas/Item" }, { "properties": parts(&leaf) }] }));
    let item = json!({ "type": "object", "properties": item });
    let import =
        openapi_of(&Map::from_iter([("Item".to_owned(), item)]), &json!({ "$ref": "#/components/schemas/Item" }));
    assert!(!import.files.is_empty());
}
