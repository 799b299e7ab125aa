//! Names and values as an address and headers can hold them.

use std::fmt::Write as _;

use bytes::Bytes;
use wireform_runtime::operation::{Api, Location, Parameter};

use super::Failed;
use crate::error::{ErrorKind, OptionError, OptionErrorKind};
use crate::options::RESERVED;

/// Finds a parameter that every operation takes; those that are reserved only where the client itself sets them.
pub(super) fn find(api: &'static Api, name: &str, is_own: bool) -> Result<&'static Parameter, Failed> {
    let refuse = |kind| Err(ErrorKind::Option(OptionError { name: name.to_owned(), kind }).into());
    let found = api.standard.iter().find(|it| it.location == Location::Query && it.name.is(name));
    let reserved = RESERVED.iter().any(|it| *it == name || found.is_some_and(|found| found.name.is(it)));
    match found {
        _ if reserved && !is_own => refuse(OptionErrorKind::Reserved),
        Some(parameter) => Ok(parameter),
        None => refuse(OptionErrorKind::Unknown),
    }
}

/// Appends a text with everything percent-encoded but the unreserved characters (RFC 3986, section 2.3).
pub(super) fn encode(text: &str, out: &mut String) {
    for &byte in text.as_bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            // Writing into a string does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// What no address or header can be. Of the text it says nothing, which may hold a key.
pub(super) fn unusable(error: impl std::fmt::Display) -> ErrorKind<Bytes> {
    ErrorKind::Protocol(format!("the request cannot be put together: {error}"))
}

pub(super) fn refused(name: &str) -> ErrorKind<Bytes> {
    ErrorKind::Option(OptionError { name: name.to_owned(), kind: OptionErrorKind::ForbiddenCharacter })
}
