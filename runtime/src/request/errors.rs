//! Errors that an operation declares, with the types of their bodies.

use std::any::TypeId;
use std::fmt::{self, Debug};

use super::Request;
use crate::Value;
use crate::json::EncodeError;
use crate::wire_body::WireBody;

/// Error bodies of an operation, with a variant for each entry of the schema. Generated code implements it for one enum
/// per operation with declared errors.
pub trait OperationError: Sized + Clone + Debug + Send + Sync + 'static {
    /// Request of the operation.
    type Request: Request;

    /// Declared errors, the most specific ones first.
    const CASES: &'static [ErrorCase<Self>];

    /// Returns the status and the body of the error.
    fn parts(&self) -> ErrorParts<'_>;

    /// Decodes the body of an error by its status: as the entry of that status, else of its class, else of all other
    /// errors.
    ///
    /// An entry matches if its type decodes the body and retains a field of it. A body that matches no entry of its
    /// status may be an error of the API, for which the result is `None`, or of another entry. Returns `None` also if
    /// no entry matches.
    #[must_use]
    fn decode(status: u16, body: &[u8], content_type: Option<&str>) -> Option<Self> {
        let read = |case: &ErrorCase<Self>| (case.decode)(status, body, content_type);
        let fits = |error: &Self| error.parts().encode().is_ok_and(|written| has_common_member(body, &written));
        let declared = || Self::CASES.iter().filter(|case| case.statuses.contain(status));
        if let Some(error) = declared().filter_map(read).find(fits) {
            return Some(error);
        }
        let is_typed = TypeId::of::<<Self::Request as Request>::ErrorBody>() != TypeId::of::<Value>();
        if is_typed || declared().next().is_none() {
            let of_api = <Self::Request as Request>::ErrorBody::decode(body).ok();
            if of_api.and_then(|error| error.encode().ok()).is_some_and(|written| has_common_member(body, &written)) {
                return None;
            }
        }
        let others = Self::CASES.iter().filter(|case| !case.statuses.contain(status));
        others.filter_map(read).find(fits).or_else(|| declared().find_map(read))
    }
}

/// Declared error of an operation.
#[derive(Clone, Copy, Debug)]
pub struct ErrorCase<E> {
    /// Statuses of the error.
    pub statuses: ErrorStatuses,
    /// Decoder of a body of its type, from the status, the body and the media type that the server gave.
    pub decode: DecodeCase<E>,
}

/// Decoder of an error body, from its status, the body, and the media type that the server gave.
pub type DecodeCase<E> = fn(u16, &[u8], Option<&str>) -> Option<E>;

/// Decodes an error body; `None` if it is of another type.
#[must_use]
pub fn read_error<T: WireBody>(body: &[u8], content_type: Option<&str>) -> Option<T> {
    T::decode_with_type(body, content_type).ok()
}

/// Statuses of a declared error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorStatuses {
    /// Single status.
    Exact(u16),
    /// Class of statuses, by its first digit.
    Class(u8),
    /// All errors without a more specific entry.
    Default,
}

impl ErrorStatuses {
    /// Returns whether the entry applies to a status.
    #[must_use]
    pub fn contain(self, status: u16) -> bool {
        match self {
            Self::Exact(own) => own == status,
            Self::Class(class) => u16::from(class) == status / 100,
            Self::Default => true,
        }
    }
}

/// Parts of an error response.
pub struct ErrorParts<'e> {
    /// Status of the response.
    pub status: u16,
    /// Media type of the body.
    pub content_type: &'e str,
    encode: Box<dyn Fn() -> Result<Vec<u8>, EncodeError> + 'e>,
}

impl Debug for ErrorParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ErrorParts")
            .field("status", &self.status)
            .field("content_type", &self.content_type)
            .finish_non_exhaustive()
    }
}

impl<'e> ErrorParts<'e> {
    /// Creates the parts from a body. The media type of the body takes precedence.
    pub fn new<T: WireBody>(status: u16, content_type: &'e str, body: &'e T) -> Self {
        let content_type = body.content_type().unwrap_or(content_type);
        Self { status, content_type, encode: Box::new(|| body.encode()) }
    }

    /// Encodes the body.
    ///
    /// # Errors
    /// Returns the same errors as [`WireBody::encode`].
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        (self.encode)()
    }
}

/// Returns whether a decoded value has retained a field of its body. A body other than an object is retained as a
/// whole, and an empty field may be absent.
fn has_common_member(body: &[u8], written: &[u8]) -> bool {
    let (Ok(Value::Object(body)), Ok(Value::Object(written))) =
        (serde_json::from_slice(body), serde_json::from_slice::<Value>(written))
    else {
        return true;
    };
    let is_present = |value: &Value| match value {
        Value::Null => false,
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    };
    let is_empty = !body.values().any(is_present);
    is_empty || written.iter().any(|(name, value)| !value.is_null() && body.contains_key(name))
}

/// Implements [`OperationError`] for an enum. Variants of a single status hold a body, the variants after them hold a
/// status and a body.
#[doc(hidden)]
#[doc(hidden)]
#[macro_export]
macro_rules! operation_error {
    (
        $name:ident, $request:ident,
        { $($exact:ident = $status:literal as $exact_type:literal),* $(,)? },
        { $($other:ident = $statuses:ident $(($class:literal))? as $other_type:literal),* $(,)? }
    ) => {
        impl $crate::OperationError for $name {
            type Request = $request;

            const CASES: &'static [$crate::__private::ErrorCase<Self>] = &[
                $($crate::__private::ErrorCase {
                    statuses: $crate::__private::ErrorStatuses::Exact($status),
                    decode: |_, body, media_type| $crate::__private::read_error(body, media_type).map(Self::$exact),
                },)*
                $($crate::__private::ErrorCase {
                    statuses: $crate::__private::ErrorStatuses::$statuses $(($class))?,
                    decode: |status, body, media_type| {
                        $crate::__private::read_error(body, media_type).map(|body| Self::$other(status, body))
                    },
                },)*
            ];

            fn parts(&self) -> $crate::__private::ErrorParts<'_> {
                match self {
                    $(Self::$exact(body) => $crate::__private::ErrorParts::new($status, $exact_type, body),)*
                    $(Self::$other(status, body) => $crate::__private::ErrorParts::new(*status, $other_type, body),)*
                }
            }
        }
    };
}
