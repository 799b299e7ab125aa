//! Batch requests.

use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::sync::Arc;

use wireform_runtime::Request;
use wireform_runtime::operation::Operation;

use crate::call::{self, Call};
use crate::client::Client;
use crate::error::{Error, ErrorKind, StatusError};
use crate::reply::Reply;
use crate::send::{self, BATCH, OutgoingRequest, Results};
use crate::transport::{TransportError, TransportErrorKind};

/// Batch of calls, which are sent as one request, or as few as the API's limit on the calls of a batch allows. Each
/// call has a response or an error of its own.
///
/// A server may process the calls in any order and concurrently. Only calls that fail temporarily are retried, as the
/// [policy](crate::RetryPolicy) and the operation allow. The timeout of the client applies to each request. If the API
/// has no batch endpoint, or the transport wants typed requests as a fake does, the calls are sent one after the other.
#[must_use = "nothing is sent before `send`"]
pub struct Batch {
    client: Client,
    calls: Vec<OutgoingRequest>,
    batch_id: Arc<()>,
}

/// Handle to a call of a batch, which identifies its response.
#[must_use = "the ticket is required to get the response"]
pub struct Ticket<R> {
    index: usize,
    batch_id: Arc<()>,
    request: PhantomData<fn() -> R>,
}

/// Responses to the calls of a batch.
pub struct BatchResponses {
    results: Vec<Option<Result<send::UndecodedResponse, Error<bytes::Bytes>>>>,
    batch_id: Arc<()>,
}

impl Batch {
    /// Creates an empty batch.
    pub fn new(client: &Client) -> Self {
        Self { client: client.clone(), calls: Vec::new(), batch_id: Arc::new(()) }
    }

    /// Adds a call. The call's own timeout applies only if the calls are sent one after the other.
    pub fn add<R: Request>(&mut self, call: impl Into<Call<R>>) -> Ticket<R> {
        self.calls.push(call.into().into_outgoing());
        Ticket { index: self.calls.len() - 1, batch_id: Arc::clone(&self.batch_id), request: PhantomData }
    }

    /// Returns the number of calls.
    #[must_use]
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Returns true if the batch has no calls. Nothing is sent then.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Sends the calls, in as few requests as the API allows.
    pub async fn send(self) -> BatchResponses {
        let Self { client, calls, batch_id: of } = self;
        let operations: Vec<_> = calls.iter().map(|call| call.operation).collect();
        let mut exchange = send::batch(client, calls);
        let results = poll_fn(|context| crate::background::poll_in_runtime(&BATCH, &mut exchange, context)).await;
        let results = results.unwrap_or_else(|error| connection_errors(&operations, &error.to_string()));
        BatchResponses { results: results.into_iter().map(Some).collect(), batch_id: of }
    }

    /// Blocking variant of [`send`](Self::send).
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    #[must_use]
    pub fn send_blocking(self) -> BatchResponses {
        let operations: Vec<_> = self.calls.iter().map(|call| call.operation).collect();
        let of = Arc::clone(&self.batch_id);
        crate::blocking::block_on(self.send()).unwrap_or_else(|error| {
            let results = connection_errors(&operations, &error.to_string());
            BatchResponses { results: results.into_iter().map(Some).collect(), batch_id: of }
        })
    }
}

/// Returns a connection error for each of the calls.
fn connection_errors(operations: &[&'static Operation], why: &str) -> Results {
    let error = || ErrorKind::Connection(TransportError::new(TransportErrorKind::Refused, why.to_owned()));
    operations.iter().map(|operation| Err(Error::new(operation, error()))).collect()
}

impl BatchResponses {
    /// Returns the value of the response to a call.
    ///
    /// # Errors
    /// Returns the error of the call, a protocol error if the ticket belongs to another batch, or a status error if the
    /// value has not changed from the version that the condition of the call names.
    pub fn take<R: Request>(&mut self, ticket: Ticket<R>) -> Result<R::Response, Error<R::ErrorBody>> {
        let reply = self.reply(ticket)?;
        let unchanged = || Error::new(R::OPERATION, ErrorKind::Status(StatusError::from_status(reply.status)));
        reply.value.ok_or_else(unchanged)
    }

    /// Returns the response to a call.
    ///
    /// # Errors
    /// Returns the error of the call, or a protocol error if the ticket belongs to another batch.
    pub fn reply<R: Request>(&mut self, ticket: Ticket<R>) -> Result<Reply<R::Response>, Error<R::ErrorBody>> {
        let own = Arc::ptr_eq(&ticket.batch_id, &self.batch_id);
        let result = self.results.get_mut(ticket.index).filter(|_| own).and_then(Option::take);
        let Some(result) = result else {
            let problem = "the ticket belongs to another batch".to_owned();
            return Err(Error::new(R::OPERATION, ErrorKind::Protocol(problem)));
        };
        call::decode_reply::<R>(result)
    }

    /// Returns the number of calls of the batch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Returns true if the batch had no calls.
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

impl fmt::Debug for BatchResponses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchResponses").field("len", &self.results.len()).finish_non_exhaustive()
    }
}
