//! Innermost value types, below lists and maps.

use wireform_codegen::model::Lexical;

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
    /// Other scalar without literals.
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

    /// Returns whether it is a number that can be negative.
    pub const fn is_signed(&self) -> bool {
        matches!(self, Self::Whole(least, _) if *least < 0)
    }
}
