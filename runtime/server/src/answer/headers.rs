//! The headers of an answer.

use std::borrow::Cow;

use http::header::{self, Entry, HeaderMap, HeaderName, HeaderValue};
use wireform_runtime::etag::ETag;
use wireform_runtime::operation::{Demand, Location, SchemeKind, ScopeNeed};

use crate::context::Context;

const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=UTF-8");
const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");
/// It may be kept by the one who asked, and is asked for again each time.
const REVALIDATED: HeaderValue = HeaderValue::from_static("private, max-age=0, must-revalidate");
const NOT_KEPT: HeaderValue = HeaderValue::from_static("no-store");
/// What most answers vary with.
const TOKEN_AND_ENCODING: HeaderValue = HeaderValue::from_static("Authorization, Accept-Encoding");

/// Sets what every answer has, where the reply did not. Headers that say how long the body is are the transport's, and
/// what the library's answers vary with stands beside what the reply says of that.
pub fn complete(headers: &mut HeaderMap, context: &Context, etag: Option<&ETag>) {
    headers.reserve(8);
    for name in [header::CONTENT_LENGTH, header::TRANSFER_ENCODING] {
        headers.remove(name);
    }
    // A tag of the value may hold what a header cannot; then the answer has none.
    let etag = etag.and_then(|etag| HeaderValue::from_str(etag.as_str()).ok());
    let cache = if etag.is_some() && context.contract.operation.safe { REVALIDATED } else { NOT_KEPT };
    absent(headers, header::CACHE_CONTROL, cache);
    absent(headers, header::X_CONTENT_TYPE_OPTIONS, NO_SNIFF);
    if let Some(vary) = vary(context) {
        headers.append(header::VARY, vary);
    }
    if let Some(etag) = etag {
        absent(headers, header::ETAG, etag);
    }
}

/// Sets what says how to read the body.
pub fn describe(headers: &mut HeaderMap, gzip: bool) {
    absent(headers, header::CONTENT_TYPE, JSON);
    if gzip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
}

fn absent(headers: &mut HeaderMap, name: HeaderName, value: HeaderValue) {
    if let Entry::Vacant(entry) = headers.entry(name) {
        entry.insert(value);
    }
}

/// What of the request another answer may depend on (RFC 9110, section 12.5.5). An answer that is compressed and one
/// that is not say the same.
fn vary(context: &Context) -> Option<HeaderValue> {
    let credentials = match context.contract.operation.scopes {
        ScopeNeed::None => None,
        ScopeNeed::AnyOf(_) | ScopeNeed::AllOf(_) => Some(Cow::Borrowed("Authorization")),
        ScopeNeed::Schemes(ways) => shown_in(ways).map(Cow::Owned),
    };
    let encoding = context.settings.compress_from.is_some().then_some("Accept-Encoding");
    match (credentials, encoding) {
        (Some(names), Some(_)) if names == "Authorization" => Some(TOKEN_AND_ENCODING),
        (Some(names), Some(encoding)) => HeaderValue::from_str(&format!("{names}, {encoding}")).ok(),
        (Some(names), None) => HeaderValue::from_str(&names).ok(),
        (None, encoding) => encoding.map(HeaderValue::from_static),
    }
}

/// The headers in which credentials stand.
fn shown_in(ways: &[&[Demand]]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for demand in ways.iter().copied().flatten() {
        let name = match demand.scheme.kind {
            SchemeKind::Basic | SchemeKind::Bearer => "Authorization",
            SchemeKind::ApiKey(Location::Header, name) => name,
            SchemeKind::ApiKey(Location::Cookie, _) => "Cookie",
            SchemeKind::ApiKey(..) | SchemeKind::MutualTls => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| names.join(", "))
}
