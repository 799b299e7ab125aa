//! Long-running operations whose state, running, succeeded or failed, is determined by the present fields.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::object::skip_value;
use crate::wire::{FromWire, read_value};

/// State of a long-running operation: running, succeeded or failed. Generated code implements this and applies
/// [`outcome!`](crate::outcome!).
///
/// | on the wire | state |
/// |---|---|
/// | `{}` or `{"done": false}` | running |
/// | `{"done": true, "response": …}` | succeeded |
/// | `{"done": true, "error": …}` | failed |
///
/// Anything else is an [`OutcomeError`]. As everywhere, `null` means absent and unknown fields are skipped.
pub trait Outcome: Sized {
    /// Type of the response.
    type Success;
    /// Type of the error.
    type Failure;

    /// Name of the type in the schema.
    const NAME: &'static str;
    /// Wire name of the boolean field that is true once the operation has ended, such as `done`.
    const DONE: &'static str;
    /// Wire name of the response, such as `response`.
    const SUCCESS: &'static str;
    /// Wire name of the error, such as `error`.
    const FAILURE: &'static str;

    /// Creates the state of a running operation.
    fn running() -> Self;

    /// Creates the state of an operation that succeeded.
    fn succeeded(value: Self::Success) -> Self;

    /// Creates the state of an operation that failed.
    fn failed(value: Self::Failure) -> Self;

    /// Returns the state with its response or error.
    fn state(&self) -> OutcomeRef<'_, Self::Success, Self::Failure>;
}

/// Borrowed state of an [`Outcome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeRef<'a, S, F> {
    /// The operation is running.
    Running,
    /// The operation ended with a response.
    Succeeded(&'a S),
    /// The operation ended with an error.
    Failed(&'a F),
}

/// Contradiction between the fields of an outcome, with their wire names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeError {
    /// Both a response and an error are present.
    Both(&'static str, &'static str),
    /// The operation has ended (the first name) with neither a response nor an error.
    Neither(&'static str, &'static str, &'static str),
    /// A result (the first name) is present, but the operation has not ended (the second).
    NotDone(&'static str, &'static str),
}

impl fmt::Display for OutcomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Both(success, failure) => write!(f, "both `{success}` and `{failure}` are given"),
            Self::Neither(done, success, failure) => {
                write!(f, "`{done}` is true, but neither `{success}` nor `{failure}` is given")
            }
            Self::NotDone(result, done) => {
                write!(f, "`{result}` is given, but `{done}` is not true")
            }
        }
    }
}

impl std::error::Error for OutcomeError {}

/// Reads an outcome with its fields in any order.
///
/// # Errors
/// Returns an error if a field is invalid or duplicate, or the fields contradict each other, with the message of an
/// [`OutcomeError`].
#[inline]
pub fn read_outcome<'de, D, T>(d: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Outcome,
    T::Success: FromWire<'de>,
    T::Failure: FromWire<'de>,
{
    d.deserialize_map(OutcomeVisitor(PhantomData))
}

/// Writes an outcome. The boolean field is always written.
///
/// # Errors
/// Returns an error if the serializer fails.
pub fn write_outcome<S, T>(value: &T, s: S) -> Result<S::Ok, S::Error>
where
    S: Serializer,
    T: Outcome,
    T::Success: Serialize,
    T::Failure: Serialize,
{
    let parts = value.state();
    let mut map = s.serialize_map(None)?;
    map.serialize_entry(T::DONE, &!matches!(parts, OutcomeRef::Running))?;
    match parts {
        OutcomeRef::Running => {}
        OutcomeRef::Succeeded(value) => map.serialize_entry(T::SUCCESS, value)?,
        OutcomeRef::Failed(value) => map.serialize_entry(T::FAILURE, value)?,
    }
    map.end()
}

/// Visitor of an object with the fields of an outcome.
struct OutcomeVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T> Visitor<'de> for OutcomeVisitor<T>
where
    T: Outcome,
    T::Success: FromWire<'de>,
    T::Failure: FromWire<'de>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object ({})", T::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut done = None::<bool>;
        let mut success = None::<T::Success>;
        let mut failure = None::<T::Failure>;
        let mut seen = [false; 3];
        while let Some(key) = map.next_key_seed(KeySeed::<T>(PhantomData))? {
            let [seen_done, seen_success, seen_failure] = &mut seen;
            match key {
                Key::Done => {
                    check_duplicate(seen_done, T::DONE)?;
                    read_value(&mut map, &mut done)?;
                }
                Key::Success => {
                    check_duplicate(seen_success, T::SUCCESS)?;
                    read_value(&mut map, &mut success)?;
                }
                Key::Failure => {
                    check_duplicate(seen_failure, T::FAILURE)?;
                    read_value(&mut map, &mut failure)?;
                }
                Key::Other => skip_value(&mut map)?,
            }
        }
        from_members(done == Some(true), success, failure).map_err(A::Error::custom)
    }
}

/// Marks a field as seen; an error if it already was.
fn check_duplicate<E: Error>(seen: &mut bool, name: &'static str) -> Result<(), E> {
    if std::mem::replace(seen, true) { Err(E::duplicate_field(name)) } else { Ok(()) }
}

/// Creates an outcome from its fields; an error if they contradict each other.
fn from_members<T: Outcome>(
    done: bool,
    success: Option<T::Success>,
    failure: Option<T::Failure>,
) -> Result<T, OutcomeError> {
    match (done, success, failure) {
        (_, Some(_), Some(_)) => Err(OutcomeError::Both(T::SUCCESS, T::FAILURE)),
        (false, None, None) => Ok(T::running()),
        (false, Some(_), None) => Err(OutcomeError::NotDone(T::SUCCESS, T::DONE)),
        (false, None, Some(_)) => Err(OutcomeError::NotDone(T::FAILURE, T::DONE)),
        (true, Some(value), None) => Ok(T::succeeded(value)),
        (true, None, Some(value)) => Ok(T::failed(value)),
        (true, None, None) => Err(OutcomeError::Neither(T::DONE, T::SUCCESS, T::FAILURE)),
    }
}

/// Field of an outcome, or another one.
enum Key {
    Done,
    Success,
    Failure,
    Other,
}

/// Decoder of the name of a field of `T`.
struct KeySeed<T>(PhantomData<fn() -> T>);

impl<'de, T: Outcome> DeserializeSeed<'de> for KeySeed<T> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Key, D::Error> {
        d.deserialize_identifier(self)
    }
}

impl<T: Outcome> Visitor<'_> for KeySeed<T> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Key, E> {
        Ok(match name {
            _ if name == T::DONE => Key::Done,
            _ if name == T::SUCCESS => Key::Success,
            _ if name == T::FAILURE => Key::Failure,
            _ => Key::Other,
        })
    }
}

/// Implements `Serialize`, `Deserialize` and [`FromWire`](crate::FromWire) for a type that implements [`Outcome`].
#[doc(hidden)]
#[macro_export]
macro_rules! outcome {
    ($ty:ty) => {
        impl $crate::serde::Serialize for $ty {
            fn serialize<S: $crate::serde::Serializer>(&self, s: S) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private::write_outcome(self, s)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $ty {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(d: D) -> ::core::result::Result<Self, D::Error> {
                $crate::__private::read_outcome(d)
            }
        }

        impl $crate::__private::WireDeserialize for $ty {}
    };
}
