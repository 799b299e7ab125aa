//! `/discovery/v1/apis`: Discovery documents of the APIs with the root URL of this server, for the public clients that
//! read them.

mod document;
mod schemas;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use http::uri::Authority;
use http::{HeaderMap, header};
use serde_json::{Value, json};
use wireform_server::axum::Router;
use wireform_server::axum::extract::{Path, State};
use wireform_server::axum::http::StatusCode;
use wireform_server::axum::response::{IntoResponse as _, Response};
use wireform_server::axum::routing::get;

use super::ServerState;
use super::health::{error_response, json_response};

/// API with a Discovery document.
struct Api {
    /// Name of the public API.
    name: &'static str,
    version: &'static str,
    /// Path from the root to those of operations; part of each path if the public document has no base path.
    base_path: &'static str,
    has_base_path: bool,
    batch_path: &'static str,
    /// OpenAPI document, as the generator wrote it.
    openapi: &'static str,
    /// Parts of the document that do not depend on the root URL.
    written: OnceLock<Value>,
}

/// All APIs.
static APIS: [Api; 3] = [
    Api {
        name: "gmail",
        version: "v1",
        base_path: "gmail/v1/",
        has_base_path: false,
        batch_path: "batch/gmail/v1",
        openapi: mailbox_server::OPENAPI,
        written: OnceLock::new(),
    },
    Api {
        name: "calendar",
        version: "v3",
        base_path: "calendar/v3/",
        has_base_path: true,
        batch_path: "batch/calendar/v3",
        openapi: calendar_server::OPENAPI,
        written: OnceLock::new(),
    },
    Api {
        name: "script",
        version: "v1",
        base_path: "v1/",
        has_base_path: false,
        batch_path: "batch",
        openapi: script_server::OPENAPI,
        written: OnceLock::new(),
    },
];

impl Api {
    /// Returns the document with a root URL, which ends with `/`.
    fn document(&self, root: &str) -> Value {
        let mut document = self.written.get_or_init(|| document::write(self)).clone();
        let service_path = if self.has_base_path { self.base_path } else { "" };
        document["rootUrl"] = root.into();
        document["servicePath"] = service_path.into();
        document["basePath"] = if self.has_base_path { format!("/{service_path}") } else { String::new() }.into();
        document["baseUrl"] = format!("{root}{service_path}").into();
        document["batchPath"] = self.batch_path.into();
        document
    }

    fn url(&self, root: &str) -> String {
        format!("{root}discovery/v1/apis/{}/{}/rest", self.name, self.version)
    }
}

/// Returns the routes.
pub fn router(shared: &ServerState) -> Router {
    Router::new()
        .route("/discovery/v1/apis", get(list))
        .route("/discovery/v1/apis/{api}/{version}/rest", get(show))
        .with_state(shared.clone())
}

/// Handles `GET /discovery/v1/apis`: lists the documents.
async fn list(State(shared): State<ServerState>, headers: HeaderMap) -> Response {
    let root = root(&shared, &headers);
    let item = |api: &Api| {
        json!({
            "kind": "discovery#directoryItem",
            "id": format!("{}:{}", api.name, api.version),
            "name": api.name,
            "version": api.version,
            "title": api.document(&root)["title"],
            "discoveryRestUrl": api.url(&root),
            "preferred": true,
        })
    };
    let items: Vec<Value> = APIS.iter().map(item).collect();
    json_response(
        StatusCode::OK,
        &json!({ "kind": "discovery#directoryList", "discoveryVersion": "v1", "items": items }),
    )
}

/// Handles `GET /discovery/v1/apis/{api}/{version}/rest`: returns a document.
async fn show(
    State(shared): State<ServerState>,
    Path((name, version)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    match APIS.iter().find(|api| api.name == name && api.version == version) {
        Some(api) => json_response(StatusCode::OK, &api.document(&root(&shared, &headers))).into_response(),
        None => {
            let known: Vec<_> = APIS.iter().map(|api| format!("{}/{}", api.name, api.version)).collect();
            let message = format!("no such API; expected one of: {}", known.join(", "));
            error_response(StatusCode::NOT_FOUND, "NOT_FOUND", &message)
        }
    }
}

/// Returns the root URL by which the client reaches this server, which may be another one than the server's own if
/// ports are forwarded.
fn root(shared: &ServerState, headers: &HeaderMap) -> String {
    let scheme = shared.base.split_once("://").map_or("http", |(scheme, _)| scheme);
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).and_then(|host| host.parse().ok());
    match host {
        Some(host) => format!("{scheme}://{}/", Authority::as_str(&host)),
        None => format!("{}/", shared.base),
    }
}
