//! Conversion of errors of the store into API errors.

use mailbox_server::Error;
use mailbox_server::runtime::ErrorLocation;
use wireform_store::{Error as StoreError, Unavailable};

/// Reason that the public API uses for an invalid value.
pub(crate) const INVALID_ARGUMENT: &str = "invalidArgument";

/// Converts an error of the store.
pub(crate) fn from_store(error: StoreError) -> Error {
    match error {
        // User numbers are internal to the store.
        StoreError::NotFound { what: "user", .. } => Error::not_found("user not found").with_reason("notFound"),
        StoreError::NotFound { .. } => Error::not_found(error.to_string()).with_reason("notFound"),
        StoreError::AlreadyExists { .. } => Error::conflict(error.to_string()).with_reason("aborted"),
        StoreError::Refused(message) => Error::bad_request(message).with_reason(INVALID_ARGUMENT),
        StoreError::Expired(start) => expired(start),
        StoreError::Unavailable(reason) => unavailable(reason),
        other => Error::internal(other),
    }
}

/// Converts an error of the store for a request with a label at a location other than its path: a missing label is an
/// invalid value then, not a missing resource.
pub(crate) fn from_store_at(place: ErrorLocation) -> impl FnOnce(StoreError) -> Error {
    move |error| match error {
        StoreError::NotFound { what: "label", name } => invalid_label(&name, place),
        other => from_store(other),
    }
}

/// Creates the error of a label that does not exist or cannot be used for this.
pub(crate) fn invalid_label(name: &str, place: ErrorLocation) -> Error {
    Error::bad_request(format!("Invalid label: {name}")).with_reason(INVALID_ARGUMENT).with_location(place)
}

/// Creates the error of a history whose start is no longer recorded, or never existed.
fn expired(start: u64) -> Error {
    let message = format!(
        "the history since {start} is not available: it has expired, or the number was never issued; \
         do a full sync"
    );
    Error::not_found(message).with_reason("notFound").with_location(ErrorLocation::Parameter("startHistoryId".into()))
}

/// Converts unavailability. The cause is only logged where it may reveal details of the machine; the message
/// contains what the client can expect.
fn unavailable(reason: Unavailable) -> Error {
    if reason == Unavailable::TooManySearches {
        let message = "too many concurrent searches of this mailbox; wait for their responses";
        return Error::too_many_requests(message, 1).with_reason("rateLimitExceeded");
    }
    let (message, seconds) = match reason {
        Unavailable::DiskFull => ("the mail cannot be stored: the disk is full", 60),
        Unavailable::FileLimit => ("the mail cannot be stored: the files of the store have reached their limit", 60),
        Unavailable::ReadOnly => ("the mail cannot be stored: the database is read-only", 60),
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
