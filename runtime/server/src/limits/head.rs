//! Checks of the head of a request, before anything else.

use http::header::{CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING};
use http::request::Parts;
use http::uri::{Authority, Scheme};
use http::{HeaderMap, HeaderValue, Method, StatusCode};

use super::Limits;
use crate::error::{Error, ErrorLocation};

/// Checks that the head of a request is within the limits and unambiguous.
///
/// # Errors
/// Returns a 431 for too many headers or too many bytes of them; a 414 for a target that is too long; a 400 for too
/// many parameters in the query, for a host that is repeated, malformed or different from that of the target (RFC 9112,
/// section 3.2; `serve` refuses a missing one), and for a target without a path; a 501 for `CONNECT` and for transfer
/// codings other than `chunked` (RFC 9112, section 6.1).
pub(crate) fn check_head(limits: &Limits, parts: &Parts) -> Result<(), Error> {
    check_size(limits, parts)?;
    if parts.method == Method::CONNECT {
        return Err(with_connection_close(Error::new(
            StatusCode::NOT_IMPLEMENTED,
            "the method `CONNECT` is not implemented",
        )));
    }
    check_framing(&parts.headers)?;
    check_target(parts)
}

/// Checks the number and the size of the headers, the URL and the query.
fn check_size(limits: &Limits, Parts { headers, uri, .. }: &Parts) -> Result<(), Error> {
    if headers.len() > limits.headers {
        let message = format!("the request has more than {} headers", limits.headers);
        return Err(Error::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, message));
    }
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if bytes > limits.header_bytes {
        let message = format!("the headers are longer than {} bytes", limits.header_bytes);
        return Err(Error::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, message));
    }
    let query = uri.query();
    if uri.path().len() + query.map_or(0, |query| query.len() + 1) > limits.target_bytes {
        let message = format!("the URL is longer than {} bytes", limits.target_bytes);
        return Err(Error::new(StatusCode::URI_TOO_LONG, message));
    }
    let pairs = query.map_or(0, |query| 1 + query.bytes().filter(|byte| *byte == b'&').count());
    if pairs > limits.query_pairs {
        let message = format!("the query has more than {} parameters", limits.query_pairs);
        return Err(Error::bad_request(message));
    }
    Ok(())
}

/// Checks that the end of the request is unambiguous, so that another request cannot be smuggled after it.
fn check_framing(headers: &HeaderMap) -> Result<(), Error> {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    let Some(coding) = codings.next() else { return Ok(()) };
    if codings.next().is_some() || !coding.as_bytes().eq_ignore_ascii_case(b"chunked") {
        let message = "unsupported transfer coding: only `chunked` is supported";
        return Err(with_connection_close(Error::new(StatusCode::NOT_IMPLEMENTED, message)));
    }
    if headers.contains_key(CONTENT_LENGTH) {
        return Err(with_connection_close(Error::bad_request("a chunked request cannot have a `Content-Length`")));
    }
    Ok(())
}

/// Checks the header `Host` and the target.
fn check_target(Parts { method, uri, headers, .. }: &Parts) -> Result<(), Error> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next();
    if hosts.next().is_some() {
        return Err(invalid_host("duplicate header `Host`"));
    }
    if host.is_some_and(|host| !is_valid_host(host.as_bytes())) {
        return Err(invalid_host("invalid header `Host`"));
    }
    if let Some(authority) = uri.authority() {
        check_authority(authority, uri.scheme(), host)?;
    }
    let of_the_server = uri.path() == "*" && method == Method::OPTIONS;
    if !uri.path().starts_with('/') && !of_the_server {
        return Err(with_connection_close(Error::bad_request("the request target is not a path")));
    }
    Ok(())
}

/// Checks a target in absolute form (RFC 9112, section 3.2.2): this is not a proxy, so its host must be that of the
/// request.
fn check_authority(authority: &Authority, scheme: Option<&Scheme>, host: Option<&HeaderValue>) -> Result<(), Error> {
    if scheme.is_none_or(|scheme| *scheme != Scheme::HTTP && *scheme != Scheme::HTTPS) {
        return Err(with_connection_close(Error::bad_request("unknown scheme in the request target")));
    }
    let same = host.is_none_or(|host| host.as_bytes().eq_ignore_ascii_case(authority.as_str().as_bytes()));
    if !same || !is_valid_host(authority.as_str().as_bytes()) {
        return Err(invalid_host("the host of the request target differs from the header `Host`"));
    }
    Ok(())
}

/// Creates the error of an invalid `Host`: a 400 that closes the connection.
fn invalid_host(message: &'static str) -> Error {
    with_connection_close(Error::bad_request(message).with_location(ErrorLocation::Header("Host".into())))
}

/// Returns whether a text consists of the characters of a host and a port (RFC 3986, section 3.2), and is not empty. A
/// comma would be allowed, but shows that two headers were joined.
pub(crate) fn is_valid_host(text: &[u8]) -> bool {
    let known = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+;=:[]%".contains(byte);
    !text.is_empty() && text.iter().all(known)
}

/// Adds `Connection: close`: what follows an ambiguous request cannot be trusted.
pub(crate) fn with_connection_close(error: Error) -> Error {
    error.with_header(CONNECTION, HeaderValue::from_static("close"))
}
