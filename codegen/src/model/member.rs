//! Members and what is known of them: names, types, behaviour.

use super::{Constraints, EnumId, Literal, OperationId, ResourceId, UnionId};
use crate::diagnostics::Span;

/// A name on the wire and in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As it is on the wire.
    pub wire: String,
    /// As an identifier, `r#type` where it is a keyword.
    pub ident: String,
    /// As a part of longer identifiers: `type`.
    pub stem: String,
}

/// A description: empty when there is none.
pub type Doc = String;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A member of a resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name; a member of a struct in Rust.
    pub name: Name,
    /// What it means.
    pub doc: Doc,
    /// What it holds.
    pub ty: Type,
    /// Whether a box must stand between the resource and the value, because the type contains itself.
    pub boxed: bool,
    /// Whether it is the constant member that tells what the resource is.
    pub is_kind: bool,
    /// Whether it is no member but all those beside the named ones, as a map. It is the last one.
    pub is_rest: bool,
    /// Who sets it and when.
    pub behavior: Behavior,
    /// Whether null on the wire is a value of its own, beside being absent.
    pub nullable: bool,
    /// Whether an empty list or map is told apart from an absent one.
    pub explicit_presence: bool,
    /// What it stands for when it is absent.
    pub default: Option<Literal>,
    /// An example.
    pub example: Option<Literal>,
    /// What its values must satisfy.
    pub constraints: Constraints,
    /// What a client fills in where there is nothing.
    pub fill: Option<Fill>,
    /// Other names under which it is accepted.
    pub aliases: Vec<String>,
    /// Where it is false, the server ignores the member.
    pub effective_when: Option<Cel>,
    /// Where the server ignores the member.
    pub ignored: Ignored,
    /// The operations in whose bodies its values must satisfy the constraints; everywhere where there are none.
    pub constrained: Option<Vec<OperationId>>,
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
    /// Where it stands in the schema.
    pub span: Span,
}

impl Field {
    /// Returns whether it depends on the request whether the member has an effect.
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        self.effective_when.is_some() || !self.ignored.operations.is_empty()
    }

    /// Returns whether there are requests in which the member has no effect.
    #[must_use]
    pub fn can_be_ineffective(&self) -> bool {
        self.is_conditional() || self.ignored.unless.is_some()
    }
}

/// Where the server ignores a member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ignored {
    /// In the bodies of these operations.
    pub operations: Vec<OperationId>,
    /// Where another member has another value.
    pub unless: Option<Unless>,
}

/// A member of the same resource, and the value beside which another member has an effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Unless {
    /// The member, by index.
    pub field: usize,
    /// The value.
    pub value: Literal,
}

/// Who sets a member and when (AIP-203).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behavior {
    /// Where a body must have it.
    pub required: Required,
    /// Whether merge patches may remove it although some operations require it.
    pub clearable: bool,
    /// Only the server writes it.
    pub output_only: Option<OutputOnly>,
    /// Only a client writes it.
    pub input_only: bool,
    /// It does not change after creation.
    pub immutable: bool,
    /// A change of an immutable member is ignored rather than refused.
    pub ignores_change: bool,
    /// It identifies the resource.
    pub identifier: bool,
}

impl Behavior {
    /// Returns whether a change of the member is refused.
    #[must_use]
    pub const fn refuses_change(&self) -> bool {
        self.immutable && !self.ignores_change
    }

    /// Returns whether only the server writes it, and it is refused rather than dropped.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.output_only.as_ref().is_some_and(|only| only.refuse)
    }
}

/// What a client makes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// A random UUID.
    Uuid,
}

/// Where a body must have a member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Required {
    /// Nowhere.
    #[default]
    Never,
    /// Everywhere.
    Everywhere,
    /// In the bodies of these operations. A merge patch may leave it out, and cannot make it null.
    In(Vec<OperationId>),
}

/// What happens to an output-only member that a client sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputOnly {
    /// The operations in which a client may write it.
    pub except: Vec<OperationId>,
    /// Whether it is refused rather than dropped.
    pub refuse: bool,
}

/// A condition in CEL and where it stands, for the stage that compiles it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cel {
    /// The condition.
    pub text: String,
    /// Where it stands in the schema.
    pub span: Span,
}

/// How something deprecated is replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deprecated {
    /// The version since which it is.
    pub since: Option<String>,
    /// What takes its place, by its name on the wire.
    pub instead: Option<String>,
    /// What else there is to know.
    pub doc: Option<String>,
}
