//! Executions of this server that have not ended, for those that wait for their cancellation.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use wireform_store::{ExecutionNumber, Result};

/// Interval in which a server looks which of its executions were cancelled. Many executions end before the first one.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// Executions of this server that have not ended, as read at intervals from the store for all that may be cancelled.
#[derive(Debug, Default)]
pub(super) struct UnfinishedExecutions {
    latest: watch::Sender<BTreeSet<ExecutionNumber>>,
    reader: Mutex<Option<JoinHandle<()>>>,
}

impl UnfinishedExecutions {
    /// Returns a receiver of the executions. They are read by one task, as long as there are receivers.
    pub(super) fn subscribe<F>(
        self: &Arc<Self>,
        read: impl Fn() -> F + Send + Sync + 'static,
    ) -> watch::Receiver<BTreeSet<ExecutionNumber>>
    where
        F: Future<Output = Result<Vec<ExecutionNumber>>> + Send,
    {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        if reader.as_ref().is_none_or(JoinHandle::is_finished) {
            let unfinished = Arc::clone(self);
            *reader = Some(tokio::spawn(async move { unfinished.keep_reading(read).await }));
        }
        self.latest.subscribe()
    }

    async fn keep_reading<F>(&self, read: impl Fn() -> F)
    where
        F: Future<Output = Result<Vec<ExecutionNumber>>>,
    {
        loop {
            tokio::time::sleep(CHECK_INTERVAL).await;
            if self.ends_reading() {
                return;
            }
            match read().await {
                Ok(executions) => drop(self.latest.send_replace(executions.into_iter().collect())),
                Err(error) => tracing::warn!(cause = %error, "the unfinished executions could not be read; retrying"),
            }
        }
    }

    /// Returns whether there is no receiver; the next one starts another task then.
    fn ends_reading(&self) -> bool {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = self.latest.receiver_count() == 0;
        if ends {
            *reader = None;
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use wireform_store::Error;

    use super::*;

    #[tokio::test]
    async fn one_task_reads_for_all_executions_while_there_are_any() {
        let unfinished = Arc::new(UnfinishedExecutions::default());
        let reads = Arc::new(AtomicUsize::new(0));
        let subscribe = || {
            let reads = Arc::clone(&reads);
            unfinished.subscribe(move || {
                let read = reads.fetch_add(1, Ordering::SeqCst);
                async move { if read == 0 { Err(Error::not_found("store", 1)) } else { Ok(vec![ExecutionNumber(7)]) } }
            })
        };
        for round in 1..=2 {
            let mut receivers: Vec<_> = (0..200).map(|_| subscribe()).collect();
            for receiver in &mut receivers {
                receiver.changed().await.unwrap();
                assert_eq!(*receiver.borrow_and_update(), BTreeSet::from([ExecutionNumber(7)]));
            }
            let count = reads.load(Ordering::SeqCst);
            assert!(count <= 2 * round, "{count}");
            drop(receivers);
            tokio::time::sleep(CHECK_INTERVAL * 3).await;
            assert_eq!(reads.load(Ordering::SeqCst), count, "nothing runs");
            assert!(unfinished.reader.lock().unwrap().is_none());
        }
    }
}
