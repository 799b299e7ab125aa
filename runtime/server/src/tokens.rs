//! Tokens for pages and for synchronisation: what a server wants to be told again, sealed so that nobody can read,
//! change or make one, nor show it where it was not given.
//!
//! A token is text of the alphabet of base64url. It holds the time of its making and what the service puts into it,
//! encrypted and authenticated by XChaCha20-Poly1305, whose nonces are long enough to be drawn at random. It is bound
//! to its kind, to the principal, to the operation and to the parameters of the request: shown elsewhere it is not
//! valid, and why it is not is not told.

mod binding;
mod carried;
mod flow;
mod seal;

pub use flow::{expired_page, expired_sync};

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chacha20poly1305::aead::Generate as _;
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};

/// The most bytes of JSON that a service can put into a token. A token stands in an address, where there is no room
/// for much more.
pub const MAX_PAYLOAD: usize = 2048;

/// The most older keys that open tokens.
pub const MAX_OLDER_KEYS: usize = 7;

/// Makes and opens tokens. A clone shares the keys.
///
/// Every instance of a service needs the same keys, or clients are told by one that the tokens of another are not
/// valid. A new key comes first on all instances as an older one and then takes its place as the current one; the one
/// before stays an older one for as long as clients may keep tokens.
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
    /// The current key first.
    keys: Arc<Vec<XChaCha20Poly1305>>,
    max_age: Option<Duration>,
    free: &'static [&'static str],
}

impl TokenSealer {
    /// With that key, which must be secret and random, such as 32 bytes of `/dev/urandom`.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self { keys: Arc::new(vec![XChaCha20Poly1305::new(&key.into())]), max_age: None, free: &[] }
    }

    /// With a random key: no token outlives the process, and none is valid elsewhere.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn random() -> io::Result<Self> {
        <[u8; 32]>::try_generate().map(Self::new).map_err(io::Error::other)
    }

    /// With a key that tokens were made with before, and that still opens them. Of more than [`MAX_OLDER_KEYS`] the
    /// last ones are not taken: each is tried in turn, and costs time.
    #[must_use]
    pub fn with_older(mut self, key: [u8; 32]) -> Self {
        if self.keys.len() <= MAX_OLDER_KEYS {
            Arc::make_mut(&mut self.keys).push(XChaCha20Poly1305::new(&key.into()));
        }
        self
    }

    /// With an age beyond which no token is valid. Without one tokens are valid for as long as their key is.
    #[must_use]
    pub const fn with_max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// With parameters that may change between the request that a token was given for and the one that shows it,
    /// such as `maxResults`: their names on the wire, in any vocabulary, for all operations. All others may not. The
    /// token's own need not be named.
    #[must_use]
    pub const fn with_free_parameters(mut self, names: &'static [&'static str]) -> Self {
        self.free = names;
        self
    }
}

/// Shows no key.
impl fmt::Debug for TokenSealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenSealer")
            .field("keys", &self.keys.len())
            .field("max_age", &self.max_age)
            .field("free", &self.free)
            .finish()
    }
}

/// The time, in seconds.
fn now() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests;
