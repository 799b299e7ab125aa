//! Tower services as transports.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use bytes::{Buf, Bytes};
use http_body::Body;
use http_body_util::Full;
use tower_service::Service;

use super::{BoxError, BoxFuture, ResponseBody, Transport, TransportError, TransportErrorKind};

/// Tower service as a transport: a client wrapped in layers, or a server in this process.
///
/// Each request is sent to a clone of the service. Errors of the service count as broken connections, unless they are a
/// [`TransportError`].
///
/// If the service passes the extensions of requests on to hyper, as clients of `hyper-util` do, and the feature
/// `sockets` is enabled, an exchange fails after more than 100 interim responses. The sockets belong to the service:
/// one that hyper reads at its own pace can delay timers, see [`Http`](super::Http).
pub struct ServiceTransport<S> {
    /// A service need not be `Sync`. The lock is held only while the service is cloned.
    service: Mutex<S>,
    /// True if responses may come from another process.
    is_remote: bool,
}

impl<S: Clone> ServiceTransport<S> {
    /// Wraps a service.
    pub fn new(service: S) -> Self {
        Self { service: Mutex::new(service), is_remote: true }
    }

    /// Returns a clone of the service: each request is sent by its own.
    fn service(&self) -> S {
        self.service.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Wraps a server in this process, for example an `axum::Router`, which requests reach without a socket.
pub fn in_process<S: Clone>(server: S) -> ServiceTransport<S> {
    ServiceTransport { is_remote: false, ..ServiceTransport::new(server) }
}

impl<S: Clone> Clone for ServiceTransport<S> {
    fn clone(&self) -> Self {
        Self { is_remote: self.is_remote, ..Self::new(self.service()) }
    }
}

impl<S> fmt::Debug for ServiceTransport<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServiceTransport(…)")
    }
}

/// Converts an error of the service, and removes the URL if `reqwest` caused it.
fn convert_error(error: impl Into<BoxError>) -> TransportError {
    let error = error.into();
    // The URL in such an error may hold an API key.
    #[cfg(feature = "reqwest")]
    let error = match error.downcast::<reqwest::Error>() {
        Ok(error) => BoxError::from(error.without_url()),
        Err(error) => error,
    };
    TransportError::new(TransportErrorKind::Broken, error)
}

/// Calls a clone of a service.
async fn call_service<S, B>(
    mut service: S,
    request: http::Request<Full<Bytes>>,
) -> Result<http::Response<B>, TransportError>
where
    S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>, Error: Into<BoxError>>,
{
    std::future::poll_fn(|context| service.poll_ready(context)).await.map_err(convert_error)?;
    service.call(request).await.map_err(convert_error)
}

/// Calls a service whose responses come from another process.
#[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
async fn call_remote_service<S, B>(
    service: S,
    mut request: http::Request<Full<Bytes>>,
) -> Result<http::Response<B>, TransportError>
where
    S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>, Error: Into<BoxError>>,
{
    let interim = super::sockets::InterimLimit::observe(&mut request);
    interim.limit(call_service(service, request)).await
}

#[cfg(all(not(feature = "sockets"), not(target_arch = "wasm32")))]
use call_service as call_remote_service;

#[cfg(not(target_arch = "wasm32"))]
impl<S, B> Transport for ServiceTransport<S>
where
    S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>> + Clone + Send + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
    B: Body<Data: Buf, Error: Into<BoxError>> + Send + 'static,
{
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        let (service, is_remote) = (self.service(), self.is_remote);
        let request = request.map(Full::new);
        Box::pin(async move {
            let response = if is_remote {
                call_remote_service(service, request).await
            } else {
                call_service(service, request).await
            };
            Ok(response?.map(ResponseBody::new))
        })
    }
}

#[cfg(target_arch = "wasm32")]
impl<S, B> Transport for ServiceTransport<S>
where
    S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>> + Clone + Send + 'static,
    S::Error: Into<BoxError>,
    B: Body<Data: Buf, Error: Into<BoxError>> + 'static,
{
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        let service = self.service();
        Box::pin(async move { Ok(call_service(service, request.map(Full::new)).await?.map(ResponseBody::new)) })
    }
}
