//! Decoding and encoding of JSON text.
//!
//! Decoding is one fast pass. Only if it fails is the text scanned again, to find the path of the error; that second
//! pass is not generic, so it costs a crate that decodes many types no compile time. `serde_json` limits nesting to 128
//! levels.

mod error;
mod path;

use serde::Serialize;
use serde_json::de::{Deserializer, Read, SliceRead, StrRead};

use crate::wire::FromWire;

pub use error::{DecodeError, DecodeErrorKind, EncodeError};

/// Decodes a value from JSON text in UTF-8.
///
/// # Errors
/// Returns an error if the text is not JSON (RFC 8259), is followed by anything but white space, or is not a `T`.
pub fn from_slice<'de, T: FromWire<'de>>(input: &'de [u8]) -> Result<T, DecodeError> {
    decode(SliceRead::new(input)).map_err(|error| DecodeError::locate(&error, input))
}

/// Decodes a value from JSON text; a little faster than [`from_slice`] if the text is known to be UTF-8.
///
/// # Errors
/// Returns the same errors as [`from_slice`].
pub fn from_str<'de, T: FromWire<'de>>(input: &'de str) -> Result<T, DecodeError> {
    decode(StrRead::new(input)).map_err(|error| DecodeError::locate(&error, input.as_bytes()))
}

#[inline]
fn decode<'de, R: Read<'de>, T: FromWire<'de>>(read: R) -> Result<T, serde_json::Error> {
    let mut deserializer = Deserializer::new(read);
    let value = T::from_wire(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Encodes a value as compact JSON text in UTF-8. A float that is not finite, which JSON cannot represent, becomes
/// `null`.
///
/// # Errors
/// Returns an error if the value fails to serialize, or has a map with a key that cannot be a string.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    // Most resources are larger than the 128 bytes that serde_json starts with; growing copies.
    let mut text = Vec::with_capacity(1024);
    serde_json::to_writer(&mut text, value).map_err(|error| EncodeError::new(&error))?;
    Ok(text)
}

/// Encodes a value as compact JSON text.
///
/// # Errors
/// Returns the same errors as [`to_vec`].
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, EncodeError> {
    serde_json::to_string(value).map_err(|error| EncodeError::new(&error))
}
