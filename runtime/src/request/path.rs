//! Text in paths and queries (RFC 3986): a value always remains a single segment or value.
//!
//! All reserved characters are encoded, also in a variable that may hold slashes (`{+name}`), where RFC 6570 would keep
//! them (section 3.2.3). A segment could contain most of them literally, but parsers disagree: a `:` starts a verb, so
//! that a value which ends like one would call another operation; a `;` starts parameters that some servers remove,
//! which makes a `..` of `..;`; a `+` is a space to some. `?`, `#`, `[` and `]` are not allowed in a path at all. A `%`
//! in a value is an ordinary character, never the start of an escape. The public services require the same:
//! google/api/http.proto has a client encode everything except `[-_.~/0-9a-zA-Z]`.

pub use crate::http::percent::encode;

/// Returns whether a segment is not preserved as a value: an empty one changes the path, and clients and proxies
/// resolve dot segments, encoded or not (RFC 3986, section 6.2.2.3).
pub fn is_dot_or_empty(segment: &str) -> bool {
    matches!(segment, "" | "." | "..")
}
