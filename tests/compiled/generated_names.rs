//! Schemas of documents can have any name that generated code contains.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use serde_json::{Value, json};
use wireform_codegen::resolve::names::type_stem;
use wireform_codegen::{FileTree, Options, RuntimeDependency, Severity, Source, generate};
use wireform_importers::openapi;
use wireform_tests::{Dependencies, Workspace, root};

/// The names are those that occur in the crates of the document itself, so that the list is complete by construction.
#[test]
fn schemas_can_have_every_name_that_generation_makes() {
    let plain = document(&BTreeSet::new());
    let mut names = BTreeSet::new();
    for (path, text) in generated(&plain).iter().filter(|(path, _)| path.ends_with(".rs")) {
        let tokens = text.parse().unwrap_or_else(|why| panic!("{path}: {why}"));
        identifiers(tokens, &mut names);
    }
    for name in ["ThingPatch", "PartPatch", "ThingsGet", "GetCall", "Things", "String", "Rules", "Client"] {
        assert!(names.contains(name), "the document is too simple: {name} is missing in {names:?}");
    }
    let files = generated(&document(&names));
    let workspace = Workspace::new(
        root().join("target/generated-names"),
        ["types", "validation", "client", "server"].map(|kind| format!("names-{kind}")),
        Dependencies::Generated,
    );
    workspace.write(&files);
    let checked = workspace.cargo("check", &[], &["--all-features"]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

/// Collects all identifiers in code as names of types, also of keywords and those within macros.
fn identifiers(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => drop(names.insert(type_stem(ident.to_string().trim_start_matches("r#")))),
            TokenTree::Group(group) => identifiers(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Returns the crates of a document.
fn generated(document: &Value) -> FileTree {
    let import = openapi::import(&document.to_string()).expect("an OpenAPI document");
    assert!(import.losses.is_empty(), "{:?}", import.losses);
    let sources: Vec<Source> = import.files.iter().map(|(path, text)| Source::new(path, text.as_str())).collect();
    let runtime = RuntimeDependency::Path(root().join("runtime").to_string_lossy().replace('\\', "/"));
    let output = generate(&sources, &Options { runtime, ..Options::default() });
    let errors = output.diagnostics.iter().filter(|one| one.code.severity() == Severity::Error);
    let errors: Vec<String> = errors.map(|one| one.render(&output.sources, false)).collect();
    output.files.unwrap_or_else(|| panic!("{}", errors.join("\n\n")))
}

/// Returns a document with most kinds of generated types, and a schema for each of the names.
fn document(names: &BTreeSet<String>) -> Value {
    let text = json!({ "type": "string" });
    let thing = json!({ "$ref": "#/components/schemas/Thing" });
    let mut schemas = json!({
        "Thing": { "type": "object", "properties": {
            "id": { "type": "integer", "minimum": 1 },
            "created": { "type": "string", "format": "date-time" },
            "data": { "type": "string", "format": "byte" },
            "kind": { "type": "string", "enum": ["a", "b"] },
            "part": { "$ref": "#/components/schemas/Part" },
            "parts": { "type": "array", "items": { "$ref": "#/components/schemas/Part" } },
            "other": { "type": ["string", "null"], "readOnly": true },
            "shape": { "oneOf": [{ "$ref": "#/components/schemas/Part" }, text, { "type": "array", "items": text }] },
        } },
        "Part": { "type": "object", "properties": { "thing": thing, "any": {}, "map": { "type": "object", "additionalProperties": text } } },
        "Failure": { "type": "object", "properties": { "code": { "type": "integer" } } },
    });
    let mut all = json!({});
    for name in names.iter().filter(|name| !name.is_empty()) {
        if let Some(schemas) = schemas.as_object_mut().filter(|schemas| !schemas.contains_key(name)) {
            schemas.insert(name.clone(), json!({ "type": "object", "properties": { "text": text } }));
            all[format!("m_{name}")] = json!({ "$ref": format!("#/components/schemas/{name}") });
        }
    }
    schemas["All"] = json!({ "type": "object", "properties": all });
    let content = |schema: &Value| json!({ "application/json": { "schema": schema } });
    let found = json!({ "description": "Found.", "headers": { "X-Count": { "schema": { "type": "integer" } } }, "content": content(&thing) });
    let failed = json!({ "description": "Failed.", "headers": { "X-Reason": { "schema": text } }, "content": content(&json!({ "$ref": "#/components/schemas/Failure" })) });
    let responses = json!({ "200": found, "404": failed });
    let either = json!({ "description": "Found.", "content": { "application/json": { "schema": thing }, "text/plain": { "schema": text } } });
    let list = json!({ "type": "object", "properties": { "things": { "type": "array", "items": thing }, "next_page_token": text } });
    let query = |name: &str, schema: Value| json!({ "name": name, "in": "query", "schema": schema });
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Names", "version": "1" },
        "servers": [{ "url": "https://names.example" }],
        "security": [{ "key": [] }],
        "paths": {
            "/things": {
                "get": { "operationId": "things.list", "parameters": [query("page_token", text.clone()), query("kind", json!({ "type": "string", "enum": ["x", "y"] }))], "responses": { "200": { "description": "All.", "content": content(&list) } } },
                "post": { "operationId": "things.create", "requestBody": { "content": { "application/json": { "schema": thing }, "application/x-www-form-urlencoded": { "schema": { "$ref": "#/components/schemas/Failure" } } } }, "responses": responses },
            },
            "/things/{id}": {
                "parameters": [{ "name": "id", "in": "path", "required": true, "schema": text }],
                "get": { "operationId": "things.get", "responses": responses },
                "patch": { "operationId": "things.change", "requestBody": { "content": { "application/merge-patch+json": { "schema": thing } } }, "responses": { "200": either } },
            },
            "/all": { "get": { "operationId": "read", "responses": { "200": { "description": "All.", "content": content(&json!({ "$ref": "#/components/schemas/All" })) } } } },
        },
        "components": { "schemas": schemas, "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } } },
    })
}
