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
pub struct Tower<S> {
    /// A service need not be `Sync`. The lock is held only while the service is cloned.
    service: Mutex<S>,
    /// True if responses may come from another process.
    is_remote: bool,
}

impl<S: Clone> Tower<S> {
    /// Wraps a service.
    pub fn new(service: S) -> Self {
        Self { service: Mutex::new(service), is_remote: true }
    }

    fn service(&self) -> S {
        self.service.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Wraps a server in this process, for example an `axum::Router`, which requests reach without a socket.
pub fn in_process<S: Clone>(server: S) -> Tower<S> {
    Tower { is_remote: false, ..Tower::new(server) }
}

impl<S: Clone> Clone for Tower<S> {
    fn clone(&self) -> Self {
        Self { is_remote: self.is_remote, ..Self::new(self.service()) }
    }
}

impl<S> fmt::Debug for Tower<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tower(…)")
    }
}

fn failed(error: impl Into<BoxError>) -> TransportError {
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
async fn ask<S, B>(mut service: S, request: http::Request<Full<Bytes>>) -> Result<http::Response<B>, TransportError>
where
    S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>, Error: Into<BoxError>>,
{
    std::future::poll_fn(|context| service.poll_ready(context)).await.map_err(failed)?;
    service.call(request).await.map_err(failed)
}

/// Calls a service whose responses come from another process.
#[cfg(all(feature = "sockets", not(target_arch = "wasm32")))]
async fn ask_remote<S, B>(
    service: S,
    mut request: http::Request<Full<Bytes>>,
) -> Result<http::Response<B>, TransportError>
where
    S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>, Error: Into<BoxError>>,
{
    let interim = super::sockets::Interim::observe(&mut request);
    interim.limit(ask(service, request)).await
}

#[cfg(all(not(feature = "sockets"), not(target_arch = "wasm32")))]
use ask as ask_remote;

#[cfg(not(target_arch = "wasm32"))]
impl<S, B> Transport for Tower<S>
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
            let response = if is_remote { ask_remote(service, request).await } else { ask(service, request).await };
            Ok(response?.map(ResponseBody::new))
        })
    }
}

#[cfg(target_arch = "wasm32")]
impl<S, B> Transport for Tower<S>
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
        Box::pin(async move { Ok(ask(service, request.map(Full::new)).await?.map(ResponseBody::new)) })
    }
}
