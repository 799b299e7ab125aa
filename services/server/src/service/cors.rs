//! Access to the APIs by pages of other origins (CORS), for those that `--allow-origin` names.

use std::sync::Arc;

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use wireform_server::axum::Router;
use wireform_server::axum::body::Body;
use wireform_server::axum::extract::{Request, State};
use wireform_server::axum::middleware::{Next, from_fn_with_state};
use wireform_server::axum::response::Response;

use crate::settings::value::Origins;

/// Methods of the APIs.
const METHODS: HeaderValue = HeaderValue::from_static("DELETE, GET, HEAD, PATCH, POST, PUT");
/// Headers of responses that pages may read in addition to those that they always may.
const EXPOSED: HeaderValue =
    HeaderValue::from_static("Content-Range, ETag, Location, Range, Retry-After, Vary, WWW-Authenticate, X-Request-Id");
/// Time in seconds for which a browser keeps the response to a preflight request.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");
/// Request by a page of the public network for a server on this machine.
const REQUEST_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// Lets pages of the origins use the routes. Tokens are sent in a header, so browsers need not send credentials.
pub fn allow(router: Router, origins: &[Origins]) -> Router {
    let origins: Vec<String> = origins.iter().flat_map(|origins| origins.0.clone()).collect();
    if origins.is_empty() { router } else { router.layer(from_fn_with_state(Arc::new(origins), respond)) }
}

async fn respond(State(origins): State<Arc<Vec<String>>>, request: Request, next: Next) -> Response {
    let origin = request.headers().get(ORIGIN).cloned();
    let is_allowed = |origin: &HeaderValue| origins.iter().any(|one| one == "*" || one.as_bytes() == origin.as_bytes());
    let origin = origin.filter(is_allowed);
    let headers = request.headers();
    let is_preflight = request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = match &origin {
        Some(_) if is_preflight => preflight(&request),
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.append(VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
    response
}

/// Returns the response to a preflight request: every header may be sent.
fn preflight(request: &Request) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    if let Some(names) = request.headers().get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    if request.headers().contains_key(REQUEST_PRIVATE_NETWORK) {
        headers.insert(ALLOW_PRIVATE_NETWORK, HeaderValue::from_static("true"));
    }
    response
}
