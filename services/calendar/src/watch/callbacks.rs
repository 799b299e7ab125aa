//! Requests to the URLs of channels.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use calendar_server::runtime::axum::body::Body;
use calendar_server::runtime::axum::http::{HeaderValue, Request, Uri, header};
use hyper::client::conn::http1;
use hyper::ext::on_informational;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{Notify, OnceCell};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::resolve::{Resolver, SystemResolver};
use super::url::{Host, Target, UrlError};

/// Timeout of resolving a name when a channel is opened.
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(3);
/// Timeout of connecting to one address of a host.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);
/// Timeout of an attempt, from name resolution to the status of the response.
pub(super) const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a status line with headers, in bytes. The body of a response is not read.
const MAX_HEAD_BYTES: usize = 16 << 10;
/// Value of the header `User-Agent` in notifications.
const USER_AGENT_VALUE: &str = concat!("wireform-calendar/", env!("CARGO_PKG_VERSION"));

/// Client for requests to the URLs of channels: only to the public network, only to the checked address, and without
/// following redirects.
#[derive(Clone, Debug)]
pub struct CallbackClient {
    loopback: bool,
    resolver: Arc<dyn Resolver>,
    tls: Arc<OnceCell<Arc<ClientConfig>>>,
}

impl Default for CallbackClient {
    /// Trusts the system's certificates, or those in the file `SSL_CERT_FILE`.
    fn default() -> Self {
        Self { loopback: false, resolver: Arc::new(SystemResolver::default()), tls: Arc::default() }
    }
}

/// Reason why a request has no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PostError {
    /// The URL is not allowed.
    Url(UrlError),
    /// The host name cannot be resolved.
    Unresolved,
    /// The connection failed.
    Connect,
    /// The TLS handshake failed, or the certificate is not trusted.
    Tls,
    /// The connection was closed, or the response is invalid.
    InvalidResponse,
    /// The timeout has expired.
    Timeout,
}

impl fmt::Display for PostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url(error) => return error.fmt(f),
            Self::Unresolved => "the host cannot be resolved",
            Self::Connect => "the host cannot be reached",
            Self::Tls => "the TLS connection is not trusted",
            Self::InvalidResponse => "the connection was lost",
            Self::Timeout => "the response took too long",
        })
    }
}

impl std::error::Error for PostError {}

impl CallbackClient {
    /// Allows URLs of this machine, even without TLS: for tests, and for receivers on the same machine.
    #[must_use]
    pub fn with_loopback(mut self, allowed: bool) -> Self {
        self.loopback = allowed;
        self
    }

