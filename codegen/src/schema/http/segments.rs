//! Parser for the segments of a path template.

use std::fmt;

use super::{HttpLineError, PathPart, PathSegment};
use crate::schema::Text;

impl fmt::Display for PathSegment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => f.write_str(text),
            Self::Variable(name) => write!(f, "{{{}}}", name.text),
            Self::Rest(name) => write!(f, "{{+{}}}", name.text),
            Self::Parts(parts) => parts.iter().try_for_each(|part| match part {
                PathPart::Text(text) => f.write_str(text),
                PathPart::Variable(name) => write!(f, "{{{}}}", name.text),
            }),
        }
    }
}

/// Parses a segment that starts at a byte offset of the line.
pub fn parse_segment(piece: &str, at: usize, line: &Text, may_be_empty: bool) -> Result<PathSegment, HttpLineError> {
    if let Some(name) = piece.strip_prefix('{').and_then(|piece| piece.strip_suffix('}'))
        && !name.contains(['{', '}'])
    {
        let (name, rest) = name.strip_prefix('+').map_or((name, false), |name| (name, true));
        let text = parse_variable(name, at + piece.len() - 1 - name.len(), (at, piece.len()), line)?;
        return Ok(if rest { PathSegment::Rest(text) } else { PathSegment::Variable(text) });
    }
    if piece.contains('{') {
        return parse_parts(piece, at, line).map(PathSegment::Parts);
    }
    if piece == "." || piece == ".." || !piece.bytes().all(is_literal_byte) {
        return Err(invalid_segment(piece, at));
    }
    if piece.is_empty() && !may_be_empty {
        return Err((at.saturating_sub(1), 1, "empty path segment".into()));
    }
    Ok(PathSegment::Literal(piece.to_owned()))
}

/// Returns whether a byte is an unreserved character, a sub-delimiter or `@` (RFC 3986, section 3.3). Percent signs are
/// excluded, because templates are written decoded, and colons, which start a verb.
fn is_literal_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@".contains(&byte)
}

/// Creates the error of an invalid segment.
fn invalid_segment(piece: &str, at: usize) -> HttpLineError {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(is_literal_byte);
    if let Some(name) = piece.strip_prefix(':').filter(|name| is_name(name)) {
        let message = format!("invalid path segment `{piece}`: write a variable as `{{{name}}}`");
        return (at, piece.len(), message);
    }
    let why = if piece.contains('?') {
        ": query parameters are declared under `query:`"
    } else if piece.contains(['{', '}']) {
        ": expected a variable in braces"
    } else {
        ""
    };
    (at, piece.len(), format!("invalid path segment `{}`{why}", piece.escape_debug()))
}

/// Checks the name of a variable, which starts at a byte offset of the line. An error has the range `whole`.
fn parse_variable(name: &str, at: usize, whole: (usize, usize), line: &Text) -> Result<Text, HttpLineError> {
    let is_name = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-$".contains(&byte))
    };
    // RFC 6570, section 2.3: dots are between other characters; a leading one is an operator.
    if !name.split('.').all(is_name) {
        let message =
            "invalid variable name: expected letters, digits, `_`, `-` and `$`, with single dots between them";
        return Err((whole.0, whole.1, message.into()));
    }
    Ok(Text { text: name.to_owned(), span: line.part_span(at, name.len()) })
}

/// Parses a segment that combines variables with text. The text can contain a colon that does not start a verb.
fn parse_parts(piece: &str, at: usize, line: &Text) -> Result<Vec<PathPart>, HttpLineError> {
    let mut parts = Vec::new();
    let mut rest = piece;
    while !rest.is_empty() {
        let begun = at + piece.len() - rest.len();
        let (text, after) = rest.split_at(rest.find('{').unwrap_or(rest.len()));
        if !text.bytes().all(|byte| is_literal_byte(byte) || byte == b':') {
            return Err(invalid_segment(piece, at));
        }
        if text.is_empty() && !parts.is_empty() {
            return Err((begun, rest.len(), "expected text between two variables".into()));
        }
        parts.extend((!text.is_empty()).then(|| PathPart::Text(text.to_owned())));
        let Some(inner) = after.strip_prefix('{') else { break };
        let (name, tail) = inner.split_once('}').ok_or_else(|| invalid_segment(piece, at))?;
        if name.starts_with('+') {
            let message = "a variable that matches several segments cannot be combined with text";
            return Err((begun + text.len(), name.len() + 2, message.into()));
        }
        let from = begun + text.len();
        parts.push(PathPart::Variable(parse_variable(name, from + 1, (from, name.len() + 2), line)?));
        rest = tail;
    }
    Ok(parts)
}
