//! Frequency of health checks, and the responses to concurrent requests.

use std::future::Future as _;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use tokio::sync::Semaphore;
use tokio::time::advance;
use wireform_server::axum::extract::State;
use wireform_server::axum::http::StatusCode;

use super::health;
use super::probe::{Check, MAX_AGE, SharedProbe, TIMEOUT};

/// Store that counts its checks, and responds when it is allowed to.
#[derive(Clone)]
struct CountingCheck {
    checks: Arc<AtomicUsize>,
    verdict: Arc<Mutex<Result<(), String>>>,
    permits: Arc<Semaphore>,
}

impl CountingCheck {
    fn new(permits: usize) -> Self {
        let permits = Arc::new(Semaphore::new(permits));
        Self { checks: Arc::default(), verdict: Arc::new(Mutex::new(Ok(()))), permits }
    }

    fn set(&self, verdict: Result<(), String>) {
        *self.verdict.lock().expect("no thread panics with it") = verdict;
    }

    fn checks(&self) -> usize {
        self.checks.load(Ordering::Relaxed)
    }
}

impl Check for CountingCheck {
    async fn check(&self) -> Result<(), String> {
        self.checks.fetch_add(1, Ordering::Relaxed);
        let permit = self.permits.acquire().await.expect("it is never closed");
        permit.forget();
        let verdict = self.verdict.lock().expect("no thread panics with it").clone();
        assert_ne!(verdict, Err("panic".to_owned()), "as the test wants it");
        verdict
    }
}

async fn status(probe: &SharedProbe<CountingCheck>) -> StatusCode {
    health(State(probe.clone())).await.status()
}

#[tokio::test(start_paused = true)]
async fn concurrent_requests_share_a_check() {
    let store = CountingCheck::new(1000);
    let probe = SharedProbe::new(store.clone());
    let mut probes = tokio::task::JoinSet::new();
    for _ in 0..1000 {
        let probe = probe.clone();
        probes.spawn(async move { status(&probe).await });
    }
    assert!(probes.join_all().await.iter().all(|status| *status == StatusCode::OK));
    assert_eq!(store.checks(), 1);
    for _ in 0..1000 {
        assert_eq!(status(&probe).await, StatusCode::OK);
    }
    assert_eq!(store.checks(), 1, "sequential requests as well");
}

#[tokio::test(start_paused = true)]
async fn changes_are_detected_after_a_second() {
    let store = CountingCheck::new(1000);
    let probe = SharedProbe::new(store.clone());
    for round in 1..=4 {
        let (verdict, expected) = match round % 2 {
            0 => (Err("the disk is full".to_owned()), StatusCode::SERVICE_UNAVAILABLE),
            _ => (Ok(()), StatusCode::OK),
        };
        store.set(verdict);
        for _ in 0..10 {
            assert_eq!(status(&probe).await, expected, "round {round}");
        }
        assert_eq!(store.checks(), round);
        advance(MAX_AGE).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_hanging_check_runs_once_and_yields_503() {
    let store = CountingCheck::new(0);
    let probe = SharedProbe::new(store.clone());
    let mut probes = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let probe = probe.clone();
        probes.spawn(async move { probe.verdict().await });
    }
    advance(TIMEOUT / 2).await;
    // Later requests do not wait for longer than the check takes.
    let begun = tokio::time::Instant::now();
    assert_eq!(status(&probe).await, StatusCode::SERVICE_UNAVAILABLE);
    assert!(begun.elapsed() <= TIMEOUT, "on the paused clock");
    let verdicts = probes.join_all().await;
    assert!(verdicts.iter().all(|verdict| verdict.as_ref().is_err_and(|why| why.contains("does not respond"))));
    assert_eq!(store.checks(), 1);
    store.permits.add_permits(10);
    advance(MAX_AGE).await;
    assert_eq!(status(&probe).await, StatusCode::OK, "a response");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_request_does_not_start_another_check() {
    let store = CountingCheck::new(0);
    let probe = SharedProbe::new(store.clone());
    for _ in 0..100 {
        let mut probe_call = pin!(probe.verdict());
        assert!(matches!(probe_call.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending));
        tokio::task::yield_now().await;
    }
    assert_eq!(store.checks(), 1);
    store.permits.add_permits(1);
    assert_eq!(status(&probe).await, StatusCode::OK);
    assert_eq!(store.checks(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_panicking_check_is_restarted() {
    let store = CountingCheck::new(10);
    let probe = SharedProbe::new(store.clone());
    store.set(Err("panic".to_owned()));
    assert_eq!(status(&probe).await, StatusCode::SERVICE_UNAVAILABLE);
    store.set(Ok(()));
    assert_eq!(status(&probe).await, StatusCode::OK);
}
