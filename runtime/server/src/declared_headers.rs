//! Response headers that a schema declares.

use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderName, HeaderValue};

/// Sets a header. Each cookie has a line of its own (RFC 6265, section 3).
pub fn set(headers: &mut HeaderMap, name: HeaderName, value: HeaderValue) {
    if name == SET_COOKIE {
        headers.append(name, value);
    } else {
        headers.insert(name, value);
    }
}
