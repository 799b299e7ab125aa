//! Errors of reading JSON text, with the messages and positions of `serde_json`.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

/// Error of reading JSON text. It is boxed, so that results stay small.
#[derive(Debug)]
pub(super) struct ReadError(Box<Inner>);

/// Content of an error, boxed to keep results small.
#[derive(Debug)]
struct Inner {
    code: Code,
    /// Line, from 1; 0 as long as the position is unknown.
    line: usize,
    column: usize,
}

/// Cause of a [`ReadError`].
#[derive(Debug)]
pub(super) enum Code {
    /// The text is JSON, but not a value of the type.
    Message(Box<str>),
    EofInList,
    EofInObject,
    EofInString,
    EofInValue,
    ExpectedColon,
    ExpectedListCommaOrEnd,
    ExpectedObjectCommaOrEnd,
    ExpectedIdent,
    ExpectedValue,
    ExpectedDoubleQuote,
    ExpectedNumericKey,
    InvalidEscape,
    InvalidNumber,
    NumberOutOfRange,
    InvalidUnicode,
    ControlCharacter,
    KeyMustBeAString,
    UnpairedSurrogate,
    TrailingComma,
    TrailingCharacters,
    UnexpectedEndOfEscape,
    TooDeep,
}

impl ReadError {
    #[cold]
    pub(super) fn new(code: Code, (line, column): (usize, usize)) -> Self {
        Self(Box::new(Inner { code, line, column }))
    }

    /// Sets the position, unless it is known.
    #[cold]
    pub(super) fn set_position(&mut self, position: impl FnOnce() -> (usize, usize)) {
        if self.0.line == 0 {
            (self.0.line, self.0.column) = position();
        }
    }

    /// Returns the line, from 1, and the column.
    pub(super) fn position(&self) -> (usize, usize) {
        (self.0.line, self.0.column)
    }

    /// Returns the kind of the error.
    pub(super) fn code(&self) -> &Code {
        &self.0.code
    }
}

/// Displays the message without the position.
impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0.code {
            Code::Message(message) => message,
            Code::EofInList => "EOF while parsing a list",
            Code::EofInObject => "EOF while parsing an object",
            Code::EofInString => "EOF while parsing a string",
            Code::EofInValue => "EOF while parsing a value",
            Code::ExpectedColon => "expected `:`",
            Code::ExpectedListCommaOrEnd => "expected `,` or `]`",
            Code::ExpectedObjectCommaOrEnd => "expected `,` or `}`",
            Code::ExpectedIdent => "expected ident",
            Code::ExpectedValue => "expected value",
            Code::ExpectedDoubleQuote => "expected `\"`",
            Code::ExpectedNumericKey => "invalid value: expected key to be a number in quotes",
            Code::InvalidEscape => "invalid escape",
            Code::InvalidNumber => "invalid number",
            Code::NumberOutOfRange => "number out of range",
            Code::InvalidUnicode => "invalid unicode code point",
            Code::ControlCharacter => "control character (\\u0000-\\u001F) found while parsing a string",
            Code::KeyMustBeAString => "key must be a string",
            Code::UnpairedSurrogate => "lone leading surrogate in hex escape",
            Code::TrailingComma => "trailing comma",
            Code::TrailingCharacters => "trailing characters",
            Code::UnexpectedEndOfEscape => "unexpected end of hex escape",
            Code::TooDeep => "recursion limit exceeded",
        })
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        let mut message = message.to_string();
        let position = strip_position(&mut message).unwrap_or_default();
        Self::new(Code::Message(message.into()), position)
    }

    #[cold]
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid type: {}, expected {expected}", Json(unexpected)))
    }

    #[cold]
    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid value: {}, expected {expected}", Json(unexpected)))
    }
}

/// Unexpected value in the terms of JSON.
struct Json<'u>(Unexpected<'u>);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unexpected::Unit => f.write_str("null"),
            Unexpected::Float(value) => write!(f, "floating point `{}`", zmij::Buffer::new().format(value)),
            unexpected => unexpected.fmt(f),
        }
    }
}

/// Removes ` at line 1 column 2` from the end of a message and returns the position: the message is that of an error
/// that was located and then wrapped.
fn strip_position(message: &mut String) -> Option<(usize, usize)> {
    let (before, position) = message.rsplit_once(" at line ")?;
    let (line, column) = position.split_once(" column ")?;
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let position = (number(line)?, number(column)?);
    message.truncate(before.len());
    Some(position)
}
