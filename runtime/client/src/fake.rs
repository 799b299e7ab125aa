//! Client for unit tests, whose responses come from functions.
//!
//! A [`Fake`] replaces the server and the network: a function for each operation receives the typed request and returns
//! the typed response, or a [`Failure`]. The client itself is real, so retries, pages, conditions and errors are those
//! of production; but nothing leaves the process, and no credentials are needed.
//!
//! ```
//! # use wireform_client::{Client, Request};
//! use wireform_client::fake::{Failure, Fake};
//!
//! # async fn test<EventsGet: Request>(get: EventsGet, event: EventsGet::Response) -> Result<(), Box<dyn std::error::Error>> {
//! let fake = Fake::new(EventsGet::API).on(move |_: &EventsGet| Ok(event.clone()));
//! let client: Client = fake.client()?;
//! client.call(get.clone()).send().await?;
//!
//! // A clone is the same service, and a later function takes the place of an earlier one.
//! fake.clone().on(|_: &EventsGet| Err(Failure::status(404).reason("notFound")));
//! assert!(client.call(get).send().await.is_err_and(|error| error.is_not_found()));
//! assert_eq!(fake.requests::<EventsGet>().len(), 2);
//! # Ok(())
//! # }
//! ```

mod call;
mod failure;
mod reply;

pub use call::FakeCall;
pub use failure::Failure;
pub use reply::FakeReply;

use std::any::TypeId;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Uri};
use wireform_runtime::Request;
use wireform_runtime::operation::Api;

use crate::builder::Builder;
use crate::client::Client;
use crate::error::BuildError;
use crate::retry::RetryPolicy;
use crate::transport::{BoxFuture, ResponseBody, Transport, TransportError, TransportErrorKind, TypedRequest};

/// Base URL of a fake. The host never exists (RFC 6761, section 6.4).
const BASE_URL: &str = "https://fake.invalid";

/// Message about an operation that no handler of the fake serves.
const NO_HANDLER: &str = "the fake has no handler for this operation: \
    add one before the call with `fake.on(|request: &TheRequest| Ok(the_response))`";

/// Media type of JSON bodies.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Response of the fake in the form of a transport.
type Outcome = Result<http::Response<ResponseBody>, TransportError>;

/// Service made of functions. Clones share it.
#[derive(Clone)]
pub struct Fake {
    inner: Arc<Inner>,
}

/// State that clones of a fake share.
struct Inner {
    api: &'static Api,
    handlers: Mutex<Vec<Handler>>,
    calls: Mutex<Vec<RecordedCall>>,
}

/// Function that responds to one type of request.
#[derive(Clone)]
struct Handler {
    request: TypeId,
    operation: &'static str,
    matches_request: fn(&TypedRequest) -> bool,
    respond: Arc<HandlerFn>,
}

/// Handler with its types erased; it returns `None` if the request is of another type.
type HandlerFn = dyn Fn(&TypedRequest, &Uri, &HeaderMap) -> Option<Outcome> + Send + Sync;

/// Request that a handler has received.
struct RecordedCall {
    operation: &'static str,
    request: TypedRequest,
}

impl Fake {
    /// Creates a fake of an API without handlers.
    #[must_use]
    pub fn new(api: &'static Api) -> Self {
        Self { inner: Arc::new(Inner { api, handlers: Mutex::default(), calls: Mutex::default() }) }
    }

    /// Sets the handler of an operation, replacing an earlier one. It may be called from several threads, so mutable
    /// state belongs in a `Mutex` or the like.
    ///
    /// The entity tag in a field of the response is sent as its `ETag` too. A read that names it in `If-None-Match`
    /// receives 304, although the handler is called nevertheless.
    pub fn on<R: Request>(self, handler: impl Fn(&R) -> Result<R::Response, Failure> + Send + Sync + 'static) -> Self {
        self.on_call(move |request: &R, _| handler(request).map(FakeReply::new))
    }

