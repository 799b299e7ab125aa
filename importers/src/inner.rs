//! What a value is in the end, below lists and maps.

use wireform_codegen::model::Lexical;

/// What a value is in the end, below lists and maps: what a default or a bound can be.
#[derive(Clone, Debug, PartialEq)]
pub enum Inner {
    Text,
    Bool,
    /// A whole number between two others.
    Whole(i128, i128),
    Float,
    /// One of these texts.
    Values(Vec<String>),
    Date,
    DateTime,
    Bytes,
    /// A text with a form of its own.
    Lexical(Lexical),
    /// Another single value, of which nothing is written out.
    Scalar,
    /// Any value, or any object.
    Json,
    /// One of several types.
    Union,
    /// An object with known members, of which nothing can be written out.
    Other,
}

impl Inner {
    /// What the whole numbers of a type are; those of `int64` where it is none of the others.
    pub fn whole(name: &str) -> Self {
        match name {
            "int32" => Self::Whole(i32::MIN.into(), i32::MAX.into()),
            "uint32" => Self::Whole(0, u32::MAX.into()),
            "uint64" => Self::Whole(0, u64::MAX.into()),
            _ => Self::Whole(i64::MIN.into(), i64::MAX.into()),
        }
    }

    /// Whether it is a number that can be below zero.
    pub const fn is_signed(&self) -> bool {
        matches!(self, Self::Whole(least, _) if *least < 0)
    }
}
