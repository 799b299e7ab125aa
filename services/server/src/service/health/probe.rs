//! Health check shared by concurrent requests: the store is written at most once a second.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

/// Time for which a verdict is reused.
pub(super) const MAX_AGE: Duration = Duration::from_secs(1);

/// Timeout of a check; a store that has not responded by then is unhealthy.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);

/// Result of a check: the cause of the failure, if any.
pub(super) type Verdict = Result<(), Arc<str>>;

/// State of a check: `None` while it runs, then its verdict and the time it ended.
type Progress = watch::Receiver<Option<(Verdict, Instant)>>;

/// Component whose health can be checked, at a cost.
pub(super) trait Check: Clone + Send + Sync + 'static {
    /// Checks the health; returns the cause if the component is unhealthy.
    fn check(&self) -> impl Future<Output = Result<(), String>> + Send;
}

/// Check whose verdict is shared by all requests that arrive while it runs and for a second after it.
#[derive(Clone)]
pub(super) struct SharedProbe<C> {
    check: C,
    /// Last check that was started.
    last: Arc<Mutex<Option<Progress>>>,
}

impl<C: Check> SharedProbe<C> {
    pub(super) fn new(check: C) -> Self {
        Self { check, last: Arc::default() }
    }

    /// Returns a verdict that is no older than [`MAX_AGE`].
    pub(super) async fn verdict(&self) -> Verdict {
        let mut last = self.running_or_fresh();
        match last.wait_for(Option::is_some).await.map(|ended| ended.clone()) {
            Ok(Some((verdict, _))) => verdict,
            _ => Err("the check was interrupted".into()),
        }
    }

    /// Returns the check that runs or has just ended, or starts another one.
    fn running_or_fresh(&self) -> Progress {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = |known: &Progress| match &*known.borrow() {
            Some((_, ended)) => ended.elapsed() < MAX_AGE,
            // A check that panicked has dropped its sender.
            None => known.has_changed().is_ok(),
        };
        if let Some(known) = last.as_ref().filter(|known| counts(known)) {
            return known.clone();
        }
        last.insert(self.begin()).clone()
    }

    /// Starts a check in its own task, so that it completes even if the first requester disconnects.
    fn begin(&self) -> Progress {
        let (sender, receiver) = watch::channel(None);
        let check = self.check.clone();
        tokio::spawn(async move {
            let verdict = match tokio::time::timeout(TIMEOUT, check.check()).await {
                Ok(checked) => checked.map_err(Arc::from),
                Err(_) => Err("the store does not respond".into()),
            };
            if let Err(cause) = &verdict {
                tracing::error!(%cause, "the store cannot be written");
            }
            sender.send_replace(Some((verdict, Instant::now())));
        });
        receiver
    }
}
