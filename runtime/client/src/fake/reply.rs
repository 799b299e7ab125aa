//! Successful responses of a fake.

use http::header::{CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use wireform_runtime::etag::ETag;
use wireform_runtime::{Request, WireBody};

use super::call::FakeCall;
use super::{JSON, Outcome};
use crate::transport::{BoxError, ResponseBody, TransportError, TransportErrorKind};

/// Successful response of a fake: a value, its entity tag and headers.
#[derive(Clone, Debug)]
pub struct FakeReply<T> {
    value: T,
    etag: Option<ETag>,
    headers: HeaderMap,
}

impl<T> FakeReply<T> {
    /// Creates a response with a value.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self { value, etag: None, headers: HeaderMap::new() }
    }

    /// Sets the entity tag, for values without a field for it.
    #[must_use]
    pub fn etag(mut self, etag: ETag) -> Self {
        self.etag = Some(etag);
        self
    }

    /// Adds a header to the response, keeping those of the same name.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// Encodes the reply as a response: a 304 if the caller has its entity tag, without a body if the value has none.
    pub(super) fn into_response<R: Request<Response = T>>(self, call: &FakeCall<'_>) -> Outcome
    where
        T: WireBody,
    {
        let refused = |error: BoxError| TransportError::new(TransportErrorKind::Refused, error);
        let etag = self.etag.or_else(|| ETag::parse_lenient(R::etag(&self.value)?).ok());
        let mut response = Response::new(ResponseBody::empty());
        *response.headers_mut() = self.headers;
        if let Some(etag) = &etag {
            let value = HeaderValue::from_bytes(etag.as_str().as_bytes()).map_err(|error| refused(error.into()))?;
            response.headers_mut().insert(ETAG, value);
        }
        if etag.is_some_and(|etag| call.is_not_modified(&etag)) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else if T::ALLOWS_EMPTY || !R::has_body(&self.value) {
            let status = self.value.status().or(R::NO_BODY_STATUS);
            let status = status.and_then(|status| StatusCode::from_u16(status).ok());
            *response.status_mut() = status.unwrap_or(StatusCode::NO_CONTENT);
        } else {
            let body = self.value.encode().map_err(|error| refused(error.into()))?;
            // A value that is not JSON at all is decoded by its own content type.
            let xml = R::response_xml(&self.value).filter(|root| T::IS_RAW && root.is_xml(self.value.content_type()));
            let body = match xml {
                Some(root) => root.to_xml(&body).map_err(|error| refused(error.into()))?,
                None => body,
            };
            *response.body_mut() = body.into();
            if let Some(status) = self.value.status().and_then(|status| StatusCode::from_u16(status).ok()) {
                *response.status_mut() = status;
            }
            let own = if T::IS_RAW {
                self.value.content_type().and_then(|own| HeaderValue::from_str(own).ok())
            } else {
                None
            };
            response.headers_mut().entry(CONTENT_TYPE).or_insert(own.unwrap_or(JSON));
        }
        Ok(response)
    }
}

impl<T> From<T> for FakeReply<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}
