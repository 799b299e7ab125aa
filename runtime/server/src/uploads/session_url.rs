//! URLs of resumable uploads.

use axum::extract::OriginalUri;
use http::header::HOST;
use http::request::Parts;
use http::uri::PathAndQuery;
use wireform_runtime::__private::percent_encode;
use wireform_runtime::operation::{Api, Role};

use super::UPLOAD_ID;
use crate::query;

/// Returns the URL of a session. It is absolute if possible, because published clients do not resolve it: its base is
/// the configured public URL; otherwise the forwarded headers of a proxy, which a client can only forge to its own
/// detriment; otherwise the host of the request. It includes the parameters of the request that started the upload,
/// with a key among them, because some clients send no parameters with a chunk.
pub(super) fn session_url(api: &Api, parts: &Parts, public: Option<&str>, id: &str) -> String {
    let kind = api.parameter(Role::UploadType);
    let is_kind = |raw: &str| kind.is_some_and(|kind| query::is_parameter(raw, kind));
    let extras = query::pairs(parts.uri.query()).filter(|(raw, _)| !query::is_name(raw, UPLOAD_ID) && !is_kind(raw));
    let extras: String = extras.flat_map(|(name, value)| [name, "=", value, "&"]).collect();
    let mut rest = format!("?{extras}");
    if let Some(kind) = kind {
        percent_encode(kind.name.name, &mut rest);
        rest.push('=');
        percent_encode(api.role_values.resumable, &mut rest);
        rest.push('&');
    }
    rest.extend([UPLOAD_ID, "=", id]);
    let path = parts.uri.path();
    if let Some(public) = public {
        return format!("{public}{path}{rest}");
    }
    // A nested router sees the rest of the path only.
    let whole = parts.extensions.get::<OriginalUri>().map(|OriginalUri(uri)| uri.path());
    let path = whole.filter(|whole| whole.ends_with(path)).unwrap_or(path);
    format!("{}{path}{rest}", origin(parts).unwrap_or_default())
}

/// Returns scheme, host and path prefix.
fn origin(parts: &Parts) -> Option<String> {
    let header = |name: &str| {
        let text = parts.headers.get(name)?.to_str().ok()?;
        Some(text.split(',').next().unwrap_or_default().trim_ascii()).filter(|text| !text.is_empty())
    };
    let is_host = |text: &&str| crate::limits::is_valid_host(text.as_bytes());
    let own_host = parts.uri.authority().map(|authority| authority.as_str());
    let own_host = own_host.or_else(|| parts.headers.get(HOST).and_then(|host| host.to_str().ok()));
    let host = header("x-forwarded-host").filter(is_host).or(own_host)?;
    let scheme = header("x-forwarded-proto").or_else(|| parts.uri.scheme_str()).unwrap_or("http");
    let scheme = if scheme.eq_ignore_ascii_case("https") { "https" } else { "http" };
    let prefix =
        header("x-forwarded-prefix").map(|prefix| prefix.trim_end_matches('/')).filter(|prefix| is_path(prefix));
    Some(format!("{scheme}://{host}{}", prefix.unwrap_or_default()))
}

/// Returns whether a text is an absolute path without a query; `//`, which would name a host, is none.
fn is_path(text: &str) -> bool {
    text.starts_with('/') && !text.starts_with("//") && !text.contains('?') && text.parse::<PathAndQuery>().is_ok()
}
