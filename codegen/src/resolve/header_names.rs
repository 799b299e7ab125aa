//! Names of headers, and tokens in general.

/// Headers that the protocol, the credentials or the conditions of a call set.
const RESERVED_HEADERS: &[&str] = &[
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "host",
    "if-match",
    "if-none-match",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// Returns whether a request header is set by the protocol, the credentials or the conditions of a call, so that no
/// schema declares it.
#[must_use]
pub fn is_reserved_request_header(name: &str) -> bool {
    RESERVED_HEADERS.contains(&name.to_ascii_lowercase().as_str())
}

/// Returns whether a name is a token, as in headers and cookies (RFC 9110, section 5.6.2).
#[must_use]
pub fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
