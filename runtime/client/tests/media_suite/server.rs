//! Server for resumable uploads that fails as configured.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use http::{HeaderMap, Method};
use http_body_util::BodyExt as _;
use tokio::net::TcpListener;
use wireform_client::{Client, RetryPolicy};

use super::sample::FILES;

/// Failure of the next chunk.
#[derive(Clone, Debug)]
pub enum Fault {
    /// No failure.
    Fine,
    /// A number of bytes is stored, then the connection breaks.
    Break(usize),
    /// The whole chunk is stored, then the connection breaks.
    BreakAfterStoring,
    /// A number of bytes is stored and reported.
    Keep(usize),
    /// Nothing is stored.
    Status(u16),
    /// Nothing is stored, and this range is reported.
    Range(&'static str),
    /// The stored bytes are lost, and that is reported.
    Forget,
}

/// Received request.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    pub method: Method,
    pub target: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl ReceivedRequest {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

#[derive(Default)]
struct Inner {
    faults: VecDeque<Fault>,
    received: Vec<ReceivedRequest>,
    kept: Vec<u8>,
    location: Option<String>,
}

/// Server. Clones share it.
#[derive(Clone, Default)]
pub struct Server(Arc<Mutex<Inner>>);

impl Server {
    /// Creates a server with the failures of the chunks, in order.
    pub fn new(faults: impl IntoIterator<Item = Fault>) -> Self {
        let server = Self::default();
        server.0.lock().unwrap().faults.extend(faults);
        server
    }

    /// Sets the URL of sessions.
    pub fn location(self, location: &str) -> Self {
        self.0.lock().unwrap().location = Some(location.to_owned());
        self
    }

    pub fn kept(&self) -> Vec<u8> {
        self.0.lock().unwrap().kept.clone()
    }

    pub fn received(&self) -> Vec<ReceivedRequest> {
        self.0.lock().unwrap().received.clone()
    }

    /// Returns the declared range of each chunk.
    pub fn ranges(&self) -> Vec<String> {
        let pieces = self.received().into_iter().filter(|received| received.headers.contains_key("content-range"));
        pieces.map(|received| received.header("content-range").to_owned()).collect()
    }

    /// Creates a client of the server.
    pub async fn client(&self) -> Client {
        client(Router::new().fallback(respond).with_state(self.clone())).await
    }
}

/// Creates a client of a server on this machine, which retries without a delay.
pub async fn client(router: Router) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    let policy = RetryPolicy::default().with_min_delay(Duration::ZERO).with_max_delay(Duration::ZERO);
    Client::builder(&FILES).base_url(format!("http://{at}")).retry(policy).build().unwrap()
}

async fn respond(State(server): State<Server>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let target = head.uri.path_and_query().unwrap().to_string();
    let mut received = ReceivedRequest { method: head.method, target, headers: head.headers, body: Vec::new() };
    if received.target.starts_with("/session") {
        return receive_chunk(&server, received, body).await;
    }
    received.body = body.collect().await.unwrap().to_bytes().to_vec();
    let begins = received.target.starts_with("/resumable/");
    let mut inner = server.0.lock().unwrap();
    inner.received.push(received);
    if begins {
        inner.kept.clear();
        let location = inner.location.clone().unwrap_or_else(|| "/session/1?upload_id=x".to_owned());
        return Response::builder().header("location", location).body(Body::empty()).unwrap();
    }
    Response::new(Body::from(r#"{"done": true}"#))
}

async fn receive_chunk(server: &Server, mut received: ReceivedRequest, mut body: Body) -> Response {
    let is_status_query =
        received.header("content-range").starts_with("bytes */") && received.header("content-length") == "0";
    let total = received.header("content-range").rsplit('/').next().unwrap().parse::<usize>().ok();
    let fault = if is_status_query && total != Some(0) { None } else { server.0.lock().unwrap().faults.pop_front() };
    let most = match fault {
        Some(Fault::Break(most) | Fault::Keep(most)) => most,
        Some(Fault::Status(_) | Fault::Range(_) | Fault::Forget) => 0,
        _ => usize::MAX,
    };
    let begins = received.header("content-range").strip_prefix("bytes ").unwrap().split('-').next().unwrap().to_owned();
    while let Some(Ok(frame)) = body.frame().await {
        received.body.extend_from_slice(&frame.into_data().unwrap());
        if matches!(fault, Some(Fault::Break(most)) if received.body.len() >= most) {
            break;
        }
    }
    let mut inner = server.0.lock().unwrap();
    if !received.body.is_empty() {
        assert_eq!(begins, inner.kept.len().to_string(), "a chunk starts at the end of the last one");
        let kept = received.body.len().min(most);
        inner.kept.extend_from_slice(&received.body[..kept]);
    }
    inner.received.push(received);
    if let Some(Fault::Forget) = fault {
        inner.kept.clear();
    }
    let kept = inner.kept.len();
    drop(inner);
    match fault {
        // The task of the connection ends with it.
        Some(Fault::Break(_) | Fault::BreakAfterStoring) => resume_unwind(Box::new("as the test says")),
        Some(Fault::Status(status)) => Response::builder().status(status).body(Body::empty()).unwrap(),
        Some(Fault::Range(range)) => {
            Response::builder().status(308).header("range", range).body(Body::empty()).unwrap()
        }
        _ if total == Some(kept) => Response::new(Body::from(r#"{"done": true}"#)),
        _ => {
            let response = Response::builder().status(308);
            let range = (kept > 0).then(|| format!("bytes=0-{}", kept - 1));
            range
                .into_iter()
                .fold(response, |response, range| response.header("range", range))
                .body(Body::empty())
                .unwrap()
        }
    }
}
