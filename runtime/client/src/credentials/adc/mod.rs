//! Application default credentials: files with long-lived credentials that are exchanged for tokens.

mod account;
mod exchange;
mod grant;
mod key;
mod token_server;

use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use self::grant::{Grant, GrantProvider};
use super::{Cached, CredentialsError, CredentialsErrorKind, Token, TokenProvider, files};
use crate::transport::{BoxFuture, Transport};

/// Tokens from a file of credentials, cached until shortly before their expiry.
///
/// Two kinds of files are supported:
///
/// * `authorized_user`, which `gcloud auth application-default login` writes. Its tokens allow what the user allowed at
///   the login, whatever scopes a client requests.
/// * `service_account`, the key of a service account. Its tokens allow the requested scopes; with
///   [`subject`](Self::subject) they act on behalf of a user of a domain that delegated this to the account.
///
/// Redirects of the token server are not followed, and its URL must begin with `https://` unless it is on this machine.
///
/// ```no_run
/// use wireform_client::{ApplicationDefault, Credentials};
///
/// let credentials = Credentials::from(ApplicationDefault::find()?);
/// # Ok::<(), wireform_client::CredentialsError>(())
/// ```
pub struct ApplicationDefault {
    cached: Cached<GrantProvider>,
}

impl ApplicationDefault {
    /// Loads the credentials of the environment: the file that `GOOGLE_APPLICATION_CREDENTIALS` names, otherwise
    /// `application_default_credentials.json` in the directory `$CLOUDSDK_CONFIG`, otherwise in `~/.config/gcloud`, on
    /// Windows in `%APPDATA%\gcloud`. This blocks while the file is read.
    ///
    /// # Errors
    /// Returns an error if there is no file, or if it cannot be read or is invalid.
    pub fn find() -> Result<Self, CredentialsError> {
        Self::find_with_env(files::env_var)
    }

    /// Like [`find`](Self::find), with a function that returns environment variables.
    ///
    /// # Errors
    /// Returns the same errors as [`find`](Self::find).
    pub fn find_with_env(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, CredentialsError> {
        Self::from_file(files::find_default_file(variable)?)
    }

    /// Loads the credentials from a file. This blocks while it is read.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if its content is invalid.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, CredentialsError> {
        let path = path.as_ref();
        Self::from_json(&files::read_credentials_file(path)?).map_err(|error| {
            let message = format!("invalid credentials file `{}`: {error}", path.display());
            CredentialsError::new(error.kind(), message)
        })
    }

    /// Parses the credentials from the content of such a file.
    ///
    /// # Errors
    /// Returns an error if the text is not a JSON object, a field is missing or invalid, or the type is not supported.
    pub fn from_json(text: &str) -> Result<Self, CredentialsError> {
        Ok(Self::from_grants(GrantProvider::new(Grant::parse(text)?)))
    }

    /// Creates credentials that use the clock of the grants.
    fn from_grants(grants: GrantProvider) -> Self {
        let now = Arc::clone(&grants.now);
        Self { cached: Cached::new(grants).clock(move || now()) }
    }

    /// Acts on behalf of a user, `user@example.com`, whose domain delegated this to the service account.
    ///
    /// # Errors
    /// Returns an error if the credentials are not those of a service account.
    pub fn subject(self, user: impl Into<String>) -> Result<Self, CredentialsError> {
        let mut grants = self.cached.into_inner();
        match &mut grants.grant {
            Grant::ServiceAccount(account) => account.subject = Some(user.into()),
            Grant::AuthorizedUser(_) => {
                let message =
                    "only a service account can act on behalf of a user, but the credentials are those of a user";
                return Err(CredentialsError::new(CredentialsErrorKind::Invalid, message));
            }
        }
        Ok(Self::from_grants(grants))
    }

    /// Sets the transport to the token server. It must not follow redirects.
    #[must_use]
    pub fn transport(self, transport: impl Transport) -> Self {
        let grants = self.cached.into_inner();
        Self::from_grants(GrantProvider { transport: Some(Arc::new(transport)), ..grants })
    }

    /// Sets the clock, for tests.
    #[must_use]
    pub fn clock(self, now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self::from_grants(GrantProvider { now: Arc::new(now), ..self.cached.into_inner() })
    }
}

impl TokenProvider for ApplicationDefault {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        self.cached.token(scopes)
    }

    fn invalidate(&self, refused: &Token) {
        self.cached.invalidate(refused);
    }
}

impl fmt::Debug for ApplicationDefault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ApplicationDefault").field(&self.cached.get_ref().grant).finish()
    }
}
