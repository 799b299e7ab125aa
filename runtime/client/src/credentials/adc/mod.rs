//! Application default credentials: files that say how to come by tokens.

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

use self::grant::{Grant, Grants};
use super::{Cached, CredentialsError, CredentialsErrorKind, Token, TokenProvider, files};
use crate::transport::{BoxFuture, Transport};

/// Tokens by a file of credentials, kept until shortly before their end.
///
/// Two kinds of files are known:
///
/// * `authorized_user`, which `gcloud auth application-default login` writes. Its tokens allow what the user
///   allowed at the login, whatever scopes a client asks for.
/// * `service_account`, the key of an account for programs. Its tokens allow the scopes that are asked for; with
///   [`subject`](Self::subject) they act for a user of a domain that delegated this to the account.
///
/// Redirects of the token server are not followed, and its address must begin with `https://` unless it is on
/// this machine.
///
/// ```no_run
/// use wireform_client::{ApplicationDefault, Credentials};
///
/// let credentials = Credentials::from(ApplicationDefault::find()?);
/// # Ok::<(), wireform_client::CredentialsError>(())
/// ```
pub struct ApplicationDefault {
    cached: Cached<Grants>,
}

impl ApplicationDefault {
    /// The credentials of this environment: the file that `GOOGLE_APPLICATION_CREDENTIALS` names, otherwise
    /// `application_default_credentials.json` in the folder `$CLOUDSDK_CONFIG`, otherwise in
    /// `~/.config/gcloud`, on Windows in `%APPDATA%\gcloud`. This reads a file, and blocks for that long.
    ///
    /// # Errors
    /// When there is no file, or it cannot be used.
    pub fn find() -> Result<Self, CredentialsError> {
        Self::find_in(files::variable)
    }

    /// As [`find`](Self::find), with variables that a function knows.
    ///
    /// # Errors
    /// Those of [`find`](Self::find).
    pub fn find_in(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, CredentialsError> {
        Self::from_file(files::find(variable)?)
    }

    /// The credentials in a file. This blocks until it is read.
    ///
    /// # Errors
    /// When the file cannot be read, or its content cannot be used.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, CredentialsError> {
        let path = path.as_ref();
        Self::from_json(&files::read(path)?).map_err(|error| {
            let message = format!("the file of credentials `{}` cannot be used: {error}", path.display());
            CredentialsError::new(error.kind(), message)
        })
    }

    /// The credentials in a text, the content of such a file.
    ///
    /// # Errors
    /// When the text cannot be used: it is not JSON, a member is missing, or the type is another one.
    pub fn from_json(text: &str) -> Result<Self, CredentialsError> {
        Ok(Self::of(Grants::new(Grant::read(text)?)))
    }

    /// By the clock of the grants.
    fn of(grants: Grants) -> Self {
        let now = Arc::clone(&grants.now);
        Self { cached: Cached::new(grants).clock(move || now()) }
    }

    /// Acts for a user, `user@example.com`, whose domain delegated this to the service account.
    ///
    /// # Errors
    /// When these are no credentials of a service account.
    pub fn subject(self, user: impl Into<String>) -> Result<Self, CredentialsError> {
        let mut grants = self.cached.into_inner();
        match &mut grants.grant {
            Grant::ServiceAccount(account) => account.subject = Some(user.into()),
            Grant::AuthorizedUser(_) => {
                let message = "only a service account can act for a user; these are credentials of a user";
                return Err(CredentialsError::new(CredentialsErrorKind::Invalid, message));
            }
        }
        Ok(Self::of(grants))
    }

    /// Reaches the token server by that transport. It must not follow redirects.
    #[must_use]
    pub fn transport(self, transport: impl Transport) -> Self {
        let grants = self.cached.into_inner();
        Self::of(Grants { transport: Some(Arc::new(transport)), ..grants })
    }

    /// With another clock than the one on the wall, for tests.
    #[must_use]
    pub fn clock(self, now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self::of(Grants { now: Arc::new(now), ..self.cached.into_inner() })
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
