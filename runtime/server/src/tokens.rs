//! Page tokens and sync tokens: encrypted state of a server, which clients can neither read, change or forge, nor use
//! for another request.
//!
//! A token is base64url text. It holds the time of its creation and the payload of the service, encrypted and
//! authenticated with XChaCha20-Poly1305, whose nonces are long enough to be random. It is bound to its kind, to the
//! principal, to the operation and to the parameters of the request: elsewhere it is invalid. The error does not
//! include the reason, except that a sync token is too old.

mod binding;
mod flow;
mod seal;
mod token_parameters;

pub use flow::{expired_page, expired_sync};

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chacha20poly1305::aead::Generate as _;
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};

/// Maximum size of a payload as JSON in bytes. A token is part of a URL, whose length is limited.
pub const MAX_PAYLOAD: usize = 2048;

/// Maximum number of older keys that open tokens.
pub const MAX_OLDER_KEYS: usize = 7;

/// Encryption and decryption of page tokens and sync tokens. Clones share the keys.
///
/// Every instance of a service needs the same keys, so that each accepts the tokens of the others. To rotate keys, add
/// the new one on all instances as an older one, then make it the current one; keep the previous one as an older one
/// for as long as clients may keep tokens.
///
/// ```
/// use wireform_server::tokens::TokenSealer;
///
/// # fn keys() -> ([u8; 32], [u8; 32]) { ([1; 32], [2; 32]) }
/// let (current, before) = keys();
/// let sealer = TokenSealer::new(current).with_older(before).with_free_parameters(&["maxResults"]);
/// assert_eq!(format!("{sealer:?}"), "TokenSealer { keys: 2, max_age: None, free: [\"maxResults\"] }");
/// ```
#[derive(Clone)]
pub struct TokenSealer {
    /// Current key first.
    keys: Arc<Vec<XChaCha20Poly1305>>,
    max_age: Option<Duration>,
    free_parameters: &'static [&'static str],
}

impl TokenSealer {
    /// Creates a sealer that encrypts page tokens and sync tokens with a key. The key must be secret and random, such
    /// as 32 bytes of `/dev/urandom`.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self { keys: Arc::new(vec![XChaCha20Poly1305::new(&key.into())]), max_age: None, free_parameters: &[] }
    }

    /// Creates a sealer with a random key: its tokens are valid in this process only.
    ///
    /// # Errors
    /// Returns an error if the system provides no random bytes.
    pub fn random() -> io::Result<Self> {
        <[u8; 32]>::try_generate().map(Self::new).map_err(io::Error::other)
    }

    /// Adds an older key, which still opens tokens. Keys beyond [`MAX_OLDER_KEYS`] are ignored: each is tried in turn,
    /// which takes time.
    #[must_use]
    pub fn with_older(mut self, key: [u8; 32]) -> Self {
        if self.keys.len() <= MAX_OLDER_KEYS {
            Arc::make_mut(&mut self.keys).push(XChaCha20Poly1305::new(&key.into()));
        }
        self
    }

    /// Sets the maximum age of valid tokens. By default, tokens are valid for as long as their key is.
    #[must_use]
    pub const fn with_max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// Sets the parameters that may change between the request that a token was returned for and the one that sends it,
    /// such as `maxResults`, by their names in any naming, for all operations. All others may not. The parameter of the
    /// token itself need not be included.
    #[must_use]
    pub const fn with_free_parameters(mut self, names: &'static [&'static str]) -> Self {
        self.free_parameters = names;
        self
    }
}

/// Omits the keys.
impl fmt::Debug for TokenSealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenSealer")
            .field("keys", &self.keys.len())
            .field("max_age", &self.max_age)
            .field("free", &self.free_parameters)
            .finish()
    }
}

/// Returns the time in seconds.
fn now() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests;
