//! Several calls in one request.

use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::sync::Arc;

use wireform_runtime::Request;
use wireform_runtime::operation::Operation;

use crate::call::{self, Call, Reply};
use crate::client::Client;
use crate::error::{Error, ErrorKind, StatusError};
use crate::send::{self, BATCH, Outgoing, Results};
use crate::transport::{TransportError, TransportErrorKind};

/// Calls that are sent together: one request for as many of them as the API takes in one, which saves the others their
/// way. Each has an answer or an error of its own.
///
/// A server may work on them in any order, and at the same time. Calls that fail for a while are sent once more where
/// the [policy](crate::RetryPolicy) and the operation allow it, and only those. The time-out of the client holds for
/// each request. An API that takes no batches, and a double in a test, is asked one call after the other.
#[must_use = "nothing is sent before `send`"]
pub struct Batch {
    client: Client,
    calls: Vec<Outgoing>,
    of: Arc<()>,
}

/// The place of a call in a batch, to take its answer by.
#[must_use = "the answer is taken by it"]
pub struct Ticket<R> {
    index: usize,
    of: Arc<()>,
    request: PhantomData<fn() -> R>,
}

/// What came of the calls of a batch.
pub struct Answers {
    results: Vec<Option<Result<send::Answered, Error<bytes::Bytes>>>>,
    of: Arc<()>,
}

impl Batch {
    /// A batch without calls.
    pub fn new(client: &Client) -> Self {
        Self { client: client.clone(), calls: Vec::new(), of: Arc::new(()) }
    }

    /// Adds a call. Its own time-out does not count.
    pub fn add<R: Request>(&mut self, call: impl Into<Call<R>>) -> Ticket<R> {
        self.calls.push(call.into().into_outgoing());
        Ticket { index: self.calls.len() - 1, of: Arc::clone(&self.of), request: PhantomData }
    }

    /// How many calls it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Whether it has no calls; then nothing is sent.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Sends the calls, in as few requests as the API allows.
    pub async fn send(self) -> Answers {
        let Self { client, calls, of } = self;
        let operations: Vec<_> = calls.iter().map(|call| call.operation).collect();
        let mut exchange = send::batch(client, calls);
        let results = poll_fn(|context| crate::background::polled(&BATCH, &mut exchange, context)).await;
        let results = results.unwrap_or_else(|error| failed(&operations, &error.to_string()));
        Answers { results: results.into_iter().map(Some).collect(), of }
    }

    /// [`send`](Self::send), for programs without an async runtime.
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    #[must_use]
    pub fn send_blocking(self) -> Answers {
        let operations: Vec<_> = self.calls.iter().map(|call| call.operation).collect();
        let of = Arc::clone(&self.of);
        crate::blocking::block_on(self.send()).unwrap_or_else(|error| {
            let results = failed(&operations, &error.to_string());
            Answers { results: results.into_iter().map(Some).collect(), of }
        })
    }
}

/// None of the calls could be sent.
fn failed(operations: &[&'static Operation], why: &str) -> Results {
    let error = || ErrorKind::Connection(TransportError::new(TransportErrorKind::Refused, why.to_owned()));
    operations.iter().map(|operation| Err(Error::new(operation, error()))).collect()
}

impl Answers {
    /// The value of the answer to a call.
    ///
    /// # Errors
    /// Those of the call; a protocol error for a ticket of another batch.
    pub fn take<R: Request>(&mut self, ticket: Ticket<R>) -> Result<R::Response, Error<R::ErrorBody>> {
        let reply = self.reply(ticket)?;
        let unchanged = || Error::new(R::OPERATION, ErrorKind::Status(StatusError::bare(reply.status)));
        reply.value.ok_or_else(unchanged)
    }

    /// The answer to a call.
    ///
    /// # Errors
    /// Those of [`take`](Self::take).
    pub fn reply<R: Request>(&mut self, ticket: Ticket<R>) -> Result<Reply<R::Response>, Error<R::ErrorBody>> {
        let own = Arc::ptr_eq(&ticket.of, &self.of);
        let result = self.results.get_mut(ticket.index).filter(|_| own).and_then(Option::take);
        let Some(result) = result else {
            let problem = "the ticket is one of another batch".to_owned();
            return Err(Error::new(R::OPERATION, ErrorKind::Protocol(problem)));
        };
        call::typed::<R>(result)
    }

    /// How many calls the batch has had.
    #[must_use]
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether the batch has had no calls.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operations: Vec<_> = self.calls.iter().map(|call| call.operation.name).collect();
        f.debug_struct("Batch").field("calls", &operations).finish_non_exhaustive()
    }
}

impl<R> fmt::Debug for Ticket<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").field("index", &self.index).finish_non_exhaustive()
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("len", &self.results.len()).finish_non_exhaustive()
    }
}
