//! Transports as tower services.

use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::Body;
use http_body_util::BodyExt as _;
use tower_service::Service;

use super::{BoxError, BoxFuture, RequestBody, ResponseBody, Transport, TransportError, TransportErrorKind};

/// Transport as a tower service, so that layers can wrap it; [`ServiceTransport`](super::ServiceTransport) makes a
/// transport of the result. It is always ready and cheap to clone.
#[derive(Clone)]
pub struct TransportService(Arc<dyn Transport>);

impl TransportService {
    /// Wraps a transport.
    pub fn new(transport: impl Transport) -> Self {
        Self(Arc::new(transport))
    }
}

impl Transport for TransportService {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        self.0.send(request)
    }

    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        self.0.send_body(request)
    }

    fn wants_typed(&self) -> bool {
        self.0.wants_typed()
    }
}

impl fmt::Debug for TransportService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TransportService(…)")
    }
}

/// Sends a request whose body a layer may have replaced.
async fn send<B>(
    transport: Arc<dyn Transport>,
    request: http::Request<B>,
) -> Result<http::Response<ResponseBody>, TransportError>
where
    B: Body<Data: Send, Error: Into<BoxError>>,
{
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(|error| TransportError::new(TransportErrorKind::Refused, error))?;
    transport.send(http::Request::from_parts(head, body.to_bytes())).await
}

#[cfg(not(target_arch = "wasm32"))]
impl<B> Service<http::Request<B>> for TransportService
where
    B: Body<Data: Send, Error: Into<BoxError>> + Send + 'static,
{
    type Response = http::Response<ResponseBody>;
    type Error = TransportError;
    type Future = BoxFuture<'static, Result<Self::Response, TransportError>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        Box::pin(send(Arc::clone(&self.0), request))
    }
}

#[cfg(target_arch = "wasm32")]
impl<B> Service<http::Request<B>> for TransportService
where
    B: Body<Data: Send, Error: Into<BoxError>> + 'static,
{
    type Response = http::Response<ResponseBody>;
    type Error = TransportError;
    type Future = BoxFuture<'static, Result<Self::Response, TransportError>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        Box::pin(send(Arc::clone(&self.0), request))
    }
}
