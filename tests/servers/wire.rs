//! Requests as they stand on the wire, and what comes back.

use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use bytes::Bytes;
use serde_json::Value;
use wireform_server::axum::{self, Router};

use crate::desk::TOKEN;
use crate::valid::Valid;

/// An answer.
#[derive(Clone, Debug)]
pub struct Got {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Got {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// A header, if it is there.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header is text"))
    }

    /// What the error says, as the APIs say it: the reason of its first mistake.
    pub fn reason(&self) -> String {
        self.json()["error"]["errors"][0]["reason"].as_str().unwrap_or_default().to_owned()
    }
}

/// A request of somebody who may do everything.
pub fn request(valid: Valid) -> Request<Body> {
    with(valid, &[("authorization", &format!("Bearer {TOKEN}"))])
}

/// A request with these headers and no others.
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

/// Asks a router, within this process.
pub async fn ask(router: &Router, request: Request<Body>) -> Got {
    use tower_service::Service as _;

    let response = router.clone().call(request).await.expect("a router always answers");
    let (head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("the answer comes as a whole");
    Got { status: head.status, headers: head.headers, body }
}
