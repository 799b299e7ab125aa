//! OpenAPI documents of the APIs, with this server as their only one.

use serde_json::{Value, json};

use crate::settings::Api;

/// Error of an unusable OpenAPI document.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The document is not JSON.
    #[error("the OpenAPI document of `{api}` is not JSON: {cause}")]
    Json {
        /// Name of the API.
        api: &'static str,
        /// Error of the parser.
        cause: serde_json::Error,
    },
    /// The document has no servers, or not in the format of the generator.
    #[error("the servers in the OpenAPI document of `{api}` have an unknown format; help: generate it again")]
    Servers {
        /// Name of the API.
        api: &'static str,
    },
}

/// Returns the OpenAPI document with its servers below this one. The text is cut and not reserialized, which keeps the
/// order of everything else.
pub(crate) fn for_this_server(api: &Api) -> Result<String, DocumentError> {
    let document: Value =
        serde_json::from_str(api.openapi).map_err(|cause| DocumentError::Json { api: api.name, cause })?;
    let unknown = || DocumentError::Servers { api: api.name };
    let servers = document["servers"].as_array().filter(|servers| !servers.is_empty()).ok_or_else(unknown)?;
    let here: Vec<Value> =
        servers.iter().map(|server| relative_server(server).ok_or_else(unknown)).collect::<Result<_, _>>()?;

    // A top-level field is indented by two spaces, and so is its closing bracket.
    let (head, rest) = api.openapi.split_once("\n  \"servers\": [").ok_or_else(unknown)?;
    let (_, tail) = rest.split_once("\n  ]").ok_or_else(unknown)?;
    let text = format!("{head}\n  \"servers\": {}{tail}", Value::Array(here.clone()));

    let written: Value = serde_json::from_str(&text).map_err(|cause| DocumentError::Json { api: api.name, cause })?;
    if written["servers"] == Value::Array(here) { Ok(text) } else { Err(unknown()) }
}

/// Returns a server with only its path, which is relative to the URL of the document.
fn relative_server(server: &Value) -> Option<Value> {
    let url = server["url"].as_str()?;
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |start| &rest[start..]),
        None => url,
    };
    let mut here = json!({ "url": path });
    if let Some(description) = server.get("description") {
        here["description"] = description.clone();
    }
    Some(here)
}
