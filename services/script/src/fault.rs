//! What a store could not do, as the API answers it.

use std::borrow::Cow;

use script_server::Error;
use script_server::runtime::At;
use wireform_store::{Error as StoreError, Trouble};

/// Returns the answer for an error of the store.
pub(crate) fn answer(error: StoreError) -> Error {
    match error {
        StoreError::Absent { what, name } => {
            Error::not_found(format!("there is no {what} `{name}`")).with_reason("notFound")
        }
        StoreError::Refused(message) => Error::bad_request(message).with_reason("failedPrecondition"),
        StoreError::Unavailable(trouble) => unavailable(trouble),
        other => Error::internal(other),
    }
}

/// That a project does not exist, or is not for the one who asks.
pub(crate) fn no_project(id: &str) -> Error {
    absent("project", id, "scriptId")
}

/// That something a parameter names does not exist.
pub(crate) fn absent(what: &str, name: &str, parameter: &'static str) -> Error {
    let message = format!("there is no {what} `{name}`");
    Error::not_found(message).with_reason("notFound").at(At::Parameter(parameter.into()))
}

/// That a member of the body is not as it should be.
pub(crate) fn invalid(member: impl Into<Cow<'static, str>>, message: impl Into<Cow<'static, str>>) -> Error {
    Error::bad_request(message).with_reason("invalid").at(At::Member(member.into()))
}

/// That a parameter is not as it should be.
pub(crate) fn invalid_parameter(name: &'static str, message: impl Into<Cow<'static, str>>) -> Error {
    Error::bad_request(message).with_reason("invalidParameter").at(At::Parameter(name.into()))
}

/// That the rights of the one who asks are not enough.
pub(crate) fn forbidden(message: &'static str) -> Error {
    Error::forbidden(message).with_reason("forbidden")
}

/// That too many functions wait for their turn.
pub(crate) fn busy() -> Error {
    Error::too_many_requests("too many functions wait for their turn; try again later", 5)
        .with_reason("rateLimitExceeded")
}

/// The cause stays in the log where it may tell of the machine; what to expect is told.
fn unavailable(trouble: Trouble) -> Error {
    let (message, seconds) = match trouble {
        Trouble::DiskFull => ("the project cannot be stored: the disk is full", 60),
        Trouble::FileLimit => ("the project cannot be stored: the files of the store have reached their limit", 60),
        Trouble::ReadOnly => ("the project cannot be stored: the database may only be read", 60),
        Trouble::Busy => ("the database is busy", 1),
        Trouble::Io(_) => ("the database cannot be read or written at the moment", 10),
        Trouble::Unreachable(_) => ("the database cannot be reached", 5),
        Trouble::Unknown => ("the connection to the database was lost; look whether the change happened", 5),
        Trouble::Restored => ("the database is being restored", 1),
        Trouble::Closed => ("the service is being stopped", 5),
        _ => ("the database is not available", 5),
    };
    Error::unavailable(message, seconds).with_cause(StoreError::Unavailable(trouble))
}

/// Returns what the store answered, with an error in words for the author of a script.
pub(crate) fn to_script<T>(result: wireform_store::Result<T>) -> Result<T, String> {
    result.map_err(|error| match error {
        wireform_store::Error::Refused(message) => message,
        other => {
            tracing::warn!(cause = %other, "what a script asked for failed");
            "the service is not available at the moment".to_owned()
        }
    })
}
