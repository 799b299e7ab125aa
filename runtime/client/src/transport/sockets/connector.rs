//! Connections to servers, also through proxies.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use http::uri::Scheme;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioIo;
use tower_service::Service;

use super::limited_socket::{ConnectionLimits, LimitedSocket};
use super::tls::{Protocols, Tls, TlsConnector};
use crate::transport::{BoxError, BoxFuture, TransportError};

/// Maximum time for a connection to be established, with TLS and through a proxy.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Time after which a silent connection is probed, and between two probes.
const KEEPALIVE: Duration = Duration::from_secs(15);

/// Number of probes without a response after which a connection is closed.
const KEEPALIVE_RETRIES: u32 = 3;

/// Creates connections.
#[derive(Clone)]
pub(crate) struct Connector {
    sockets: SocketConnector,
    tls: Tls,
    direct: TlsConnector<SocketConnector>,
    proxies: Option<Arc<Matcher>>,
}

impl Connector {
    /// Creates a connector that uses these proxies.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub(super) fn new(proxies: Option<Arc<Matcher>>) -> Result<Self, TransportError> {
        Self::with_sockets(proxies, SocketConnector { tcp: tcp_connector(), lifetime: None })
    }

    /// Creates a connector with these proxies and sockets; an error if TLS cannot be configured.
    fn with_sockets(proxies: Option<Arc<Matcher>>, sockets: SocketConnector) -> Result<Self, TransportError> {
        let tls = Tls::new()?;
        let direct = tls.over(sockets.clone(), Protocols::All);
        Ok(Self { sockets, tls, direct, proxies })
    }

    /// Connects to the host of a URL: directly, through a proxy, or for `https` through a tunnel of the proxy.
    async fn connect(mut self, target: Uri) -> Result<Stream, BoxError> {
        let Some(proxy) = self.proxies.as_deref().and_then(|proxies| find_proxy(proxies, &target)) else {
            return Ok(Stream::new(self.direct.call(target).await?, false));
        };
        // A tunnel begins with HTTP/1, so nothing else is negotiated with the proxy.
        let mut to_proxy = self.tls.over(self.sockets, Protocols::Http1);
        if !matches!(proxy.uri().scheme_str(), Some("http" | "https")) {
            let scheme = proxy.uri().scheme_str().unwrap_or_default();
            return Err(format!("unsupported proxy scheme `{scheme}`: expected `http` or `https`").into());
        }
        if target.scheme() != Some(&Scheme::HTTPS) {
            return Ok(Stream::new(to_proxy.call(proxy.uri().clone()).await?, true));
        }
        let mut tunnel = Tunnel::new(proxy.uri().clone(), to_proxy);
        if let Some(credentials) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(credentials.clone());
        }
        Ok(Stream::new(self.tls.over(tunnel, Protocols::All).call(target).await?, false))
    }
}

impl Service<Uri> for Connector {
    type Response = Stream;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Stream, BoxError>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        let connecting = self.clone().connect(target);
        Box::pin(async move {
            let late = |_| BoxError::from(format!("no connection within {} s", CONNECT_TIMEOUT.as_secs()));
            tokio::time::timeout(CONNECT_TIMEOUT, connecting).await.map_err(late)?
        })
    }
}

/// Returns the proxy for a request to the URI.
pub(super) fn find_proxy(proxies: &Matcher, target: &Uri) -> Option<Intercept> {
    let is_local = || target.host().is_some_and(crate::host::is_loopback_host);
    if target.scheme() == Some(&Scheme::HTTP) && is_local() { None } else { proxies.intercept(target) }
}

/// Returns a connector of TCP sockets without delay of small packets and with keepalive.
fn tcp_connector() -> HttpConnector {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_keepalive(Some(KEEPALIVE));
    tcp.set_keepalive_interval(Some(KEEPALIVE));
    tcp.set_keepalive_retries(Some(KEEPALIVE_RETRIES));
    tcp
}

/// Creates guarded sockets.
#[derive(Clone)]
struct SocketConnector {
    tcp: HttpConnector,
    lifetime: Option<ConnectionLimits>,
}

impl Service<Uri> for SocketConnector {
    type Response = TokioIo<LimitedSocket>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<TokioIo<LimitedSocket>, BoxError>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.tcp.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        let (connecting, lifetime) = (self.tcp.call(target), self.lifetime);
        Box::pin(async move { Ok(TokioIo::new(LimitedSocket::new(connecting.await?.into_inner(), lifetime))) })
    }
}

/// Connection of any type that hyper reads and writes.
trait Io: Read + Write + Connection + Send + Unpin {}

impl<T: Read + Write + Connection + Send + Unpin> Io for T {}

/// Connection to a server or to a proxy.
pub(crate) struct Stream {
    io: Box<dyn Io>,
    /// True if requests on it are read by a proxy.
    is_proxied: bool,
}

impl Stream {
    fn new(io: impl Io + 'static, is_proxied: bool) -> Self {
        Self { io: Box::new(io), is_proxied }
    }
}

impl Read for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl Write for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        self.io.connected().proxy(self.is_proxied)
    }
}

/// Limits on a connection to a token server, whose responses are small and quick.
#[cfg(feature = "oauth")]
const TOKEN_SERVER_LIMITS: ConnectionLimits = ConnectionLimits { bytes: 256 * 1024, time: Duration::from_secs(30) };

/// Creates a client for requests to token servers, which keeps no connections.
///
/// # Errors
/// Returns an error if TLS cannot be set up.
#[cfg(feature = "oauth")]
pub(crate) fn token_client() -> Result<hyper_util::client::legacy::Client<Connector, String>, TransportError> {
    // The lifetime is a sufficient limit, so exchanges are not counted.
    let sockets = SocketConnector { tcp: tcp_connector(), lifetime: Some(TOKEN_SERVER_LIMITS) };
    let connector = Connector::with_sockets(Some(Arc::new(Matcher::from_system())), sockets)?;
    let mut builder = hyper_util::client::legacy::Client::builder(hyper_util::rt::TokioExecutor::new());
    Ok(builder.pool_max_idle_per_host(0).http1_max_buf_size(super::MAX_HEAD_BYTES).build(connector))
}
