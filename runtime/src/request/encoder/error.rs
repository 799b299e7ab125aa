//! Errors of encoding a request.

use std::fmt;

use crate::json::EncodeError;
use crate::operation::SegmentPattern;

/// Error of encoding a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// Name of the parameter in the schema, or `body` or `content-type`.
    pub parameter: &'static str,
    /// Kind of the error.
    pub kind: RequestErrorKind,
}

/// Kind of a [`RequestError`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestErrorKind {
    /// A required parameter of the path is missing.
    Missing,
    /// The value is `.`, `..` or empty, which is not preserved as a segment of a path.
    InvalidSegment,
    /// The value contains text that is next to it in the path, so that its extent is ambiguous.
    AmbiguousExtent,
    /// The value does not match this pattern of the path.
    PatternMismatch(&'static [SegmentPattern]),
    /// The value contains a character that its location cannot hold, such as the delimiter of a list, or a header value
    /// has a space at its ends.
    ForbiddenCharacter,
    /// The value has more levels than a form or a parameter with brackets can have.
    TooDeep,
    /// The body, or a parameter with fields, cannot be encoded.
    Body(EncodeError),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.parameter;
        match &self.kind {
            RequestErrorKind::Missing => write!(f, "missing parameter `{name}`"),
            RequestErrorKind::InvalidSegment => {
                write!(f, "the parameter `{name}` must not be empty, `.` or `..`, because it is a segment of the path")
            }
            RequestErrorKind::AmbiguousExtent => {
                write!(f, "the parameter `{name}` is ambiguous: it contains the text that delimits it in the path")
            }
            RequestErrorKind::PatternMismatch(pieces) => {
                write!(f, "the parameter `{name}` must have the form `{}`", pattern_text(pieces))
            }
            RequestErrorKind::ForbiddenCharacter => {
                write!(f, "the parameter `{name}` contains a character that is not allowed in its location")
            }
            RequestErrorKind::TooDeep => write!(f, "`{name}` has more than {} levels", crate::form::MAX_BRACKET_DEPTH),
            RequestErrorKind::Body(error) => write!(f, "cannot encode the body: {error}"),
        }
    }
}

impl std::error::Error for RequestError {}

/// Formats a pattern, such as `projects/*/files/**`.
fn pattern_text(pieces: &[SegmentPattern]) -> String {
    let text = |piece: &SegmentPattern| match *piece {
        SegmentPattern::Literal(text) => text,
        SegmentPattern::Wildcard | SegmentPattern::Parts(_) => "*",
        SegmentPattern::DoubleWildcard => "**",
    };
    pieces.iter().map(text).collect::<Vec<_>>().join("/")
}
