//! Interactive OAuth flow: a user consents in a browser.
//!
//! The flow is implemented by [`yup_oauth2`], which is re-exported because its types are part of this interface. It
//! logs tokens and codes at the level `debug` of the crate `log`; do not record that level of `yup_oauth2` in shared
//! logs. Its loopback flow uses neither `state` nor PKCE.
//!
//! ```no_run
//! use wireform_client::Credentials;
//! use wireform_client::oauth::Installed;
//!
//! # async fn prepare(client: &str) -> Result<(), wireform_client::CredentialsError> {
//! let consent = Installed::from_json(client)?
//!     .remember("tokens.json")
//!     .open(|address| println!("Please visit {address}"))
//!     .build()
//!     .await?;
//! let credentials = Credentials::from(consent);
//! # Ok(())
//! # }
//! ```

use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use hyper_util::client::legacy::connect::Connect;
pub use yup_oauth2;
use yup_oauth2::authenticator::Authenticator;
use yup_oauth2::authenticator_delegate::InstalledFlowDelegate;
use yup_oauth2::{
    AccessToken, ApplicationSecret, CustomHyperClientBuilder, InstalledFlowAuthenticator, InstalledFlowReturnMethod,
};

use super::members::Members;
use super::{Cached, CredentialsError, CredentialsErrorKind, Token, TokenProvider, endpoint};
use crate::transport::{BoxFuture, token_client};

/// Tokens of an authenticator of [`yup_oauth2`], whatever its flow.
///
/// Concurrent callers share one request, so a user is asked once. If a user must consent, the first token takes as long
/// as that takes; the timeout of a call does not apply to it. A program can request it at startup:
///
/// ```no_run
/// # use wireform_client::{TokenProvider as _, CredentialsError, oauth::Consent};
/// # async fn start(consent: &Consent, scopes: &[&str]) -> Result<(), CredentialsError> {
/// consent.token(scopes).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Consent(Cached<Asked>);

impl<C> From<Authenticator<C>> for Consent
where
    C: Connect + Clone + Send + Sync + 'static,
{
    fn from(authenticator: Authenticator<C>) -> Self {
        Self(Cached::new(Asked { authenticator: Box::new(authenticator), refused: Mutex::default() }))
    }
}

impl TokenProvider for Consent {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        self.0.token(scopes)
    }

    fn invalidate(&self, refused: &Token) {
        self.0.invalidate(refused);
    }
}

/// Authenticator, and the last token that a server rejected.
struct Asked {
    authenticator: Box<dyn Ask>,
    /// The authenticator caches tokens itself, and returns this one again unless forced to refresh.
    refused: Mutex<Option<Token>>,
}

impl Asked {
    async fn ask(&self, scopes: &[&str]) -> Result<Token, CredentialsError> {
        let token = converted(self.authenticator.ask(scopes, false).await)?;
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if refused.is_some_and(|refused| refused.secret() == token.secret()) {
            return converted(self.authenticator.ask(scopes, true).await);
        }
        Ok(token)
    }
}

impl TokenProvider for Asked {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        Box::pin(self.ask(scopes))
    }

    fn invalidate(&self, refused: &Token) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(refused.clone());
    }
}

/// Authenticator with its connector type erased.
trait Ask: Send + Sync {
    fn ask<'a>(&'a self, scopes: &'a [&'a str], anew: bool) -> BoxFuture<'a, Result<AccessToken, yup_oauth2::Error>>;
}

impl<C> Ask for Authenticator<C>
where
    C: Connect + Clone + Send + Sync + 'static,
{
    fn ask<'a>(&'a self, scopes: &'a [&'a str], anew: bool) -> BoxFuture<'a, Result<AccessToken, yup_oauth2::Error>> {
        Box::pin(async move { if anew { self.force_refreshed_token(scopes).await } else { self.token(scopes).await } })
    }
}

fn converted(answer: Result<AccessToken, yup_oauth2::Error>) -> Result<Token, CredentialsError> {
    let answer = answer.map_err(|error| failed(&error))?;
    let secret = answer.token().ok_or_else(|| failed(&yup_oauth2::Error::MissingAccessToken))?;
    let token = Token::new(secret)?;
    Ok(match answer.expiration_time() {
        Some(end) => token.expires_at(end.into()),
        None => token,
    })
}

/// Converts an error without parts that may hold secrets: serde repeats invalid values.
fn failed(error: &yup_oauth2::Error) -> CredentialsError {
    use yup_oauth2::Error as E;
    let (kind, message) = match error {
        E::HttpError(_) | E::HttpClientError(_) => {
            (CredentialsErrorKind::Unavailable, format!("cannot reach the token server: {error}"))
        }
        E::AuthError(error) => {
            (CredentialsErrorKind::Refused, format!("the token server rejected the request: {error}"))
        }
        E::JSONError(_) => (CredentialsErrorKind::Refused, "invalid response of the token server".to_owned()),
        E::MissingAccessToken => (CredentialsErrorKind::Refused, "the token server returned no token".to_owned()),
        E::UserError(why) => (CredentialsErrorKind::Refused, format!("no user consent: {why}")),
        E::StorageError(_) => (CredentialsErrorKind::Invalid, "cannot store the token".to_owned()),
        other => (CredentialsErrorKind::Invalid, other.to_string()),
    };
    CredentialsError::new(kind, message)
}

