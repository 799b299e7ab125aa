//! How requests reach a server.

mod body;
mod error;
mod request_body;
#[cfg(feature = "reqwest")]
mod reqwest;
mod shared;
#[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
mod sockets;
mod tower;

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
pub use shared::Shared;
#[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
pub use sockets::Http;
#[cfg(all(feature = "oauth", not(target_arch = "wasm32")))]
pub(crate) use sockets::token_client;
pub use tower::{Tower, in_process};

/// Any error.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A future without its type.
#[cfg(not(target_arch = "wasm32"))]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A future without its type. The futures of browsers stay on their thread.
#[cfg(target_arch = "wasm32")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Something that takes requests to a server and brings its answers back.
///
/// It sends what it is given, once, and follows no redirect: what is sent again, and where a token may go, is for
/// the client to decide. Dropping the future gives the request up. Of an answer the body may still be on its way.
///
/// A request has its whole address, `https://example.com/calendar/v3/users/me/calendarList`.
pub trait Transport: Send + Sync + 'static {
    /// Sends the request, and waits until the head of the answer is there.
    ///
    /// # Errors
    /// When there is no answer. An answer with any status is one.
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>>;

    /// Sends a request whose body is made while it is sent. A transport that does not say how gathers the body first.
    ///
    /// # Errors
    /// Those of [`send`](Self::send), and when the body cannot be made.
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

    /// Whether requests are to have a [`TypedRequest`] among their extensions.
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

#[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
type DefaultTransport = Http;

#[cfg(all(feature = "reqwest", any(not(feature = "sockets"), target_arch = "wasm32")))]
type DefaultTransport = Reqwest;

/// Creates the transport that is used unless another one is set: without a proxy for what is on this machine. None
/// where no feature adds one.
#[cfg(any(all(feature = "sockets", not(target_arch = "wasm32")), feature = "reqwest"))]
pub(crate) fn default_transport(is_local: bool) -> Option<Result<Arc<dyn Transport>, TransportError>> {
    let created = if is_local { DefaultTransport::without_proxy() } else { DefaultTransport::new() };
    Some(created.map(|transport| Arc::new(transport) as Arc<dyn Transport>))
}

/// Returns no transport: no feature adds one.
#[cfg(not(any(all(feature = "sockets", not(target_arch = "wasm32")), feature = "reqwest")))]
pub(crate) fn default_transport(_is_local: bool) -> Option<Result<Arc<dyn Transport>, TransportError>> {
    None
}

/// The value that a request was made from, of the type that implements [`Request`](crate::Request). It stands in
/// the extensions of a request whose transport [wants it](Transport::wants_typed).
#[derive(Clone)]
pub struct TypedRequest(Arc<dyn Any + Send + Sync>);

impl TypedRequest {
    /// With that value.
    pub fn new(value: impl Any + Send + Sync) -> Self {
        Self(Arc::new(value))
    }

    /// The value, if it is of that type.
    #[must_use]
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

/// The value may hold what nobody should read in a log.
impl fmt::Debug for TypedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TypedRequest(…)")
    }
}

/// Returns `Pending`, and has the task polled again after others, and after timers.
#[cfg(not(target_arch = "wasm32"))]
fn yield_now<T>(context: &mut Context<'_>) -> Poll<T> {
    // A waker alone would not do: a task that wakes itself is polled many times before tokio looks at timers.
    let _ = std::pin::pin!(tokio::task::yield_now()).poll(context);
    Poll::Pending
}

/// Returns `Pending`, and has the task polled again after others.
#[cfg(target_arch = "wasm32")]
fn yield_now<T>(context: &mut Context<'_>) -> Poll<T> {
    context.waker().wake_by_ref();
    Poll::Pending
}
