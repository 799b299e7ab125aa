//! Conversion of errors of the store into API errors.

use mailbox_server::Error;
use mailbox_server::runtime::At;
use wireform_store::{Error as StoreError, Trouble};

/// Reason that the public API uses for an invalid value.
pub(crate) const INVALID_ARGUMENT: &str = "invalidArgument";

/// Converts an error of the store.
pub(crate) fn from_store(error: StoreError) -> Error {
    match error {
        // User numbers are internal to the store.
        StoreError::Absent { what: "user", .. } => Error::not_found("user not found").with_reason("notFound"),
        StoreError::Absent { .. } => Error::not_found(error.to_string()).with_reason("notFound"),
        StoreError::Present { .. } => Error::conflict(error.to_string()).with_reason("aborted"),
        StoreError::Refused(message) => Error::bad_request(message).with_reason(INVALID_ARGUMENT),
        StoreError::Expired(start) => expired(start),
        StoreError::Unavailable(trouble) => unavailable(trouble),
        other => Error::internal(other),
    }
}

/// Converts an error of the store for a request with a label at a location other than its path: a missing label is an
/// invalid value then, not a missing resource.
pub(crate) fn from_store_at(place: At) -> impl FnOnce(StoreError) -> Error {
    move |error| match error {
        StoreError::Absent { what: "label", name } => invalid_label(&name, place),
        other => from_store(other),
    }
}

/// Creates the error of a label that does not exist or cannot be used for this.
pub(crate) fn invalid_label(name: &str, place: At) -> Error {
    Error::bad_request(format!("Invalid label: {name}")).with_reason(INVALID_ARGUMENT).at(place)
}

fn expired(start: u64) -> Error {
    let message = format!("the history does not reach back to {start}, or the number was never issued: do a full sync");
    Error::not_found(message).with_reason("notFound").at(At::Parameter("startHistoryId".into()))
}

/// Converts unavailability. The cause is only logged where it may reveal details of the machine; the client is told
/// what to expect.
fn unavailable(trouble: Trouble) -> Error {
    if trouble == Trouble::Searching {
        let message = "too many concurrent searches of this mailbox: wait for their responses";
        return Error::too_many_requests(message, 1).with_reason("rateLimitExceeded");
    }
    let (message, seconds) = match trouble {
        Trouble::DiskFull => ("the mail cannot be stored: the disk is full", 60),
        Trouble::FileLimit => ("the mail cannot be stored: the files of the store have reached their limit", 60),
        Trouble::ReadOnly => ("the mail cannot be stored: the database may only be read", 60),
        Trouble::Busy => ("the database is busy", 1),
        Trouble::Io(_) => ("the database cannot be read or written at the moment", 10),
        Trouble::Unreachable(_) => ("the database cannot be reached", 5),
        Trouble::Unknown => ("the connection to the database was lost; look whether the change happened", 5),
        Trouble::Restored => ("the mail is being restored", 1),
        Trouble::Closed => ("the service is being stopped", 5),
        _ => ("the database is not available", 5),
    };
    Error::unavailable(message, seconds).with_cause(StoreError::Unavailable(trouble))
}