/// Consent of a user to an application on this machine: a browser opens, and redirects to a port of the loopback
/// interface. It needs a tokio runtime with I/O enabled.
///
/// The user may take any time. A connection to the token server is limited to 256 KiB and 30 seconds.
pub struct Installed {
    client: ApplicationSecret,
    port: Option<u16>,
    remembered: Option<PathBuf>,
    delegate: Option<Box<dyn InstalledFlowDelegate>>,
}

impl Installed {
    /// Creates a flow from the JSON of an OAuth client as Google's console provides it: `{"installed": {"client_id":
    /// …}}`.
    ///
    /// # Errors
    /// Returns an error if the JSON is invalid, or if it names a URL to which no secret may be sent.
    pub fn from_json(text: &str) -> Result<Self, CredentialsError> {
        let all = Members::read(text)?;
        let members = all.object("installed").or_else(|| all.object("web")).ok_or_else(|| {
            let message = "the member `installed` is missing: the client of an installed application is expected";
            CredentialsError::new(CredentialsErrorKind::Invalid, message)
        })?;
        let address = |name: &str, default: &str| {
            let text = members.optional(name)?.unwrap_or_else(|| default.to_owned());
            endpoint::checked(name, &text).map(|_| text)
        };
        let client = ApplicationSecret {
            client_id: members.text("client_id")?,
            client_secret: members.text("client_secret")?,
            auth_uri: address("auth_uri", "https://accounts.google.com/o/oauth2/auth")?,
            token_uri: address("token_uri", "https://oauth2.googleapis.com/token")?,
            ..ApplicationSecret::default()
        };
        Ok(Self { client, port: None, remembered: None, delegate: None })
    }

    /// Saves the consent in a file, so that later starts of the program need no user. The file holds secrets; on Unix
    /// it is readable by its owner only.
    #[must_use]
    pub fn remember(mut self, file: impl Into<PathBuf>) -> Self {
        self.remembered = Some(file.into());
        self
    }

    /// Sets the port to listen on. The default is any free port.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    /// Sets a function that presents the consent URL to the user, for example by opening a browser. By default it is
    /// printed.
    #[must_use]
    pub fn open(self, open: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.delegate(Open(open))
    }

    /// Sets a flow delegate, which can decide more than [`open`](Self::open).
    #[must_use]
    pub fn delegate(mut self, delegate: impl InstalledFlowDelegate + 'static) -> Self {
        self.delegate = Some(Box::new(delegate));
        self
    }

    /// Builds the provider of tokens. No user is asked before a token is needed.
    ///
    /// # Errors
    /// Returns an error if the file of the consent cannot be read, or if TLS cannot be set up.
    pub async fn build(self) -> Result<Consent, CredentialsError> {
        let method =
            self.port.map_or(InstalledFlowReturnMethod::HTTPRedirect, InstalledFlowReturnMethod::HTTPPortRedirect);
        let client = token_client().map_err(|error| {
            let message = format!("cannot connect to the token server: {error}");
            CredentialsError::new(CredentialsErrorKind::Invalid, message)
        })?;
        let client = CustomHyperClientBuilder::from(client);
        let mut builder = InstalledFlowAuthenticator::with_client(self.client, method, client);
        if let Some(file) = &self.remembered {
            builder = builder.persist_tokens_to_disk(file);
        }
        if let Some(delegate) = self.delegate {
            builder = builder.flow_delegate(delegate);
        }
        let built = builder.build().await.map_err(|error| {
            // The message of the error may repeat the content of the file.
            let file = self.remembered.map(|file| format!(" by the file `{}`", file.display())).unwrap_or_default();
            let message = format!("cannot prepare the interactive flow{file}: {}", error.kind());
            CredentialsError::new(CredentialsErrorKind::Invalid, message)
        })?;
        Ok(Consent::from(built))
    }
}

/// Omits the secret of the client.
impl fmt::Debug for Installed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Installed")
            .field("port", &self.port)
            .field("remembered", &self.remembered)
            .finish_non_exhaustive()
    }
}

struct Open<F>(F);

impl<F: Fn(&str) + Send + Sync> InstalledFlowDelegate for Open<F> {
    fn present_user_url<'a>(&'a self, url: &'a str, _need_code: bool) -> BoxFuture<'a, Result<String, String>> {
        (self.0)(url);
        Box::pin(std::future::ready(Ok(String::new())))
    }
}
