//! Errors of parsing a document.

use std::borrow::Cow;

use crate::json::{DecodeError, DecodeErrorKind};

/// Returns the escaped start of a text, for a message.
pub fn shorten(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

/// Error with its position in bytes.
pub struct DocumentError {
    pub offset: usize,
    pub message: Cow<'static, str>,
}

impl DocumentError {
    pub fn new(at: usize, message: impl Into<Cow<'static, str>>) -> Self {
        Self { offset: at, message: message.into() }
    }

    /// Converts to an error with the line and column in a text.
    #[cold]
    pub fn locate(self, text: &[u8]) -> DecodeError {
        const MAX_CHARS: usize = 300;
        let before = text.get(..self.offset).unwrap_or(text);
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let message = self.message.chars().map(|c| if c.is_control() { ' ' } else { c });
        DecodeError {
            path: String::new(),
            line,
            column: before.len() - line_start + 1,
            kind: DecodeErrorKind::Syntax,
            message: message.take(MAX_CHARS).collect(),
        }
    }
}
