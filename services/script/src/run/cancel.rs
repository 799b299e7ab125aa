//! Cancellation of executions, by any process that shares the store with the server that runs them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use script_server::types::ProcessStatus;
use tokio::sync::{SemaphorePermit, watch};
use tokio::task::JoinHandle;
use wireform_store::{Clock, Error, ExecutionChange, ExecutionNumber, ProjectNumber, Result, Store, Unavailable};

use crate::engine::Outcome;
use crate::run::runs::final_status;
use crate::{ScriptService, states};

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
    fn subscribe<F>(
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

/// Cancels an execution of a project that runs or waits; returns the status of one that has ended before. The server
/// that runs it stops its process within a second.
///
/// # Errors
/// Returns [`Error::NotFound`] if the project has no such execution, or an error of the store.
pub async fn cancel_execution<S: Store>(
    store: &S,
    clock: &Clock,
    project: ProjectNumber,
    number: ExecutionNumber,
) -> Result<Option<ProcessStatus>> {
    let find = async || {
        let found = store.execution(number).await?.filter(|execution| execution.project == project);
        found.ok_or_else(|| Error::not_found("execution", number.0))
    };
    find().await?;
    let from = states::source_statuses(&ProcessStatus::Canceled).iter().filter_map(states::status_number).collect();
    let change = ExecutionChange { number, from, to: states::state(&ProcessStatus::Canceled), failed: false };
    match store.change_execution(change, clock.now()).await? {
        Some(_) => Ok(None),
        None => Ok(Some(states::status(find().await?.status))),
    }
}

impl<S: Store> ScriptService<S> {
    /// Waits until a delayed execution may run, and records that it does; returns `None` if it is cancelled before.
    pub(super) async fn wait_for_permit(&self, number: ExecutionNumber) -> Result<Option<SemaphorePermit<'_>>> {
        let permit = tokio::select! {
            permit = self.runs.permits.acquire() => permit,
            () = self.canceled(number) => return Ok(None),
        };
        let permit = permit.map_err(|_| Error::Unavailable(Unavailable::Closed))?;
        let is_recorded = self.record_or_defer(number, &ProcessStatus::Running).await;
        let starts = is_recorded || !self.is_canceled(number).await;
        Ok(starts.then_some(permit))
    }

    /// Waits until an execution is cancelled, or removed with its project.
    pub(super) async fn canceled(&self, number: ExecutionNumber) {
        let (store, server) = (self.store.clone(), self.runs.server);
        let mut unfinished = self.runs.unfinished.subscribe(move || {
            let store = store.clone();
            async move { store.unfinished_executions(server).await }
        });
        while unfinished.changed().await.is_ok() {
            let has_ended = !unfinished.borrow_and_update().contains(&number);
            // It may have been recorded after the executions were read, or been ended by another server.
            if has_ended && self.is_canceled(number).await {
                return;
            }
        }
        std::future::pending().await
    }

    /// Records the outcome of an execution and returns it, or `Canceled` if the execution was cancelled first.
    pub(super) async fn record_outcome(&self, number: ExecutionNumber, outcome: Outcome) -> Outcome {
        let is_recorded = self.record_or_defer(number, &final_status(&outcome)).await;
        if !is_recorded && self.is_canceled(number).await { Outcome::Canceled } else { outcome }
    }

    /// Returns whether an execution was cancelled, or removed with its project.
    async fn is_canceled(&self, number: ExecutionNumber) -> bool {
        match self.store.execution(number).await {
            Ok(execution) => execution.is_none_or(|one| states::status(one.status) == ProcessStatus::Canceled),
            Err(error) => {
                tracing::warn!(cause = %error, "the status of an execution could not be read; retrying");
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

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
