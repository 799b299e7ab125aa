//! Conversion of errors of the store into API errors.

use std::borrow::Cow;

use calendar_server::Error;
use calendar_server::runtime::ErrorLocation;
use wireform_store::{Error as StoreError, Unavailable};

/// Reason for an invalid value.
pub(crate) const INVALID: &str = "invalid";

/// Converts an error of the store.
pub(crate) fn from_store(error: StoreError) -> Error {
    match error {
        StoreError::NotFound { .. } => Error::not_found("calendar not found").with_reason("notFound"),
        StoreError::AlreadyExists { .. } => Error::conflict(error.to_string()).with_reason("duplicate"),
        StoreError::Refused(message) => Error::bad_request(message).with_reason(INVALID),
        StoreError::Outdated => {
            Error::unavailable("the event was changed concurrently too often; retry later", 1).with_cause(error)
        }
        StoreError::Unavailable(reason) => unavailable(reason),
        other => Error::internal(other),
    }
}

/// Creates the error of a calendar that does not exist or that the user may not access.
pub(crate) fn calendar_not_found(id: &str, parameter: &'static str) -> Error {
    let message = format!("calendar `{id}` not found");
    Error::not_found(message).with_reason("notFound").with_location(ErrorLocation::Parameter(parameter.into()))
}

/// Creates the error of an event that does not exist.
pub(crate) fn event_not_found(id: &str) -> Error {
    Error::not_found(format!("event `{id}` not found"))
        .with_reason("notFound")
        .with_location(ErrorLocation::Parameter("eventId".into()))
}

/// Creates the error of an invalid field of the body.
pub(crate) fn invalid(member: impl Into<Cow<'static, str>>, message: impl Into<Cow<'static, str>>) -> Error {
    Error::bad_request(message).with_reason(INVALID).with_location(ErrorLocation::Field(member.into()))
}

/// Creates the error of an invalid parameter.
pub(crate) fn invalid_parameter(name: &'static str, message: impl Into<Cow<'static, str>>) -> Error {
    Error::bad_request(message).with_reason("invalidParameter").with_location(ErrorLocation::Parameter(name.into()))
}

/// Creates the error of an operation that only the organizer may perform.
pub(crate) fn not_organizer(what: &str) -> Error {
    let message = format!("only the organizer of the event can {what}");
    Error::forbidden(message).with_reason("forbiddenForNonOrganizer")
}

/// Creates the error of an insufficient role.
pub(crate) fn forbidden(message: &'static str) -> Error {
    Error::forbidden(message).with_reason("forbidden")
}

/// Creates the error of a service account that invites people.
pub(crate) fn service_account_error() -> Error {
    let message = "a service account cannot add attendees without the delegated authority of a user";
    Error::forbidden(message)
        .with_reason("forbiddenForServiceAccounts")
        .with_location(ErrorLocation::Field("attendees".into()))
}

/// Creates the error of stored data that cannot be parsed.
pub(crate) fn corrupt(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("cannot parse a stored event: {error}"))
}

/// Converts unavailability. The cause is only logged where it may reveal details of the machine; the message
/// contains what the client can expect.
fn unavailable(reason: Unavailable) -> Error {
    if reason == Unavailable::TooManySearches {
        let message = "too many concurrent searches of this calendar; wait for their responses";
        return Error::too_many_requests(message, 1).with_reason("rateLimitExceeded");
    }
    let (message, seconds) = match reason {
        Unavailable::DiskFull => ("the event cannot be stored: the disk is full", 60),
        Unavailable::FileLimit => ("the event cannot be stored: the files of the store have reached their limit", 60),
        Unavailable::ReadOnly => ("the event cannot be stored: the database is read-only", 60),
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
