//! The types of expressions.

use crate::model::{EnumId, ResourceId, Type};

/// The types of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CelType {
    /// `true` or `false`.
    Bool,
    /// A signed integer of 64 bits.
    Int,
    /// An unsigned integer of 64 bits.
    Uint,
    /// A floating-point number.
    Double,
    /// Text.
    String,
    /// Bytes.
    Bytes,
    /// A point in time, or a local time without an offset.
    Timestamp,
    /// A calendar date.
    Date,
    /// A length of time.
    Duration,
    /// A value of an enum.
    Enum(EnumId),
    /// Any JSON value.
    Any,
    /// Any JSON object.
    Object,
    /// `null`.
    Null,
    /// A resource.
    Message(ResourceId),
    /// A merge patch of a resource.
    Patch(ResourceId),
    /// A list.
    List(Box<CelType>),
    /// A map from strings.
    Map(Box<CelType>),
    /// Several values that count as one: an element that `unique()` compares.
    Tuple(Vec<CelType>),
}

impl CelType {
    /// The type that values of a schema's type have in conditions.
    #[must_use]
    pub fn of(ty: &Type) -> Option<Self> {
        Some(match ty {
            Type::Bool => Self::Bool,
            Type::Int32 | Type::Int64(_) => Self::Int,
            Type::Uint32 | Type::Uint64(_) => Self::Uint,
            Type::Float | Type::Double => Self::Double,
            Type::String => Self::String,
            Type::Bytes(_) => Self::Bytes,
            Type::Date => Self::Date,
            Type::DateTime => Self::Timestamp,
            Type::Duration => Self::Duration,
            Type::Any => Self::Any,
            Type::Object => Self::Object,
            Type::Resource(id) => Self::Message(*id),
            Type::Enum(id) => Self::Enum(*id),
            Type::Union(_) | Type::Nullable(_) | Type::Lexical(_) => return None,
            Type::List(inner) => Self::List(Box::new(Self::of(inner)?)),
            Type::Map(inner) => Self::Map(Box::new(Self::of(inner)?)),
        })
    }

    /// Whether it is one of the three kinds of numbers.
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Int | Self::Uint | Self::Double)
    }

    /// Whether values are looked up in a list by their hash, which takes the same time however long the list is.
    #[must_use]
    pub fn is_looked_up(&self) -> bool {
        matches!(self, Self::String | Self::Int | Self::Uint | Self::Date | Self::Enum(_))
    }
}
