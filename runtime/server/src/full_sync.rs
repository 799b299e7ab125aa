//! Errors that request a full sync.

use std::borrow::Cow;

use http::StatusCode;
use wireform_runtime::operation::ExpiredTokenError;

use crate::context::Context;
use crate::error::{Error, ErrorLocation};

/// Maximum number of characters of a token in a message.
const MAX_EXCERPT: usize = 40;

impl Context {
    /// Checks that the sync token of the request could be parsed. Services open tokens after they have checked access, so
    /// nobody without access gets this error.
    ///
    /// # Errors
    /// Returns the operation's error of an expired sync token.
    pub(crate) fn check_sync_token(&self) -> Result<(), Error> {
        let Some(((name, expired), token)) = self.contract.sync.as_ref().zip(self.unreadable_sync_token.as_ref())
        else {
            return Ok(());
        };
        Err(full_sync_required(expired, format!("`{}` is not a valid `{name}`; do a full sync", excerpt(token))))
    }
}

/// Returns the escaped start of a text for a message.
#[cold]
pub(crate) fn excerpt(text: &str) -> String {
    let start: String = text.chars().take(MAX_EXCERPT).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_EXCERPT).is_some() { start + "…" } else { start }
}

/// Creates the operation's error of an expired sync token, a 410 unless the schema declares another status.
pub(crate) fn full_sync_required(expired: &ExpiredTokenError, message: impl Into<Cow<'static, str>>) -> Error {
    let status = StatusCode::from_u16(expired.status).unwrap_or(StatusCode::GONE);
    let mut error = Error::new(status, message);
    if let Some(reason) = expired.reason {
        error = error.with_reason(reason);
    }
    match expired.location {
        Some(location) => error.with_location(ErrorLocation::Parameter(Cow::Borrowed(location))),
        None => error,
    }
}
