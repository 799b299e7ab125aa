//! Tokens and keys: secrets that are not displayed.

use std::fmt;
use std::time::{Duration, SystemTime};

use http::HeaderValue;

use super::{CredentialsError, CredentialsErrorKind, TokenProvider};
use crate::time;
use crate::transport::BoxFuture;

const BEARER_PREFIX: &str = "Bearer ";

/// Access token with the time when it expires.
///
/// It consists of visible ASCII characters without spaces, so it cannot inject headers into a request.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    header: HeaderValue,
    expires_at: Option<SystemTime>,
}

impl Token {
    /// Creates a token without a known expiry.
    ///
    /// # Errors
    /// Returns an error if the token is empty or holds anything but visible ASCII characters.
    pub fn new(secret: impl AsRef<str>) -> Result<Self, CredentialsError> {
        let secret = secret.as_ref();
        check_secret(secret, "token")?;
        let mut header =
            HeaderValue::try_from(format!("{BEARER_PREFIX}{secret}")).map_err(|_| forbidden_character("token"))?;
        header.set_sensitive(true);
        Ok(Self { header, expires_at: None })
    }

    /// Sets the time when the token expires.
    #[must_use]
    pub fn expires_at(mut self, time: SystemTime) -> Self {
        self.expires_at = Some(time);
        self
    }

    /// Sets the lifetime from now, as token servers report it.
    #[must_use]
    pub fn expires_in(self, time: Duration) -> Self {
        // A time too far for the clock means no expiry.
        Self { expires_at: time::wall_clock().checked_add(time), ..self }
    }

    /// Returns the time of expiry, if it is known.
    #[must_use]
    pub fn expiry(&self) -> Option<SystemTime> {
        self.expires_at
    }

    /// Returns true if the token has expired, or expires within the margin.
    #[must_use]
    pub fn is_expired(&self, margin: Duration) -> bool {
        self.is_expired_at(time::wall_clock(), margin)
    }

    /// Returns whether the token expires before `now` plus the margin. A token of unknown expiry does not.
    pub(super) fn is_expired_at(&self, now: SystemTime, margin: Duration) -> bool {
        self.expires_at.is_some_and(|end| now.checked_add(margin).is_none_or(|soon| soon >= end))
    }

    /// Returns the text of the token, which is a secret.
    #[must_use]
    pub fn secret(&self) -> &str {
        self.header.to_str().ok().and_then(|text| text.strip_prefix(BEARER_PREFIX)).unwrap_or_default()
    }

    /// Returns the value of the header `Authorization`, marked as sensitive.
    #[must_use]
    pub fn authorization(&self) -> HeaderValue {
        self.header.clone()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Provider of a fixed token.
#[derive(Clone, Debug)]
pub struct StaticToken(Result<Token, CredentialsError>);

impl StaticToken {
    /// Creates a provider. A token that is no valid header value is an error when it is requested.
    #[must_use]
    pub fn new(secret: impl AsRef<str>) -> Self {
        Self(Token::new(secret))
    }
}

impl From<Token> for StaticToken {
    fn from(token: Token) -> Self {
        Self(Ok(token))
    }
}

impl TokenProvider for StaticToken {
    fn token<'a>(&'a self, _scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        Box::pin(std::future::ready(self.0.clone()))
    }
}

/// API key, which identifies the calling project.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Creates a key.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// Returns the secret itself: visible ASCII characters, some of which need an escape in a query, and single spaces
    /// between them, as after a scheme name in the header `Authorization`.
    ///
    /// # Errors
    /// Returns an error if the key is empty or holds other characters.
    pub fn secret(&self) -> Result<&str, CredentialsError> {
        self.0.split(' ').try_for_each(|part| check_secret(part, "API key"))?;
        Ok(&self.0)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// Checks that a secret, which messages call `what`, is not empty and has visible ASCII characters only.
fn check_secret(secret: &str, what: &str) -> Result<(), CredentialsError> {
    if secret.is_empty() {
        let message = format!("the {what} is empty");
        return Err(CredentialsError::new(CredentialsErrorKind::Invalid, message));
    }
    if secret.bytes().all(|byte| byte.is_ascii_graphic()) { Ok(()) } else { Err(forbidden_character(what)) }
}

/// Creates the error of a secret that is invalid in a header; messages call it `what`.
fn forbidden_character(what: &str) -> CredentialsError {
    let message =
        format!("the {what} contains a space, a line break or another character that is not allowed in a header");
    CredentialsError::new(CredentialsErrorKind::Invalid, message)
}
