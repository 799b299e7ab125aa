//! An operation on its way to a thread of the database, and its answer on the way back.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tokio::sync::oneshot;

use crate::operation::Operation;
use crate::sqlite::error::Cause;
use crate::sqlite::session::SqliteSession;
use crate::{Error, Result};

/// An operation whose type is forgotten.
pub(super) trait Job: Send {
    /// About how many bytes it writes.
    fn weight(&self) -> usize;
    /// Whether somebody still waits for its answer.
    fn is_wanted(&self) -> bool;
    /// Does it, inside a transaction; an error says that what it did is to be undone.
    fn run(&mut self, session: &mut SqliteSession<'_>) -> std::result::Result<(), Option<Cause>>;
    /// Answers whoever waits: that what it did is on disk, or why it is not.
    fn answer(self: Box<Self>, fate: std::result::Result<(), Cause>);
}

struct Task<O: Operation> {
    operation: Option<O>,
    outcome: Option<Result<O::Output>>,
    reply: oneshot::Sender<Result<O::Output>>,
}

/// An operation as a job, and where its answer arrives.
pub(super) fn job<O: Operation>(operation: O) -> (Box<dyn Job>, oneshot::Receiver<Result<O::Output>>) {
    let (reply, answer) = oneshot::channel();
    (Box::new(Task { operation: Some(operation), outcome: None, reply }), answer)
}

impl<O: Operation> Job for Task<O> {
    fn weight(&self) -> usize {
        self.operation.as_ref().map_or(0, Operation::weight)
    }

    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    fn run(&mut self, session: &mut SqliteSession<'_>) -> std::result::Result<(), Option<Cause>> {
        let Some(operation) = self.operation.take() else { return Ok(()) };
        // What the operation has left behind is rolled back, and the connection is in order whatever it was doing.
        let outcome = catch_unwind(AssertUnwindSafe(|| finish(operation.run(session))));
        let outcome = outcome.unwrap_or_else(|_| Err(Error::Fault("an operation of the store panicked".to_owned())));
        let told = match &outcome {
            Ok(_) => Ok(()),
            Err(error) => Err(Cause::of(error)),
        };
        self.outcome = Some(outcome);
        told
    }

    fn answer(self: Box<Self>, fate: std::result::Result<(), Cause>) {
        let answer = match (self.outcome, fate) {
            // Trouble of its own may have been understood better meanwhile.
            (Some(Err(Error::Unavailable(_))), Err(cause)) => Err(cause.error()),
            (Some(Err(error)), _) => Err(error),
            (_, Err(cause)) => Err(cause.error()),
            (Some(Ok(output)), Ok(())) => Ok(output),
            (None, Ok(())) => Err(Error::Fault("an operation was passed over".to_owned())),
        };
        // Whoever asked may have gone.
        drop(self.reply.send(answer));
    }
}

/// The output of a future that waits for nothing.
pub(super) fn finish<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => Err(Error::Fault("an operation waited for something else than the database".to_owned())),
    }
}
