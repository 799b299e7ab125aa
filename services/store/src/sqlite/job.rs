//! Operations queued for a database thread, and their results.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tokio::sync::oneshot;

use crate::operation::Operation;
use crate::sqlite::error::Cause;
use crate::sqlite::session::SqliteSession;
use crate::{Error, Result};

/// Type-erased operation.
pub(super) trait Job: Send {
    /// Returns the approximate number of bytes that it writes.
    fn weight(&self) -> usize;
    /// Returns whether the caller still waits for the result.
    fn is_awaited(&self) -> bool;
    /// Runs the operation inside a transaction. On error, its changes must be rolled back.
    fn run(&mut self, session: &mut SqliteSession<'_>) -> std::result::Result<(), Option<Cause>>;
    /// Sends the result to the caller, given the outcome of the commit.
    fn respond(self: Box<Self>, committed: std::result::Result<(), Cause>);
}

/// Job of an operation, and after its run the outcome, which is sent once the commit has ended.
struct Task<O: Operation> {
    operation: Option<O>,
    outcome: Option<Result<O::Output>>,
    reply: oneshot::Sender<Result<O::Output>>,
}

/// Creates a job for an operation, and the receiver of its result.
pub(super) fn job<O: Operation>(operation: O) -> (Box<dyn Job>, oneshot::Receiver<Result<O::Output>>) {
    let (reply, response) = oneshot::channel();
    (Box::new(Task { operation: Some(operation), outcome: None, reply }), response)
}

impl<O: Operation> Job for Task<O> {
    fn weight(&self) -> usize {
        self.operation.as_ref().map_or(0, Operation::weight)
    }

    fn is_awaited(&self) -> bool {
        !self.reply.is_closed()
    }

    fn run(&mut self, session: &mut SqliteSession<'_>) -> std::result::Result<(), Option<Cause>> {
        let Some(operation) = self.operation.take() else { return Ok(()) };
        // Changes of a panicked operation are rolled back, and the connection stays usable.
        let outcome = catch_unwind(AssertUnwindSafe(|| poll_ready(operation.run(session))));
        let outcome = outcome.unwrap_or_else(|_| Err(Error::Internal("an operation of the store panicked".to_owned())));
        let result = match &outcome {
            Ok(_) => Ok(()),
            Err(error) => Err(Cause::from_error(error)),
        };
        self.outcome = Some(outcome);
        result
    }

    fn respond(self: Box<Self>, committed: std::result::Result<(), Cause>) {
        let response = match (self.outcome, committed) {
            // The cause of the operation's own error may have been identified more precisely since.
            (Some(Err(Error::Unavailable(_))), Err(cause)) => Err(cause.to_error()),
            (Some(Err(error)), _) => Err(error),
            (_, Err(cause)) => Err(cause.to_error()),
            (Some(Ok(output)), Ok(())) => Ok(output),
            (None, Ok(())) => Err(Error::Internal("an operation was dropped before it ran".to_owned())),
        };
        // The caller may no longer wait.
        drop(self.reply.send(response));
    }
}

/// Returns the output of a future that is ready at once.
pub(super) fn poll_ready<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => Err(Error::Internal("an operation awaited something other than the database".to_owned())),
    }
}
