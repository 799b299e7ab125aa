//! Types of expressions.

use crate::model::{EnumId, ResourceId, Type};

/// Type of an expression.
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
    /// Timestamp, or a local time without an offset.
    Timestamp,
    /// A calendar date.
    Date,
    /// A duration.
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
    Resource(ResourceId),
    /// A merge patch of a resource.
    Patch(ResourceId),
    /// A list.
    List(Box<CelType>),
    /// A map from strings.
    Map(Box<CelType>),
    /// Tuple that is compared as one value: an element that `unique()` compares.
    Tuple(Vec<CelType>),
}

impl CelType {
    /// Returns the type that values of a schema type have in conditions, if they can be used there.
    #[must_use]
    pub fn of(ty: &Type) -> Option<Self> {
        Some(match ty {
            Type::Bool => Self::Bool,
            Type::Int32 | Type::Int64(_) => Self::Int,
            Type::Uint32 | Type::Uint64(_) => Self::Uint,
            Type::Float | Type::Double | Type::Number => Self::Double,
            Type::String => Self::String,
            Type::Bytes(_) => Self::Bytes,
            Type::Date => Self::Date,
            Type::DateTime => Self::Timestamp,
            Type::Duration => Self::Duration,
            Type::Any => Self::Any,
            Type::Object => Self::Object,
            Type::Resource(id) => Self::Resource(*id),
            Type::Enum(id) => Self::Enum(*id),
            Type::Union(_) | Type::Nullable(_) | Type::Lexical(_) | Type::Unresolved => return None,
            Type::List(inner) => Self::List(Box::new(Self::of(inner)?)),
            Type::Map(inner) => Self::Map(Box::new(Self::of(inner)?)),
        })
    }

    /// Returns whether it is one of the three kinds of numbers.
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Int | Self::Uint | Self::Double)
    }

    /// Returns whether lists of such values are searched by hash, in constant time.
    #[must_use]
    pub fn is_hashed(&self) -> bool {
        matches!(self, Self::String | Self::Int | Self::Uint | Self::Date | Self::Enum(_))
    }
}
