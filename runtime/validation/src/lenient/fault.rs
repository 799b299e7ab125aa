//! Why a value could not be decoded, and which one it is. The value itself is not repeated.

use std::fmt::{self, Display, Write as _};

use serde::de::{Error, Expected, Unexpected};

/// The most bytes of a message that are kept.
const MOST_BYTES: usize = 256;

/// Why a value could not be decoded.
#[derive(Debug)]
pub struct Fault {
    /// The value, as a number in the tree, once it is known.
    pub node: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What kind of fault it is.
    pub kind: FaultKind,
}

/// What kind of fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The value is not of its type.
    Type,
    /// The member was there before.
    Duplicate,
    /// The value is nested too deep.
    Depth,
}

impl Fault {
    /// Creates a fault without a place.
    pub fn new(kind: FaultKind, message: impl Display) -> Self {
        let mut line = Line::default();
        // It fails when the line is full, which is noted in the line.
        let _ = write!(line, "{message}");
        if line.cut {
            line.text.push('…');
        }
        Self { node: None, message: line.text, kind }
    }

    /// Returns the fault at a place, unless one further down is known.
    pub fn at(mut self, node: usize) -> Self {
        self.node.get_or_insert(node);
        self
    }

    /// Returns the same place, and nothing else to say than that the member was there before.
    pub fn duplicate(mut self) -> Self {
        self.kind = FaultKind::Duplicate;
        self.message = String::from("is given twice");
        self
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(FaultKind::Type, message)
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(FaultKind::Type, format_args!("must be {expected}, found {}", name(&found)))
    }

    fn invalid_value(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(FaultKind::Type, format_args!("must be {expected}"))
    }

    fn invalid_length(_found: usize, expected: &dyn Expected) -> Self {
        Self::new(FaultKind::Type, format_args!("must be {expected}"))
    }

    fn unknown_variant(_found: &str, _expected: &'static [&'static str]) -> Self {
        Self::new(FaultKind::Type, "is no value that is known")
    }

    fn unknown_field(_found: &str, _expected: &'static [&'static str]) -> Self {
        Self::new(FaultKind::Type, "has a member that is not known")
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(FaultKind::Type, format_args!("has no member `{field}`"))
    }

    fn duplicate_field(_field: &'static str) -> Self {
        Self::new(FaultKind::Type, "").duplicate()
    }
}

/// What was found, without what it says.
fn name(found: &Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "a string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "a list",
        Unexpected::Map => "an object",
        _ => "something else",
    }
}

/// Takes text up to a bound, control characters replaced.
#[derive(Default)]
struct Line {
    text: String,
    cut: bool,
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if self.text.len() + character.len_utf8() > MOST_BYTES {
                self.cut = true;
                return Err(fmt::Error);
            }
            self.text.push(if character.is_control() { ' ' } else { character });
        }
        Ok(())
    }
}
