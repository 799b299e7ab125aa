//! Damaged and hostile documents: an import ends in an error or in files and never panics, no text of a document
//! becomes a path, and the schema reader accepts the files or reports located errors. A run is short and deterministic;
//! `WIREFORM_ROUNDS=1000 cargo test --release -p wireform-importers --test mutations` runs a thousand rounds with
//! different changes. `WIREFORM_LAST=DIR` writes the current documents into a folder, in case the process aborts.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[path = "../../tests/suite/random.rs"]
mod random;

use random::{Random, rounds};
use serde_json::{Map, Value, json};
use wireform_codegen::{Options, Severity, Source, check as codegen_check, generate};
use wireform_importers::{Import, ImportError, discovery, openapi};
use wireform_test_data::requires;

/// Texts that try to become code, a path, another line, or another kind of value.
const TEXTS: &[&str] = &[
    "",
    " ",
    "../../x",
    "..",
    "/etc/passwd",
    "C:\\x",
    "a/b",
    "\u{202e}txt",
    "r#",
    "r#type",
    "self",
    "Self",
    "_",
    "__",
    "\"#",
    "\"##; fn x() {}",
    "*/",
    "/*",
    "//!",
    "{}",
    "{x}",
    "{+x}",
    "{",
    "}",
    "`",
    "```",
    "\n",
    "\r\n",
    "\t",
    "\u{0}",
    "\u{1b}[2J",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "- x",
    "? x",
    ": x",
    "# x",
    "&a",
    "*a",
    "!t",
    "<<",
    "null",
    "~",
    "yes",
    "1",
    "-1",
    "1e999",
    "018",
    "99999999999999999999",
    "ß",
    "İ",
    "日本",
    "💥",
    "e\u{301}",
    "type",
    "async",
    "gen",
    "None",
    "String",
    "Vec",
    "Api",
    "crate",
    "CON",
    "any",
    "object",
    "(?<x>",
    "[",
    "^$",
    "\\",
    "(a|a)*b",
    "a{1000}{1000}",
    "#/components/schemas/A",
    "#/",
    "#",
    "https://x/{y}",
    "http://[",
    "*/*",
    "text/plain; charset=\"",
];

/// Returns our own documents.
fn own() -> Vec<(String, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = ["calendar", "mailbox", "script"].map(|api| root.join(format!("generated/{api}-server/openapi.json")));
    let mut documents = small(files.into());
    documents.extend([("ours: Discovery".to_owned(), notes()), ("ours: OpenAPI".to_owned(), shop())]);
    documents
}

/// Returns public documents.
fn public() -> Vec<(String, Value)> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora");
    let folders = ["discovery/docs", "openapi"].map(|folder| fs_err::read_dir(corpora.join(folder)).expect("a folder"));
    small(folders.into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect())
}

/// Returns the small documents among some files.
fn small(mut files: Vec<PathBuf>) -> Vec<(String, Value)> {
    files.sort();
    let read = |path: PathBuf| {
        let text = fs_err::read_to_string(&path).ok().filter(|text| text.len() < 60_000)?;
        let value: Value = serde_json::from_str(&text).ok()?;
        (value.get("openapi").is_some() || value.get("kind").is_some()).then(|| (path.display().to_string(), value))
    };
    files.into_iter().filter_map(read).collect()
}

