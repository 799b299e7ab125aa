//! Cache of tokens.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex as StdMutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

#[cfg(target_arch = "wasm32")]
use futures_util::lock::Mutex;
#[cfg(not(target_arch = "wasm32"))]
use tokio::sync::Mutex;

use super::{Clock, CredentialsError, Token, TokenProvider};
use crate::time;
use crate::transport::BoxFuture;

/// Time before its expiry from which on a token is not used: requests take time, and clocks differ.
const MARGIN: Duration = Duration::from_secs(60);

/// Provider that caches tokens, one for each set of scopes, until a minute before their expiry by default.
///
/// Concurrent callers wait for one refresh and share its result, also its error. While a token server is unavailable, a
/// token is used until it expires.
pub struct Cached<P> {
    provider: P,
    slots: StdMutex<BTreeMap<Vec<String>, Arc<Slot>>>,
    margin: Duration,
    now: Clock,
}

/// Cache entry of a set of scopes.
#[derive(Default)]
struct Slot {
    /// Held during a refresh.
    refresh_lock: Mutex<()>,
    entry: StdMutex<CachedToken>,
}

/// Token for a set of scopes, and the outcome of its last refresh.
#[derive(Default)]
struct CachedToken {
    token: Option<Token>,
    /// Number of completed refreshes.
    refreshes: u64,
    /// Error of the last refresh.
    error: Option<CredentialsError>,
}

impl<P: TokenProvider> Cached<P> {
    /// Creates a cache of a provider's tokens.
    #[must_use]
    pub fn new(provider: P) -> Self {
        Self { provider, slots: StdMutex::default(), margin: MARGIN, now: Arc::new(time::wall_clock) }
    }

    /// Sets the time before its expiry from which on a token is not used.
    #[must_use]
    pub fn margin(mut self, margin: Duration) -> Self {
        self.margin = margin;
        self
    }

    /// Sets the clock, for tests.
    #[must_use]
    pub fn clock(mut self, now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.now = Arc::new(now);
        self
    }

    /// Returns the provider, without the tokens.
    #[must_use]
    pub fn into_inner(self) -> P {
        self.provider
    }

    /// Returns the provider whose tokens are cached.
    #[must_use]
    pub fn get_ref(&self) -> &P {
        &self.provider
    }

    /// Returns the entry of a set of scopes, in any order.
    fn slot(&self, scopes: &[&str]) -> Arc<Slot> {
        let mut key: Vec<String> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        key.sort_unstable();
        key.dedup();
        Arc::clone(lock(&self.slots).entry(key).or_default())
    }

    /// Returns the cached token, unless it expires within the margin.
    fn valid_token(&self, kept: &CachedToken, margin: Duration) -> Option<Token> {
        kept.token.clone().filter(|token| !token.is_expired_at((self.now)(), margin))
    }

    /// Returns the cached token for the scopes, or requests one; concurrent callers share one request.
    async fn get_or_refresh(&self, scopes: &[&str]) -> Result<Token, CredentialsError> {
        let slot = self.slot(scopes);
        let seen = {
            let kept = lock(&slot.entry);
            if let Some(token) = self.valid_token(&kept, self.margin) {
                return Ok(token);
            }
            kept.refreshes
        };
        let _turn = slot.refresh_lock.lock().await;
        {
            let kept = lock(&slot.entry);
            // The result of a refresh that this caller waited for applies to it as well: an error, because one more
            // request for each waiting caller would overload a failing server, and a token that lives for less than the
            // margin, because the next one would not live longer.
            let waited = kept.refreshes != seen;
            if let Some(token) = self.valid_token(&kept, if waited { Duration::ZERO } else { self.margin }) {
                return Ok(token);
            }
            if waited && let Some(error) = &kept.error {
                return Err(error.clone());
            }
        }
        let result = self.provider.token(scopes).await;
        let mut kept = lock(&slot.entry);
        kept.refreshes = kept.refreshes.wrapping_add(1);
        kept.error = result.as_ref().err().cloned();
        match result {
            Ok(token) => {
                kept.token = Some(token.clone());
                Ok(token)
            }
            // This is what the margin is for: the old token is still valid for a while, and the next caller tries
            // again.
            Err(error) if error.is_retryable() => self.valid_token(&kept, Duration::ZERO).ok_or(error),
            Err(error) => {
                kept.token = None;
                Err(error)
            }
        }
    }
}

impl<P: TokenProvider> TokenProvider for Cached<P> {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        Box::pin(self.get_or_refresh(scopes))
    }

    fn invalidate(&self, refused: &Token) {
        for slot in lock(&self.slots).values() {
            let mut kept = lock(&slot.entry);
            kept.token = kept.token.take().filter(|token| token.secret() != refused.secret());
        }
        self.provider.invalidate(refused);
    }
}

/// The provider is omitted because it holds secrets.
impl<P> fmt::Debug for Cached<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cached").field("margin", &self.margin).finish_non_exhaustive()
    }
}

/// Locks a mutex. Poisoning is ignored: no code panics while it holds these locks.
fn lock<T>(mutex: &StdMutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
