//! Error responses of a fake.

use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use http::{Response, StatusCode};
use wireform_runtime::error_body::{ErrorDetail, ErrorReport};
use wireform_runtime::operation::ErrorFields;
use wireform_runtime::{OperationError, ResponseHeaders, Value};

use super::{JSON, Outcome};
use crate::transport::{TransportError, TransportErrorKind};

/// Failure that a handler of a fake returns: an error response, or a connection error.
#[derive(Clone, Debug)]
#[must_use = "a failure has no effect unless a handler returns it as an error"]
pub struct Failure {
    // Boxed, so that results stay small.
    inner: Box<Inner>,
}

/// Content of a failure, boxed to keep results small.
#[derive(Clone, Debug)]
struct Inner {
    status: Result<u16, (TransportErrorKind, String)>,
    report: ErrorReport,
    body: Option<Vec<u8>>,
    headers: HeaderMap,
}

impl Failure {
    fn new(status: Result<u16, (TransportErrorKind, String)>) -> Self {
        let (report, body, headers) = (ErrorReport::default(), None, HeaderMap::new());
        Self { inner: Box::new(Inner { status, report, body, headers }) }
    }

    /// Creates an error response with a status. Its other properties are written where the API's errors have them.
    pub fn status(status: u16) -> Self {
        Self::new(Ok(status))
    }

    /// Creates a failure to reach the service.
    pub fn connection() -> Self {
        Self::unreachable(TransportErrorKind::Connect, "the fake is configured to be unreachable")
    }

    /// Creates a broken connection: the service may have executed the request.
    pub fn broken() -> Self {
        Self::unreachable(
            TransportErrorKind::Broken,
            "the fake broke the connection: its function returned `Failure::broken`",
        )
    }

    /// Creates a timeout: the service may have executed the request.
    pub fn timeout() -> Self {
        Self::unreachable(TransportErrorKind::Timeout, "the fake timed out: its function returned `Failure::timeout`")
    }

    /// Creates the failure of an operation that the fake has no response for, as the fake returns it itself.
    pub fn no_handler(operation: &str) -> Self {
        let why =
            format!("the fake has no handler for `{operation}`: pass a function to `Fake::on`, or override its method");
        Self::unreachable(TransportErrorKind::Refused, why)
    }

    /// Creates the failure of a transport, without a response.
    fn unreachable(kind: TransportErrorKind, why: impl Into<String>) -> Self {
        Self::new(Err((kind, why.into())))
    }

    /// Sets the reason.
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.inner.report.reason = Some(reason.into());
        self
    }

    /// Sets the message.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.inner.report.message = Some(message.into());
        self
    }

    /// Sets the location of the error: the name of a parameter or header, or the path of a field.
    pub fn location(mut self, location: impl Into<String>) -> Self {
        self.inner.report.location = Some(location.into());
        self
    }

    /// Adds a violation: a detail of the error, with the path and the rule. Several are written as the service writes
    /// them, all of them if the API's errors have a list.
    pub fn violation(mut self, violation: ErrorDetail) -> Self {
        self.inner.report.details.push(violation);
        self
    }

    /// Sets the body, in place of the one made from reason, message, location and violations.
    pub fn body(mut self, body: impl Into<Value>) -> Self {
        self.inner.body = Some(body.into().to_string().into_bytes());
        self
    }

    /// Creates an error response that an operation declares, with its body: `NotesGetError`.
    pub fn from_error(error: &impl OperationError) -> Self {
        let parts = error.parts();
        let (body, content_type) = match (parts.encode(), HeaderValue::from_str(parts.content_type)) {
            (Ok(body), Ok(content_type)) => (body, content_type),
            (Err(error), _) => return Self::unreachable(TransportErrorKind::Refused, error.to_string()),
            (_, Err(error)) => return Self::unreachable(TransportErrorKind::Refused, error.to_string()),
        };
        let mut failure = Self::status(parts.status).header(CONTENT_TYPE, content_type);
        failure.inner.body = Some(body);
        failure
    }

    /// Adds the headers that the errors of an operation declare: `NotesGetErrorHeaders`.
    pub fn headers(mut self, headers: &impl ResponseHeaders) -> Self {
        let mut refused = None;
        headers.write(&mut |name, text| {
            let value = text.and_then(|text| HeaderValue::from_str(&text).ok());
            match HeaderName::from_bytes(name.as_bytes()).ok().zip(value) {
                Some((name, value)) => {
                    self.inner.headers.append(name, value);
                }
                None => refused = Some(name),
            }
        });
        match refused {
            None => self,
            Some(name) => {
                let why = format!("invalid value of the header `{name}`");
                Self::unreachable(TransportErrorKind::Refused, why)
            }
        }
    }

    /// Adds a header to the error response, keeping those of the same name.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.inner.headers.append(name, value);
        self
    }

    /// Sets the delay that the service requests, in whole seconds.
    pub fn retry_after(mut self, time: Duration) -> Self {
        self.inner.headers.insert(RETRY_AFTER, time.as_secs().into());
        self
    }

    /// Returns the error response with a body in the format of the API, or the transport error.
    pub(super) fn into_response(self, errors: &ErrorFields) -> Outcome {
        let refused = |why: String| TransportError::new(TransportErrorKind::Refused, why);
        let Inner { status, report, body, headers } = *self.inner;
        let status = match status {
            Ok(status) => StatusCode::from_u16(status)
                .map_err(|_| refused(format!("invalid HTTP status `{status}`: expected 100 to 999")))?,
            Err((kind, why)) => return Err(TransportError::new(kind, why)),
        };
        let body = body.unwrap_or_else(|| report.write(errors, status.as_u16()).to_string().into_bytes());
        let mut response = Response::new(body.into());
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response.headers_mut().entry(CONTENT_TYPE).or_insert(JSON);
        Ok(response)
    }
}
