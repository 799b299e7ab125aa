//! Tokens and keys: secrets that are not shown.

use std::fmt;
use std::time::{Duration, SystemTime};

use http::HeaderValue;

use super::{CredentialsError, CredentialsErrorKind, TokenProvider};
use crate::time;
use crate::transport::BoxFuture;

const SCHEME: &str = "Bearer ";

/// A token, and until when it is good.
///
/// It consists of visible ASCII characters without spaces, so it adds no header of its own to a request.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    header: HeaderValue,
    expires_at: Option<SystemTime>,
}

impl Token {
    /// A token whose end is not known.
    ///
    /// # Errors
    /// When it is empty or holds anything but visible ASCII characters.
    pub fn new(secret: impl AsRef<str>) -> Result<Self, CredentialsError> {
        let secret = secret.as_ref();
        check(secret, "token")?;
        let mut header = HeaderValue::try_from(format!("{SCHEME}{secret}")).map_err(|_| unsendable("token"))?;
        header.set_sensitive(true);
        Ok(Self { header, expires_at: None })
    }

    /// With the time from which on it is not valid any more.
    #[must_use]
    pub fn expires_at(mut self, time: SystemTime) -> Self {
        self.expires_at = Some(time);
        self
    }

    /// With the time from now for which it is valid, which is what servers say.
    #[must_use]
    pub fn expires_in(self, time: Duration) -> Self {
        // A time too far for the clock is no end at all.
        Self { expires_at: time::wall().checked_add(time), ..self }
    }

    /// The time from which on it is not valid any more, where that is known.
    #[must_use]
    pub fn expiry(&self) -> Option<SystemTime> {
        self.expires_at
    }

    /// Whether it ends within the margin from now, or has ended.
    #[must_use]
    pub fn is_expired(&self, margin: Duration) -> bool {
        self.is_expired_at(time::wall(), margin)
    }

    pub(super) fn is_expired_at(&self, now: SystemTime, margin: Duration) -> bool {
        self.expires_at.is_some_and(|end| now.checked_add(margin).is_none_or(|soon| soon >= end))
    }

    /// The secret itself.
    #[must_use]
    pub fn secret(&self) -> &str {
        self.header.to_str().ok().and_then(|text| text.strip_prefix(SCHEME)).unwrap_or_default()
    }

    /// The value of the header `Authorization`, marked as sensitive.
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

/// Always the same token.
#[derive(Clone, Debug)]
pub struct StaticToken(Result<Token, CredentialsError>);

impl StaticToken {
    /// That token. One that no header can hold is refused when it is asked for.
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

/// A key that names the calling project.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// That key.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The secret itself: visible ASCII characters, of which some need an escape in a query, and spaces between them,
    /// as behind the name of a scheme in the header `Authorization`.
    ///
    /// # Errors
    /// When it is empty or holds anything else.
    pub fn secret(&self) -> Result<&str, CredentialsError> {
        self.0.split(' ').try_for_each(|part| check(part, "API key"))?;
        Ok(&self.0)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

fn check(secret: &str, what: &str) -> Result<(), CredentialsError> {
    if secret.is_empty() {
        let message = format!("the {what} is empty");
        return Err(CredentialsError::new(CredentialsErrorKind::Invalid, message));
    }
    if secret.bytes().all(|byte| byte.is_ascii_graphic()) { Ok(()) } else { Err(unsendable(what)) }
}

fn unsendable(what: &str) -> CredentialsError {
    let message = format!("the {what} holds a space, a line break or another character that a header cannot hold");
    CredentialsError::new(CredentialsErrorKind::Invalid, message)
}
