//! Return types of functions that change a value.

use std::error::Error as StdError;
use std::fmt::{self, Debug, Display};

use crate::error::Error;

/// Return type of a function that changes a value: `()`, or a `Result` whose error aborts the update.
pub trait IntoUpdateResult<B> {
    /// Error of the whole update: that of a call or, if the function can fail, of the function.
    type Error: From<Error<B>>;

    /// Converts the return value of a change.
    ///
    /// # Errors
    /// Returns an error if the change was aborted.
    fn into_update_result(self) -> Result<(), Self::Error>;
}

impl<B> IntoUpdateResult<B> for () {
    type Error = Error<B>;

    fn into_update_result(self) -> Result<(), Error<B>> {
        Ok(())
    }
}

impl<B, E> IntoUpdateResult<B> for Result<(), E> {
    type Error = UpdateError<E, B>;

    fn into_update_result(self) -> Result<(), UpdateError<E, B>> {
        self.map_err(UpdateError::Aborted)
    }
}

/// Error of an update.
pub enum UpdateError<E, B> {
    /// The function aborted the change.
    Aborted(E),
    /// A call failed.
    Call(Error<B>),
}

impl<E, B> From<Error<B>> for UpdateError<E, B> {
    fn from(error: Error<B>) -> Self {
        Self::Call(error)
    }
}

impl<E: Debug, B: Debug> Debug for UpdateError<E, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aborted(error) => f.debug_tuple("Aborted").field(error).finish(),
            Self::Call(error) => f.debug_tuple("Call").field(error).finish(),
        }
    }
}

impl<E: Display, B> Display for UpdateError<E, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aborted(error) => write!(f, "the change was rejected: {error}"),
            Self::Call(error) => Display::fmt(error, f),
        }
    }
}

// The message includes that of the cause, and the error of a change need not implement `Error`.
impl<E: Debug + Display, B: Debug> StdError for UpdateError<E, B> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Call(error) => error.source(),
            Self::Aborted(_) => None,
        }
    }
}
