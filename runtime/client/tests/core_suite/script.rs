//! Server made of a function.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use tokio::time::Instant;
use wireform_client::transport::{BoxFuture, ResponseBody};
use wireform_client::wire::serde_json::Value;
use wireform_client::{Builder, Client, Transport, TransportError, TransportErrorKind, TypedRequest};

use super::sample::SAMPLE;

/// Outcome of a request.
pub enum Step {
    Response(Response<ResponseBody>),
    Fail(TransportErrorKind),
    After(Duration, Box<Step>),
    Never,
}

/// Received request.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    pub method: String,
    pub uri: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
    pub at: Instant,
    pub typed: bool,
}

impl ReceivedRequest {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the path and query.
    pub fn target(&self) -> &str {
        self.uri.strip_prefix("https://sample.example").unwrap()
    }
}

/// Requests that were received so far.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<ReceivedRequest>>>);

impl Log {
    pub fn all(&self) -> Vec<ReceivedRequest> {
        self.0.lock().unwrap().clone()
    }

    pub fn only(&self) -> ReceivedRequest {
        let all = self.all();
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    }

    pub fn count(&self) -> usize {
        self.all().len()
    }

    /// Returns the times between the requests.
    pub fn pauses(&self) -> Vec<Duration> {
        self.all().windows(2).map(|pair| pair[1].at - pair[0].at).collect()
    }
}

pub struct Script<F> {
    next_step: F,
    log: Log,
    typed: bool,
}

impl<F> Script<F> {
    pub fn typed(mut self) -> Self {
        self.typed = true;
        self
    }
}

impl<F: Fn(usize) -> Step + Send + Sync + 'static> Transport for Script<F> {
    fn send(&self, request: Request<Bytes>) -> BoxFuture<'_, Result<Response<ResponseBody>, TransportError>> {
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let received = ReceivedRequest {
            method: request.method().to_string(),
            uri: request.uri().to_string(),
            headers: request.headers().iter().map(|(name, value)| (name.to_string(), text(value))).collect(),
            body: String::from_utf8(request.body().to_vec()).unwrap(),
            at: Instant::now(),
            typed: request.extensions().get::<TypedRequest>().is_some(),
        };
        let number = {
            let mut log = self.log.0.lock().unwrap();
            log.push(received);
            log.len()
        };
        let step = (self.next_step)(number);
        Box::pin(perform(step))
    }

    fn wants_typed(&self) -> bool {
        self.typed
    }
}

async fn perform(mut step: Step) -> Result<Response<ResponseBody>, TransportError> {
    while let Step::After(time, next) = step {
        tokio::time::sleep(time).await;
        step = *next;
    }
    match step {
        Step::Response(response) => Ok(response),
        Step::Fail(kind) => Err(TransportError::new(kind, "the script says so")),
        Step::After(..) | Step::Never => std::future::pending().await,
    }
}

/// Creates a transport whose function receives the number of a request, from 1.
pub fn script<F: Fn(usize) -> Step + Send + Sync + 'static>(next_step: F) -> (Script<F>, Log) {
    let log = Log::default();
    (Script { next_step, log: log.clone(), typed: false }, log)
}

/// Creates a client of such a transport.
pub fn scripted_client<F: Fn(usize) -> Step + Send + Sync + 'static>(next_step: F) -> (Builder, Log) {
    let (script, log) = script(next_step);
    (Client::builder(&SAMPLE).transport(script), log)
}

pub fn respond(status: u16, body: impl Into<ResponseBody>) -> Step {
    respond_with_headers(status, &[], body)
}

pub fn respond_with_headers(status: u16, headers: &[(&str, &str)], body: impl Into<ResponseBody>) -> Step {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    Step::Response(response.body(body.into()).unwrap())
}

/// Returns a response with a thing.
pub fn thing() -> Step {
    respond(200, r#"{"id": "1", "text": "hello"}"#)
}

/// Returns an error body in the format of the API.
pub fn error_body(status: u16, reason: &str, message: &str) -> String {
    let text = format!(
        r#"{{"error": {{"code": {status}, "message": {}, "errors": [{{"reason": {}, "location": "q"}}]}}}}"#,
        Value::from(message),
        Value::from(reason)
    );
    text
}

pub fn error_response(status: u16, reason: &str, message: &str) -> Step {
    respond(status, error_body(status, reason, message))
}
