//! Conversion of errors of the store into API errors.

use std::borrow::Cow;

use calendar_server::Error;
use calendar_server::runtime::At;
use wireform_store::{Error as StoreError, Trouble};

/// Reason for an invalid value.
pub(crate) const INVALID: &str = "invalid";

/// Converts an error of the store.
pub(crate) fn from_store(error: StoreError) -> Error {
    match error {
        StoreError::Absent { .. } => Error::not_found("calendar not found").with_reason("notFound"),
        StoreError::Present { .. } => Error::conflict(error.to_string()).with_reason("duplicate"),
        StoreError::Refused(message) => Error::bad_request(message).with_reason(INVALID),
        StoreError::Outdated => {
            Error::unavailable("the event is changed by others all the time; try again", 1).with_cause(error)
        }
        StoreError::Unavailable(trouble) => unavailable(trouble),
        other => Error::internal(other),
    }
}

/// Creates the error of a calendar that does not exist or that the user may not access.
pub(crate) fn no_calendar(id: &str, parameter: &'static str) -> Error {
    let message = format!("calendar `{id}` not found");
    Error::not_found(message).with_reason("notFound").at(At::Parameter(parameter.into()))
}

/// Creates the error of an event that does not exist.
pub(crate) fn no_event(id: &str) -> Error {
    Error::not_found(format!("event `{id}` not found")).with_reason("notFound").at(At::Parameter("eventId".into()))
}

/// Creates the error of an invalid field of the body.
pub(crate) fn invalid(member: impl Into<Cow<'static, str>>, message: impl Into<Cow<'static, str>>) -> Error {
    Error::bad_request(message).with_reason(INVALID).at(At::Member(member.into()))
}

/// Creates the error of an invalid parameter.
pub(crate) fn invalid_parameter(name: &'static str, message: impl Into<Cow<'static, str>>) -> Error {
    Error::bad_request(message).with_reason("invalidParameter").at(At::Parameter(name.into()))
}

/// Creates the error of an operation that only the organizer may perform.
pub(crate) fn not_organizer(what: &str) -> Error {
    let message = format!("{what} is up to the organizer of the event: guests may not change it");
    Error::forbidden(message).with_reason("forbiddenForNonOrganizer")
}

/// Creates the error of an insufficient role.
pub(crate) fn forbidden(message: &'static str) -> Error {
    Error::forbidden(message).with_reason("forbidden")
}

/// Creates the error of a service account that invites people.
pub(crate) fn service_account() -> Error {
    let message = "a service account adds attendees only where a user has delegated that to it";
    Error::forbidden(message).with_reason("forbiddenForServiceAccounts").at(At::Member("attendees".into()))
}

/// Creates the error of stored data that cannot be parsed.
pub(crate) fn corrupt(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("what is stored of an event cannot be read: {error}"))
}

/// Converts unavailability. The cause is only logged where it may reveal details of the machine; the client is told
/// what to expect.
fn unavailable(trouble: Trouble) -> Error {
    if trouble == Trouble::Searching {
        let message = "too many concurrent searches of this calendar: wait for their responses";
        return Error::too_many_requests(message, 1).with_reason("rateLimitExceeded");
    }
    let (message, seconds) = match trouble {
        Trouble::DiskFull => ("the event cannot be stored: the disk is full", 60),
        Trouble::FileLimit => ("the event cannot be stored: the files of the store have reached their limit", 60),
        Trouble::ReadOnly => ("the event cannot be stored: the database may only be read", 60),
        Trouble::Busy => ("the database is busy", 1),
        Trouble::Io(_) => ("the database cannot be read or written at the moment", 10),
        Trouble::Unreachable(_) => ("the database cannot be reached", 5),
        Trouble::Unknown => ("the connection to the database was lost; look whether the change happened", 5),
        Trouble::Restored => ("the calendar is being restored", 1),
        Trouble::Closed => ("the service is being stopped", 5),
        _ => ("the database is not available", 5),
    };
    Error::unavailable(message, seconds).with_cause(StoreError::Unavailable(trouble))
}
