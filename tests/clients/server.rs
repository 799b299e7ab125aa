//! A server that writes down what it receives, as it stands on the wire, and answers what a test says.

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

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub method: Method,
    /// Path and query, nothing decoded.
    pub target: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Recorded {
    /// A header, where there is one.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header is text"))
    }

    /// The body as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    /// The path, nothing decoded.
    pub fn path(&self) -> &str {
        self.target.split_once('?').map_or(self.target.as_str(), |(path, _)| path)
    }

    /// The query as servers read it: `+` is a space.
    pub fn query(&self) -> Vec<(String, String)> {
        let query = self.target.split_once('?').map_or("", |(_, query)| query);
        url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
    }

    /// A parameter of the query.
    pub fn parameter(&self, name: &str) -> Option<String> {
        self.query().into_iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// What a server has received.
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Mutex<Vec<Recorded>>>);

impl Log {
    /// What came since the last time.
    pub fn take(&self) -> Vec<Recorded> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The only request that came.
    pub fn only(&self) -> Recorded {
        let mut requests = self.take();
        assert_eq!(requests.len(), 1, "{requests:#?}");
        requests.remove(0)
    }

    fn push(&self, request: Recorded) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(request);
    }
}

/// Gives an answer to a request.
pub type Respond = Arc<dyn Fn(&Recorded) -> Response + Send + Sync>;

/// The server, whatever brings it requests.
pub fn router(respond: Respond, log: Log) -> Router {
    Router::new().fallback(handle).with_state((respond, log))
}

async fn handle(State((respond, log)): State<(Respond, Log)>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("the request comes as a whole");
    let target = head.uri.path_and_query().map_or_else(|| head.uri.path().to_owned(), ToString::to_string);
    let recorded = Recorded { method: head.method, target, headers: head.headers, body };
    let response = respond(&recorded);
    log.push(recorded);
    if response.extensions().get::<Silent>().is_some() {
        std::future::pending::<()>().await;
    }
    response
}

/// Marks an answer that never comes.
#[derive(Clone)]
struct Silent;

/// No answer at all, on a connection that stays open.
pub fn silent() -> Response {
    let mut response = Response::new(Body::empty());
    response.extensions_mut().insert(Silent);
    response
}

/// An answer with JSON.
pub fn json(status: u16, body: impl Into<Body>) -> Response {
    typed(status, "application/json; charset=UTF-8", body)
}

/// An answer with that content type.
pub fn typed(status: u16, content_type: &'static str, body: impl Into<Body>) -> Response {
    with(status, &[(header::CONTENT_TYPE.as_str(), content_type)], body)
}

/// An answer with those headers, of which one may occur twice.
pub fn with(status: u16, headers: &[(&str, &str)], body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    for (name, value) in headers {
        let name: header::HeaderName = name.parse().expect("the name of a header");
        response.headers_mut().append(name, value.parse().expect("the value of a header"));
    }
    response
}

/// An error as the three APIs write it.
pub fn error(status: u16, reason: Option<&str>, location: Option<&str>) -> Response {
    json(status, error_body(status, reason, location))
}

/// The body of an error as the three APIs write it.
pub fn error_body(status: u16, reason: Option<&str>, location: Option<&str>) -> String {
    let mut item = serde_json::json!({ "domain": "global", "message": "In detail." });
    let texts = [("reason", reason), ("location", location)];
    for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text?))) {
        item[name] = text.into();
    }
    serde_json::json!({ "error": { "code": status, "message": "It cannot be done.", "errors": [item] } }).to_string()
}

/// A server on the loopback interface, which ends when this is dropped.
pub struct Served {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Served {
    /// Starts it on a port of its own.
    pub async fn start(app: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let address = listener.local_addr().expect("it has an address");
        let task = tokio::spawn(async move { axum::serve(listener, app).await.expect("the server runs") });
        Self { address, task }
    }

    /// Where it is.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}
