//! Blocking polling of long-running operations.

use wireform_runtime::{LongRunning, OperationStateOf};

use super::{PollError, PollResult, Poller};
use crate::blocking::block_on;
use crate::error::{Error, ErrorKind};
use crate::transport::TransportError;

impl<R: LongRunning> Poller<R> {
    /// Blocking variant of [`poll`](Self::poll).
    ///
    /// # Errors
    /// Returns the same errors as [`poll`](Self::poll).
    pub fn poll_blocking(&mut self) -> PollResult<R, OperationStateOf<R>> {
        let mut poller = self.clone();
        let done = block_on(async move {
            let done = poller.poll().await;
            (done, poller)
        });
        let (done, poller) = done.map_err(Self::no_runtime)?;
        *self = poller;
        done
    }

    /// Blocking variant of [`wait`](Self::wait).
    ///
    /// # Errors
    /// Returns the same errors as [`wait`](Self::wait).
    pub fn wait_blocking(&mut self) -> PollResult<R, R::Outcome> {
        let mut poller = self.clone();
        let done = block_on(async move {
            let done = poller.wait().await;
            (done, poller)
        });
        let (done, poller) = done.map_err(Self::no_runtime)?;
        *self = poller;
        done
    }

    /// Creates the error of a background runtime that cannot be started.
    fn no_runtime(error: TransportError) -> PollError<R::Failure, R::ErrorBody> {
        PollError::Call(Error::new(R::OPERATION, ErrorKind::Connection(error)))
    }
}
