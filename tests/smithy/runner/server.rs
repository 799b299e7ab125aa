//! Tests of the generated server: requests that it must reject, requests that it decodes, and responses that it
//! encodes.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use serde_json::{Value, json};
use tower_service::Service as _;
use wireform_runtime::{WireBody, Naming, Request};
use wireform_server::{Context, Error};

use crate::dispatch::Service;
use crate::task::{Done, Task, headers};

/// Service of every operation: it records the request and returns a configured response.
#[derive(Clone, Default)]
pub struct Desk {
    received: Arc<Mutex<Option<Box<dyn Any + Send>>>>,
    response: Value,
}

impl Desk {
    /// Handles a request of any operation.
    pub async fn ask<R: Request>(&self, request: R, _context: &Context) -> wireform_server::Result<R::Response> {
        *self.received.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(request));
        if self.response.is_null() && !R::Response::ALLOWS_EMPTY {
            return Err(Error::not_implemented(R::OPERATION.name));
        }
        let response = R::Response::decode(self.response.to_string().as_bytes());
        response.map(Into::into).map_err(Error::internal)
    }

    fn router(&self) -> Router {
        smithy_server::router(Service(self.clone()))
    }

    fn take(&self) -> Option<Box<dyn Any + Send>> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Builds the HTTP request of a task.
fn request(task: &Task) -> Result<http::Request<Body>, http::Error> {
    let mut request = http::Request::builder().method(task.text("method")).uri(task.text("target"));
    request = request.header("host", "localhost");
    for (name, value) in task.headers() {
        request = request.header(name, value);
    }
    let body = task.wire["body"].as_str().filter(|body| !body.is_empty());
    request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_owned())))
}

/// Sends a request to the server and returns its response.
async fn respond(router: Router, request: http::Request<Body>) -> Value {
    let Ok(response) = { router }.call(request).await;
    let (head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("a complete response");
    json!({
        "status": head.status.as_u16(),
        "headers": headers(&head.headers),
        "body": String::from_utf8_lossy(&body),
    })
}

/// Sends a malformed request and returns the response, and whether the service was called.
pub async fn malformed(task: &Task) -> Done {
    let request = match request(task) {
        Ok(request) => request,
        Err(error) => return Done::error(&format_args!("invalid HTTP: {error}")),
    };
    let desk = Desk::default();
    let mut done = respond(desk.router(), request).await;
    done["asked"] = desk.take().is_some().into();
    Done(done)
}

/// Sends a valid request and returns whether the service received the expected one.
pub async fn reads<R: Request + PartialEq>(task: &Task, expected: &R) -> Done {
    let request = match request(task) {
        Ok(request) => request,
        Err(error) => return Done::error(&format_args!("invalid HTTP: {error}")),
    };
    let desk = Desk::default();
    let mut done = respond(desk.router(), request).await;
    let received = desk.take();
    let received = received.as_ref().and_then(|received| received.downcast_ref::<R>());
    // Also compared by their debug output, because NaN does not equal itself.
    let text = |request: &R| format!("{request:?}");
    done["same"] = received.is_some_and(|received| received == expected || text(received) == text(expected)).into();
    done["asked"] = received.map(text).into();
    done["expected"] = text(expected).into();
    Done(done)
}

/// Returns the response that the server encodes for a value of the service.
pub async fn writes<R: Request>(task: &Task, request: &R) -> Done {
    let desk = Desk { response: task.response.clone(), ..Desk::default() };
    let wire = match request.to_wire(Naming::Specification) {
        Ok(wire) => wire,
        Err(error) => return Done::error(&error),
    };
    let mut http_request =
        http::Request::builder().method(R::OPERATION.method).uri(&wire.target).header("host", "localhost");
    for (name, value) in wire.headers {
        http_request = http_request.header(name, value);
    }
    if wire.body.is_some() {
        http_request = http_request.header("content-type", R::CONTENT_TYPE);
    }
    let http_request = http_request.body(wire.body.map_or_else(Body::empty, Body::from)).expect("a request");
    Done(respond(desk.router(), http_request).await)
}