/// Returns a Discovery document that uses most of the format.
fn notes() -> Value {
    json!({
        "kind": "discovery#restDescription", "name": "notes", "version": "v1", "title": "Notes", "description": "Keeps notes.",
        "rootUrl": "https://notes.example.com/", "servicePath": "notes/", "batchPath": "batch", "protocol": "rest",
        "auth": { "oauth2": { "scopes": { "https://notes.example.com/auth/all": { "description": "All." } } } },
        "parameters": { "alt": { "type": "string", "enum": ["json", "media"], "location": "query", "default": "json" } },
        "schemas": {
            "Note": { "id": "Note", "type": "object", "properties": {
                "id": { "type": "string", "readOnly": true }, "size": { "type": "string", "format": "int64" },
                "colour": { "type": "string", "enum": ["RED", "GREEN"], "enumDescriptions": ["As blood.", "As grass."] },
                "labels": { "type": "object", "additionalProperties": { "type": "string" } },
                "parts": { "type": "array", "items": { "type": "object", "properties": { "text": { "type": "string" } } } },
                "next": { "$ref": "Note" } } },
            "Notes": { "id": "Notes", "type": "object", "properties": {
                "notes": { "type": "array", "items": { "$ref": "Note" } }, "nextPageToken": { "type": "string" } } },
        },
        "resources": { "notes": { "methods": {
            "get": { "id": "notes.notes.get", "path": "v1/{+name}", "httpMethod": "GET", "parameterOrder": ["name"],
                "parameters": { "name": { "type": "string", "required": true, "location": "path", "pattern": "^notes/[^/]+$" } },
                "response": { "$ref": "Note" }, "scopes": ["https://notes.example.com/auth/all"] },
            "list": { "id": "notes.notes.list", "path": "v1/notes", "httpMethod": "GET",
                "parameters": { "pageToken": { "type": "string", "location": "query" },
                    "pageSize": { "type": "integer", "format": "int32", "location": "query", "minimum": "1" } },
                "response": { "$ref": "Notes" } },
            "insert": { "id": "notes.notes.insert", "path": "v1/notes", "httpMethod": "POST", "request": { "$ref": "Note" },
                "response": { "$ref": "Note" }, "supportsMediaUpload": true, "mediaUpload": { "accept": ["*/*"],
                    "maxSize": "10MB", "protocols": { "simple": { "multipart": true, "path": "/upload/notes" } } } },
        } } },
    })
}

/// Returns an OpenAPI document that uses most of the format.
fn shop() -> Value {
    let answer = |name: &str| json!({ "description": "It.", "content": { "application/json": { "schema": { "$ref": format!("#/components/schemas/{name}") } } } });
    json!({
        "openapi": "3.1.0", "info": { "title": "Shop", "version": "1", "description": "Sells." },
        "servers": [{ "url": "https://{region}.shop.example.com/v1", "variables": { "region": { "default": "eu", "enum": ["eu", "us"] } } }],
        "security": [{ "key": [] }, { "login": ["read"] }],
        "tags": [{ "name": "items", "description": "What is sold." }],
        "paths": { "/items/{id}": {
            "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string", "pattern": "^[a-z]+$" } }],
            "get": { "operationId": "items.get", "tags": ["items"], "responses": { "200": answer("Item"), "default": answer("Problem") },
                "parameters": [{ "name": "tags", "in": "query", "explode": false, "schema": { "type": "array", "items": { "type": "string" } } },
                    { "name": "filter", "in": "query", "style": "deepObject", "schema": { "type": "object", "properties": { "a": { "type": "integer" } } } }] },
            "put": { "operationId": "items.put", "requestBody": { "required": true, "content": {
                "multipart/form-data": { "schema": { "type": "object", "properties": { "file": { "type": "string", "format": "binary" } } } },
                "application/json": { "schema": { "$ref": "#/components/schemas/Item" } } } }, "responses": { "204": { "description": "Done.",
                "headers": { "X-Left": { "schema": { "type": "integer" } } } } } },
        } },
        "components": {
            "securitySchemes": { "key": { "type": "apiKey", "in": "header", "name": "X-Key" },
                "login": { "type": "oauth2", "flows": { "clientCredentials": { "tokenUrl": "https://x.example.com", "scopes": { "read": "Reads." } } } } },
            "schemas": {
                "Item": { "type": "object", "required": ["id"], "properties": {
                    "id": { "type": "string", "minLength": 1 }, "price": { "type": "number", "minimum": 0 }, "kind": { "$ref": "#/components/schemas/Kind" },
                    "pet": { "oneOf": [{ "$ref": "#/components/schemas/Cat" }, { "$ref": "#/components/schemas/Dog" }], "discriminator": { "propertyName": "says" } },
                    "all": { "allOf": [{ "$ref": "#/components/schemas/Cat" }, { "properties": { "more": { "type": ["string", "null"] } } }] } } },
                "Kind": { "type": "string", "enum": ["big", "small"] },
                "Cat": { "type": "object", "required": ["says"], "properties": { "says": { "const": "meow" } } },
                "Dog": { "type": "object", "required": ["says"], "properties": { "says": { "const": "bark" }, "owner": { "$ref": "#/components/schemas/Item" } } },
                "Problem": { "type": "object", "properties": { "message": { "type": "string" } } },
            },
        },
    })
}

/// Collects the pointers to all values of a document.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                places(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(at_, it)| places(it, &format!("{at}/{at_}"), found)),
        _ => {}
    }
}

