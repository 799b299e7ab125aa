//! Tests of the generated client: the requests that it encodes and the responses that it decodes.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Response, StatusCode};
use http_body_util::Full;
use serde_json::{Value, json};
use smithy_client::Client;
use smithy_client::runtime::RetryPolicy;
use smithy_client::runtime::transport::{BoxFuture, ResponseBody, Transport, TransportError};
use wireform_runtime::{WireBody, Request};

use crate::task::{Done, Task, headers};

/// A transport that records the request and returns a fixed response.
#[derive(Clone)]
struct FixedTransport {
    sent: Arc<Mutex<Value>>,
    response: Response<Bytes>,
}

impl Transport for FixedTransport {
    fn send(&self, request: http::Request<Bytes>) -> BoxFuture<'_, Result<Response<ResponseBody>, TransportError>> {
        let request_json = json!({
            "method": request.method().as_str(),
            "target": request.uri().path_and_query().map_or("", |target| target.as_str()),
            "headers": headers(request.headers()),
            "body": String::from_utf8_lossy(request.body()),
        });
        *self.sent.lock().unwrap_or_else(PoisonError::into_inner) = request_json;
        let response = self.response.clone().map(|body| ResponseBody::new(Full::new(body)));
        Box::pin(std::future::ready(Ok(response)))
    }
}

fn client(response: Response<Bytes>) -> (Client, FixedTransport) {
    let transport = FixedTransport { sent: Arc::default(), response };
    let client = Client::builder().base_url("http://localhost").transport(transport.clone()).retry(RetryPolicy::off());
    (client.build().expect("a client"), transport)
}

/// Sends a request and returns it as it is on the wire.
pub async fn writes<R: Request>(request: R) -> Done {
    let (client, transport) = client(Response::new(Bytes::new()));
    let response = client.runtime().call(request).send().await;
    let request_json = transport.sent.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (request_json, response) {
        (Value::Null, Err(error)) => Done::error(&error),
        (request_json, _) => Done(request_json),
    }
}

/// Decodes a response and returns the value or the error.
pub async fn reads<R: Request>(task: &Task, request: R) -> Done {
    let status = task.wire["status"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or_default();
    let mut response = Response::builder().status(StatusCode::from_u16(status).expect("a status"));
    for (name, value) in task.headers() {
        response = response.header(name, value);
    }
    let (client, _) = client(response.body(Bytes::from(task.text("body").to_owned())).expect("a response"));
    match client.runtime().call(request).send().await {
        Ok(value) => {
            let text = value.encode().expect("a decoded value can be encoded");
            Done(json!({ "value": serde_json::from_slice::<Value>(&text).unwrap_or_default() }))
        }
        Err(error) => Done(json!({ "error": error.to_string(), "status": error.status() })),
    }
}
