//! Heartbeats of servers, and the executions of servers that end before they do.

use std::time::Duration;

use script_server::types::ProcessStatus;
use wireform_store::{Clock, Result, Store};

use crate::{ScriptService, states};

/// Interval of heartbeats of a server.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(3);
/// Time for which a heartbeat is valid.
const HEARTBEAT_VALIDITY: Duration = Duration::from_secs(12);
/// Time that the program waits for executions at its end.
const FINISH_TIMEOUT: Duration = Duration::from_secs(5);

impl<S: Store> ScriptService<S> {
    /// Renews the time for which this server counts as alive.
    pub(super) async fn send_heartbeat(&self) -> Result<()> {
        self.store.renew_server_lease(self.runs.server, Clock::system().now().saturating_add(HEARTBEAT_VALIDITY)).await
    }

    /// Sends heartbeats while work runs, so that no other server ends its executions as those of a dead one.
    pub(crate) async fn with_heartbeat<T>(&self, work: impl Future<Output = T>) -> T {
        let mut beats = tokio::time::interval(HEARTBEAT_INTERVAL);
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                _ = beats.tick() => {
                    if let Err(error) = self.send_heartbeat().await {
                        tracing::warn!(cause = %error, "the heartbeat could not be recorded; retrying");
                    }
                }
            }
        }
    }

    /// Sends a heartbeat, records pending statuses, and ends executions of dead servers; returns their number.
    ///
    /// # Errors
    /// Returns an error of the store.
    pub async fn maintain_executions(&self) -> Result<u64> {
        self.send_heartbeat().await?;
        let pending_ends = std::mem::take(&mut *self.runs.pending_ends());
        for (number, status) in pending_ends {
            self.record_or_defer(number, &status).await;
        }
        let to = states::state(&ProcessStatus::Failed);
        self.store.end_orphaned_executions(Clock::system().now(), self.clock.now(), to).await
    }

    /// Waits, up to a limit, until all executions of this server have ended and are recorded, then withdraws the
    /// heartbeat. The engine must be ending them already.
    pub async fn finish_executions(&self) {
        // Waiting executions do not start any more.
        if tokio::time::timeout(FINISH_TIMEOUT, self.runs.permits.close()).await.is_err() {
            tracing::warn!("executions did not end in time; another server, or the next start, will end them");
        }
        if let Err(error) = self.store.renew_server_lease(self.runs.server, wireform_store::Millis(0)).await {
            tracing::warn!(cause = %error, "the end of this server could not be recorded");
        }
    }

    /// Keeps the records of executions until the program ends.
    pub async fn keep_maintaining_executions(&self) {
        loop {
            match self.maintain_executions().await {
                Ok(0) => {}
                Ok(repaired) => tracing::warn!(repaired, "ended executions of dead servers"),
                Err(error) => tracing::warn!(cause = %error, "executions could not be maintained; retrying"),
            }
            tokio::time::sleep(HEARTBEAT_INTERVAL).await;
        }
    }
}
