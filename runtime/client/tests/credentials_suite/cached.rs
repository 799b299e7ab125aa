//! Cached tokens.

use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::{Duration, SystemTime};

use crate::support::Clock;
use futures_util::future::join_all;
use tokio::sync::Semaphore;
use wireform_client::transport::BoxFuture;
use wireform_client::{Cached, CredentialsError, CredentialsErrorKind, Token, TokenProvider};

/// Provider of `token-1`, `token-2`, …, each valid until a given second, once its gate is open.
#[derive(Default)]
struct Mint {
    requests: AtomicUsize,
    refused: Mutex<Vec<String>>,
    /// Times of expiry in seconds since 1970.
    end: Option<u64>,
    /// Gate that delays tokens.
    gate: Option<Semaphore>,
    /// Numbers of the requests that fail, with their errors.
    fails: Option<(usize, CredentialsErrorKind)>,
}

impl TokenProvider for Mint {
    fn token<'a>(&'a self, _scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        Box::pin(async {
            let number = self.requests.fetch_add(1, Ordering::SeqCst) + 1;
            if let Some(gate) = &self.gate {
                let _passed = gate.acquire().await;
            }
            if let Some((failing, kind)) = self.fails
                && failing == number
            {
                return Err(CredentialsError::new(kind, format!("failure {number}")));
            }
            let token = Token::new(format!("token-{number}"))?;
            Ok(match self.end {
                Some(end) => token.expires_at(SystemTime::UNIX_EPOCH + Duration::from_secs(end)),
                None => token,
            })
        })
    }

    fn invalidate(&self, refused: &Token) {
        self.refused.lock().unwrap().push(refused.secret().to_owned());
    }
}

fn refresh_count(cached: &Cached<Mint>) -> usize {
    cached.get_ref().requests.load(Ordering::SeqCst)
}

/// Opens the gate.
fn open_gate(cached: &Cached<Mint>) {
    if let Some(gate) = &cached.get_ref().gate {
        gate.add_permits(100);
    }
}

async fn secret(provider: &impl TokenProvider, scopes: &[&str]) -> String {
    provider.token(scopes).await.unwrap().secret().to_owned()
}

/// Polls once.
async fn waits<T>(future: &mut BoxFuture<'_, T>) -> bool {
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context).is_pending())).await
}

#[tokio::test]
async fn a_token_is_kept_for_each_set_of_scopes() {
    let cached = Cached::new(Mint::default());
    assert_eq!(secret(&cached, &["a", "b"]).await, "token-1");
    assert_eq!(secret(&cached, &["b", "a", "b"]).await, "token-1", "the order of scopes is irrelevant");
    assert_eq!(secret(&cached, &["a"]).await, "token-2");
    assert_eq!(secret(&cached, &[]).await, "token-3");
    assert_eq!(secret(&cached, &["a", "b"]).await, "token-1");
}

#[tokio::test]
async fn a_token_is_replaced_a_minute_before_its_end() {
    let clock = Clock::at(0);
    let cached = Cached::new(Mint { end: Some(3600), ..Mint::default() }).clock(clock.now());
    assert_eq!(secret(&cached, &[]).await, "token-1");
    clock.set(3539);
    assert_eq!(secret(&cached, &[]).await, "token-1");
    clock.set(3540);
    assert_eq!(secret(&cached, &[]).await, "token-2");
    let wide = Cached::new(Mint { end: Some(3600), ..Mint::default() }).clock(clock.now());
    let narrow = wide.margin(Duration::from_secs(1));
    assert_eq!(secret(&narrow, &[]).await, "token-1");
    clock.set(3598);
    assert_eq!(secret(&narrow, &[]).await, "token-1");
    clock.set(3599);
    assert_eq!(secret(&narrow, &[]).await, "token-2");
}

#[tokio::test]
async fn callers_at_the_same_time_share_one_refresh() {
    let cached = Cached::new(Mint { gate: Some(Semaphore::new(0)), ..Mint::default() });
    let callers = join_all((0..10).map(|_| secret(&cached, &["a"])));
    let opened = async {
        tokio::task::yield_now().await;
        open_gate(&cached);
    };
    let (secrets, ()) = tokio::join!(callers, opened);
    assert_eq!(secrets, vec!["token-1"; 10]);
    assert_eq!(refresh_count(&cached), 1);
}

