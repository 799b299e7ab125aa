//! Interactive OAuth flow: a user consents in a browser.
//!
//! The flow is implemented by [`yup_oauth2`], which is re-exported because its types are part of this interface. It
//! logs tokens and codes at the level `debug` of the crate `log`; do not record that level of `yup_oauth2` in shared
//! logs. Its loopback flow uses neither `state` nor PKCE.
//!
//! ```no_run
//! use wireform_client::Credentials;
//! use wireform_client::oauth::InstalledApp;
//!
//! # async fn prepare(client: &str) -> Result<(), wireform_client::CredentialsError> {
//! let consent = InstalledApp::from_json(client)?
//!     .persist_to("tokens.json")
//!     .on_url(|url| println!("Please visit {url}"))
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

use super::json_object::JsonObject;
use super::{Cached, CredentialsError, CredentialsErrorKind, Token, TokenProvider, secure_url};
use crate::transport::{BoxFuture, token_client};

/// Tokens of an authenticator of [`yup_oauth2`], whatever its flow.
///
/// Concurrent callers share one request, so a user is asked once. If a user must consent, the first token takes as long
/// as that takes; the timeout of a call does not apply to it. A program can request it at startup:
///
/// ```no_run
/// # use wireform_client::{TokenProvider as _, CredentialsError, oauth::UserConsent};
/// # async fn start(consent: &UserConsent, scopes: &[&str]) -> Result<(), CredentialsError> {
/// consent.token(scopes).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct UserConsent(Cached<AuthenticatorTokens>);

impl<C> From<Authenticator<C>> for UserConsent
where
    C: Connect + Clone + Send + Sync + 'static,
{
    fn from(authenticator: Authenticator<C>) -> Self {
        Self(Cached::new(AuthenticatorTokens { authenticator: Box::new(authenticator), rejected: Mutex::default() }))
    }
}

impl TokenProvider for UserConsent {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        self.0.token(scopes)
    }

    fn invalidate(&self, refused: &Token) {
        self.0.invalidate(refused);
    }
}

/// Authenticator, and the last token that a server rejected.
struct AuthenticatorTokens {
    authenticator: Box<dyn TokenSource>,
    /// The authenticator caches tokens itself, and returns this one again unless forced to refresh.
    rejected: Mutex<Option<Token>>,
}

impl AuthenticatorTokens {
    /// Returns the authenticator's token, which is refreshed first if it is the one that a server rejected last.
    async fn token_or_refresh(&self, scopes: &[&str]) -> Result<Token, CredentialsError> {
        let token = convert_token(self.authenticator.request_token(scopes, false).await)?;
        let refused = self.rejected.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if refused.is_some_and(|refused| refused.secret() == token.secret()) {
            return convert_token(self.authenticator.request_token(scopes, true).await);
        }
        Ok(token)
    }
}

impl TokenProvider for AuthenticatorTokens {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        Box::pin(self.token_or_refresh(scopes))
    }

    fn invalidate(&self, refused: &Token) {
        *self.rejected.lock().unwrap_or_else(PoisonError::into_inner) = Some(refused.clone());
    }
}

/// Authenticator with its connector type erased.
trait TokenSource: Send + Sync {
    /// Requests a token for the scopes. With `force_refresh` a cached token is not used.
    fn request_token<'a>(
        &'a self,
        scopes: &'a [&'a str],
        force_refresh: bool,
    ) -> BoxFuture<'a, Result<AccessToken, yup_oauth2::Error>>;
}

impl<C> TokenSource for Authenticator<C>
where
    C: Connect + Clone + Send + Sync + 'static,
{
    fn request_token<'a>(
        &'a self,
        scopes: &'a [&'a str],
        force_refresh: bool,
    ) -> BoxFuture<'a, Result<AccessToken, yup_oauth2::Error>> {
        Box::pin(async move {
            if force_refresh { self.force_refreshed_token(scopes).await } else { self.token(scopes).await }
        })
    }
}

/// Converts the token or the error of the authenticator.
fn convert_token(response: Result<AccessToken, yup_oauth2::Error>) -> Result<Token, CredentialsError> {
    let response = response.map_err(|error| convert_error(&error))?;
    let secret = response.token().ok_or_else(|| convert_error(&yup_oauth2::Error::MissingAccessToken))?;
    let token = Token::new(secret)?;
    Ok(match response.expiration_time() {
        Some(end) => token.expires_at(end.into()),
        None => token,
    })
}

