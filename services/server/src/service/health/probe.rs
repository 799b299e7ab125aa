//! A check that many requests share: whoever asks, the store is written at most once a second.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

/// How long a verdict counts.
pub(super) const FRESH: Duration = Duration::from_secs(1);

/// How long a check may take; a store that has not answered by then is not well.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Nothing, or why the services cannot work.
pub(super) type Verdict = Result<(), Arc<str>>;

/// A check that was begun: nothing while it runs, then its verdict and when it ended.
type Progress = watch::Receiver<Option<(Verdict, Instant)>>;

/// Something whose health can be checked, at a cost.
pub(super) trait Check: Clone + Send + Sync + 'static {
    /// Checks it.
    fn check(&self) -> impl Future<Output = Result<(), String>> + Send;
}

/// A check whose verdict is shared by all who ask while it runs and for a second after it.
#[derive(Clone)]
pub(super) struct SharedProbe<C> {
    check: C,
    /// The last check that was begun.
    last: Arc<Mutex<Option<Progress>>>,
}

impl<C: Check> SharedProbe<C> {
    pub(super) fn new(check: C) -> Self {
        Self { check, last: Arc::default() }
    }

    /// Returns a verdict that is no older than [`FRESH`].
    pub(super) async fn verdict(&self) -> Verdict {
        let mut last = self.running_or_fresh();
        match last.wait_for(Option::is_some).await.map(|ended| ended.clone()) {
            Ok(Some((verdict, _))) => verdict,
            _ => Err("the check was interrupted".into()),
        }
    }

    /// Returns the check that runs or has just ended, or begins another one.
    fn running_or_fresh(&self) -> Progress {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = |known: &Progress| match &*known.borrow() {
            Some((_, ended)) => ended.elapsed() < FRESH,
            // A check that panicked has dropped its end of the channel.
            None => known.has_changed().is_ok(),
        };
        if let Some(known) = last.as_ref().filter(|known| counts(known)) {
            return known.clone();
        }
        last.insert(self.begin()).clone()
    }

    /// Begins a check in a task of its own: it ends also if whoever asked first goes away.
    fn begin(&self) -> Progress {
        let (sender, receiver) = watch::channel(None);
        let check = self.check.clone();
        tokio::spawn(async move {
            let verdict = match tokio::time::timeout(PATIENCE, check.check()).await {
                Ok(checked) => checked.map_err(Arc::from),
                Err(_) => Err("the store does not answer".into()),
            };
            if let Err(cause) = &verdict {
                tracing::error!(%cause, "the store cannot be written");
            }
            sender.send_replace(Some((verdict, Instant::now())));
        });
        receiver
    }
}
