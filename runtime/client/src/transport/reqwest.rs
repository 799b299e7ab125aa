//! HTTP by the crate reqwest; in a browser, `fetch`.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;

#[cfg(not(target_arch = "wasm32"))]
use super::RequestBody;
use super::{BoxFuture, ResponseBody, Transport, TransportError, TransportErrorKind};

/// How long a connection may take to be made.
#[cfg(not(target_arch = "wasm32"))]
const CONNECT_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);

/// HTTP by [`reqwest`]. It keeps connections; clones share them.
///
/// Outside of browsers, prefer `Http` of the feature `sockets`, which is the default: reqwest hides its sockets, so a
/// server that sends faster than responses are parsed can delay the time-outs of calls by seconds, for example by
/// interim responses without an end. Interim responses are not limited here.
///
/// Requests to this machine without encryption never go through a proxy: what they hold is meant for nobody else.
#[derive(Clone, Debug)]
pub struct Reqwest {
    client: reqwest::Client,
    /// For requests to this machine, made when the first is sent; none where the caller made the client.
    direct: Option<Arc<OnceLock<Option<reqwest::Client>>>>,
}

impl Reqwest {
    /// A transport with connections of its own, through the proxy of the environment where there is one.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new() -> Result<Self, TransportError> {
        let client = builder().build().map_err(failed)?;
        Ok(Self { client, direct: Some(Arc::default()) })
    }

    /// A transport with connections of its own that asks no proxy.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn without_proxy() -> Result<Self, TransportError> {
        without_proxy().build().map(Self::from_client).map_err(failed)
    }

    /// With a client made elsewhere. It should follow no redirects and send nothing again: this crate does both,
    /// where that is harmless.
    #[must_use]
    pub fn from_client(client: reqwest::Client) -> Self {
        Self { client, direct: None }
    }

    /// The client that a request to that address goes by.
    fn client(&self, address: &http::Uri) -> Result<&reqwest::Client, TransportError> {
        let local = address.scheme_str() == Some("http") && address.host().is_some_and(crate::address::is_this_machine);
        let Some(direct) = self.direct.as_ref().filter(|_| local) else { return Ok(&self.client) };
        let made = direct.get_or_init(|| without_proxy().build().ok());
        let refused = || TransportError::new(TransportErrorKind::Refused, "a client without a proxy cannot be made");
        made.as_ref().ok_or_else(refused)
    }
}

/// A browser decides on its proxies.
fn without_proxy() -> reqwest::ClientBuilder {
    #[cfg(not(target_arch = "wasm32"))]
    let builder = builder().no_proxy();
    #[cfg(target_arch = "wasm32")]
    let builder = builder();
    builder
}

#[cfg(not(target_arch = "wasm32"))]
fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
}

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
            let request = reqwest::Request::try_from(request).map_err(failed)?;
            let response = client.execute(request).await.map_err(failed)?;
            converted(response).await
        })
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        Box::pin(async move {
            let client = self.client(request.uri())?;
            let request = reqwest::Request::try_from(request.map(reqwest::Body::wrap)).map_err(failed)?;
            let response = client.execute(request).await.map_err(failed)?;
            converted(response).await
        })
    }
}

#[cfg(not(target_arch = "wasm32"))]
async fn converted(response: reqwest::Response) -> Result<http::Response<ResponseBody>, TransportError> {
    let response: http::Response<reqwest::Body> = response.into();
    Ok(response.map(|body| ResponseBody::with_errors(body, failed)))
}

#[cfg(target_arch = "wasm32")]
async fn converted(response: reqwest::Response) -> Result<http::Response<ResponseBody>, TransportError> {
    let (status, headers) = (response.status(), response.headers().clone());
    let mut converted = http::Response::new(ResponseBody::from(response.bytes().await.map_err(failed)?));
    *converted.status_mut() = status;
    *converted.headers_mut() = headers;
    Ok(converted)
}

fn failed(error: reqwest::Error) -> TransportError {
    let kind = if error.is_timeout() {
        TransportErrorKind::Timeout
    } else if is_connect(&error) {
        TransportErrorKind::Connect
    } else if error.is_builder() {
        TransportErrorKind::Refused
    } else {
        TransportErrorKind::Broken
    };
    // The query may hold the key of an API.
    TransportError::new(kind, error.without_url())
}

#[cfg(not(target_arch = "wasm32"))]
fn is_connect(error: &reqwest::Error) -> bool {
    error.is_connect()
}

#[cfg(target_arch = "wasm32")]
fn is_connect(_error: &reqwest::Error) -> bool {
    false
}
