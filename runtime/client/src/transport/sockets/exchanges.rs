//! Exchanges on a connection.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hyper_util::client::legacy::connect::{CaptureConnection, capture_connection};

/// Number of the exchanges on a connection that have not ended.
#[derive(Clone, Default)]
pub(super) struct ExchangeCount(Arc<AtomicUsize>);

/// Guard of an exchange, which is counted until the guard is dropped.
pub(crate) struct ExchangeGuard(ExchangeCount);

/// Connection of an exchange, once it has one.
pub(super) struct Assignment(CaptureConnection);

impl ExchangeCount {
    /// Returns whether there is no exchange.
    pub(super) fn is_idle(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// Begins an exchange.
    fn begin(self) -> ExchangeGuard {
        self.0.fetch_add(1, Ordering::Relaxed);
        ExchangeGuard(self)
    }
}

impl Drop for ExchangeGuard {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Assignment {
    /// Observes which connection the request is sent on.
    pub(super) fn observe<B>(request: &mut http::Request<B>) -> Self {
        Self(capture_connection(request))
    }

    /// Waits for the outcome of an exchange, which counts as one of its connection from the moment it has one.
    pub(super) async fn track<T>(self, exchange: impl Future<Output = T>) -> (T, Option<ExchangeGuard>) {
        let mut exchange = pin!(exchange);
        let mut ongoing: Option<ExchangeGuard> = None;
        let outcome = std::future::poll_fn(|context| {
            let poll_in_runtime = exchange.as_mut().poll(context);
            // A request is sent again on another connection where the first one was closed before it was used.
            if let Some(activity) = self.activity()
                && !ongoing.as_ref().is_some_and(|ExchangeGuard(known)| Arc::ptr_eq(&known.0, &activity.0))
            {
                ongoing = Some(activity.begin());
            }
            poll_in_runtime
        });
        (outcome.await, ongoing)
    }

    /// Returns the count of exchanges on the connection that the request was sent on.
    fn activity(&self) -> Option<ExchangeCount> {
        let mut extras = http::Extensions::new();
        self.0.connection_metadata().as_ref()?.get_extras(&mut extras);
        extras.remove()
    }
}
