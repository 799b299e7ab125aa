//! Encryption of connections to `https` URLs.

use std::sync::Arc;

use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, HttpsConnectorBuilder};
use rustls::ClientConfig;
use rustls::crypto::{CryptoProvider, aws_lc_rs};

use crate::transport::{TransportError, TransportErrorKind};

/// Connector that adds TLS to connections of another one.
pub(super) type TlsConnector<S> = HttpsConnector<S>;

/// Versions of HTTP that are offered to a server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocols {
    Http1,
    All,
}

/// Configuration of TLS, which trusts the root certificates of this machine.
#[derive(Clone)]
pub(super) struct Tls(Arc<ClientConfig>);

impl Tls {
    /// Creates a configuration.
    ///
    /// # Errors
    /// Returns an error if the root certificates cannot be used.
    pub(super) fn new() -> Result<Self, TransportError> {
        let refused = |error| TransportError::new(TransportErrorKind::Refused, error);
        let provider = CryptoProvider::get_default().cloned();
        let provider = provider.unwrap_or_else(|| Arc::new(aws_lc_rs::default_provider()));
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.and_then(|config| config.try_with_platform_verifier()).map_err(refused)?;
        Ok(Self(Arc::new(config.with_no_client_auth())))
    }

    /// Adds TLS to the connections of a connector, where the URL begins with `https`.
    pub(super) fn over<S>(&self, connector: S, protocols: Protocols) -> TlsConnector<S> {
        if protocols == Protocols::Http1 {
            return HttpsConnector::from((connector, Arc::clone(&self.0)));
        }
        let builder = HttpsConnectorBuilder::new().with_tls_config((*self.0).clone()).https_or_http();
        builder.enable_http1().enable_http2().wrap_connector(connector)
    }
}
