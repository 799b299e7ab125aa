//! Sample API in the shape of generated code, with a service that records its requests.
#![allow(dead_code, unreachable_pub, unused_imports, missing_docs, clippy::unwrap_used, clippy::panic)]

mod api;
pub mod facts;
pub mod rules;
pub mod service;
pub mod types;

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use tower_service::Service as _;
use wireform_server::wireform_runtime::{Naming, Request as _, Value};
use wireform_server::{AuthError, AuthRequest, Authenticator, Credential, Principal, Server, axum};

pub use api::API;
pub use facts::*;
pub use rules::Rules;
pub use service::{Handlers, Sample};
pub use types::*;

/// Response as received.
#[derive(Debug)]
pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl TestResponse {
    /// Returns the body as JSON, or null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Returns a header as text, empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Returns the violations in an error: `reason location: message`.
    pub fn violations(&self) -> Vec<String> {
        let body = self.json();
        let items = body["error"]["errors"].as_array().cloned().unwrap_or_default();
        let text = |item: &Value, name: &str| item[name].as_str().unwrap_or("-").to_owned();
        items
            .iter()
            .map(|item| format!("{} {} | {}", text(item, "reason"), text(item, "location"), text(item, "message")))
            .collect()
    }
}

/// Sends a request to a router.
pub async fn send(router: &Router, request: Request<Body>) -> TestResponse {
    let response = router.clone().call(request).await.unwrap();
    let (parts, body) = response.into_parts();
    TestResponse {
        status: parts.status,
        headers: parts.headers,
        body: body.collect().await.unwrap().to_bytes().to_vec(),
    }
}

/// Creates a request with a token that has all scopes.
pub fn request(method: &str, target: &str, body: &str) -> http::request::Builder {
    let builder = Request::builder().method(Method::from_bytes(method.as_bytes()).unwrap()).uri(target);
    let builder = builder.header("authorization", "Bearer all");
    if body.is_empty() { builder } else { builder.header("content-type", "application/json") }
}

/// Sends a request with all scopes to a server with the defaults.
pub async fn ask(sample: &Sample, method: &str, target: &str, body: &str) -> TestResponse {
    let request = request(method, target, body).body(Body::from(body.to_owned())).unwrap();
    send(&router(sample), request).await
}

/// Sends a typed request, as a client encodes it.
pub async fn ask_typed<R: wireform_server::wireform_runtime::Request>(
    sample: &Sample,
    typed: &R,
    names: Naming,
) -> TestResponse {
    let wire = typed.to_wire(names).unwrap();
    let mut builder = request(R::OPERATION.method, &wire.target, "");
    for (name, value) in &wire.headers {
        builder = builder.header(*name, value);
    }
    if wire.body.is_some() {
        builder = builder.header("content-type", R::CONTENT_TYPE);
    }
    send(&router(sample), builder.body(Body::from(wire.body.unwrap_or_default())).unwrap()).await
}

/// Creates a server with the defaults, and tokens that are the names of their scopes: `all`, `read`, `write`.
pub fn server(sample: &Sample) -> Server<Handlers> {
    Server::new(Handlers(sample.clone())).authenticator(Tokens)
}

pub fn router(sample: &Sample) -> Router {
    server(sample).router()
}

/// Authenticator of tokens that list their scopes, separated by `+`; `public` has one by its public URL, and for `down`
/// the authenticator is unavailable. The only valid key is `key`.
pub struct Tokens;

impl Authenticator for Tokens {
    async fn authenticate(&self, credential: Credential<'_>, _: &AuthRequest<'_>) -> Result<Principal, AuthError> {
        match credential {
            Credential::Bearer("all") => Ok(Principal::new("root").with_all_scopes().with_data(7_u32)),
            Credential::Bearer("down") => Err(AuthError::Unavailable("connection refused: secret-host".into())),
            Credential::Bearer("public") => Ok(Principal::new("p").with_scopes(["https://public.example/read"])),
            Credential::Bearer(token) if token.split('+').all(|scope| ["read", "write"].contains(&scope)) => {
                Ok(Principal::new("someone").with_scopes(token.split('+')))
            }
            Credential::ApiKey("key") => Ok(Principal::new("program")),
            _ => Err(AuthError::Invalid),
        }
    }
}
