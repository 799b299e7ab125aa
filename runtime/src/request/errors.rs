//! The errors that an operation declares, with the types of their bodies.

use std::any::TypeId;
use std::fmt::{self, Debug};

use super::{Answer, Request};
use crate::Value;
use crate::json::EncodeError;

/// The bodies of the errors of an operation, a variant for each entry of its schema. Generated code implements it for an
/// enum an operation whose errors have bodies of their own.
pub trait OperationError: Sized + Clone + Debug + Send + Sync + 'static {
    /// The request of the operation.
    type Request: Request;

    /// What is declared, the most specific entries first.
    const CASES: &'static [ErrorCase<Self>];

    /// Returns the status and the body.
    fn parts(&self) -> ErrorParts<'_>;

    /// Decodes the body of an error by its status: as the entry of that status, else of its class, else of all others.
    ///
    /// A type fits that decodes the body and has a member of it. A body that fits no entry of its status can be an error
    /// of the API, which is `None` here, or of another entry. Returns `None` as well where no entry fits.
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

/// An entry among the errors of an operation.
#[derive(Clone, Copy, Debug)]
pub struct ErrorCase<E> {
    /// The statuses that it describes.
    pub statuses: ErrorStatuses,
    /// Decodes a body of its type, with the status and the media type that the server says.
    pub decode: DecodeCase<E>,
}

/// Decodes the body of an error: its status, the body, and the media type that the server says.
pub type DecodeCase<E> = fn(u16, &[u8], Option<&str>) -> Option<E>;

/// Decodes a body of an error; `None` where it is of another type.
#[must_use]
pub fn read_error<T: Answer>(body: &[u8], content_type: Option<&str>) -> Option<T> {
    T::decode_as(body, content_type).ok()
}

/// The statuses that an entry describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorStatuses {
    /// One status.
    Exact(u16),
    /// The statuses of a class, by its first digit.
    Class(u8),
    /// All errors that nothing more specific describes.
    Default,
}

impl ErrorStatuses {
    /// Returns whether the entry describes a status.
    #[must_use]
    pub fn contain(self, status: u16) -> bool {
        match self {
            Self::Exact(own) => own == status,
            Self::Class(class) => u16::from(class) == status / 100,
            Self::Default => true,
        }
    }
}

/// The parts of an error that a server sends.
pub struct ErrorParts<'e> {
    /// The status.
    pub status: u16,
    /// The media type of the body.
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
    /// Creates them from a body. A body that says its own media type has that.
    pub fn new<T: Answer>(status: u16, content_type: &'e str, body: &'e T) -> Self {
        let content_type = body.content_type().unwrap_or(content_type);
        Self { status, content_type, encode: Box::new(|| body.encode()) }
    }

    /// Encodes the body.
    ///
    /// # Errors
    /// Returns the errors of [`Answer::encode`].
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        (self.encode)()
    }
}

/// Returns whether a value that was decoded from a body has kept a member of it. What is no object is kept whole, and what
/// is empty may be absent.
fn has_common_member(body: &[u8], written: &[u8]) -> bool {
    let (Ok(Value::Object(body)), Ok(Value::Object(written))) =
        (serde_json::from_slice(body), serde_json::from_slice::<Value>(written))
    else {
        return true;
    };
    let says_something = |value: &Value| match value {
        Value::Null => false,
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    };
    let is_empty = !body.values().any(says_something);
    is_empty || written.iter().any(|(name, value)| !value.is_null() && body.contains_key(name))
}

/// Implements [`OperationError`] for an enum. The variants of one status hold a body, then come those that hold a status
/// and a body.
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

            const CASES: &'static [$crate::ErrorCase<Self>] = &[
                $($crate::ErrorCase {
                    statuses: $crate::ErrorStatuses::Exact($status),
                    decode: |_, body, media_type| $crate::read_error(body, media_type).map(Self::$exact),
                },)*
                $($crate::ErrorCase {
                    statuses: $crate::ErrorStatuses::$statuses $(($class))?,
                    decode: |status, body, media_type| {
                        $crate::read_error(body, media_type).map(|body| Self::$other(status, body))
                    },
                },)*
            ];

            fn parts(&self) -> $crate::ErrorParts<'_> {
                match self {
                    $(Self::$exact(body) => $crate::ErrorParts::new($status, $exact_type, body),)*
                    $(Self::$other(status, body) => $crate::ErrorParts::new(*status, $other_type, body),)*
                }
            }
        }
    };
}
