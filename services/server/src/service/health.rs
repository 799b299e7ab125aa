//! Whether the services can work, and what is said where there is nothing.

use std::time::Duration;

use serde_json::{Value, json};
use wireform_server::axum::Router;
use wireform_server::axum::extract::State;
use wireform_server::axum::http::{StatusCode, Uri, header};
use wireform_server::axum::response::{IntoResponse, Response};
use wireform_server::axum::routing::get;
use wireform_store::{AnyStore, Upkeep as _};

/// A store that has not answered by then is not well.
const PATIENCE: Duration = Duration::from_secs(5);

/// `GET /-/health`.
pub fn router(store: AnyStore) -> Router {
    Router::new().route("/-/health", get(health)).with_state(store)
}

async fn health(State(store): State<AnyStore>) -> Response {
    match tokio::time::timeout(PATIENCE, store.check()).await {
        Ok(Ok(())) => body(StatusCode::OK, &json!({ "status": "ok" })),
        Ok(Err(error)) => unwell(&error.to_string()),
        Err(_) => unwell("the store does not answer"),
    }
}

fn unwell(cause: &str) -> Response {
    tracing::error!(cause, "the store cannot be written");
    body(StatusCode::SERVICE_UNAVAILABLE, &json!({ "status": "unavailable", "cause": cause }))
}

/// What is answered at addresses that nobody knows.
pub async fn nowhere(uri: Uri) -> Response {
    let message = format!("there is nothing at `{}`", uri.path());
    refused(StatusCode::NOT_FOUND, "NOT_FOUND", &message)
}

/// An error in the shape that those of the APIs have.
pub fn refused(code: StatusCode, status: &str, message: &str) -> Response {
    body(code, &json!({ "error": { "code": code.as_u16(), "message": message, "status": status } }))
}

/// JSON that nobody keeps.
pub fn body(code: StatusCode, value: &Value) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json; charset=UTF-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (code, headers, value.to_string()).into_response()
}
