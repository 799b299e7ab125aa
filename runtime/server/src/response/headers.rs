//! Response headers.

use std::borrow::Cow;

use http::header::{self, Entry, HeaderMap, HeaderName, HeaderValue};
use wireform_runtime::etag::ETag;
use wireform_runtime::operation::{AuthRequirement, ParameterLocation, SchemeKind, SchemeRequirement};

use crate::context::Context;

/// Content type of JSON bodies.
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=UTF-8");
/// Value of `X-Content-Type-Options`: browsers must not guess another content type.
const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");
/// Clients may cache the response, but must revalidate it each time.
const REVALIDATE: HeaderValue = HeaderValue::from_static("private, max-age=0, must-revalidate");
/// Value of `Cache-Control` that prevents caching.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
/// Headers of the request that most responses vary with.
const TOKEN_AND_ENCODING: HeaderValue = HeaderValue::from_static("Authorization, Accept-Encoding");

/// Sets the default headers of a response, unless the reply sets them. Headers about the length of the body are left to
/// the transport; `Vary` is combined with that of the reply.
pub fn set_defaults(headers: &mut HeaderMap, context: &Context, etag: Option<&ETag>) {
    headers.reserve(8);
    for name in [header::CONTENT_LENGTH, header::TRANSFER_ENCODING] {
        headers.remove(name);
    }
    // The tag of a value may hold characters that are not allowed in a header; the response has none then.
    let etag = etag.and_then(|etag| HeaderValue::from_str(etag.as_str()).ok());
    let cache = if etag.is_some() && context.contract.operation.safe { REVALIDATE } else { NO_STORE };
    insert_if_absent(headers, header::CACHE_CONTROL, cache);
    insert_if_absent(headers, header::X_CONTENT_TYPE_OPTIONS, NO_SNIFF);
    if let Some(vary) = vary(context) {
        headers.append(header::VARY, vary);
    }
    if let Some(etag) = etag {
        insert_if_absent(headers, header::ETAG, etag);
    }
}

/// Sets the headers that describe the body.
pub fn set_body_headers(headers: &mut HeaderMap, gzip: bool) {
    insert_if_absent(headers, header::CONTENT_TYPE, JSON);
    if gzip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
}

/// Sets a default header; one that the handler has set stays.
fn insert_if_absent(headers: &mut HeaderMap, name: HeaderName, value: HeaderValue) {
    if let Entry::Vacant(entry) = headers.entry(name) {
        entry.insert(value);
    }
}

/// Returns the request headers that the response may depend on (RFC 9110, section 12.5.5), the same for compressed and
/// uncompressed responses.
fn vary(context: &Context) -> Option<HeaderValue> {
    let credentials = match context.contract.operation.scopes {
        AuthRequirement::None => None,
        AuthRequirement::AnyOf(_) | AuthRequirement::AllOf(_) => Some(Cow::Borrowed("Authorization")),
        AuthRequirement::Schemes(ways) => credential_headers(ways).map(Cow::Owned),
    };
    let encoding = context.settings.compress_from.is_some().then_some("Accept-Encoding");
    match (credentials, encoding) {
        (Some(names), Some(_)) if names == "Authorization" => Some(TOKEN_AND_ENCODING),
        (Some(names), Some(encoding)) => HeaderValue::from_str(&format!("{names}, {encoding}")).ok(),
        (Some(names), None) => HeaderValue::from_str(&names).ok(),
        (None, encoding) => encoding.map(HeaderValue::from_static),
    }
}

/// Returns the headers that hold credentials.
fn credential_headers(ways: &[&[SchemeRequirement]]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for demand in ways.iter().copied().flatten() {
        let name = match demand.scheme.kind {
            SchemeKind::Basic | SchemeKind::Bearer => "Authorization",
            SchemeKind::ApiKey(ParameterLocation::Header, name) => name,
            SchemeKind::ApiKey(ParameterLocation::Cookie, _) => "Cookie",
            SchemeKind::ApiKey(..) | SchemeKind::MutualTls => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| names.join(", "))
}
