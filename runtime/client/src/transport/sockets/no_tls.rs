//! Connections without the feature `tls`: `https` URLs are refused.

use std::task::{Context, Poll};

use http::Uri;
use http::uri::Scheme;
use tower_service::Service;

use crate::transport::{BoxError, BoxFuture, TransportError};

/// Connector that refuses `https` URLs, and leaves the others to another one.
#[derive(Clone)]
pub(super) struct TlsConnector<S>(S);

impl<S> Service<Uri> for TlsConnector<S>
where
    S: Service<Uri, Error: Into<BoxError>, Future: Send + 'static>,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<S::Response, BoxError>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.0.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        if target.scheme() == Some(&Scheme::HTTPS) {
            let message = "`https` needs the feature `tls` of the client, which is not enabled";
            return Box::pin(async move { Err(message.into()) });
        }
        let connecting = self.0.call(target);
        Box::pin(async move { connecting.await.map_err(Into::into) })
    }
}

/// Versions of HTTP that are offered to a server: without TLS none is negotiated.
#[derive(Clone, Copy)]
pub(super) enum Protocols {
    Http1,
    All,
}

/// Stands for the configuration of TLS.
#[derive(Clone)]
pub(super) struct Tls;

impl Tls {
    /// Never fails: there is nothing to configure.
    #[expect(clippy::unnecessary_wraps, reason = "with TLS it can fail")]
    pub(super) fn new() -> Result<Self, TransportError> {
        Ok(Self)
    }

    /// Refuses `https` URLs, and leaves the others to the connector.
    #[expect(clippy::unused_self, reason = "with TLS there is a configuration")]
    pub(super) fn over<S>(&self, connector: S, _protocols: Protocols) -> TlsConnector<S> {
        TlsConnector(connector)
    }
}
