//! Rendering of errors in the API's format.

use axum::body::Body;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Response};
use wireform_runtime::Value;
use wireform_runtime::error_body::ErrorReport;
use wireform_runtime::operation::Api;

use super::{Error, ErrorLocation, Inner};

/// Length of a message up to which an error without violations is short.
const SHORT_MESSAGE: usize = 1_024;

/// Renders an error. Its cause is not sent.
#[cold]
pub(crate) fn render(error: Error, api: &'static Api) -> Response<Body> {
    let mut inner = error.into_inner();
    let (content_type, body) = match inner.encoded.take() {
        Some(encoded) if inner.body.is_none() => encoded,
        _ => encode(&inner, api),
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = inner.status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, content_type);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.extend(inner.headers);
    // Only the transport knows the length of the body; another length would end the response too early or too late.
    for name in [CONTENT_LENGTH, TRANSFER_ENCODING] {
        headers.remove(name);
    }
    match inner.wrapper {
        Some(wrap) => wrap(response),
        None => response,
    }
}

/// Encodes the body of an error that may be long, since it contains texts of the request. Returns its length.
pub(crate) fn encode_long_error(error: &mut Error, api: &'static Api) -> Option<usize> {
    let inner = error.inner_mut();
    let is_generated = inner.body.is_none() && inner.encoded.is_none();
    if !is_generated || (inner.violations.is_none() && inner.message.len() <= SHORT_MESSAGE) {
        return None;
    }
    let (content_type, body) = encode(inner, api);
    let length = body.len();
    inner.encoded = Some((content_type, body));
    Some(length)
}

/// Returns the media type and the text of an error.
fn encode(inner: &Inner, api: &'static Api) -> (HeaderValue, Vec<u8>) {
    let json = HeaderValue::from_static("application/json; charset=UTF-8");
    (json, serde_json::to_vec(&error_body(inner, api)).unwrap_or_default())
}

/// Returns the JSON body of an error: its custom one, that of its violations, or one in the format of the API.
fn error_body(inner: &Inner, api: &'static Api) -> Value {
    let code = inner.status.as_u16();
    match (&inner.body, &inner.violations) {
        (Some(body), _) => body.clone(),
        (None, Some(violations)) => violations.error_body(code, &api.errors),
        (None, None) => report(inner, api).write(&api.errors, code),
    }
}

/// Describes an error for the error body of the API.
fn report(inner: &Inner, api: &'static Api) -> ErrorReport {
    let mut report = ErrorReport::new(&*inner.message);
    // A reason of the service is sent as it is: the enum is open.
    let reasons = &api.errors.profile.reasons;
    let own = inner.reason.as_ref().map(|reason| reason.as_str(reasons));
    let of_status = || Some(reasons.for_status(inner.status.as_u16())).filter(|word| api.errors.reason.accepts(word));
    let word = own.or_else(of_status);
    report.reason = word.map(str::to_owned);
    let (location, location_type) = match &inner.location {
        Some(ErrorLocation::Parameter(name)) => (Some(name), Some("parameter")),
        Some(ErrorLocation::Header(name)) => (Some(name), Some("header")),
        Some(ErrorLocation::Field(path)) => (Some(path), None),
        None => (None, None),
    };
    report.location = location.map(|location| location.clone().into_owned());
    report.location_type = location_type.map(str::to_owned);
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::API;

    #[test]
    fn errors_cannot_set_the_body_length() {
        let error = Error::conflict("it is taken")
            .with_header(CONTENT_LENGTH, HeaderValue::from_static("1"))
            .with_header(TRANSFER_ENCODING, HeaderValue::from_static("gzip"))
            .with_header(CACHE_CONTROL, HeaderValue::from_static("max-age=5"));
        let response = render(error, &API);
        let has = |name| response.headers().contains_key(name);
        assert!(!has(CONTENT_LENGTH) && !has(TRANSFER_ENCODING));
        assert_eq!(response.headers()[CACHE_CONTROL], "max-age=5");
    }
}
