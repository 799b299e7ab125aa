//! Requests that stand for others, with the header `X-HTTP-Method-Override`.
//!
//! Public clients send reads whose query is too long for a URL as `POST` with the query as a form body, and with
//! `X-HTTP-Method-Override: GET`. Programs behind proxies that pass only `GET` and `POST` send other methods as `POST`.

use std::borrow::Cow;
use std::pin::pin;
use std::sync::Arc;

use axum::body::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use http::request::Parts;
use http::uri::PathAndQuery;
use http::{HeaderName, Method, Uri};

use crate::error::{Error, ErrorLocation};
use crate::limits::{Caller, Limits, RequestBody, Slots, check_head, read_body, with_permit};
use crate::receive;

/// Header with the method that a `POST` stands for.
pub(super) const METHOD_OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");
/// Media type of a query in a body.
const FORM: &str = "application/x-www-form-urlencoded";

/// Applies an overriding method to a `POST`. Returns whether the request is a read whose query is its body.
///
/// # Errors
/// Returns a 400 if the overriding method is unknown.
pub(super) fn override_method(parts: &mut Parts) -> Result<bool, Error> {
    if parts.method != Method::POST {
        return Ok(false);
    }
    let Some(method) = parts.headers.get(METHOD_OVERRIDE) else { return Ok(false) };
    parts.method = match method.as_bytes() {
        b"GET" => return Ok(true),
        b"POST" => return Ok(false),
        b"PATCH" => Method::PATCH,
        b"PUT" => Method::PUT,
        b"DELETE" => Method::DELETE,
        _ => {
            let message = "the method `POST` can be overridden only with `GET`, `PATCH`, `PUT` or `DELETE`";
            let location = ErrorLocation::Header("X-HTTP-Method-Override".into());
            return Err(Error::bad_request(message).with_location(location));
        }
    };
    Ok(false)
}

/// Rejects an override of the method of an upload, which is not applied.
pub(super) fn reject_override(parts: &Parts) -> Result<(), Error> {
    if parts.headers.get(METHOD_OVERRIDE).is_none_or(|method| method.as_bytes() == parts.method.as_str().as_bytes()) {
        return Ok(());
    }
    let location = ErrorLocation::Header("X-HTTP-Method-Override".into());
    Err(Error::bad_request("the method of an upload cannot be overridden").with_location(location))
}

/// Converts a request to the read that it represents, with its body appended to its query.
///
/// # Errors
/// Returns a 415 for a body that is not a form; a 413 for one that exceeds the limit of a target, and a 414 if both
/// together do; a 400 for one that is not a query; errors of reading the body.
pub(super) async fn read_query_body(
    mut parts: Parts,
    body: impl Into<RequestBody>,
    receivers: &Arc<Slots>,
    caller: &Caller,
    limits: &Limits,
) -> Result<Parts, Error> {
    receive::check_content(&parts.headers, &[FORM])?;
    let limits = Limits { body_bytes: limits.target_bytes, ..limits.clone() };
    let form = with_permit(receivers, caller, pin!(read_body(body, &limits))).await?;
    parts.method = Method::GET;
    parts.uri = with_query(&parts.uri, &form)?;
    for name in [METHOD_OVERRIDE, CONTENT_TYPE, CONTENT_LENGTH, TRANSFER_ENCODING] {
        parts.headers.remove(name);
    }
    check_head(&limits, &parts)?;
    Ok(parts)
}

/// Returns a URI with a form appended to its query.
fn with_query(uri: &Uri, form: &Bytes) -> Result<Uri, Error> {
    let refused = || Error::bad_request("the body must be a form with the query parameters");
    // The text after a number sign would not be part of the query.
    let form = std::str::from_utf8(form).ok().filter(|form| !form.contains('#')).ok_or_else(refused)?;
    let query = match uri.query() {
        Some(query) if form.is_empty() => Cow::Borrowed(query),
        Some(query) => Cow::Owned(format!("{query}&{form}")),
        None => Cow::Borrowed(form),
    };
    let mut address = uri.clone().into_parts();
    let target = if query.is_empty() { uri.path().to_owned() } else { format!("{}?{query}", uri.path()) };
    address.path_and_query = Some(PathAndQuery::try_from(target).map_err(|_| refused())?);
    Uri::from_parts(address).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_is_appended_to_the_query() {
        let with = |uri: &'static str, form: &'static str| {
            with_query(&Uri::from_static(uri), &Bytes::from_static(form.as_bytes())).map(|uri| uri.to_string())
        };
        assert_eq!(with("/a/b", "q=x+y&z=%C3%A4").unwrap(), "/a/b?q=x+y&z=%C3%A4");
        assert_eq!(with("/a?alt=json", "q=x").unwrap(), "/a?alt=json&q=x");
        assert_eq!(with("/a?alt=json", "").unwrap(), "/a?alt=json");
        assert_eq!(with("/a", "").unwrap(), "/a");
        assert!(with("/a", "q=x y").is_err());
        assert!(with("/a", "q=x\r\n").is_err());
        assert!(with("/a", "q=x#y").is_err());
    }
}
