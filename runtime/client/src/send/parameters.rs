//! Names and values of parameters in URLs and headers.

use bytes::Bytes;
pub(super) use wireform_runtime::__private::percent_encode as encode;
use wireform_runtime::operation::{Api, Parameter, ParameterLocation, Role};

use super::SendError;
use crate::error::{ErrorKind, OptionError, OptionErrorKind};

/// Returns a standard parameter that callers may set.
pub(super) fn find_settable(api: &'static Api, name: &str) -> Result<&'static Parameter, SendError> {
    let refuse = |kind| Err(ErrorKind::Option(OptionError { name: name.to_owned(), kind }).into());
    match api.standard_parameters.iter().find(|it| it.location == ParameterLocation::Query && it.name.matches(name)) {
        Some(parameter) if parameter.role.is_some_and(Role::is_reserved) => refuse(OptionErrorKind::Reserved),
        Some(parameter) => Ok(parameter),
        None => refuse(OptionErrorKind::Unknown),
    }
}

/// Returns the standard parameter with a role; `word` is its usual name.
pub(super) fn find_by_role(api: &'static Api, role: Role, word: &str) -> Result<&'static Parameter, SendError> {
    let missing = || ErrorKind::Option(OptionError { name: word.to_owned(), kind: OptionErrorKind::Unknown });
    api.parameter(role).ok_or_else(|| missing().into())
}

/// Creates the error of an invalid URL or header. It omits the text, which may hold a key.
pub(super) fn cannot_encode(error: impl std::fmt::Display) -> ErrorKind<Bytes> {
    ErrorKind::Protocol(format!("cannot build the request: {error}"))
}

/// Creates the error of a header or option with this name whose value is invalid in a header.
pub(super) fn forbidden_character(name: &str) -> ErrorKind<Bytes> {
    ErrorKind::Option(OptionError { name: name.to_owned(), kind: OptionErrorKind::ForbiddenCharacter })
}
