//! Calls from programs without an async runtime.
//!
//! Work runs on a runtime of this crate's own, which is started with the first call, while the calling thread waits for
//! it. It can be used on any thread; on a thread of an async runtime it blocks that thread.

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

/// Runs a future to completion and returns its output. A panic of the future is resumed in the caller.
///
/// # Errors
/// Returns an error if the runtime cannot be started, for lack of threads or file descriptors, or if it drops the
/// future.
pub fn block_on<F>(future: F) -> Result<F::Output, TransportError>
where
    F: Future<Output: Send> + Send + 'static,
{
    let handle = crate::background::handle()?;
    let (give, take) = mpsc::sync_channel(1);
    handle.spawn(async move {
        let output: Result<F::Output, Box<dyn Any + Send>> = AssertUnwindSafe(future).catch_unwind().await;
        // The caller blocks on the receiver, so it is still there.
        let _ = give.send(output);
    });
    match block_on_receiver(&take) {
        Ok(Ok(output)) => Ok(output),
        Ok(Err(panic)) => resume_unwind(panic),
        Err(_) => Err(TransportError::new(TransportErrorKind::Refused, "the runtime has ended")),
    }
}

/// Blocks the thread until a value arrives. On a worker of the background runtime, its other tasks continue.
fn block_on_receiver<T>(take: &mpsc::Receiver<T>) -> Result<T, mpsc::RecvError> {
    if crate::background::is_worker() {
        // On a worker of the background runtime: another thread takes over its tasks meanwhile.
        tokio::task::block_in_place(|| take.recv())
    } else {
        take.recv()
    }
}

/// Blocking iterator over the items of a stream. Each item is fetched when it is requested.
pub struct Iter<S> {
    operation: &'static Operation,
    stream: Option<Pin<Box<S>>>,
}

impl<S: Stream> Iter<S> {
    /// Creates an iterator over the items of an operation's stream.
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
