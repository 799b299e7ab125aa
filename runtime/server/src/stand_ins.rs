//! Pieces that have a module of their own elsewhere: the merge deletes this file and points the few `stand_ins::` uses
//! at the real ones.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::FutureExt as _;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wireform_runtime::fields::{self, Shape};
use wireform_runtime::{Answer as _, Request};

use crate::context::Context;
use crate::contract::Outcome;
use crate::error::Error;
use crate::limits::Limits;
use crate::observe::RequestId;
use crate::reply::Reply;

/// limits (H3): what a request may be before its body.
pub(crate) fn check_head(limits: &Limits, parts: &Parts) -> Result<(), Error> {
    let target = parts.uri.path_and_query().map_or(0, |target| target.as_str().len());
    if target > limits.target_bytes {
        return Err(Error::new(StatusCode::URI_TOO_LONG, "the path and the query are too long"));
    }
    let pairs = parts.uri.query().map_or(0, |query| query.split('&').count());
    if pairs > limits.query_pairs {
        return Err(Error::bad_request("the query has too many parameters"));
    }
    let bytes: usize = parts.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if parts.headers.len() > limits.headers || bytes > limits.header_bytes {
        return Err(Error::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers are too large"));
    }
    Ok(())
}

/// limits (H3): the body, up to a bound.
pub(crate) async fn read_body(body: Body, limits: &Limits) -> Result<Bytes, Error> {
    match Limited::new(body, limits.body_bytes).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            Err(Error::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large"))
        }
        Err(error) => Err(Error::bad_request("the body could not be read").with_cause(error)),
    }
}

/// limits (H3): how many requests are worked on at the same time.
pub(crate) struct Gate(Arc<Semaphore>);

impl Gate {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self(Arc::new(Semaphore::new(limits.concurrent_requests.min(Semaphore::MAX_PERMITS))))
    }

    pub(crate) fn enter(&self) -> Result<OwnedSemaphorePermit, Error> {
        let permit = Arc::clone(&self.0).try_acquire_owned();
        permit.map_err(|_| Error::unavailable("the server has too much to do", 1))
    }
}

/// limits (H3): a panic becomes a 500.
pub(crate) async fn caught(future: impl Future<Output = Outcome>) -> Outcome {
    let answered = AssertUnwindSafe(future).catch_unwind().await;
    answered.unwrap_or_else(|_| Err(Error::internal("a panic")))
}

/// limits (H3): a request takes so long at the most.
pub(crate) async fn within(time: Duration, future: impl Future<Output = Outcome>) -> Outcome {
    let answered = tokio::time::timeout(time, future).await;
    answered.unwrap_or_else(|_| Err(Error::unavailable("the request took too long", 1)))
}

/// observe (H3): the name of a request in logs.
pub(crate) fn request_id(headers: &HeaderMap) -> RequestId {
    let given = headers.get("x-request-id").and_then(|id| id.to_str().ok());
    let plain = |id: &&str| {
        (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    RequestId(given.filter(plain).unwrap_or("none").into())
}

/// fields (H2): whether a text selects members of a resource.
pub(crate) fn check_fields(text: &str, shape: &'static Shape) -> Result<(), String> {
    fields::verify(text, shape).map_err(|error| error.to_string())
}

impl Context {
    /// answer (H2): the answer, encoded.
    ///
    /// # Errors
    /// When the value cannot be encoded.
    pub fn answer<R: Request>(self, reply: Reply<R::Response>) -> Outcome {
        let mut value = reply.value;
        R::conceal(&mut value);
        let tag = R::etag(&value).and_then(|tag| HeaderValue::from_str(tag).ok());
        let body = wireform_runtime::names::spelled(self.names(), || value.encode()).map_err(Error::internal)?;
        let default = StatusCode::from_u16(self.contract.status).unwrap_or(StatusCode::OK);
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = reply.status.unwrap_or(default);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=UTF-8"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(tag) = tag {
            headers.insert(ETAG, tag);
        }
        headers.extend(reply.headers);
        Ok(response)
    }
}
