//! Errors of decoding a tree. They do not repeat the value.

use std::fmt::{self, Display, Write as _};

use serde::de::{Error, Expected, Unexpected};

/// Maximum length of a message in bytes.
const MAX_BYTES: usize = 256;

/// Error of decoding a value.
#[derive(Debug)]
pub struct DecodeIssue {
    /// Index of the value in the tree, once it is known.
    pub node: Option<usize>,
    /// Message.
    pub message: String,
    /// Kind of the error.
    pub kind: DecodeIssueKind,
}

/// Kind of a [`DecodeIssue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeIssueKind {
    /// The value has the wrong type.
    Type,
    /// The field is a duplicate.
    Duplicate,
    /// The value is nested too deeply.
    Depth,
}

impl DecodeIssue {
    /// Creates a fault without a location.
    pub fn new(kind: DecodeIssueKind, message: impl Display) -> Self {
        let mut line = Line::default();
        // It fails if the line is full, which `cut` records.
        let _ = write!(line, "{message}");
        if line.cut {
            line.text.push('…');
        }
        Self { node: None, message: line.text, kind }
    }

    /// Sets the location, unless one further down is known.
    pub fn at_node(mut self, node: usize) -> Self {
        self.node.get_or_insert(node);
        self
    }

    /// Converts the fault to that of a duplicate field.
    pub fn into_duplicate(mut self) -> Self {
        self.kind = DecodeIssueKind::Duplicate;
        self.message = String::from("must not be repeated");
        self
    }
}

impl Display for DecodeIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecodeIssue {}

impl Error for DecodeIssue {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(DecodeIssueKind::Type, message)
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(DecodeIssueKind::Type, format_args!("must be {expected}, found {}", type_name(&found)))
    }

    fn invalid_value(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(DecodeIssueKind::Type, format_args!("must be {expected}"))
    }

    fn invalid_length(_found: usize, expected: &dyn Expected) -> Self {
        Self::new(DecodeIssueKind::Type, format_args!("must be {expected}"))
    }

    fn unknown_variant(_found: &str, _expected: &'static [&'static str]) -> Self {
        Self::new(DecodeIssueKind::Type, "is not a known value")
    }

    fn unknown_field(_found: &str, _expected: &'static [&'static str]) -> Self {
        Self::new(DecodeIssueKind::Type, "has an unknown field")
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(DecodeIssueKind::Type, format_args!("has no field `{field}`"))
    }

    fn duplicate_field(_field: &'static str) -> Self {
        Self::new(DecodeIssueKind::Type, "").into_duplicate()
    }
}

/// Returns the type of a value, without the value.
fn type_name(found: &Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "a string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "a list",
        Unexpected::Map => "an object",
        _ => "another type",
    }
}

/// Writer that truncates text at a limit and replaces control characters.
#[derive(Default)]
struct Line {
    text: String,
    cut: bool,
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if self.text.len() + character.len_utf8() > MAX_BYTES {
                self.cut = true;
                return Err(fmt::Error);
            }
            self.text.push(if character.is_control() { ' ' } else { character });
        }
        Ok(())
    }
}
