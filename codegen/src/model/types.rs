//! What members, parameters and bodies hold.

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
    /// Text.
    String,
    /// Bytes, base64 on the wire.
    Bytes(Encoding),
    /// A calendar date.
    Date,
    /// A point in time, with or without an offset.
    DateTime,
    /// A length of time.
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
}

/// How a value is written where its type leaves a choice.
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
    /// A file: a part of a form, with bytes as they are.
    File,
}

/// The form of a text that is neither a date nor a point in time of RFC 3339.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lexical {
    /// A decimal number of any precision.
    Decimal,
    /// A duration of ISO 8601.
    IsoDuration,
    /// A time of day (RFC 3339).
    Time,
    /// A point in time as headers of HTTP have it (RFC 9110).
    HttpDate,
}

impl Lexical {
    /// The type of the runtime.
    #[must_use]
    pub const fn rust(self) -> &'static str {
        match self {
            Self::Decimal => "BigDecimal",
            Self::IsoDuration => "IsoDuration",
            Self::Time => "Time",
            Self::HttpDate => "HttpDate",
        }
    }

    /// Whether the value in Rust gives its text, so that what is said of texts can be said of it.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Decimal | Self::IsoDuration)
    }
}

impl Encoding {
    /// The struct of the runtime around a 64-bit integer that is written so, if there is one.
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
    /// The struct of the runtime around an integer, if there is one.
    #[must_use]
    pub const fn wrapper(&self) -> Option<&'static str> {
        match self {
            Self::Int64(encoding) | Self::Uint64(encoding) => encoding.wrapper(),
            _ => None,
        }
    }

    /// Whether it is a 64-bit integer in decimal digits.
    #[must_use]
    pub const fn is_decimal_string(&self) -> bool {
        matches!(self, Self::Int64(Encoding::DecimalString) | Self::Uint64(Encoding::DecimalString))
    }

    /// Whether it is a text, perhaps of a form of its own, that what is said of texts can be said of.
    #[must_use]
    pub const fn is_textual(&self) -> bool {
        match self {
            Self::String => true,
            Self::Lexical(lexical) => lexical.is_text(),
            _ => false,
        }
    }

    /// The least and the greatest whole number of the type.
    #[must_use]
    pub fn whole_ends(&self) -> Option<(i128, i128)> {
        Some(match self {
            Self::Int32 => (i32::MIN.into(), i32::MAX.into()),
            Self::Uint32 => (0, u32::MAX.into()),
            // Those of a timestamp, the years -9999 to 9999.
            Self::Int64(Encoding::UnixSeconds) => (-377_705_023_201, 253_402_207_200),
            Self::Int64(Encoding::UnixMilliseconds) => (-377_705_023_201_000, 253_402_207_200_999),
            Self::Int64(_) => (i64::MIN.into(), i64::MAX.into()),
            Self::Uint64(_) => (0, u64::MAX.into()),
            _ => return None,
        })
    }

    /// The type inside of lists and maps.
    #[must_use]
    pub fn innermost(&self) -> &Type {
        match self {
            Self::List(inner) | Self::Map(inner) | Self::Nullable(inner) => inner.innermost(),
            other => other,
        }
    }

    /// The type of what is there where an element is not null.
    #[must_use]
    pub fn value(&self) -> &Type {
        match self {
            Self::Nullable(inner) => inner,
            other => other,
        }
    }

    /// Whether it is a list or a map, which are plain in Rust: empty means absent.
    #[must_use]
    pub fn is_collection(&self) -> bool {
        matches!(self, Self::List(_) | Self::Map(_))
    }
}
