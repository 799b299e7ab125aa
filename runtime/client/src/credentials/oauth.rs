//! The interactive flow: a user consents in a browser.
//!
//! The work is done by [`yup_oauth2`], whose types stand in this interface; it is re-exported for that. It logs
//! tokens and codes at the level `debug` of the crate `log`; do not record that level of `yup_oauth2` where
//! others read. Its flow on the loopback interface uses neither `state` nor PKCE.
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

/// The tokens of an authenticator of [`yup_oauth2`], whatever its flow.
///
/// Callers that need a token at the same time share one request, so a user is asked once. Where a user must
/// consent, the first token takes as long as that takes, maybe longer than a call may take; a program that has a
/// start asks for it there:
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

/// An authenticator, and what a server said of its last token.
struct Asked {
    authenticator: Box<dyn Ask>,
    /// The authenticator keeps tokens itself, and gives this one once more unless it is told not to.
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

/// An authenticator without the type of its connections.
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

/// The error without what may hold secrets: serde repeats values that it refuses.
fn failed(error: &yup_oauth2::Error) -> CredentialsError {
    use yup_oauth2::Error as E;
    let (kind, message) = match error {
        E::HttpError(_) | E::HttpClientError(_) => {
            (CredentialsErrorKind::Unavailable, format!("the token server cannot be reached: {error}"))
        }
        E::AuthError(error) => (CredentialsErrorKind::Refused, format!("the token server refused: {error}")),
        E::JSONError(_) => (CredentialsErrorKind::Refused, "the token server gave a strange answer".to_owned()),
        E::MissingAccessToken => (CredentialsErrorKind::Refused, "the token server gave no token".to_owned()),
        E::UserError(why) => (CredentialsErrorKind::Refused, format!("there is no consent: {why}")),
        E::StorageError(_) => (CredentialsErrorKind::Invalid, "the token cannot be stored".to_owned()),
        other => (CredentialsErrorKind::Invalid, other.to_string()),
    };
    CredentialsError::new(kind, message)
}

/// The consent of a user to an application on this machine: a browser opens, and comes back to a port of the
/// loopback interface. It needs a runtime of tokio with input and output.
///
/// The user may take any time. A response of the token server is limited to 256 KiB and 30 seconds.
pub struct Installed {
    client: ApplicationSecret,
    port: Option<u16>,
    remembered: Option<PathBuf>,
    delegate: Option<Box<dyn InstalledFlowDelegate>>,
}

impl Installed {
    /// By the text that Google's console gives for an OAuth client: `{"installed": {"client_id": …}}`.
    ///
    /// # Errors
    /// When it is not such a text, or names an address to which no secret may be sent.
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

    /// Keeps the consent in that file, so that the next start of the program asks no one. The file holds secrets;
    /// on Unix it is made for its owner alone.
    #[must_use]
    pub fn remember(mut self, file: impl Into<PathBuf>) -> Self {
        self.remembered = Some(file.into());
        self
    }

    /// Listens on that port; otherwise on any that is free.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    /// Shows a user the address where to consent, for example by opening a browser. Otherwise it is printed.
    #[must_use]
    pub fn open(self, open: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.delegate(Open(open))
    }

    /// As [`open`](Self::open), with all that a delegate can decide.
    #[must_use]
    pub fn delegate(mut self, delegate: impl InstalledFlowDelegate + 'static) -> Self {
        self.delegate = Some(Box::new(delegate));
        self
    }

    /// Makes ready. No one is asked before a token is needed.
    ///
    /// # Errors
    /// When the file of the consent cannot be read, or this machine has no certificates to trust.
    pub async fn build(self) -> Result<Consent, CredentialsError> {
        let method =
            self.port.map_or(InstalledFlowReturnMethod::HTTPRedirect, InstalledFlowReturnMethod::HTTPPortRedirect);
        let client = token_client().map_err(|error| {
            let message = format!("the connection to the token server cannot be set up: {error}");
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
            // The text of the error may repeat the file.
            let file = self.remembered.map(|file| format!(" by the file `{}`", file.display())).unwrap_or_default();
            let message = format!("the interactive flow cannot be made ready{file}: {}", error.kind());
            CredentialsError::new(CredentialsErrorKind::Invalid, message)
        })?;
        Ok(Consent::from(built))
    }
}

/// What it is, and nothing of the client's secret.
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
