//! Ready token.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header;
use serde_json::json;

use crate::guard::Guard;

/// State of the route.
struct Session {
    guard: Guard,
    token: Option<String>,
}

/// `GET /session`.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(guard: Guard, token: Option<String>) -> Router<S> {
    Router::new().route("/session", get(show)).with_state(Arc::new(Session { guard, token }))
}

/// Returns the token, or `null` if none is handed out.
async fn show(State(session): State<Arc<Session>>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    if let Err(refusal) = session.guard.admit(&request) {
        return refusal.into_response();
    }
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_TYPE, "application/json; charset=UTF-8"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, json!({ "token": session.token }).to_string()).into_response()
}
