//! In-process server: a function responds to all requests, which are recorded.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use serde_json::{Value, json};
use wireform_client::transport::{BoxFuture, ResponseBody};
use wireform_client::{Client, RetryPolicy, Transport, TransportError};

use super::api::API;

/// Received request.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    pub path: String,
    pub query: BTreeMap<String, String>,
    pub if_match: Option<String>,
    pub if_none_match: Option<String>,
    pub body: Value,
}

impl Seen {
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    pub fn is(&self, method: &str, path: &str) -> bool {
        self.method == method && self.path == path
    }
}

/// Response of the server.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub etag: Option<String>,
    pub body: Value,
}

pub fn ok(body: Value) -> Reply {
    Reply { status: 200, etag: None, body }
}

pub fn tagged(etag: &str, body: Value) -> Reply {
    Reply { status: 200, etag: Some(etag.to_owned()), body }
}

pub fn status(status: u16) -> Reply {
    Reply { status, etag: None, body: Value::Null }
}

pub fn error(status: u16, reason: &str, location: Option<&str>) -> Reply {
    let mut item = json!({ "reason": reason });
    if let Some(location) = location {
        item["location"] = location.into();
    }
    Reply { status, etag: None, body: json!({ "error": { "message": "so it is", "errors": [item] } }) }
}

type Respond = dyn Fn(&Seen) -> Reply + Send + Sync;

/// Server. Clones share it.
#[derive(Clone)]
pub struct Server {
    respond: Arc<Respond>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub fn new(respond: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self { respond: Arc::new(respond), seen: Arc::default() }
    }

    /// Creates a client without retries.
    pub fn client(&self) -> Client {
        self.client_with(RetryPolicy::off())
    }

    pub fn client_with(&self, retry: RetryPolicy) -> Client {
        Client::builder(&API).base_url("https://example.com").transport(self.clone()).retry(retry).build().unwrap()
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns the value of a query parameter in each request.
    pub fn queries(&self, name: &str) -> Vec<Option<String>> {
        self.seen().iter().map(|seen| seen.query(name).map(str::to_owned)).collect()
    }

    pub fn methods(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.method).collect()
    }
}

impl Transport for Server {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        Box::pin(async move {
            // The response is pending once, like one from a network.
            tokio::task::yield_now().await;
            let header =
                |name: &str| Some(String::from_utf8(request.headers().get(name)?.as_bytes().to_vec()).unwrap());
            let seen = Seen {
                method: request.method().to_string(),
                path: request.uri().path().to_owned(),
                query: request.uri().query().unwrap_or_default().split('&').filter_map(pair).collect(),
                if_match: header("if-match"),
                if_none_match: header("if-none-match"),
                body: serde_json::from_slice(request.body()).unwrap_or_default(),
            };
            self.seen.lock().unwrap().push(seen.clone());
            let reply = (self.respond)(&seen);
            let mut response = http::Response::builder().status(reply.status);
            if let Some(etag) = reply.etag {
                response = response.header("etag", etag);
            }
            Ok(response.body(reply.body.to_string().into()).unwrap())
        })
    }
}

fn pair(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    Some((decoded(name), decoded(value)))
}

fn decoded(text: &str) -> String {
    let mut bytes = text.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits = [bytes.next().unwrap(), bytes.next().unwrap()];
            out.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).unwrap()
}
