//! Calls from programs without an async runtime.
//!
//! Work runs on a runtime of this crate's own, which is started with the first call, and the calling thread waits
//! for it. So this works on any thread; on a thread of an async runtime it keeps that thread from other work.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::Pin;
use std::sync::mpsc;

use futures_core::Stream;
use futures_util::{FutureExt as _, StreamExt as _};
use wireform_runtime::operation::Operation;

use crate::error::{Error, ErrorKind};
use crate::transport::{TransportError, TransportErrorKind};

/// Runs a future, and waits for what it gives. A panic of the future goes on in the caller.
///
/// # Errors
/// When the runtime cannot be started, for want of threads or files.
pub fn block_on<F>(future: F) -> Result<F::Output, TransportError>
where
    F: Future<Output: Send> + Send + 'static,
{
    let handle = crate::background::handle()?;
    let (give, take) = mpsc::sync_channel(1);
    handle.spawn(async move {
        let output: Result<F::Output, Box<dyn Any + Send>> = AssertUnwindSafe(future).catch_unwind().await;
        // Whoever asked waits, so it is there to take it.
        let _ = give.send(output);
    });
    match wait(&take) {
        Ok(Ok(output)) => Ok(output),
        Ok(Err(panic)) => resume_unwind(panic),
        Err(_) => Err(TransportError::new(TransportErrorKind::Refused, "the runtime has ended")),
    }
}

fn wait<T>(take: &mpsc::Receiver<T>) -> Result<T, mpsc::RecvError> {
    if crate::background::is_worker() {
        // One of the runtime's own threads: another one takes over its work meanwhile.
        tokio::task::block_in_place(|| take.recv())
    } else {
        take.recv()
    }
}

/// The items of a stream, one after the other: each is fetched when it is asked for.
pub struct Iter<S> {
    operation: &'static Operation,
    stream: Option<Pin<Box<S>>>,
}

impl<S: Stream> Iter<S> {
    /// The items of a stream that an operation gives.
    pub(crate) fn new(operation: &'static Operation, stream: S) -> Self {
        Self { operation, stream: Some(Box::pin(stream)) }
    }
}

impl<S, T, B> Iterator for Iter<S>
where
    S: Stream<Item = Result<T, Error<B>>> + Send + 'static,
    T: Send + 'static,
    B: Send + 'static,
{
    type Item = Result<T, Error<B>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut stream = self.stream.take()?;
        let next = block_on(async move {
            let item = stream.next().await;
            (item, stream)
        });
        match next {
            Ok((item, stream)) => {
                self.stream = item.is_some().then_some(stream);
                item
            }
            Err(error) => Some(Err(Error::new(self.operation, ErrorKind::Connection(error)))),
        }
    }
}

impl<S> fmt::Debug for Iter<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").field("operation", &self.operation.name).finish_non_exhaustive()
    }
}
