//! A server that records the requests as they are on the wire, and responds as a test specifies.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A received request.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    pub method: Method,
    /// Path and query, not decoded.
    pub target: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl RecordedRequest {
    /// Returns a header, if present.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header is text"))
    }

    /// Parses the body as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    /// Returns the path, not decoded.
    pub fn path(&self) -> &str {
        self.target.split_once('?').map_or(self.target.as_str(), |(path, _)| path)
    }

    /// Decodes the query as servers do: `+` is a space.
    pub fn query(&self) -> Vec<(String, String)> {
        let query = self.target.split_once('?').map_or("", |(_, query)| query);
        url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
    }

    /// Returns a query parameter.
    pub fn parameter(&self, name: &str) -> Option<String> {
        self.query().into_iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// The requests that a server has received.
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Mutex<Vec<RecordedRequest>>>);

impl Log {
    /// Returns the requests since the last call.
    pub fn take(&self) -> Vec<RecordedRequest> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the only request since the last call.
    pub fn only(&self) -> RecordedRequest {
        let mut requests = self.take();
        assert_eq!(requests.len(), 1, "{requests:#?}");
        requests.remove(0)
    }

    fn push(&self, request: RecordedRequest) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(request);
    }
}

/// Handler of requests.
pub type Respond = Arc<dyn Fn(&RecordedRequest) -> Response + Send + Sync>;

/// Creates the server as a router, for any transport.
pub fn router(respond: Respond, log: Log) -> Router {
    Router::new().fallback(handle).with_state((respond, log))
}

async fn handle(State((respond, log)): State<(Respond, Log)>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("a complete request");
    let target = head.uri.path_and_query().map_or_else(|| head.uri.path().to_owned(), ToString::to_string);
    let recorded = RecordedRequest { method: head.method, target, headers: head.headers, body };
    let response = respond(&recorded);
    log.push(recorded);
    if response.extensions().get::<Silent>().is_some() {
        std::future::pending::<()>().await;
    }
    response
}

/// Marks a response that is never sent.
#[derive(Clone)]
struct Silent;

/// Returns a response that is never sent, while the connection stays open.
pub fn silent() -> Response {
    let mut response = Response::new(Body::empty());
    response.extensions_mut().insert(Silent);
    response
}

/// Returns a JSON response.
pub fn json(status: u16, body: impl Into<Body>) -> Response {
    typed(status, "application/json; charset=UTF-8", body)
}

/// Returns a response with a content type.
pub fn typed(status: u16, content_type: &'static str, body: impl Into<Body>) -> Response {
    with(status, &[(header::CONTENT_TYPE.as_str(), content_type)], body)
}

/// Returns a response with headers; a name may occur more than once.
pub fn with(status: u16, headers: &[(&str, &str)], body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    for (name, value) in headers {
        let name: header::HeaderName = name.parse().expect("the name of a header");
        response.headers_mut().append(name, value.parse().expect("the value of a header"));
    }
    response
}

/// Returns an error response of the three APIs.
pub fn error(status: u16, reason: Option<&str>, location: Option<&str>) -> Response {
    json(status, error_body(status, reason, location))
}

/// Returns the body of an error response of the three APIs.
pub fn error_body(status: u16, reason: Option<&str>, location: Option<&str>) -> String {
    let mut item = serde_json::json!({ "domain": "global", "message": "In detail." });
    let texts = [("reason", reason), ("location", location)];
    for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text?))) {
        item[name] = text.into();
    }
    serde_json::json!({ "error": { "code": status, "message": "It cannot be done.", "errors": [item] } }).to_string()
}

/// A server on the loopback interface, which is shut down when this is dropped.
pub struct TestServer {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl TestServer {
    /// Starts a server on a free port.
    pub async fn start(app: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a local address");
        let task = tokio::spawn(async move { axum::serve(listener, app).await.expect("the server runs") });
        Self { address, task }
    }

    /// Returns the base URL of the server.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}