#[tokio::test]
async fn error_is_shared_and_the_next_caller_retries() {
    let cached = Cached::new(Mint {
        gate: Some(Semaphore::new(0)),
        fails: Some((1, CredentialsErrorKind::Unavailable)),
        ..Mint::default()
    });
    let callers = join_all((0..10).map(|_| cached.token(&["a"])));
    let opened = async {
        tokio::task::yield_now().await;
        open_gate(&cached);
    };
    let (responses, ()) = tokio::join!(callers, opened);
    assert!(
        responses.iter().all(|response| response.as_ref().unwrap_err().to_string() == "failure 1"),
        "{responses:?}"
    );
    assert_eq!(secret(&cached, &["a"]).await, "token-2", "an error is not cached");
}

#[tokio::test]
async fn token_is_used_until_expiry_while_refresh_fails() {
    let clock = Clock::at(0);
    let cached = |kind| Cached::new(Mint { end: Some(3600), fails: Some((2, kind)), ..Mint::default() });
    let away = cached(CredentialsErrorKind::Unavailable).clock(clock.now());
    let refused = cached(CredentialsErrorKind::Refused).clock(clock.now());
    assert_eq!((secret(&away, &[]).await, secret(&refused, &[]).await), ("token-1".into(), "token-1".into()));
    clock.set(3599);
    assert_eq!(secret(&away, &[]).await, "token-1");
    assert_eq!(secret(&away, &[]).await, "token-3", "the next caller requests a token");
    assert_eq!(refused.token(&[]).await.unwrap_err().kind(), CredentialsErrorKind::Refused);
    let late = cached(CredentialsErrorKind::Unavailable).clock(clock.now());
    assert_eq!(secret(&late, &[]).await, "token-1");
    clock.set(3600);
    assert_eq!(late.token(&[]).await.unwrap_err().kind(), CredentialsErrorKind::Unavailable, "it ended");
}

#[tokio::test]
async fn short_lived_token_is_used_by_its_waiters() {
    let clock = Clock::at(0);
    let mint = Mint { end: Some(30), gate: Some(Semaphore::new(0)), ..Mint::default() };
    let cached = Cached::new(mint).clock(clock.now());
    let callers = join_all((0..10).map(|_| secret(&cached, &[])));
    let opened = async {
        tokio::task::yield_now().await;
        open_gate(&cached);
    };
    let (secrets, ()) = tokio::join!(callers, opened);
    assert_eq!(secrets, vec!["token-1"; 10]);
    assert_eq!(secret(&cached, &[]).await, "token-2", "it is within the margin");
}

#[tokio::test]
async fn dropped_caller_leaves_the_refresh_to_another() {
    let cached = Cached::new(Mint { gate: Some(Semaphore::new(0)), ..Mint::default() });
    let mut first = cached.token(&[]);
    assert!(waits(&mut first).await);
    let mut second = cached.token(&[]);
    assert!(waits(&mut second).await);
    assert_eq!(refresh_count(&cached), 1);
    drop(first);
    assert!(waits(&mut second).await);
    assert_eq!(refresh_count(&cached), 2);
    open_gate(&cached);
    assert_eq!(second.await.unwrap().secret(), "token-2");
}

#[tokio::test]
async fn a_refused_token_is_dropped_and_a_newer_one_is_not() {
    let cached = Cached::new(Mint::default());
    let first = cached.token(&["a"]).await.unwrap();
    let other = cached.token(&["b"]).await.unwrap();
    cached.invalidate(&first);
    assert_eq!(secret(&cached, &["a"]).await, "token-3");
    assert_eq!(secret(&cached, &["b"]).await, other.secret(), "another token");
    cached.invalidate(&first);
    assert_eq!(secret(&cached, &["a"]).await, "token-3", "a late rejection of the old token");
    assert_eq!(*cached.get_ref().refused.lock().unwrap(), ["token-1", "token-1"], "the provider is notified");
}

#[tokio::test]
async fn the_cache_serves_through_a_pointer_and_shows_nothing() {
    let cached = Arc::new(Cached::new(Mint::default()));
    let shared: Arc<dyn TokenProvider> = cached.clone();
    let token = shared.token(&[]).await.unwrap();
    shared.invalidate(&token);
    assert_eq!(secret(&shared, &[]).await, "token-2");
    assert!(!format!("{cached:?}").contains("token-"), "{cached:?}");
}
