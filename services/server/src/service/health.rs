//! Health check, and responses shared by routes outside the APIs.

mod probe;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};
use wireform_server::axum::Router;
use wireform_server::axum::extract::State;
use wireform_server::axum::http::{StatusCode, Uri, header};
use wireform_server::axum::response::{IntoResponse, Response};
use wireform_server::axum::routing::get;
use wireform_store::AnyStore;

use self::probe::{Check, SharedProbe};

/// Returns the route `GET /-/health`.
pub fn router(store: AnyStore) -> Router {
    routes(SharedProbe::new(store))
}

/// Returns the route with the state that its requests share.
fn routes<C: Check>(probe: SharedProbe<C>) -> Router {
    Router::new().route("/-/health", get(health::<C>)).with_state(probe)
}

impl Check for AnyStore {
    async fn check(&self) -> Result<(), String> {
        wireform_store::Maintenance::check(self).await.map_err(|error| error.to_string())
    }
}

/// Handles `GET /-/health`: returns 200 if the store can be used, and otherwise 503 with the cause.
async fn health<C: Check>(State(probe): State<SharedProbe<C>>) -> Response {
    match probe.verdict().await {
        Ok(()) => json_response(StatusCode::OK, &json!({ "status": "ok" })),
        Err(cause) => {
            json_response(StatusCode::SERVICE_UNAVAILABLE, &json!({ "status": "unavailable", "cause": *cause }))
        }
    }
}

/// Returns the response to requests for unknown paths.
pub async fn not_found(uri: Uri) -> Response {
    let message = format!("`{}` not found", uri.path());
    error_response(StatusCode::NOT_FOUND, "NOT_FOUND", &message)
}

/// Returns an error response in the format of the APIs.
pub fn error_response(code: StatusCode, status: &str, message: &str) -> Response {
    json_response(code, &json!({ "error": { "code": code.as_u16(), "message": message, "status": status } }))
}

/// Returns a JSON response that must not be cached.
pub fn json_response(code: StatusCode, value: &Value) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json; charset=UTF-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (code, headers, value.to_string()).into_response()
}
