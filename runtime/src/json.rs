//! Decoding and encoding of JSON text.
//!
//! Decoding is one fast pass. Only if it fails is the text scanned again, to find the path of the error; that second
//! pass is not generic, so it costs a crate that decodes many types no compile time. Values, errors and the limit of 127
//! nested levels are those of `serde_json`, with two exceptions: a string that a type reads as bytes must be Unicode, and
//! `serde_json::value::RawValue` cannot be read.

mod access;
mod deserializer;
mod error;
mod key;
mod path;
mod reader;
mod scan;
mod syntax;
mod variant;
mod visit;
mod writer;

use serde::Serialize;

use crate::wire::FromWire;
use reader::Reader;
use writer::Writer;

pub use error::{DecodeError, DecodeErrorKind, EncodeError};

/// Decodes a value from JSON text in UTF-8.
///
/// # Errors
/// Returns an error if the text is not JSON (RFC 8259), is followed by anything but white space, or is not a `T`.
pub fn from_slice<'de, T: FromWire<'de>>(input: &'de [u8]) -> Result<T, DecodeError> {
    decode(Reader::from_slice(input)).map_err(|error| DecodeError::locate(&error, input))
}

/// Decodes a value from JSON text; a little faster than [`from_slice`] if the text is known to be UTF-8.
///
/// # Errors
/// Returns the same errors as [`from_slice`].
pub fn from_str<'de, T: FromWire<'de>>(input: &'de str) -> Result<T, DecodeError> {
    decode(Reader::from_str(input)).map_err(|error| DecodeError::locate(&error, input.as_bytes()))
}

/// Decodes a value and the end of the input.
#[inline]
fn decode<'de, T: FromWire<'de>>(mut reader: Reader<'de>) -> reader::Result<T> {
    let mut value = T::from_wire(&mut reader);
    if value.is_ok()
        && let Err(error) = reader.end()
    {
        value = Err(error);
    }
    value
}

/// Encodes a value as compact JSON text in UTF-8. A float that is not finite, which JSON cannot represent, becomes
/// `null`.
///
/// # Errors
/// Returns an error if the value fails to serialize, or has a map with a key that cannot be a string.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    to_string(value).map(String::into_bytes)
}

/// Encodes a value as compact JSON text.
///
/// # Errors
/// Returns the same errors as [`to_vec`].
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, EncodeError> {
    // Most resources are larger than a few hundred bytes; growing copies.
    let mut writer = Writer::with_capacity(1024);
    value.serialize(&mut writer).map_err(|error| EncodeError::new(&error))?;
    Ok(writer.into_text())
}
