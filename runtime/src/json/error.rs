//! Errors of decoding and encoding, bounded to one line.

use std::fmt::{self, Write as _};

use super::path;
use super::syntax::{Code, ReadError};

/// Maximum length of a message in bytes. serde repeats the offending value, which may be megabytes.
const MAX_BYTES: usize = 256;

/// Error of decoding JSON text, with the path of the field and the position in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// Path of the offending field, such as `attendees[3].email`; empty for the value as a whole. A name that is not
    /// an identifier is quoted in brackets, `labels["a b"]`.
    pub path: String,
    /// Line, from 1; 0 if the location is unknown.
    pub line: usize,
    /// Column in bytes, from 1; 0 at the start of a line and if the location is unknown.
    pub column: usize,
    /// Kind of the error.
    pub kind: DecodeErrorKind,
    /// Message: one line, truncated if it is long.
    pub message: String,
}

/// Kind of a [`DecodeError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The text is not JSON, or nested too deeply.
    Syntax,
    /// The text is JSON, but not a value of the type.
    Data,
    /// The text ends too early.
    Eof,
}

impl DecodeError {
    /// Converts a reader's error: finds the path of the value at its position in the input.
    #[cold]
    pub(super) fn locate(error: &ReadError, input: &[u8]) -> Self {
        let kind = match error.code() {
            Code::Message(_) => DecodeErrorKind::Data,
            Code::EofInList | Code::EofInObject | Code::EofInString | Code::EofInValue => DecodeErrorKind::Eof,
            _ => DecodeErrorKind::Syntax,
        };
        let (line, column) = error.position();
        let mut end = path::offset(input, line, column);
        if kind == DecodeErrorKind::Syntax {
            // The last character counted is the wrong one, so it opens and closes nothing.
            end = end.saturating_sub(1);
        }
        let path = if line == 0 { String::new() } else { path::locate(input.get(..end).unwrap_or(input)) };
        Self { path, line, column, kind, message: bounded(error) }
    }
}

impl DecodeError {
    /// Removes the line and column, which are meaningless for a text that was derived from the request.
    #[must_use]
    pub fn without_position(self) -> Self {
        Self { line: 0, column: 0, ..self }
    }

    /// Creates the error of a body that is not JSON. The message continues "the body".
    #[cold]
    pub(crate) fn invalid_body(message: &'static str) -> Self {
        let message = format!("the body {message}");
        Self { path: String::new(), line: 0, column: 0, kind: DecodeErrorKind::Data, message }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        if self.line > 0 {
            write!(f, " at line {} column {}", self.line, self.column)?;
        }
        Ok(())
    }
}

impl std::error::Error for DecodeError {}

/// Error of encoding a value as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError {
    message: String,
}

impl EncodeError {
    /// Creates an error from that of a serializer.
    #[cold]
    pub(crate) fn new(error: &impl fmt::Display) -> Self {
        Self { message: bounded(error) }
    }

    /// Creates the error of a value that the format cannot represent.
    #[cfg(feature = "xml")]
    #[cold]
    pub(crate) fn from_message(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EncodeError {}

/// Returns the message of an error, bounded to one line.
fn bounded(error: &impl fmt::Display) -> String {
    let mut text = Line::default();
    // It fails if the line is full, which `cut` records.
    let _ = write!(text, "{error}");
    if text.cut {
        text.line.push('…');
    }
    text.line
}

/// Writer that truncates text at a limit and replaces control characters.
#[derive(Default)]
struct Line {
    line: String,
    cut: bool,
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if self.line.len() + character.len_utf8() > MAX_BYTES {
                self.cut = true;
                return Err(fmt::Error);
            }
            self.line.push(if character.is_control() { ' ' } else { character });
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use crate::json::{DecodeErrorKind, from_slice, from_str};
    use std::collections::BTreeMap;

    #[test]
    fn messages_are_one_bounded_line() {
        let long = format!("\"{}\"", "\u{1f600}".repeat(100_000));
        let Err(error) = from_str::<i32>(&long) else { panic!("a string is no integer") };
        assert!(error.message.len() <= super::MAX_BYTES + '…'.len_utf8(), "{}", error.message.len());
        assert!(error.message.ends_with("\u{1f600}…"));
        let Err(error) = from_str::<BTreeMap<String, i32>>(r#"{"a\nb\u0085": 1, "a\nb\u0085": 1}"#) else {
            panic!("a key must not be repeated")
        };
        assert!(!error.to_string().contains(char::is_control), "{error:?}");
    }

    #[test]
    fn kinds_and_positions() {
        use DecodeErrorKind::{Data, Eof, Syntax};
        for (text, kind, line, expected) in [
            ("[1,\n tru]", Syntax, 2, "[1]: expected ident at line 2 column 5"),
            ("[1", Eof, 1, "[0]: EOF while parsing a list at line 1 column 2"),
            ("", Eof, 1, "EOF while parsing a value at line 1 column 0"),
            ("[1] x", Syntax, 1, "trailing characters at line 1 column 5"),
            ("[1,\n\"x\"]", Data, 2, "[1]: invalid type: string \"x\", expected a 32-bit integer at line 2 column 3"),
        ] {
            let error = from_str::<Vec<i32>>(text);
            assert_eq!(error.as_ref().map_err(|error| (error.kind, error.line)), Err((kind, line)), "{text}");
            assert_eq!(error.map_err(|error| error.to_string()), Err(expected.to_owned()));
        }
        assert!(from_slice::<String>(b"\"\xff\"").is_err_and(|error| error.kind == Syntax));
        assert!(from_slice::<bool>(b"\xef\xbb\xbftrue").is_err_and(|error| error.kind == Syntax));
    }
}
