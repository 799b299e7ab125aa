//! Cancellation of executions, by any process that shares the store with the server that runs them.

use script_server::types::ProcessStatus;
use wireform_store::{Clock, Error, ExecutionChange, ExecutionNumber, Mailbox, ProjectNumber, Result, Store};

use crate::engine::Outcome;
use crate::run::permits::Permit;
use crate::run::runs::final_status;
use crate::{ScriptService, states};

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
    pub(super) async fn wait_for_permit(&self, number: ExecutionNumber, user: Mailbox) -> Result<Option<Permit>> {
        let permit = tokio::select! {
            permit = self.runs.permits.acquire(user) => permit?,
            () = self.canceled(number) => return Ok(None),
        };
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
