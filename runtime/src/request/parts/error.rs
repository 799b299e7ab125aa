//! Why a request cannot go onto the wire.

use std::fmt;

use crate::json::EncodeError;
use crate::operation::Piece;

/// Why a request cannot go onto the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// The parameter, by its name in the schema, or `body`.
    pub parameter: &'static str,
    /// What is wrong.
    pub kind: RequestErrorKind,
}

/// What is wrong with a part of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestErrorKind {
    /// The path needs it, and there is nothing.
    Missing,
    /// `.`, `..` or nothing, which does not stay a segment of a path.
    LostSegment,
    /// It holds text that stands beside it in the path, so that nobody could tell where it ends.
    NoEnd,
    /// Another name than the path of the operation holds, which has these pieces.
    OtherName(&'static [Piece]),
    /// A header or a cookie cannot hold one of its characters, or a header a space at its ends.
    ForbiddenCharacter,
    /// It has more levels than a form or a parameter with brackets can have.
    TooDeep,
    /// The body cannot be encoded.
    Body(EncodeError),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.parameter;
        match &self.kind {
            RequestErrorKind::Missing => write!(f, "the parameter `{name}` is missing"),
            RequestErrorKind::LostSegment => {
                write!(f, "the parameter `{name}` is empty, `.` or `..`, which no path can hold")
            }
            RequestErrorKind::NoEnd => {
                write!(
                    f,
                    "the parameter `{name}` holds text that stands beside it in the path, where nobody could tell its end"
                )
            }
            RequestErrorKind::OtherName(pieces) => {
                write!(f, "the parameter `{name}` must be of the form `{}`", form(pieces))
            }
            RequestErrorKind::ForbiddenCharacter => {
                write!(f, "the parameter `{name}` holds a character that cannot stand in its place")
            }
            RequestErrorKind::TooDeep => write!(f, "`{name}` has more than {} levels", crate::form::MOST_DEPTH),
            RequestErrorKind::Body(error) => write!(f, "the body cannot be encoded: {error}"),
        }
    }
}

impl std::error::Error for RequestError {}

/// `projects/*/files/**`
fn form(pieces: &[Piece]) -> String {
    let text = |piece: &Piece| match *piece {
        Piece::Literal(text) => text,
        Piece::One | Piece::Parts(_) => "*",
        Piece::Many => "**",
    };
    pieces.iter().map(text).collect::<Vec<_>>().join("/")
}
