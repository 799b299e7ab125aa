//! Errors of writing JSON text.

use std::fmt;

use serde::ser;

/// Error of writing JSON text.
#[derive(Debug)]
pub(in crate::json) struct WriteError(Box<str>);

impl WriteError {
    #[cold]
    pub(super) fn new(message: &str) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WriteError {}

impl ser::Error for WriteError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string().into())
    }
}
