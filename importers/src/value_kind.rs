//! Innermost value types, below lists and maps.

use wireform_codegen::model::Lexical;
use wireform_codegen::resolve::{is_base64, is_date, is_date_time, is_lexical};

/// Innermost value type, below lists and maps, which determines valid defaults and bounds.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    Text,
    Bool,
    /// Integer within inclusive bounds.
    Whole(i128, i128),
    Float,
    /// Number of any precision.
    Number,
    /// Enum with these values.
    Values(Vec<String>),
    Date,
    DateTime,
    Bytes,
    /// Text with a lexical form.
    Lexical(Lexical),
    /// Duration, or a file, which has no literals.
    Scalar,
    /// Any value, or any object.
    Json,
    /// One of several types.
    Union,
    /// Object with known members, which has no literals.
    Other,
}

impl ValueKind {
    /// Returns the bounds of an integer type; those of `int64` for other names.
    pub fn integer_of(name: &str) -> Self {
        match name {
            "int32" => Self::Whole(i32::MIN.into(), i32::MAX.into()),
            "uint32" => Self::Whole(0, u32::MAX.into()),
            "uint64" => Self::Whole(0, u64::MAX.into()),
            _ => Self::Whole(i64::MIN.into(), i64::MAX.into()),
        }
    }

    /// Returns whether a text is a value of a type with a notation of its own, such as a date.
    pub fn is_text(&self, text: &str) -> bool {
        match self {
            Self::Date => is_date(text),
            Self::DateTime => is_date_time(text),
            Self::Bytes => is_base64(text),
            Self::Lexical(lexical) => is_lexical(*lexical, text),
            _ => false,
        }
    }

    /// Returns whether it is a number that can be negative.
    pub const fn is_signed(&self) -> bool {
        matches!(self, Self::Whole(least, _) if *least < 0)
    }
}
