//! What the generated server refuses, reads and writes.

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

/// What answers every operation: it writes down what it is asked, and answers what it was given.
#[derive(Clone, Default)]
pub struct Desk {
    asked: Arc<Mutex<Option<Box<dyn Any + Send>>>>,
    response: Value,
}

impl Desk {
    /// BatchResponses a request of any operation.
    pub async fn ask<R: Request>(&self, request: R, _context: &Context) -> wireform_server::Result<R::Response> {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(request));
        if self.response.is_null() && !R::Response::ALLOWS_EMPTY {
            return Err(Error::not_implemented(R::OPERATION.name));
        }
        let response = R::Response::decode(self.response.to_string().as_bytes());
        response.map(Into::into).map_err(Error::internal)
    }

    fn router(&self) -> Router {
        smithy_server::router(Service(self.clone()))
    }

    fn taken(&self) -> Option<Box<dyn Any + Send>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The request that is on the wire.
fn request(task: &Task) -> Result<http::Request<Body>, http::Error> {
    let mut request = http::Request::builder().method(task.text("method")).uri(task.text("target"));
    request = request.header("host", "localhost");
    for (name, value) in task.headers() {
        request = request.header(name, value);
    }
    let body = task.wire["body"].as_str().filter(|body| !body.is_empty());
    request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_owned())))
}

/// What the server answers.
async fn respond(router: Router, request: http::Request<Body>) -> Value {
    let Ok(response) = { router }.call(request).await;
    let (head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("the answer comes as a whole");
    json!({
        "status": head.status.as_u16(),
        "headers": headers(&head.headers),
        "body": String::from_utf8_lossy(&body),
    })
}

/// What the server answers to something that is wrong, and whether the service was asked.
pub async fn malformed(task: &Task) -> Done {
    let request = match request(task) {
        Ok(request) => request,
        Err(error) => return Done::error(&format_args!("this is not HTTP: {error}")),
    };
    let desk = Desk::default();
    let mut done = respond(desk.router(), request).await;
    done["asked"] = desk.taken().is_some().into();
    Done(done)
}

/// Whether the service is asked what is on the wire.
pub async fn reads<R: Request + PartialEq>(task: &Task, expected: &R) -> Done {
    let request = match request(task) {
        Ok(request) => request,
        Err(error) => return Done::error(&format_args!("this is not HTTP: {error}")),
    };
    let desk = Desk::default();
    let mut done = respond(desk.router(), request).await;
    let asked = desk.taken();
    let asked = asked.as_ref().and_then(|asked| asked.downcast_ref::<R>());
    // By their texts as well, since what is not a number equals nothing.
    let text = |request: &R| format!("{request:?}");
    done["same"] = asked.is_some_and(|asked| asked == expected || text(asked) == text(expected)).into();
    done["asked"] = asked.map(text).into();
    done["expected"] = text(expected).into();
    Done(done)
}

/// What the server writes when the service answers a value.
pub async fn writes<R: Request>(task: &Task, request: &R) -> Done {
    let desk = Desk { response: task.response.clone(), ..Desk::default() };
    let wire = match request.to_wire(Naming::Specification) {
        Ok(wire) => wire,
        Err(error) => return Done::error(&error),
    };
    let mut sent = http::Request::builder().method(R::OPERATION.method).uri(&wire.target).header("host", "localhost");
    for (name, value) in wire.headers {
        sent = sent.header(name, value);
    }
    if wire.body.is_some() {
        sent = sent.header("content-type", R::CONTENT_TYPE);
    }
    let sent = sent.body(wire.body.map_or_else(Body::empty, Body::from)).expect("a request");
    Done(respond(desk.router(), sent).await)
}
