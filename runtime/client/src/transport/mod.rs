//! Transports, which send requests to servers.

mod body;
mod error;
mod request_body;
#[cfg(feature = "reqwest")]
mod reqwest;
mod service_transport;
#[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
mod sockets;
mod transport_service;

use std::any::Any;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::BodyExt as _;

#[cfg(feature = "reqwest")]
pub use self::reqwest::Reqwest;
pub use body::ResponseBody;
pub use error::{TransportError, TransportErrorKind};
pub use request_body::RequestBody;
pub use service_transport::{ServiceTransport, in_process};
#[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
pub use sockets::Http;
#[cfg(all(feature = "oauth", not(target_arch = "wasm32")))]
pub(crate) use sockets::token_client;
pub use transport_service::TransportService;

/// Any error.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Boxed future that can be sent to another thread.
#[cfg(not(target_arch = "wasm32"))]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Boxed future. It is not `Send` in browsers, where futures stay on their thread.
#[cfg(target_arch = "wasm32")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Transport that sends requests to a server and returns the responses.
///
/// It sends each request once and follows no redirects: the client decides about retries, and about where a token may
/// be sent. Dropping the future aborts the request. The body of a response may still be arriving when the future
/// resolves.
///
/// Requests have absolute URLs, such as `https://example.com/calendar/v3/users/me/calendarList`.
pub trait Transport: Send + Sync + 'static {
    /// Sends the request and resolves once the head of the response has arrived.
    ///
    /// # Errors
    /// Returns an error if there is no response. A response with an error status is `Ok`.
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>>;

    /// Sends a request with a streamed body. By default, the body is collected first.
    ///
    /// # Errors
    /// Returns the same errors as [`send`](Self::send), and an error if the body fails.
    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let refused = |error| TransportError::new(TransportErrorKind::Refused, error);
            let body = body.collect().await.map_err(refused)?.to_bytes();
            self.send(http::Request::from_parts(head, body)).await
        })
    }

    /// Returns whether requests should have a [`TypedRequest`] in their extensions.
    fn wants_typed(&self) -> bool {
        false
    }
}

impl<T: Transport + ?Sized> Transport for Arc<T> {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        (**self).send(request)
    }

    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        (**self).send_body(request)
    }

    fn wants_typed(&self) -> bool {
        (**self).wants_typed()
    }
}

/// Transport of clients that configure none: `Http` if its feature is enabled, else `Reqwest`.
#[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
type DefaultTransport = Http;

#[cfg(all(feature = "reqwest", any(not(feature = "sockets"), target_arch = "wasm32")))]
type DefaultTransport = Reqwest;

/// Creates the default transport, without a proxy for requests to this machine. Returns `None` if no feature provides
/// one.
#[cfg(any(all(feature = "sockets", not(target_arch = "wasm32")), feature = "reqwest"))]
pub(crate) fn default_transport(is_local: bool) -> Option<Result<Arc<dyn Transport>, TransportError>> {
    let created = if is_local { DefaultTransport::without_proxy() } else { DefaultTransport::new() };
    Some(created.map(|transport| Arc::new(transport) as Arc<dyn Transport>))
}

/// Returns `None`: no feature provides a transport.
#[cfg(not(any(all(feature = "sockets", not(target_arch = "wasm32")), feature = "reqwest")))]
pub(crate) fn default_transport(_is_local: bool) -> Option<Result<Arc<dyn Transport>, TransportError>> {
    None
}

/// Value that a request was encoded from, of the type that implements [`Request`](crate::Request). It is in the
/// extensions of a request if the transport [wants it](Transport::wants_typed).
#[derive(Clone)]
pub struct TypedRequest(Arc<dyn Any + Send + Sync>);

impl TypedRequest {
    /// Wraps a value.
    pub fn new(value: impl Any + Send + Sync) -> Self {
        Self(Arc::new(value))
    }

    /// Returns the value if it is of the type.
    #[must_use]
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

/// Omits the value, which may hold secrets.
impl fmt::Debug for TypedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TypedRequest(…)")
    }
}

/// Returns `Pending`, and has the task polled again after other tasks and timers.
#[cfg(not(target_arch = "wasm32"))]
fn yield_now<T>(context: &mut Context<'_>) -> Poll<T> {
    // Waking the waker is not enough: a task that wakes itself is polled many times before tokio checks its timers.
    let _ = std::pin::pin!(tokio::task::yield_now()).poll(context);
    Poll::Pending
}

/// Returns `Pending`, and has the task polled again after other tasks.
#[cfg(target_arch = "wasm32")]
fn yield_now<T>(context: &mut Context<'_>) -> Poll<T> {
    context.waker().wake_by_ref();
    Poll::Pending
}
