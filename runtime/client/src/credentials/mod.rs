//! Credentials: tokens, their sources, and API keys.

#[cfg(all(feature = "adc", not(target_arch = "wasm32")))]
mod adc;
mod basic;
mod cached;
mod error;
#[cfg(all(feature = "adc", not(target_arch = "wasm32")))]
mod files;
#[cfg(all(any(feature = "adc", feature = "oauth"), not(target_arch = "wasm32")))]
mod json_object;
#[cfg(all(feature = "oauth", not(target_arch = "wasm32")))]
pub mod oauth;
mod schemes;
#[cfg(all(any(feature = "adc", feature = "oauth"), not(target_arch = "wasm32")))]
mod secure_url;
mod token;

#[cfg(all(feature = "adc", not(target_arch = "wasm32")))]
pub use adc::ApplicationDefault;
pub use basic::Basic;
pub use cached::Cached;
pub use error::{CredentialsError, CredentialsErrorKind};
pub use token::{ApiKey, StaticToken, Token};

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use crate::transport::BoxFuture;

/// Source of the time.
type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// Source of tokens, such as a file, a server or a user's consent.
///
/// A client requests a token before every attempt, so a provider should cache them; [`Cached`] does so for any
/// provider.
///
/// ```
/// use wireform_client::transport::BoxFuture;
/// use wireform_client::{CredentialsError, Token, TokenProvider};
///
/// struct Vault;
///
/// impl TokenProvider for Vault {
///     fn token<'a>(&'a self, _scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
///         Box::pin(async { Token::new("a token from the vault") })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(note = "pass a fixed token with `Credentials::token(…)`")]
pub trait TokenProvider: Send + Sync + 'static {
    /// Returns a token that allows the scopes.
    ///
    /// # Errors
    /// Returns an error if no token is available.
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>>;

    /// Invalidates a token to which a server responded 401, so that it is not returned again. The default does nothing.
    ///
    /// The token is passed because calls overlap: a response to an old token says nothing about a newer one.
    fn invalidate(&self, _refused: &Token) {}
}

impl<P: TokenProvider + ?Sized> TokenProvider for Arc<P> {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        (**self).token(scopes)
    }

    fn invalidate(&self, refused: &Token) {
        (**self).invalidate(refused);
    }
}

/// Credentials that a client sends with its requests.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Credentials {
    /// No credentials.
    #[default]
    None,
    /// Token in the header `Authorization`.
    Token(Arc<dyn TokenProvider>),
    /// API key, which identifies the calling project, not a user.
    ApiKey(ApiKey),
    /// User name and password.
    Basic(Basic),
    /// Client certificate, which the transport presents on the connection.
    Certificate,
    /// Credentials by the names of the security schemes that they are for; an empty name stands for all schemes of
    /// their kind.
    Schemes(Vec<(String, Credentials)>),
}

impl Credentials {
    /// Creates credentials from a fixed token, for example one of `gcloud auth print-access-token`.
    ///
    /// A token that is no valid header value is an error when a call uses it; to get the error earlier, create a
    /// [`Token`] and convert it.
    #[must_use]
    pub fn token(token: impl AsRef<str>) -> Self {
        Self::provider(StaticToken::new(token))
    }

    /// Creates credentials from an API key. An invalid key is an error when a call uses it.
    #[must_use]
    pub fn api_key(key: impl Into<String>) -> Self {
        Self::ApiKey(ApiKey::new(key))
    }

    /// Creates credentials from a user name and a password. Invalid ones are an error when a call uses them.
    #[must_use]
    pub fn basic(name: impl Into<String>, password: impl Into<String>) -> Self {
        Self::Basic(Basic::new(name, password))
    }

    /// Creates credentials from a provider of tokens.
    #[must_use]
    pub fn provider(provider: impl TokenProvider) -> Self {
        Self::Token(Arc::new(provider))
    }
}

/// Shows the kind without the secrets.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Token(_) => "Token(…)",
            Self::ApiKey(_) => "ApiKey(…)",
            Self::Basic(_) => "Basic(…)",
            Self::Certificate => "Certificate",
            Self::Schemes(list) => return write!(f, "Schemes({})", list.len()),
        })
    }
}

impl<P: TokenProvider> From<P> for Credentials {
    fn from(provider: P) -> Self {
        Self::provider(provider)
    }
}

impl From<Token> for Credentials {
    fn from(token: Token) -> Self {
        Self::provider(StaticToken::from(token))
    }
}

impl From<ApiKey> for Credentials {
    fn from(key: ApiKey) -> Self {
        Self::ApiKey(key)
    }
}

impl From<Basic> for Credentials {
    fn from(basic: Basic) -> Self {
        Self::Basic(basic)
    }
}
