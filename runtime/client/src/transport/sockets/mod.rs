//! HTTP over sockets, with limits on what a server may make the client read.

mod connector;
mod exchanges;
mod interim;
mod limited_socket;
#[cfg(not(feature = "tls"))]
mod no_tls;
#[cfg(test)]
mod tests;
#[cfg(feature = "tls")]
mod tls;

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::header::PROXY_AUTHORIZATION;
use http::uri::Scheme;
use http_body_util::{Either, Full};
use hyper_util::client::legacy::{Client, Error};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tower_http::decompression::Decompression;
use tower_service::Service as _;

use self::connector::Connector;
#[cfg(feature = "oauth")]
pub(crate) use self::connector::token_client;
use self::exchanges::Assignment;
pub(super) use self::exchanges::ExchangeGuard;
pub(super) use self::interim::InterimLimit;
#[cfg(not(feature = "tls"))]
use self::no_tls as tls;
use super::{BoxFuture, RequestBody, ResponseBody, Transport, TransportError, TransportErrorKind};

/// Maximum size of the head of a response over HTTP/1, and of a single read, in bytes.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Maximum number of header fields of a response over HTTP/1.
const MAX_HEADERS: usize = 100;

/// Body of a request, in memory or streamed.
type Body = Either<Full<Bytes>, RequestBody>;

/// Transport for HTTP/1.1 and HTTP/2 over sockets, with gzip, and with TLS if the feature `tls` is enabled: without it,
/// `https` URLs are refused. It keeps connections; clones share them.
///
/// Unencrypted requests to this machine never go through a proxy: their content must not leave it.
///
/// # Limits
///
/// However fast a server sends, a connection yields to other tasks after each 256 KiB, so that timeouts of calls fire
/// on time on any runtime. An exchange fails with [`TransportErrorKind::Limit`] when the server sends more than 100
/// interim responses (1xx) over HTTP/1, and as broken when the head of the response exceeds 64 KiB or 100 header fields
/// over HTTP/1, or 16 KiB over HTTP/2. A connection must be established within 10 seconds, and is closed when the
/// server sends more than 8 MiB on it while no exchange of that connection is under way.
#[derive(Clone)]
pub struct Http {
    client: Decompression<Client<Connector, Body>>,
    proxies: Option<Arc<Matcher>>,
}

impl Http {
    /// Creates a transport that uses the proxy of the environment or the system, if there is one.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub fn new() -> Result<Self, TransportError> {
        Self::with_proxies(Some(Arc::new(Matcher::from_system())))
    }

    /// Creates a transport that uses no proxy.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub fn without_proxy() -> Result<Self, TransportError> {
        Self::with_proxies(None)
    }

    /// Creates a transport that connects through these proxies, if any.
    fn with_proxies(proxies: Option<Arc<Matcher>>) -> Result<Self, TransportError> {
        let connector = Connector::new(proxies.clone())?;
        let client = Client::builder(TokioExecutor::new())
            .timer(TokioTimer::new())
            .pool_timer(TokioTimer::new())
            .http1_max_buf_size(MAX_HEAD_BYTES)
            .http1_max_headers(MAX_HEADERS)
            .build(connector);
        Ok(Self { client: Decompression::new(client), proxies })
    }

    /// Sends a request, also with the credentials of a proxy, and returns the response with its body unread.
    fn exchange(
        &self,
        mut request: http::Request<Body>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        let mut client = self.client.clone();
        Box::pin(async move {
            self.authorize_at_proxy(&mut request);
            let interim = InterimLimit::observe(&mut request);
            let assignment = Assignment::observe(&mut request);
            let exchange = interim.limit(async { client.call(request).await.map_err(convert_error) });
            let (response, ongoing) = assignment.track(exchange).await;
            Ok(response?.map(|body| ResponseBody::new(body).with_exchange(ongoing)))
        })
    }

    /// Adds the credentials for a proxy that reads the request. A proxy that tunnels TLS gets them with `CONNECT`.
    fn authorize_at_proxy(&self, request: &mut http::Request<Body>) {
        if request.uri().scheme() == Some(&Scheme::HTTP)
            && let Some(proxies) = &self.proxies
            && let Some(proxy) = connector::find_proxy(proxies, request.uri())
            && let Some(credentials) = proxy.basic_auth()
        {
            request.headers_mut().insert(PROXY_AUTHORIZATION, credentials.clone());
        }
    }
}

impl Transport for Http {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        self.exchange(request.map(|body| Either::Left(Full::new(body))))
    }

    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        self.exchange(request.map(Either::Right))
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").field("proxies", &self.proxies).finish_non_exhaustive()
    }
}

/// Converts an error; its kind is `Connect` if no connection was established, else `Broken`.
fn convert_error(error: Error) -> TransportError {
    let kind = if error.is_connect() { TransportErrorKind::Connect } else { TransportErrorKind::Broken };
    TransportError::new(kind, error)
}
