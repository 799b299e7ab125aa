//! HTTP with the crate reqwest; in a browser, with `fetch`.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;

#[cfg(not(target_arch = "wasm32"))]
use super::RequestBody;
use super::{BoxFuture, ResponseBody, Transport, TransportError, TransportErrorKind};

/// Maximum time to establish a connection.
#[cfg(not(target_arch = "wasm32"))]
const CONNECT_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);

/// Transport with [`reqwest`]. It keeps connections; clones share them.
///
/// Outside of browsers, prefer `Http` of the feature `sockets`, which is the default: reqwest hides its sockets, so a
/// server that sends faster than responses are parsed can delay the timeouts of calls by seconds, for example with
/// endless interim responses. Interim responses are not limited here.
///
/// Unencrypted requests to this machine never go through a proxy, because their content must not leave it. For a client
/// that the caller created ([`from_client`](Self::from_client)), its own settings apply.
#[derive(Clone, Debug)]
pub struct Reqwest {
    client: reqwest::Client,
    /// Client for requests to this machine, created for the first one; `None` if the caller created the client.
    direct: Option<Arc<OnceLock<Option<reqwest::Client>>>>,
}

impl Reqwest {
    /// Creates a transport with its own connections, through the proxy of the environment if there is one.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub fn new() -> Result<Self, TransportError> {
        let client = builder().build().map_err(convert_error)?;
        Ok(Self { client, direct: Some(Arc::default()) })
    }

    /// Creates a transport with its own connections that uses no proxy.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub fn without_proxy() -> Result<Self, TransportError> {
        without_proxy().build().map(Self::from_client).map_err(convert_error)
    }

    /// Wraps an existing client. It should neither follow redirects nor retry: this crate does both where that is
    /// harmless.
    #[must_use]
    pub fn from_client(client: reqwest::Client) -> Self {
        Self { client, direct: None }
    }

    /// Returns the client for requests to a URL.
    fn client(&self, address: &http::Uri) -> Result<&reqwest::Client, TransportError> {
        let local = address.scheme_str() == Some("http") && address.host().is_some_and(crate::host::is_loopback_host);
        let Some(direct) = self.direct.as_ref().filter(|_| local) else { return Ok(&self.client) };
        let made = direct.get_or_init(|| without_proxy().build().ok());
        let refused = || TransportError::new(TransportErrorKind::Refused, "cannot create a client without a proxy");
        made.as_ref().ok_or_else(refused)
    }
}

/// Creates a builder. In a browser, the browser decides about proxies.
fn without_proxy() -> reqwest::ClientBuilder {
    #[cfg(not(target_arch = "wasm32"))]
    let builder = builder().no_proxy();
    #[cfg(target_arch = "wasm32")]
    let builder = builder();
    builder
}

/// Returns a builder of clients that neither follow redirects nor retry: this crate does both.
#[cfg(not(target_arch = "wasm32"))]
fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
}

/// Returns a builder of clients; in browsers there is nothing to configure.
#[cfg(target_arch = "wasm32")]
fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
}

impl Transport for Reqwest {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        Box::pin(async move {
            let client = self.client(request.uri())?;
            let request = reqwest::Request::try_from(request).map_err(convert_error)?;
            let response = client.execute(request).await.map_err(convert_error)?;
            convert_response(response).await
        })
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        Box::pin(async move {
            let client = self.client(request.uri())?;
            let request = reqwest::Request::try_from(request.map(reqwest::Body::wrap)).map_err(convert_error)?;
            let response = client.execute(request).await.map_err(convert_error)?;
            convert_response(response).await
        })
    }
}

/// Converts a response; its body is not read yet.
#[cfg(not(target_arch = "wasm32"))]
async fn convert_response(response: reqwest::Response) -> Result<http::Response<ResponseBody>, TransportError> {
    let response: http::Response<reqwest::Body> = response.into();
    Ok(response.map(|body| ResponseBody::with_errors(body, convert_error)))
}

/// Converts a response after reading its whole body.
#[cfg(target_arch = "wasm32")]
async fn convert_response(response: reqwest::Response) -> Result<http::Response<ResponseBody>, TransportError> {
    let (status, headers) = (response.status(), response.headers().clone());
    let mut converted = http::Response::new(ResponseBody::from(response.bytes().await.map_err(convert_error)?));
    *converted.status_mut() = status;
    *converted.headers_mut() = headers;
    Ok(converted)
}

/// Converts an error by its kind, and removes the URL from it.
fn convert_error(error: reqwest::Error) -> TransportError {
    let kind = if error.is_timeout() {
        TransportErrorKind::Timeout
    } else if is_connect(&error) {
        TransportErrorKind::Connect
    } else if error.is_builder() {
        TransportErrorKind::Refused
    } else {
        TransportErrorKind::Broken
    };
    // The query of the URL may hold an API key.
    TransportError::new(kind, error.without_url())
}

/// Returns whether the connection could not be established.
#[cfg(not(target_arch = "wasm32"))]
fn is_connect(error: &reqwest::Error) -> bool {
    error.is_connect()
}

/// Returns false: browsers do not report why a connection failed.
#[cfg(target_arch = "wasm32")]
fn is_connect(_error: &reqwest::Error) -> bool {
    false
}