    /// Sets the resolver, instead of that of the system.
    #[must_use]
    pub fn with_resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.resolver = Arc::new(resolver);
        self
    }

    /// Sets the TLS configuration, instead of the system's certificates.
    #[must_use]
    pub fn with_tls(mut self, config: Arc<ClientConfig>) -> Self {
        self.tls = Arc::new(OnceCell::new_with(Some(config)));
        self
    }

    /// Checks a URL and the current addresses of its host. A host that cannot be resolved now may be later.
    pub(super) async fn check_url(&self, address: &str) -> Result<(), UrlError> {
        let target = Target::parse(address, self.loopback)?;
        match timeout(RESOLVE_TIMEOUT, self.addresses(&target)).await {
            Ok(Err(PostError::Url(error))) => Err(error),
            _ => Ok(()),
        }
    }

    /// Sends a request and returns the status of its response.
    ///
    /// # Errors
    /// Returns an error if there is no response.
    pub async fn post(&self, request: Request<Body>) -> Result<u16, PostError> {
        timeout(ATTEMPT_TIMEOUT, self.exchange(request)).await.unwrap_or(Err(PostError::Timeout))
    }

    /// Checks the URL of a request, connects to its host, and sends the request. Returns the status of the response.
    async fn exchange(&self, mut request: Request<Body>) -> Result<u16, PostError> {
        let target = Target::parse(&request.uri().to_string(), self.loopback).map_err(PostError::Url)?;
        let stream = self.connect(&target).await?;
        to_origin_form(&mut request, &target).ok_or(PostError::Url(UrlError::Malformed))?;
        if !target.tls {
            return send(stream, request).await;
        }
        let name = match &target.host {
            Host::Ip(ip) => ServerName::from(*ip),
            Host::Name(name) => ServerName::try_from(name.clone()).map_err(|_| PostError::Tls)?,
        };
        let config = self.tls.get_or_try_init(system_tls_config).await?;
        let stream = TlsConnector::from(Arc::clone(config)).connect(name, stream).await;
        send(stream.map_err(|_| PostError::Tls)?, request).await
    }

    /// Returns the addresses of a host. All of them must be allowed: which one is used must not be left to chance.
    async fn addresses(&self, target: &Target) -> Result<Vec<SocketAddr>, PostError> {
        let found = match &target.host {
            Host::Ip(ip) => vec![SocketAddr::new(*ip, target.port)],
            Host::Name(name) => self.resolver.resolve(name, target.port).await.map_err(|_| PostError::Unresolved)?,
        };
        if !found.iter().all(|address| target.admits(address.ip(), self.loopback)) {
            return Err(PostError::Url(UrlError::NotPublic));
        }
        Ok(found)
    }

    /// Connects to one of the checked addresses, and to no other.
    async fn connect(&self, target: &Target) -> Result<TcpStream, PostError> {
        let addresses = self.addresses(target).await?;
        if addresses.is_empty() {
            return Err(PostError::Unresolved);
        }
        for address in addresses {
            if let Ok(Ok(stream)) = timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await {
                return Ok(stream);
            }
        }
        Err(PostError::Connect)
    }
}

/// Converts a request to origin form, as there is no proxy.
fn to_origin_form(request: &mut Request<Body>, target: &Target) -> Option<()> {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
    *request.uri_mut() = path.parse::<Uri>().ok()?;
    let headers = request.headers_mut();
    headers.insert(header::HOST, HeaderValue::from_str(&target.authority()).ok()?);
    headers.insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT_VALUE));
    headers.insert(header::ACCEPT, HeaderValue::from_static("*/*"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    Some(())
}

/// Sends a request on a connection of its own. Status 102 is an early acknowledgement before the response.
async fn send<T>(stream: T, mut request: Request<Body>) -> Result<u16, PostError>
where
    T: AsyncRead + AsyncWrite + Unpin,
{
    let promised = Arc::new(Notify::new());
    let promise = Arc::clone(&promised);
    on_informational(&mut request, move |response| {
        if response.status().as_u16() == 102 {
            promise.notify_one();
        }
    });
    let connection = http1::Builder::new().max_buf_size(MAX_HEAD_BYTES).handshake(TokioIo::new(stream));
    let (mut sender, connection) = connection.await.map_err(|_| PostError::InvalidResponse)?;
    let mut connection = pin!(connection);
    let mut response = pin!(sender.send_request(request));
    let response = tokio::select! {
        biased;
        response = &mut response => response,
        () = promised.notified() => return Ok(102),
        _ = &mut connection => response.await,
    };
    response.map(|response| response.status().as_u16()).map_err(|_| PostError::InvalidResponse)
}

/// Returns a configuration with the system's certificates, loaded on a blocking thread.
async fn system_tls_config() -> Result<Arc<ClientConfig>, PostError> {
    let read = || {
        let mut roots = RootCertStore::empty();
        let (known, _) = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if known == 0 {
            tracing::warn!(
                "no trusted certificates found, so no notification can be sent; help: install the \
                 package ca-certificates, or set SSL_CERT_FILE to a file of certificates"
            );
            return Err(io::Error::other("no certificates"));
        }
        let provider = rustls::crypto::aws_lc_rs::default_provider().into();
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        Ok(config.map_err(io::Error::other)?.with_root_certificates(roots).with_no_client_auth())
    };
    let read: Result<Result<ClientConfig, io::Error>, _> = tokio::task::spawn_blocking(read).await;
    read.ok().and_then(Result::ok).map(Arc::new).ok_or(PostError::Tls)
}
