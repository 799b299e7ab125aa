//! Requests and responses in their wire form.

use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use bytes::Bytes;
use serde_json::Value;
use wireform_server::axum::{self, Router};

use crate::desk::TOKEN;
use crate::valid::Valid;

/// Collected response.
#[derive(Clone, Debug)]
pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl TestResponse {
    /// Parses the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header is text"))
    }

    /// Returns the `reason` of the first error in the body.
    pub fn reason(&self) -> String {
        self.json()["error"]["errors"][0]["reason"].as_str().unwrap_or_default().to_owned()
    }
}

/// Creates a request with a token that has all scopes.
pub fn request(valid: Valid) -> Request<Body> {
    with(valid, &[("authorization", &format!("Bearer {TOKEN}"))])
}

/// Creates a request with the given headers and no others.
pub fn with(valid: Valid, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::builder().method(valid.method).uri(valid.target).header("host", "localhost");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = valid.body.map_or_else(Body::empty, Body::from);
    if valid.body.is_some() {
        request = request.header("content-type", "application/json");
    }
    request.body(body).expect("a request")
}

/// Calls a router in process.
pub async fn send(router: &Router, request: Request<Body>) -> TestResponse {
    use tower_service::Service as _;

    let response = router.clone().call(request).await.expect("a router always responds");
    let (head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("the body is complete");
    TestResponse { status: head.status, headers: head.headers, body }
}
