//! Types of fields, parameters and bodies.

use super::{EnumId, ResourceId, UnionId};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A boolean.
    Bool,
    /// A signed 32-bit integer.
    Int32,
    /// A signed 64-bit integer.
    Int64(Encoding),
    /// An unsigned 32-bit integer.
    Uint32,
    /// An unsigned 64-bit integer.
    Uint64(Encoding),
    /// A 32-bit floating-point number.
    Float,
    /// A 64-bit floating-point number.
    Double,
    /// A JSON number of any size and precision.
    Number,
    /// Text.
    String,
    /// Bytes, base64 on the wire.
    Bytes(Encoding),
    /// A calendar date.
    Date,
    /// A point in time, with or without an offset.
    DateTime,
    /// A duration.
    Duration,
    /// A text with a form of its own.
    Lexical(Lexical),
    /// Any JSON value.
    Any,
    /// Any JSON object.
    Object,
    /// A resource.
    Resource(ResourceId),
    /// An enum.
    Enum(EnumId),
    /// A union.
    Union(UnionId),
    /// A list.
    List(Box<Type>),
    /// A map from strings.
    Map(Box<Type>),
    /// An element of a list, or of a map, that can be null.
    Nullable(Box<Type>),
    /// Type that could not be resolved, which was reported. Checks skip it, so that consequences are not reported as
    /// well, and it never reaches the emitters: `rules::verify` rejects a model that has one and no error.
    Unresolved,
}

/// Wire encoding of a value whose type leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// A JSON number.
    Number,
    /// A string of decimal digits.
    DecimalString,
    /// Base64 with `-` and `_`.
    Base64Url,
    /// Base64 with `+` and `/`.
    Base64,
    /// Base64 with `-` and `_`, without padding.
    Base64UrlUnpadded,
    /// Base64 with `+` and `/`, without padding.
    Base64Unpadded,
    /// A JSON number of seconds since 1970.
    UnixSeconds,
    /// A JSON number of milliseconds since 1970.
    UnixMilliseconds,
    /// Raw bytes of a file: a part of a multipart form.
    File,
}

/// Format of a text that is neither a date nor a timestamp of RFC 3339.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lexical {
    /// A decimal number of any precision.
    Decimal,
    /// A duration of ISO 8601.
    IsoDuration,
    /// A time of day (RFC 3339).
    Time,
    /// Timestamp in the format of HTTP headers (RFC 9110).
    HttpDate,
}

impl Lexical {
    /// Returns the name of the runtime's type.
    #[must_use]
    pub const fn rust_name(self) -> &'static str {
        match self {
            Self::Decimal => "BigDecimal",
            Self::IsoDuration => "IsoDuration",
            Self::Time => "Time",
            Self::HttpDate => "HttpDate",
        }
    }

    /// Returns whether the Rust type exposes its text, so that constraints on texts apply.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Decimal | Self::IsoDuration)
    }
}

impl Encoding {
    /// Returns the runtime's wrapper of a 64-bit integer in this encoding, if there is one.
    #[must_use]
    pub const fn wrapper(self) -> Option<&'static str> {
        match self {
            Self::DecimalString => Some("Decimal"),
            Self::UnixSeconds => Some("UnixTime"),
            Self::UnixMilliseconds => Some("UnixMillis"),
            _ => None,
        }
    }
}

impl Type {
    /// Returns the runtime's wrapper of an integer, if there is one.
    #[must_use]
    pub const fn wrapper(&self) -> Option<&'static str> {
        match self {
            Self::Int64(encoding) | Self::Uint64(encoding) => encoding.wrapper(),
            _ => None,
        }
    }

    /// Returns whether it is a 64-bit integer encoded as a decimal string.
    #[must_use]
    pub const fn is_decimal_string(&self) -> bool {
        matches!(self, Self::Int64(Encoding::DecimalString) | Self::Uint64(Encoding::DecimalString))
    }

    /// Returns whether it is a text, possibly of a specific format, to which constraints on texts apply.
    #[must_use]
    pub const fn is_textual(&self) -> bool {
        match self {
            Self::String => true,
            Self::Lexical(lexical) => lexical.is_text(),
            _ => false,
        }
    }

    /// Returns the minimum and maximum of an integer type.
    #[must_use]
    pub fn integer_range(&self) -> Option<(i128, i128)> {
        Some(match self {
            Self::Int32 => (i32::MIN.into(), i32::MAX.into()),
            Self::Uint32 => (0, u32::MAX.into()),
            // Range of a timestamp: the years -9999 to 9999.
            Self::Int64(Encoding::UnixSeconds) => (-377_705_023_201, 253_402_207_200),
            Self::Int64(Encoding::UnixMilliseconds) => (-377_705_023_201_000, 253_402_207_200_999),
            Self::Int64(_) => (i64::MIN.into(), i64::MAX.into()),
            Self::Uint64(_) => (0, u64::MAX.into()),
            _ => return None,
        })
    }

    /// Returns the element type inside of nested lists and maps.
    #[must_use]
    pub fn innermost_type(&self) -> &Type {
        match self {
            Self::List(inner) | Self::Map(inner) | Self::Nullable(inner) => inner.innermost_type(),
            other => other,
        }
    }

    /// Returns whether some of its values have the JSON type of a value.
    #[must_use]
    pub fn has_json_type(&self, value: &serde_json::Value) -> bool {
        match self {
            Self::Bool => value.is_boolean(),
            Self::Int64(Encoding::DecimalString) | Self::Uint64(Encoding::DecimalString) => value.is_string(),
            Self::Int32 | Self::Int64(_) | Self::Uint32 | Self::Uint64(_) => value.is_i64() || value.is_u64(),
            Self::Float | Self::Double | Self::Number => value.is_number(),
            Self::String | Self::Bytes(_) | Self::Date | Self::DateTime | Self::Duration | Self::Lexical(_) => {
                value.is_string()
            }
            Self::Object | Self::Resource(_) | Self::Map(_) => value.is_object(),
            Self::List(_) => value.is_array(),
            // Those of some are numbers or booleans.
            Self::Enum(_) => !value.is_object() && !value.is_array() && !value.is_null(),
            Self::Nullable(inner) => value.is_null() || inner.has_json_type(value),
            Self::Any | Self::Union(_) | Self::Unresolved => true,
        }
    }

    /// Returns the type of elements that are not null.
    #[must_use]
    pub fn non_null(&self) -> &Type {
        match self {
            Self::Nullable(inner) => inner,
            other => other,
        }
    }

    /// Returns whether it is a list or a map. A field of such a type has no `Option` unless its presence is explicit:
    /// empty means absent.
    #[must_use]
    pub fn is_collection(&self) -> bool {
        matches!(self, Self::List(_) | Self::Map(_))
    }
}
