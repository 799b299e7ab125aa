//! Error of polling a long-running operation.

use std::error::Error as StdError;
use std::fmt::{self, Debug, Display};
use std::time::Duration;

use wireform_runtime::json::DecodeError;

use crate::error::Error;

/// Error of polling a long-running operation. `F` is the type of its failures, `B` that of the API's error bodies.
#[derive(Debug)]
#[non_exhaustive]
pub enum PollError<F, B> {
    /// The operation failed.
    Failed {
        /// Failure as the server reports it.
        failure: F,
        /// Message of the failure, as one line.
        message: Option<String>,
    },
    /// A call failed: the start request or a poll request. The operation may still be running; polling can continue.
    Call(Error<B>),
    /// The operation is not done, and the time of the policy has elapsed. Polling can continue.
    TimedOut {
        /// Time that was waited.
        waited: Duration,
    },
    /// The operation is not done and has no name, so it cannot be polled.
    Unnamed,
    /// The start request was dropped before it completed: it is unknown whether the operation has started.
    Abandoned,
    /// The outcome of the operation does not match the schema.
    Outcome(DecodeError),
}

impl<F, B> PollError<F, B> {
    /// Returns the failure of the operation.
    #[must_use]
    pub fn failure(&self) -> Option<&F> {
        match self {
            Self::Failed { failure, .. } => Some(failure),
            _ => None,
        }
    }

    /// Returns the error of the call that failed.
    #[must_use]
    pub fn call(&self) -> Option<&Error<B>> {
        match self {
            Self::Call(error) => Some(error),
            _ => None,
        }
    }
}

impl<F, B> Display for PollError<F, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed { message: Some(message), .. } => write!(f, "the operation failed: {message}"),
            Self::Failed { message: None, .. } => f.write_str("the operation has failed"),
            Self::Call(error) => Display::fmt(error, f),
            Self::TimedOut { waited } => write!(f, "the operation is still running after {waited:?}"),
            Self::Unnamed => f.write_str("the operation is still running, but has no name for polling"),
            Self::Abandoned => f.write_str("the request that starts the operation was cancelled"),
            Self::Outcome(error) => write!(f, "cannot decode the outcome of the operation: {error}"),
        }
    }
}

// The message includes that of the cause.
impl<F: Debug, B: Debug> StdError for PollError<F, B> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.call().and_then(StdError::source)
    }
}
