//! Why nothing came of work.

use std::error::Error as StdError;
use std::fmt::{self, Debug, Display};
use std::time::Duration;

use wireform_runtime::json::DecodeError;

use crate::error::Error;

/// Why nothing came of work. `F` is what tells of work that failed, `B` what the API's errors answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum PollError<F, B> {
    /// The work has ended, and has failed.
    Failed {
        /// What the server says of it.
        failure: F,
        /// The same in words, on one line.
        message: Option<String>,
    },
    /// A call failed: the one that starts the work, or one that asks how it goes. The work may go on; it can be asked
    /// for again.
    Call(Error<B>),
    /// The work goes on, and the time that was given for it is over. It can be waited for again.
    TimedOut {
        /// How long it was waited.
        waited: Duration,
    },
    /// The work goes on, and the answer does not name it: nothing can ask for it.
    Nameless,
    /// The request that starts the work was dropped on its way: whether the work has begun is not known.
    Abandoned,
    /// The work has ended, and what came of it is not what the schema says.
    Outcome(DecodeError),
}

impl<F, B> PollError<F, B> {
    /// What the server says of work that has failed.
    #[must_use]
    pub fn failure(&self) -> Option<&F> {
        match self {
            Self::Failed { failure, .. } => Some(failure),
            _ => None,
        }
    }

    /// The error of the call that failed.
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
            Self::Failed { message: Some(message), .. } => write!(f, "the operation has failed: {message}"),
            Self::Failed { message: None, .. } => f.write_str("the operation has failed"),
            Self::Call(error) => Display::fmt(error, f),
            Self::TimedOut { waited } => write!(f, "the operation still goes on after {waited:?}"),
            Self::Nameless => f.write_str("the operation goes on, and has no name by which it could be asked for"),
            Self::Abandoned => f.write_str("the request that starts the operation was given up on its way"),
            Self::Outcome(error) => write!(f, "the operation has ended, and its outcome cannot be read: {error}"),
        }
    }
}

// The message holds that of the cause.
impl<F: Debug, B: Debug> StdError for PollError<F, B> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.call().and_then(StdError::source)
    }
}
