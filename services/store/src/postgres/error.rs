//! Conversion of PostgreSQL errors into errors of the store.

use std::error::Error as StdError;
use std::fmt::Write as _;

use deadpool_postgres::{PoolError, TimeoutType};
use tokio_postgres::error::{DbError, Severity};

use super::value::TypeMismatch;
use crate::{Error, Unavailable};

/// Converts an error of a statement other than `COMMIT`.
pub(super) fn from_driver(error: &tokio_postgres::Error) -> Error {
    if let Some(error) = error.as_db_error() {
        return from_server(error);
    }
    if error.source().is_some_and(|source| source.is::<TypeMismatch>()) {
        return Error::Internal(chain(error));
    }
    // The rest are connection errors: it was closed, never established, or the protocol was violated.
    Error::Unavailable(Unavailable::Unreachable(chain(error)))
}

/// Converts an error of a `COMMIT`: if the connection is lost, the outcome is unknown.
pub(super) fn from_commit(error: &tokio_postgres::Error) -> Error {
    if is_fatal(error) { Error::Unavailable(Unavailable::UnknownOutcome) } else { from_driver(error) }
}

/// Returns whether the connection is unusable after this error.
pub(super) fn is_fatal(error: &tokio_postgres::Error) -> bool {
    match error.as_db_error() {
        Some(error) => matches!(error.parsed_severity(), Some(Severity::Fatal | Severity::Panic)),
        None => !error.source().is_some_and(|source| source.is::<TypeMismatch>()),
    }
}

/// Converts an error of the connection pool.
pub(super) fn from_pool(error: PoolError) -> Error {
    match error {
        PoolError::Timeout(TimeoutType::Wait) => Error::Unavailable(Unavailable::Busy),
        PoolError::Timeout(_) => Error::Unavailable(Unavailable::Unreachable("connecting timed out".to_owned())),
        PoolError::Backend(error) => from_driver(&error),
        PoolError::Closed => Error::Unavailable(Unavailable::Closed),
        error @ (PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_)) => Error::Internal(error.to_string()),
    }
}

/// Converts an error reported by the server, by its code. The detail is omitted because it quotes rows, which may be
/// the mail of a user.
fn from_server(error: &DbError) -> Error {
    let code = error.code().code();
    let reason = match code {
        "25006" => Unavailable::ReadOnly,
        "53100" => Unavailable::DiskFull,
        // Deadlocks, snapshot conflicts on a standby, lock and statement timeouts, idle transaction timeouts.
        "40001" | "40P01" | "55P03" | "57014" | "25P03" | "25P04" => Unavailable::Busy,
        "40003" => Unavailable::UnknownOutcome,
        "58030" => Unavailable::Io(error.message().to_owned()),
        // Authentication failed or the database does not exist: an operator can fix that at run time.
        "3D000" => Unavailable::Unreachable(error.message().to_owned()),
        _ => match code.get(..2) {
            Some("08" | "28" | "57") => Unavailable::Unreachable(error.message().to_owned()),
            // Too many connections, out of memory.
            Some("53") => Unavailable::Busy,
            _ => return Error::Internal(format!("{} ({code}){}", error.message(), location(error))),
        },
    };
    Error::Unavailable(reason)
}

/// Formats the table and the constraint that an error names, each after a comma; empty if there are none.
fn location(error: &DbError) -> String {
    let mut location = String::new();
    for (what, name) in [("table", error.table()), ("constraint", error.constraint())] {
        if let Some(name) = name {
            let _ = write!(location, ", {what} {name}");
        }
    }
    location
}

/// Formats an error with its causes.
fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let _ = write!(text, ": {cause}");
        next = cause.source();
    }
    text
}
