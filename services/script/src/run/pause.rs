//! A pause of all executions of this server, while the contents of the store are replaced.

use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;
use wireform_store::{Error, Result, Store, Unavailable};

use crate::ScriptService;
use crate::run::cancel_execution;

/// Interval in which executions that have begun meanwhile are cancelled.
const CANCEL_INTERVAL: Duration = Duration::from_millis(250);
/// Maximum number of intervals until all executions have ended.
const MAX_INTERVALS: u32 = 80;

/// Pause of executions, which ends on drop. New ones are refused as if too many ran.
#[derive(Debug)]
pub struct ExecutionPause {
    _slots: OwnedSemaphorePermit,
}

impl<S: Store> ScriptService<S> {
    /// Cancels all executions of this server, waits until they have ended, and keeps others from starting.
    ///
    /// # Errors
    /// Returns an error of the store, or [`Unavailable::Busy`] if an execution does not end within 20 seconds.
    pub async fn pause_executions(&self) -> Result<ExecutionPause> {
        let mut slots = std::pin::pin!(self.runs.slots.acquire_all());
        for _ in 0..MAX_INTERVALS {
            if let Ok(slots) = tokio::time::timeout(CANCEL_INTERVAL, &mut slots).await {
                return Ok(ExecutionPause { _slots: slots? });
            }
            for number in self.store.unfinished_executions(self.runs.server).await? {
                let Some(execution) = self.store.execution(number).await? else { continue };
                match cancel_execution(&self.store, &self.clock, execution.project, number).await {
                    // It was removed meanwhile.
                    Err(Error::NotFound { .. }) | Ok(_) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Err(Error::Unavailable(Unavailable::Busy))
    }
}
