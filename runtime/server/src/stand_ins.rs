//! Pieces that have a module of their own elsewhere: the merge deletes this file and points the few `stand_ins::` uses
//! at the real ones.

use axum::body::Body;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use http::{HeaderValue, Response, StatusCode};
use wireform_runtime::fields::{self, Shape};
use wireform_runtime::{Answer as _, Request};

use crate::context::Context;
use crate::contract::Outcome;
use crate::reply::Reply;

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
        let body =
            wireform_runtime::names::spelled(self.names(), || value.encode()).map_err(crate::error::Error::internal)?;
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