/// Returns an unexpected value.
fn stranger(document: &Value, all: &[String], random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => {
            random.of(&[&json!(0), &json!(-1), &json!(1e300), &json!(u64::MAX), &json!(0.5), &json!(i64::MIN)]).clone()
        }
        3 => json!([]),
        4 => json!({}),
        5 => json!(random.of(TEXTS)),
        // Another part of the same document, which can contain this one.
        _ => document.pointer(&all[random.below(all.len())]).cloned().unwrap_or_default(),
    }
}

fn rename(members: &mut Map<String, Value>, random: &mut Random) {
    let at = random.below(members.len());
    let renamed = |(index, (key, value)): (usize, (String, Value))| {
        (if index == at { random.of(TEXTS).to_owned() } else { key }, value)
    };
    *members = std::mem::take(members).into_iter().enumerate().map(renamed).collect();
}

/// Returns the document with a few changes.
fn mutate(document: &Value, random: &mut Random) -> Value {
    let mut changed = document.clone();
    for _ in 0..=random.below(4) {
        let mut all = Vec::new();
        places(&changed, "", &mut all);
        let (place, with) = (all[random.below(all.len())].clone(), stranger(&changed, &all, random));
        let Some(part) = changed.pointer_mut(&place) else { continue };
        match (random.below(4), part) {
            (0, Value::Object(members)) if !members.is_empty() => rename(members, random),
            (1, Value::Object(members)) => drop(members.insert(random.of(TEXTS).to_owned(), with)),
            (1, Value::Array(items)) => items.push(with),
            (2, Value::String(text)) => text.push_str(random.of(TEXTS)),
            (_, part) => *part = with,
        }
    }
    changed
}

/// Problems of imports by kind, with one example each.
type Problems = Mutex<BTreeMap<String, String>>;

/// Checks the properties of any import.
fn check(what: &str, done: &Result<Import, ImportError>, generates: bool, problems: &Problems) {
    let import = match done {
        Ok(import) => import,
        Err(mistake) => return assert!(!mistake.to_string().is_empty(), "{what}"),
    };
    let plain = |name: &str| {
        !name.is_empty()
            && !name.starts_with('.')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    assert!(plain(&import.api) && import.files.keys().all(|name| plain(name)), "{what}: {:?}", import.files.keys());
    let sources: Vec<Source> = import.files.iter().map(|(path, text)| Source::new(path, text.as_str())).collect();
    let output = if generates { generate(&sources, &Options::default()) } else { codegen_check(&sources) };
    for error in output.diagnostics.iter().filter(|told| told.code.severity() == Severity::Error) {
        let kind = format!("{} {}", error.code.text(), error.message.split('`').step_by(2).collect::<String>());
        let shown = || format!("{what}: {}", error.render(&output.sources, false));
        problems.lock().expect("a lock").entry(kind).or_insert_with(shown);
    }
    for (path, rust) in output.files.iter().flatten() {
        assert!(path.split('/').all(plain), "{what}: the path {path:?}");
        assert!(!rust.contains('\u{202e}') || !path.ends_with(".rs"), "{what}: {path} turns text around");
    }
}

#[test]
fn whatever_changes_in_a_document_an_import_ends_in_files_or_in_a_mistake() {
    assert_ends(&own());
}

#[requires("corpora/discovery", "corpora/openapi")]
#[test]
fn whatever_changes_in_a_document_of_others_an_import_ends_in_files_or_in_a_mistake() {
    assert_ends(&public());
}

fn assert_ends(documents: &[(String, Value)]) {
    let (next, problems) = (AtomicUsize::new(0), Problems::default());
    let last = std::env::var_os("WIREFORM_LAST");
    let work = || {
        while let Some((name, document)) = documents.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (name.len() as u64 + 1));
            let importer = if document.get("openapi").is_some() { openapi::import } else { discovery::import };
            for round in 0..rounds() * 10 {
                let text = mutate(document, &mut random).to_string();
                if let Some(dir) = &last {
                    let file = format!("{:?}.json", std::thread::current().id());
                    fs_err::write(Path::new(dir).join(file), &text).expect("a file");
                }
                check(&format!("{name}, round {round}"), &importer(&text), round % 16 == 0, &problems);
            }
        }
    };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(work))));
    let problems = problems.into_inner().expect("a lock");
    let told: String = problems.values().map(|problem| format!("{problem}\n\n")).collect();
    assert!(problems.is_empty(), "what was imported is not taken:\n{told}");
}
