//! Who asks: tokens, where they come from, and keys of an API.

#[cfg(all(feature = "adc", not(target_arch = "wasm32")))]
mod adc;
mod basic;
mod cached;
#[cfg(all(any(feature = "adc", feature = "oauth"), not(target_arch = "wasm32")))]
mod endpoint;
mod error;
#[cfg(all(feature = "adc", not(target_arch = "wasm32")))]
mod files;
#[cfg(all(any(feature = "adc", feature = "oauth"), not(target_arch = "wasm32")))]
mod members;
#[cfg(all(feature = "oauth", not(target_arch = "wasm32")))]
pub mod oauth;
mod schemes;
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

/// What says the time.
type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// Something that knows how to come by a token: a file, a server, a user.
///
/// A client asks before every attempt, so a provider keeps what it has; [`Cached`] does so for any provider.
///
/// ```
/// use wireform_client::transport::BoxFuture;
/// use wireform_client::{CredentialsError, Token, TokenProvider};
///
/// struct Vault;
///
/// impl TokenProvider for Vault {
///     fn token<'a>(&'a self, _scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
///         Box::pin(async { Token::new("what the vault says") })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(note = "a token that is at hand is given with `Credentials::token(…)`")]
pub trait TokenProvider: Send + Sync + 'static {
    /// A token that allows the scopes.
    ///
    /// # Errors
    /// When there is none to be had.
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>>;

    /// A server answered 401 to that token, so it is not to be given out again. The default does nothing.
    ///
    /// The token is named because calls overlap: the answer to an old token says nothing about a newer one.
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

/// What a client shows to be let in.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Credentials {
    /// Nothing.
    #[default]
    None,
    /// A token in the header `Authorization`.
    Token(Arc<dyn TokenProvider>),
    /// A key that names the calling project, not a user.
    ApiKey(ApiKey),
    /// A name and a password.
    Basic(Basic),
    /// A certificate, which the transport shows on the connection.
    Certificate,
    /// Credentials by the names of the security schemes that they are for; without a name, for all of their kind.
    Schemes(Vec<(String, Credentials)>),
}

impl Credentials {
    /// Always this token, for example one of `gcloud auth print-access-token`.
    ///
    /// A token that no header can hold is refused when a call uses it; to learn of it at once, make a
    /// [`Token`] and convert it.
    #[must_use]
    pub fn token(token: impl AsRef<str>) -> Self {
        Self::provider(StaticToken::new(token))
    }

    /// An API key. One that cannot be sent is refused when a call uses it.
    #[must_use]
    pub fn api_key(key: impl Into<String>) -> Self {
        Self::ApiKey(ApiKey::new(key))
    }

    /// A name and a password. Such that cannot be sent are refused when a call uses them.
    #[must_use]
    pub fn basic(name: impl Into<String>, password: impl Into<String>) -> Self {
        Self::Basic(Basic::new(name, password))
    }

    /// The tokens of a provider.
    #[must_use]
    pub fn provider(provider: impl TokenProvider) -> Self {
        Self::Token(Arc::new(provider))
    }
}

/// Which kind it is, and nothing of what it holds.
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
