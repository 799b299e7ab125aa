//! Documents, and what the judge makes of them: the same schemas with an operation for each, which sends a value of the
//! schema in its request and in its response.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

/// Document with an operation for each of its schemas.
pub struct Document {
    /// Path below the folder that was given.
    pub name: String,
    /// Name of its API.
    pub api: String,
    /// Document with the operations of the judge only.
    pub value: Value,
    /// Schemas; the index is part of the name of the operation.
    pub schemas: Vec<Schema>,
}

/// Schema of a document.
pub struct Schema {
    /// Pointer in the document as it is published.
    pub pointer: String,
    /// Schema, or a reference to the component.
    schema: Value,
    /// Examples in the document.
    pub examples: Vec<Value>,
}

/// Returns the files below the given folders, and the given files, with their names: paths below the folder.
pub fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let own = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut open: Vec<_> = paths.iter().map(|path| (path.clone(), own(path), true)).collect();
    let mut found = Vec::new();
    while let Some((path, name, is_given)) = open.pop() {
        if path.is_dir() {
            for entry in fs_err::read_dir(&path)? {
                let path = entry?.path();
                let below = if is_given { own(&path) } else { format!("{name}/{}", own(&path)) };
                open.push((path, below, false));
            }
        } else if path.extension().is_some_and(|end| ["json", "yaml", "yml"].iter().any(|known| end == *known)) {
            found.push((path, name));
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a document; `None` if the file is not an OpenAPI document of version 3.
///
/// # Errors
/// Returns an error if the file cannot be parsed, but seems to be such a document.
pub fn read(path: &Path, name: &str, number: usize) -> anyhow::Result<Option<Document>> {
    let text = fs_err::read_to_string(path)?;
    let value = match parse(path, &text) {
        Ok(value) => value,
        Err(error) if text.contains("openapi") => return Err(error.context("cannot be parsed")),
        Err(_) => return Ok(None),
    };
    if !value["openapi"].as_str().is_some_and(|version| version.starts_with("3.")) {
        return Ok(None);
    }
    Ok(Some(with_operations(name.to_owned(), format!("judged-{number}"), &value)))
}

fn parse(path: &Path, text: &str) -> anyhow::Result<Value> {
    if path.extension().is_some_and(|end| end == "json") {
        return Ok(serde_json::from_str(text)?);
    }
    json_of(serde_yaml::from_str(text)?)
}

/// Converts a YAML value, in which keys such as statuses can be numbers.
fn json_of(value: serde_yaml::Value) -> anyhow::Result<Value> {
    use serde_yaml::Value as Yaml;
    Ok(match value {
        Yaml::Mapping(entries) => {
            let entry = |(key, value): (Yaml, Yaml)| {
                let key = match key {
                    Yaml::String(text) => text,
                    Yaml::Number(number) => number.to_string(),
                    Yaml::Bool(is_true) => is_true.to_string(),
                    _ => bail!("a key that is no text"),
                };
                Ok((key, json_of(value)?))
            };
            Value::Object(entries.into_iter().map(entry).collect::<anyhow::Result<_>>()?)
        }
        Yaml::Sequence(items) => Value::Array(items.into_iter().map(json_of).collect::<anyhow::Result<_>>()?),
        Yaml::Tagged(tagged) => json_of(tagged.value)?,
        other => serde_json::to_value(other).context("a value that JSON does not have")?,
    })
}

/// Replaces the operations of a document by those of the judge.
fn with_operations(name: String, api: String, document: &Value) -> Document {
    let mut schemas: Vec<Schema> = Vec::new();
    for (key, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let pointer = format!("/components/schemas/{}", escape(key));
        let reference = json!({ "$ref": format!("#{}", encode(&pointer)) });
        schemas.push(Schema { pointer, schema: reference, examples: examples(document, schema) });
    }
    contents(document, &document["paths"], "/paths", &mut schemas);
    let mut value = json!({ "openapi": document["openapi"], "info": { "title": api, "version": "1" }, "paths": {} });
    value["components"] = json!({ "schemas": document["components"]["schemas"] });
    if !value["components"]["schemas"].is_object() {
        value["components"] = json!({});
    }
    for (index, Schema { schema, .. }) in schemas.iter().enumerate() {
        let content = json!({ "application/json": { "schema": schema } });
        value["paths"][format!("/judge/{index}")] = json!({ "put": {
            "operationId": format!("judge.value{index}"),
            "requestBody": { "required": true, "content": content },
            "responses": { "200": { "description": "The value.", "content": content } },
        } });
    }
    Document { name, api, value, schemas }
}

/// Collects the schemas of bodies in JSON that are no references, and the examples of all bodies.
fn contents(document: &Value, node: &Value, pointer: &str, found: &mut Vec<Schema>) {
    match node {
        Value::Object(members) => {
            for (key, inner) in members {
                let pointer = format!("{pointer}/{}", escape(key));
                let body = &inner["application/json"];
                let reference = body["schema"]["$ref"].as_str().map(|target| decode(target.trim_start_matches('#')));
                if key == "content" && body["schema"].is_object() {
                    let examples = examples(document, body);
                    match reference {
                        Some(target) => found.iter_mut().filter(|one| one.pointer == target).for_each(|one| {
                            one.examples.extend(examples.iter().cloned());
                        }),
                        None => found.push(Schema {
                            pointer: format!("{pointer}/application~1json/schema"),
                            schema: body["schema"].clone(),
                            examples,
                        }),
                    }
                } else if key != "example" && key != "examples" {
                    contents(document, inner, &pointer, found);
                }
            }
        }
        Value::Array(items) => {
            let inner = items.iter().enumerate();
            inner.for_each(|(index, inner)| contents(document, inner, &format!("{pointer}/{index}"), found));
        }
        _ => {}
    }
}

/// Returns the examples of a schema or a body. A text that contains JSON stands for its content.
fn examples(document: &Value, holder: &Value) -> Vec<Value> {
    let target = |example: &Value| {
        let pointer = example["$ref"].as_str().map(|target| decode(target.trim_start_matches('#')));
        let example = pointer.and_then(|pointer| document.pointer(&pointer)).unwrap_or(example);
        example.get("value").cloned()
    };
    let more: Vec<Value> = match holder.get("examples") {
        Some(Value::Object(named)) => named.values().filter_map(target).collect(),
        Some(Value::Array(list)) => list.clone(),
        _ => Vec::new(),
    };
    let content = |value: Value| {
        let inner = value.as_str().and_then(|text| serde_json::from_str(text).ok());
        inner.filter(|inner: &Value| inner.is_object() || inner.is_array()).unwrap_or(value)
    };
    holder.get("example").cloned().into_iter().chain(more).map(content).collect()
}

/// Escapes a member name for a JSON pointer (RFC 6901).
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Encodes a JSON pointer for the fragment of a URL (RFC 6901, section 6).
pub fn encode(pointer: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=:@".contains(&byte);
    pointer
        .bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Decodes the fragment of a URL.
pub fn decode(fragment: &str) -> String {
    let mut parts = fragment.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(part.get(2..).unwrap_or_default().as_bytes());
            }
            None => bytes.extend_from_slice(format!("%{part}").as_bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