/// Converts an error without parts that may hold secrets: serde repeats invalid values.
fn convert_error(error: &yup_oauth2::Error) -> CredentialsError {
    use yup_oauth2::Error as E;
    let (kind, message) = match error {
        E::HttpError(_) | E::HttpClientError(_) => {
            (CredentialsErrorKind::Unavailable, format!("cannot reach the token server: {error}"))
        }
        E::AuthError(error) => {
            (CredentialsErrorKind::Refused, format!("the token server rejected the request: {error}"))
        }
        E::JSONError(_) => (CredentialsErrorKind::Refused, "cannot decode the response of the token server".to_owned()),
        E::MissingAccessToken => (CredentialsErrorKind::Refused, "the token server returned no token".to_owned()),
        E::UserError(why) => (CredentialsErrorKind::Refused, format!("the user did not consent: {why}")),
        E::StorageError(_) => (CredentialsErrorKind::Invalid, "cannot store the token".to_owned()),
        other => (CredentialsErrorKind::Invalid, other.to_string()),
    };
    CredentialsError::new(kind, message)
}

/// Consent of a user to an application on this machine: a browser opens, and redirects to a port of the loopback
/// interface. It needs a tokio runtime with I/O enabled.
///
/// The user may take any time. A connection to the token server is limited to 256 KiB and 30 seconds.
pub struct InstalledApp {
    client: ApplicationSecret,
    port: Option<u16>,
    token_file: Option<PathBuf>,
    delegate: Option<Box<dyn InstalledFlowDelegate>>,
}

impl InstalledApp {
    /// Creates a flow from the JSON of an OAuth client as Google's console provides it: `{"installed": {"client_id":
    /// …}}`.
    ///
    /// # Errors
    /// Returns an error if the JSON is invalid, or if it names a URL to which no secret may be sent.
    pub fn from_json(text: &str) -> Result<Self, CredentialsError> {
        let all = JsonObject::parse(text)?;
        let members = all.object("installed").or_else(|| all.object("web")).ok_or_else(|| {
            let message = "missing field `installed`: expected the OAuth client of an installed application";
            CredentialsError::new(CredentialsErrorKind::Invalid, message)
        })?;
        let address = |name: &str, default: &str| {
            let text = members.optional_string(name)?.unwrap_or_else(|| default.to_owned());
            secure_url::parse_secure_url(name, &text).map(|_| text)
        };
        let client = ApplicationSecret {
            client_id: members.required_string("client_id")?,
            client_secret: members.required_string("client_secret")?,
            auth_uri: address("auth_uri", "https://accounts.google.com/o/oauth2/auth")?,
            token_uri: address("token_uri", "https://oauth2.googleapis.com/token")?,
            ..ApplicationSecret::default()
        };
        Ok(Self { client, port: None, token_file: None, delegate: None })
    }

    /// Saves the consent in a file, so that later starts of the program need no user. The file holds secrets; on Unix
    /// it is readable by its owner only.
    #[must_use]
    pub fn persist_to(mut self, file: impl Into<PathBuf>) -> Self {
        self.token_file = Some(file.into());
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
    pub fn on_url(self, open: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.delegate(UrlHandler(open))
    }

    /// Sets a flow delegate, which can decide more than [`on_url`](Self::on_url).
    #[must_use]
    pub fn delegate(mut self, delegate: impl InstalledFlowDelegate + 'static) -> Self {
        self.delegate = Some(Box::new(delegate));
        self
    }

    /// Builds the provider of tokens. No user is asked before a token is needed.
    ///
    /// # Errors
    /// Returns an error if the file of the consent cannot be read, or if TLS cannot be set up.
    pub async fn build(self) -> Result<UserConsent, CredentialsError> {
        let method =
            self.port.map_or(InstalledFlowReturnMethod::HTTPRedirect, InstalledFlowReturnMethod::HTTPPortRedirect);
        let client = token_client().map_err(|error| {
            let message = format!("cannot connect to the token server: {error}");
            CredentialsError::new(CredentialsErrorKind::Invalid, message)
        })?;
        let client = CustomHyperClientBuilder::from(client);
        let mut builder = InstalledFlowAuthenticator::with_client(self.client, method, client);
        if let Some(file) = &self.token_file {
            builder = builder.persist_tokens_to_disk(file);
        }
        if let Some(delegate) = self.delegate {
            builder = builder.flow_delegate(delegate);
        }
        let built = builder.build().await.map_err(|error| {
            // The message of the error may repeat the content of the file.
            let file = self.token_file.map(|file| format!(" with the file `{}`", file.display())).unwrap_or_default();
            let message = format!("cannot set up the interactive flow{file}: {}", error.kind());
            CredentialsError::new(CredentialsErrorKind::Invalid, message)
        })?;
        Ok(UserConsent::from(built))
    }
}

/// Omits the secret of the client.
impl fmt::Debug for InstalledApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InstalledApp")
            .field("port", &self.port)
            .field("token_file", &self.token_file)
            .finish_non_exhaustive()
    }
}

/// Delegate that passes the URL at which a user authorizes the program to a function.
struct UrlHandler<F>(F);

impl<F: Fn(&str) + Send + Sync> InstalledFlowDelegate for UrlHandler<F> {
    fn present_user_url<'a>(&'a self, url: &'a str, _need_code: bool) -> BoxFuture<'a, Result<String, String>> {
        (self.0)(url);
        Box::pin(std::future::ready(Ok(String::new())))
    }
}
