//! Tokens kept until shortly before their end.

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

/// How long before its end a token is not used any more: requests take time, and clocks differ.
const MARGIN: Duration = Duration::from_secs(60);

/// A provider whose tokens are kept, one for each set of scopes, until a minute before their end.
///
/// Callers that need a token at the same time wait for one refresh and share what it gives, also its error. While a
/// server of tokens is away, a token serves until its very end.
pub struct Cached<P> {
    provider: P,
    slots: StdMutex<BTreeMap<Vec<String>, Arc<Slot>>>,
    margin: Duration,
    now: Clock,
}

/// What is kept for a set of scopes.
#[derive(Default)]
struct Slot {
    /// Held by whoever refreshes.
    turn: Mutex<()>,
    kept: StdMutex<Kept>,
}

#[derive(Default)]
struct Kept {
    token: Option<Token>,
    /// How many refreshes ended, and the error of the last one.
    refreshes: u64,
    error: Option<CredentialsError>,
}

impl<P: TokenProvider> Cached<P> {
    /// Keeps the tokens of the provider.
    #[must_use]
    pub fn new(provider: P) -> Self {
        Self { provider, slots: StdMutex::default(), margin: MARGIN, now: Arc::new(time::wall) }
    }

    /// With another time before its end from which on a token is not used.
    #[must_use]
    pub fn margin(mut self, margin: Duration) -> Self {
        self.margin = margin;
        self
    }

    /// With another clock than the one on the wall, for tests.
    #[must_use]
    pub fn clock(mut self, now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.now = Arc::new(now);
        self
    }

    /// The provider, without the tokens.
    #[must_use]
    pub fn into_inner(self) -> P {
        self.provider
    }

    /// The provider.
    #[must_use]
    pub fn get_ref(&self) -> &P {
        &self.provider
    }

    /// The slot of a set of scopes, however it is ordered.
    fn slot(&self, scopes: &[&str]) -> Arc<Slot> {
        let mut key: Vec<String> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        key.sort_unstable();
        key.dedup();
        Arc::clone(locked(&self.slots).entry(key).or_default())
    }

    fn usable(&self, kept: &Kept, margin: Duration) -> Option<Token> {
        kept.token.clone().filter(|token| !token.is_expired_at((self.now)(), margin))
    }

    async fn shared(&self, scopes: &[&str]) -> Result<Token, CredentialsError> {
        let slot = self.slot(scopes);
        let seen = {
            let kept = locked(&slot.kept);
            if let Some(token) = self.usable(&kept, self.margin) {
                return Ok(token);
            }
            kept.refreshes
        };
        let _turn = slot.turn.lock().await;
        {
            let kept = locked(&slot.kept);
            // What a refresh gave while this caller waited for it is this caller's as well: an error, since
            // asking once more for each of those who wait would meet a server in trouble with a queue, and a
            // token that lives for less than the margin, since the next one would not live longer.
            let waited = kept.refreshes != seen;
            if let Some(token) = self.usable(&kept, if waited { Duration::ZERO } else { self.margin }) {
                return Ok(token);
            }
            if waited && let Some(error) = &kept.error {
                return Err(error.clone());
            }
        }
        let answer = self.provider.token(scopes).await;
        let mut kept = locked(&slot.kept);
        kept.refreshes = kept.refreshes.wrapping_add(1);
        kept.error = answer.as_ref().err().cloned();
        match answer {
            Ok(token) => {
                kept.token = Some(token.clone());
                Ok(token)
            }
            // The margin is there for this: the old token is good for a little longer, and the next caller asks
            // once more.
            Err(error) if error.is_retryable() => self.usable(&kept, Duration::ZERO).ok_or(error),
            Err(error) => {
                kept.token = None;
                Err(error)
            }
        }
    }
}

impl<P: TokenProvider> TokenProvider for Cached<P> {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        Box::pin(self.shared(scopes))
    }

    fn invalidate(&self, refused: &Token) {
        for slot in locked(&self.slots).values() {
            let mut kept = locked(&slot.kept);
            kept.token = kept.token.take().filter(|token| token.secret() != refused.secret());
        }
        self.provider.invalidate(refused);
    }
}

/// The provider is not asked to show itself, since it knows secrets.
impl<P> fmt::Debug for Cached<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cached").field("margin", &self.margin).finish_non_exhaustive()
    }
}

/// No code panics while it holds these locks, and what they guard is whole at any time.
fn locked<T>(mutex: &StdMutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
