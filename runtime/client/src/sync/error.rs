//! Errors of a synchronization.

use std::error::Error as StdError;
use std::fmt::{self, Debug, Display};

use wireform_runtime::{Request, Syncable};

use crate::error::Error;

/// Error of reading changes.
pub enum SyncError<B> {
    /// The sync token has expired: a full sync is required.
    FullSyncRequired(Error<B>),
    /// A call failed for another reason.
    Call(Error<B>),
}

impl<B> SyncError<B> {
    /// Classifies the error of a call. Only a request with a sync token can have an expired one.
    pub(super) fn classify<R: Syncable<ErrorBody = B>>(error: Error<B>, resumed: bool) -> Self {
        if resumed && is_expired::<R>(&error) { Self::FullSyncRequired(error) } else { Self::Call(error) }
    }

    /// Returns the error of the call.
    #[must_use]
    pub fn error(&self) -> &Error<B> {
        match self {
            Self::FullSyncRequired(error) | Self::Call(error) => error,
        }
    }

    /// Converts the error into that of the call.
    #[must_use]
    pub fn into_error(self) -> Error<B> {
        match self {
            Self::FullSyncRequired(error) | Self::Call(error) => error,
        }
    }
}

/// Returns whether an error reports an expired sync token: the status matches, and neither the reason nor the parameter
/// contradicts. A public service may omit both; an error that names another parameter has another cause, such as an
/// unknown user.
fn is_expired<R: Syncable>(error: &Error<R::ErrorBody>) -> bool {
    let expired = R::EXPIRED_TOKEN;
    let reason = match (expired.reason, error.reason()) {
        (Some(expired), Some(reason)) => expired == reason,
        _ => true,
    };
    let location = match (expired.location, error.response().and_then(|response| response.location.as_deref())) {
        (Some(expired), Some(location)) => is_same_parameter::<R>(expired, location),
        _ => true,
    };
    error.status() == Some(expired.status) && reason && location
}

/// Returns whether both name the same parameter.
fn is_same_parameter<R: Request>(parameter: &str, location: &str) -> bool {
    parameter == location
        || R::OPERATION.parameters.iter().any(|known| known.name.matches(parameter) && known.name.matches(location))
}

impl<B: Debug> Debug for SyncError<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FullSyncRequired(error) => f.debug_tuple("FullSyncRequired").field(error).finish(),
            Self::Call(error) => f.debug_tuple("Call").field(error).finish(),
        }
    }
}

impl<B> Display for SyncError<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FullSyncRequired(error) => write!(f, "a full sync is required: {error}"),
            Self::Call(error) => Display::fmt(error, f),
        }
    }
}

// The message is that of the call, and so is the cause.
impl<B: Debug> StdError for SyncError<B> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.error().source()
    }
}

/// Error of a synchronization run: `E` is the error of the store, and `B` the error body of the API. Changes that were
/// committed before stay valid.
pub enum SyncRunError<E, B> {
    /// The store failed.
    Store(E),
    /// A full sync is required, and neither the request nor the store supports it, or the sync token of a full read had
    /// already expired. Holds the error about the expired sync token, if one was sent.
    FullSyncRequired(Option<Error<B>>),
    /// A call failed.
    Call(Error<B>),
}

impl<E, B> From<SyncError<B>> for SyncRunError<E, B> {
    fn from(error: SyncError<B>) -> Self {
        match error {
            SyncError::FullSyncRequired(error) => Self::FullSyncRequired(Some(error)),
            SyncError::Call(error) => Self::Call(error),
        }
    }
}

impl<E: Debug, B: Debug> Debug for SyncRunError<E, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => f.debug_tuple("Store").field(error).finish(),
            Self::FullSyncRequired(error) => f.debug_tuple("FullSyncRequired").field(error).finish(),
            Self::Call(error) => f.debug_tuple("Call").field(error).finish(),
        }
    }
}

impl<E: Display, B> Display for SyncRunError<E, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => write!(f, "the store failed: {error}"),
            Self::FullSyncRequired(Some(error)) => write!(f, "a full sync is required: {error}"),
            Self::FullSyncRequired(None) => f.write_str("a full sync is required: the store has no sync token"),
            Self::Call(error) => Display::fmt(error, f),
        }
    }
}

// The message includes that of the cause, and the error of a store need not implement `Error`.
impl<E: Debug + Display, B: Debug> StdError for SyncRunError<E, B> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::FullSyncRequired(Some(error)) | Self::Call(error) => error.source(),
            Self::Store(_) | Self::FullSyncRequired(None) => None,
        }
    }
}
