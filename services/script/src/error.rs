//! Errors of the API, from those of the store and of requests.

use std::borrow::Cow;

use script_server::Error;
use script_server::runtime::ErrorLocation;
use wireform_store::{Error as StoreError, Unavailable};

/// Converts an error of the store.
pub(crate) fn from_store(error: StoreError) -> Error {
    match error {
        StoreError::NotFound { what, name } => {
            Error::not_found(format!("{what} `{name}` not found")).with_reason("notFound")
        }
        StoreError::Refused(message) => Error::bad_request(message).with_reason("failedPrecondition"),
        StoreError::Unavailable(reason) => unavailable(reason),
        other => Error::internal(other),
    }
}

/// Returns the error for a project that does not exist or that the caller may not see.
pub(crate) fn project_not_found(id: &str) -> Error {
    parameter_not_found("project", id, "scriptId")
}

/// Returns the error for a readable project or deployment without an executable function for the caller.
pub(crate) fn not_executable(reason: String, is_owner: bool) -> Error {
    let help = if is_owner {
        "deploy a version with an `executionApi`, or set `devMode` to run the saved content"
    } else {
        "ask an owner for a deployment with an `executionApi` whose `access` admits you"
    };
    let message = format!("{reason}; help: {help}");
    Error::not_found(message).with_reason("notFound").with_location(ErrorLocation::Parameter("scriptId".into()))
}

/// Returns the error for something that a parameter names and that does not exist.
pub(crate) fn parameter_not_found(what: &str, name: &str, parameter: &'static str) -> Error {
    let message = format!("{what} `{name}` not found");
    Error::not_found(message).with_reason("notFound").with_location(ErrorLocation::Parameter(parameter.into()))
}

/// Returns the error for an invalid field of the body.
pub(crate) fn invalid(member: impl Into<Cow<'static, str>>, message: impl Into<Cow<'static, str>>) -> Error {
    Error::bad_request(message).with_reason("invalid").with_location(ErrorLocation::Field(member.into()))
}

/// Returns the error for an invalid parameter.
pub(crate) fn invalid_parameter(name: &'static str, message: impl Into<Cow<'static, str>>) -> Error {
    Error::bad_request(message).with_reason("invalidParameter").with_location(ErrorLocation::Parameter(name.into()))
}

/// Returns the error for insufficient permissions of the caller.
pub(crate) fn forbidden(message: &'static str) -> Error {
    Error::forbidden(message).with_reason("forbidden")
}

/// Returns the error for too many waiting functions.
pub(crate) fn busy() -> Error {
    Error::too_many_requests("too many functions are waiting; retry later", 5).with_reason("rateLimitExceeded")
}

/// The cause may reveal details of the machine, so it is only logged; the message says what to expect.
fn unavailable(reason: Unavailable) -> Error {
    let (message, seconds) = match reason {
        Unavailable::DiskFull => ("the project cannot be stored: the disk is full", 60),
        Unavailable::FileLimit => ("the project cannot be stored: the files of the store have reached their limit", 60),
        Unavailable::ReadOnly => ("the project cannot be stored: the database is read-only", 60),
        Unavailable::Busy => ("the database is busy", 1),
        Unavailable::Io(_) => ("the database cannot be read or written at the moment", 10),
        Unavailable::Unreachable(_) => ("the database cannot be reached", 5),
        Unavailable::UnknownOutcome => ("the database connection was lost; check whether the change was made", 5),
        Unavailable::Restored => ("the database is being restored", 1),
        Unavailable::Closed => ("the service is being stopped", 5),
        _ => ("the database is not available", 5),
    };
    Error::unavailable(message, seconds).with_cause(StoreError::Unavailable(reason))
}

/// Converts an error of the store to a message for the author of a script.
pub(crate) fn to_script_error<T>(result: wireform_store::Result<T>) -> Result<T, String> {
    result.map_err(|error| match error {
        wireform_store::Error::Refused(message) => message,
        other => {
            tracing::warn!(cause = %other, "a call of a script failed");
            "the service is not available at the moment".to_owned()
        }
    })
}