    /// Like [`on`](Self::on), for a function that also receives the conditions of the call, and returns more than the
    /// value.
    pub fn on_call<R: Request>(
        self,
        handler: impl Fn(&R, &FakeCall<'_>) -> Result<FakeReply<R::Response>, Failure> + Send + Sync + 'static,
    ) -> Self {
        let api = self.inner.api;
        let respond = Arc::new(move |request: &TypedRequest, uri: &Uri, headers: &HeaderMap| {
            let call = FakeCall::new(R::OPERATION, uri, headers);
            let reply = handler(request.get::<R>()?, &call);
            Some(
                reply
                    .map_or_else(|failure| failure.into_response(&api.errors), |reply| reply.into_response::<R>(&call)),
            )
        });
        let mut handlers = lock(&self.inner.handlers);
        handlers.retain(|handler| handler.request != TypeId::of::<R>());
        let is_for = |request: &TypedRequest| request.get::<R>().is_some();
        handlers.push(Handler {
            request: TypeId::of::<R>(),
            operation: R::OPERATION.name,
            matches_request: is_for,
            respond,
        });
        drop(handlers);
        self
    }

    /// Returns the operations that were called, in order, with each attempt of a retried call. Those without a handler
    /// are left out.
    #[must_use]
    pub fn calls(&self) -> Vec<&'static str> {
        lock(&self.inner.calls).iter().map(|call| call.operation).collect()
    }

    /// Returns the requests of an operation, in order.
    #[must_use]
    pub fn requests<R: Request>(&self) -> Vec<R> {
        lock(&self.inner.calls).iter().filter_map(|call| call.request.get::<R>().cloned()).collect()
    }

    /// Creates a client of the fake.
    ///
    /// # Errors
    /// Never returns an error for the defaults of a fake.
    pub fn client<C: From<Client>>(&self) -> Result<C, BuildError> {
        self.builder().build()
    }

    /// Creates a builder of a client of the fake. Retries are off by default, so that failures are returned at once.
    pub fn builder<C: From<Client>>(&self) -> Builder<C> {
        self.configure(Builder::new(self.inner.api)).retry(RetryPolicy::off())
    }

    /// Configures a builder to use the fake as the server.
    pub fn configure<C: From<Client>>(&self, builder: Builder<C>) -> Builder<C> {
        builder.base_url(BASE_URL).transport(self.clone())
    }

    /// Records the request and runs the first handler that matches it; an error if there is none.
    fn respond(&self, request: &http::Request<Bytes>) -> Outcome {
        let refused = |why: &'static str| Err(TransportError::new(TransportErrorKind::Refused, why));
        let Some(typed) = request.extensions().get::<TypedRequest>() else {
            return refused("the request has no `TypedRequest`: a layer drops the request extensions");
        };
        // A handler may use the fake itself, so no lock is held while it runs.
        let handler = lock(&self.inner.handlers).iter().find(|handler| (handler.matches_request)(typed)).cloned();
        let Some(Handler { operation, respond, .. }) = handler else { return refused(NO_HANDLER) };
        lock(&self.inner.calls).push(RecordedCall { operation, request: typed.clone() });
        respond(typed, request.uri(), request.headers()).unwrap_or_else(|| refused(NO_HANDLER))
    }
}

impl Transport for Fake {
    fn send(&self, request: http::Request<Bytes>) -> BoxFuture<'_, Outcome> {
        Box::pin(async move { self.respond(&request) })
    }

    fn wants_typed(&self) -> bool {
        true
    }
}

impl fmt::Debug for Fake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operations: Vec<_> = lock(&self.inner.handlers).iter().map(|handler| handler.operation).collect();
        f.debug_struct("Fake").field("api", &self.inner.api.name).field("handlers", &operations).finish_non_exhaustive()
    }
}

/// Locks a mutex. Poisoning is ignored: handlers run without a lock, so the state is consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
