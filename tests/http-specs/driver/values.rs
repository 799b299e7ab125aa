//! Decoding of a scenario's values as generated types.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use wireform_client::wire::operation::{Operation, ParameterLocation};
use wireform_client::wire::xml::XmlRoot;
use wireform_client::wire::{FilePart, FromWire, WireBody, file};
use wireform_client::transport::Http;
use wireform_client::{Builder, Credentials};

use crate::paths::PathMatch;

/// The values of a call.
pub struct Values {
    url: String,
    found: PathMatch,
    scenario: Value,
    call: Value,
}

/// Decodes bytes, which scenarios contain as base64.
pub fn bytes(value: &Value) -> Option<Vec<u8>> {
    value["base64"].as_str().and_then(|text| STANDARD.decode(text).ok())
}

/// Returns whether two values are equal, with numbers compared by value.
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

impl Values {
    pub fn new(url: &str, found: PathMatch, scenario: &Value, call: &Value) -> Self {
        Self { url: url.to_owned(), found, scenario: scenario.clone(), call: call.clone() }
    }

    /// Builds a client of an API for the mock server, with the credentials of the scenario.
    pub fn client<C: From<wireform_client::Client>>(&self, builder: Builder<C>) -> Result<C, String> {
        let authorization = self.header("authorization").unwrap_or_default();
        let key = self.header("x-ms-api-key").or_else(|| self.header("x-api-key"));
        let credentials = match authorization.split_once(' ') {
            Some(("Bearer", token)) => Credentials::token(token),
            Some(_) => Credentials::api_key(authorization),
            // A rejected request needs some credential.
            None if self.call["response"]["status"] == 403 && key.is_none() => Credentials::token("invalid"),
            None => key.map_or(Credentials::None, Credentials::api_key),
        };
        let base = format!("{}{}", self.url, self.found.prefix);
        // Shared, because each transport would load the certificates of the machine again.
        static HTTP: OnceLock<Http> = OnceLock::new();
        let http = HTTP.get_or_init(|| Http::new().expect("a transport")).clone();
        builder.base_url(base).transport(http).credentials(credentials).build().map_err(|error| error.to_string())
    }

    /// Returns a request header of the scenario.
    pub fn header(&self, name: &str) -> Option<String> {
        let headers = self.call["headers"].as_object()?;
        headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).and_then(|(_, value)| text(value))
    }

    /// Decodes the parameter with an index.
    pub fn parameter<T: for<'de> FromWire<'de>>(&self, operation: &Operation, index: usize) -> Result<T, String> {
        let Some(parameter) = operation.parameters.get(index) else { return Err("no such parameter".to_owned()) };
        let name = parameter.name.name;
        if let Some(value) = self.scenario["values"].get(name) {
            return read([value.clone()]).ok_or(format!("`{name}` cannot be {value}"));
        }
        let raw = match parameter.location {
            ParameterLocation::Path => self.found.variables.iter().find(|(known, _)| *known == name).map(|(_, text)| json!(decoded(text))),
            ParameterLocation::Query => self.call["query"].get(name).cloned(),
            ParameterLocation::Header => self.header(name).map(Value::from),
            ParameterLocation::Cookie => None,
        };
        let Some(raw) = raw else {
            return read([Value::Null, json!([]), json!({})]).ok_or(format!("the scenario has no value for `{name}`"));
        };
        let separator = parameter.delimiter.map_or(',', |it| it.character());
        let listed = match &raw {
            Value::Array(_) => raw.clone(),
            other => text(other).unwrap_or_default().split(separator).map(str::trim).collect(),
        };
        let one = text(&raw).unwrap_or_default();
        let text = if raw.is_array() { Value::Null } else { json!(one) };
        read([listed.clone(), bare(&listed), text, parsed(&one), raw.clone()]).ok_or(format!("`{name}` cannot be {raw}"))
    }

    pub fn optional_body<T: WireBody>(&self, xml: Option<&XmlRoot>) -> Result<Option<T>, String> {
        if self.call["body"].is_null() { Ok(None) } else { self.body(xml).map(Some) }
    }

    /// Decodes the body; parts of a form are its fields.
    pub fn body<T: WireBody>(&self, xml: Option<&XmlRoot>) -> Result<T, String> {
        let body = &self.call["body"];
        let media_type = body["type"].as_str();
        let decode = |text: &[u8], files| {
            let read = || match xml {
                Some(root) => root.decode(text, media_type),
                None => T::decode_with_type(text, media_type),
            };
            file::with_files(files, read)
                .map_err(|error| format!("the body cannot be {}: {error}", String::from_utf8_lossy(text)))
        };
        if body["multipart"].is_null() {
            // A scenario without a body has an empty one.
            return decode(&bytes(body).unwrap_or_else(|| b"{}".to_vec()), Vec::new());
        }
        // A scenario does not define whether a single file is a list, and whether a number is sent as a string.
        let forms = [(false, false), (true, false), (false, true), (true, true)];
        let mut error = String::new();
        for (listed, texts) in forms {
            let (text, files) = form(&body["multipart"], listed, texts);
            match decode(&text, files) {
                Ok(body) => return Ok(body),
                Err(decode_error) => error = decode_error,
            }
        }
        Err(error)
    }
}

/// Returns the fields of a form, as JSON, and its files.
fn form(multipart: &Value, listed: bool, texts: bool) -> (Vec<u8>, Vec<FilePart>) {
    let mut members = multipart["parts"].as_object().cloned().unwrap_or_default();
    for value in members.values_mut().filter(|value| texts && value.is_number()) {
        *value = json!(value.to_string());
    }
    let mut files = Vec::new();
    for one in multipart["files"].as_array().into_iter().flatten() {
        let placeholder: Value = serde_json::from_str(&file::file_placeholder(files.len())).unwrap_or_default();
        let name = one["field"].as_str().unwrap_or_default();
        match members.get_mut(name) {
            Some(Value::Array(list)) => list.push(placeholder),
            Some(first) => *first = json!([first, placeholder]),
            None => drop(members.insert(name.to_owned(), if listed { json!([placeholder]) } else { placeholder })),
        }
        let mut part = FilePart::new(bytes(one).unwrap_or_default());
        if let Some(name) = one["name"].as_str() {
            part = part.with_name(name);
        }
        if let Some(media_type) = one["type"].as_str() {
            part = part.with_content_type(media_type);
        }
        files.push(part);
    }
    (Value::Object(members).to_string().into_bytes(), files)
}

/// Returns the first candidate that can be decoded.
fn read<T: for<'de> FromWire<'de>, const N: usize>(candidates: [Value; N]) -> Option<T> {
    candidates.iter().find_map(|candidate| wireform_client::wire::json::from_str(&candidate.to_string()).ok())
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Parses a text as JSON.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn bare(list: &Value) -> Value {
    list.as_array().into_iter().flatten().map(|it| parsed(&text(it).unwrap_or_default())).collect()
}

/// Percent-decodes a text.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let hex = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        bytes.push(match byte {
            b'%' => hex(rest.next()).zip(hex(rest.next())).map_or(b'%', |(high, low)| (high * 16 + low) as u8),
            other => other,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
