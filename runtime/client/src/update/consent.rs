//! What a change may say of itself.

use std::error::Error as StdError;
use std::fmt::{self, Debug, Display};

use crate::error::Error;

/// What a function that changes a value gives back: nothing, or a `Result` by which it may refuse.
pub trait Consent<B> {
    /// What the whole then fails with.
    type Error: From<Error<B>>;

    /// Whether the change is to be written.
    ///
    /// # Errors
    /// When it is not.
    fn consent(self) -> Result<(), Self::Error>;
}

impl<B> Consent<B> for () {
    type Error = Error<B>;

    fn consent(self) -> Result<(), Error<B>> {
        Ok(())
    }
}

impl<B, E> Consent<B> for Result<(), E> {
    type Error = UpdateError<E, B>;

    fn consent(self) -> Result<(), UpdateError<E, B>> {
        self.map_err(UpdateError::Refused)
    }
}

/// Why a change was not written.
pub enum UpdateError<E, B> {
    /// The function refused to change the value.
    Refused(E),
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
            Self::Refused(error) => f.debug_tuple("Refused").field(error).finish(),
            Self::Call(error) => f.debug_tuple("Call").field(error).finish(),
        }
    }
}

impl<E: Display, B> Display for UpdateError<E, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => write!(f, "the change is refused: {error}"),
            Self::Call(error) => Display::fmt(error, f),
        }
    }
}

// The message holds that of the cause, and a change may be refused with what is no error of std.
impl<E: Debug + Display, B: Debug> StdError for UpdateError<E, B> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Call(error) => error.source(),
            Self::Refused(_) => None,
        }
    }
}
