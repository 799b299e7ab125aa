//! Text in paths and queries (RFC 3986): a value always remains a single segment or value.
//!
//! All reserved characters are encoded, also in a variable that may hold slashes (`{+name}`), where RFC 6570 would keep
//! them (section 3.2.3). A segment could contain most of them literally, but parsers disagree: a `:` starts a verb, so
//! that a value which ends like one would call another operation; a `;` starts parameters that some servers remove,
//! which makes a `..` of `..;`; a `+` is a space to some. `?`, `#`, `[` and `]` are not allowed in a path at all. A `%`
//! in a value is an ordinary character, never the start of an escape. The public services require the same:
//! google/api/http.proto has a client encode everything except `[-_.~/0-9a-zA-Z]`.

use std::fmt::Write as _;

/// Appends a text with everything percent-encoded except unreserved characters (RFC 3986, section 2.3). This is the
/// simple expansion of a URI template (RFC 6570, section 3.2.2).
pub fn encode(text: &str, out: &mut String) {
    for &byte in text.as_bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// Returns whether a segment is not preserved as a value: an empty one changes the path, and clients and proxies
/// resolve dot segments, encoded or not (RFC 3986, section 6.2.2.3).
pub fn is_lost(segment: &str) -> bool {
    matches!(segment, "" | "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_unreserved_characters_stays() {
        let mut out = String::new();
        encode("a/b?c#d%e f\u{e9}\n:@~-_.é+&=", &mut out);
        assert_eq!(out, "a%2Fb%3Fc%23d%25e%20f%C3%A9%0A%3A%40~-_.%C3%A9%2B%26%3D");
    }
}
