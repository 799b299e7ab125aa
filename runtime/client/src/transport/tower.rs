//! Services as transports.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use bytes::{Buf, Bytes};
use http_body::Body;
use http_body_util::Full;
use tower_service::Service;

use super::{BoxError, BoxFuture, ResponseBody, Transport, TransportError, TransportErrorKind};

/// A service as a transport: a client wrapped in layers, or a server in this process.
///
/// Each request goes to a clone of the service. Errors of the service count as broken connections, unless they
/// are a [`TransportError`].
pub struct Tower<S> {
    /// A service need not be usable from two threads at once; it is held only while it is cloned.
    service: Mutex<S>,
}

impl<S: Clone> Tower<S> {
    /// That service.
    pub fn new(service: S) -> Self {
        Self { service: Mutex::new(service) }
    }

    fn service(&self) -> S {
        self.service.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A server in this process, for example an `axum::Router`: requests reach it without a socket.
pub fn in_process<S: Clone>(server: S) -> Tower<S> {
    Tower::new(server)
}

impl<S: Clone> Clone for Tower<S> {
    fn clone(&self) -> Self {
        Self::new(self.service())
    }
}

impl<S> fmt::Debug for Tower<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tower(…)")
    }
}

fn failed(error: impl Into<BoxError>) -> TransportError {
    let error = error.into();
    // The address that such an error shows may hold the key of an API.
    #[cfg(feature = "reqwest")]
    let error = match error.downcast::<reqwest::Error>() {
        Ok(error) => BoxError::from(error.without_url()),
        Err(error) => error,
    };
    TransportError::new(TransportErrorKind::Broken, error)
}

/// Asks a clone of a service.
async fn ask<S, B>(mut service: S, request: http::Request<Bytes>) -> Result<http::Response<B>, TransportError>
where
    S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>, Error: Into<BoxError>>,
{
    std::future::poll_fn(|context| service.poll_ready(context)).await.map_err(failed)?;
    service.call(request.map(Full::new)).await.map_err(failed)
}

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
        let service = self.service();
        Box::pin(async move { Ok(ask(service, request).await?.map(ResponseBody::new)) })
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
        Box::pin(async move { Ok(ask(service, request).await?.map(ResponseBody::new)) })
    }
}
