//! Text in paths and queries (RFC 3986): a value never becomes more than the one segment or value it is.
//!
//! All that is reserved is encoded, also in a variable that may hold slashes (`{+name}`), where RFC 6570 would
//! keep it (section 3.2.3). A segment could hold most of it literally, but not all who read the path agree: a `:`
//! begins a verb, so that a value which ends like one would call another operation; a `;` begins parameters that
//! some servers cut off, which makes a `..` of `..;`; a `+` is a space to some. `?`, `#`, `[` and `]` cannot be in
//! a path at all. A `%` in a value is a character like others, never the start of one that is encoded already.
//! It is also what the public services ask for: google/api/http.proto has a client encode everything but
//! `[-_.~/0-9a-zA-Z]`.

use std::fmt::Write as _;

/// Appends a text with everything percent-encoded but the unreserved characters (RFC 3986, section 2.3). This is
/// the simple expansion of a URI template (RFC 6570, section 3.2.2).
pub fn encode(text: &str, out: &mut String) {
    for &byte in text.as_bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            // Writing into a string does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// Returns whether a segment would be taken for something else than a value: an empty one changes the path, and a dot
/// segment is resolved away by clients and proxies, encoded or not (RFC 3986, section 6.2.2.3).
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
