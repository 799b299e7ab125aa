//! TLS with the certificate and the key of the settings. A program built without the feature `tls` refuses such
//! settings.

#[cfg(feature = "tls")]
pub use self::with_rustls::Acceptor;
#[cfg(not(feature = "tls"))]
pub use self::without::Acceptor;

#[cfg(feature = "tls")]
mod with_rustls {
    use std::io;
    use std::path::Path;
    use std::sync::Arc;

    use anyhow::{Context as _, ensure};
    use rustls::ServerConfig;
    use rustls::pki_types::pem::PemObject as _;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use tokio::net::TcpStream;
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::server::TlsStream;
    use wireform_server::Handshake;

    use crate::settings::Tls;

    /// Acceptor of TLS connections.
    #[derive(Clone)]
    pub struct Acceptor(TlsAcceptor);

    impl Acceptor {
        /// Reads the certificate and the key.
        ///
        /// # Errors
        /// Returns an error if a file cannot be read or holds something else, or if the key belongs to another
        /// certificate.
        pub fn new(settings: &Tls) -> anyhow::Result<Self> {
            let bad = |path: &Path, what: &str| format!("{} contains no {what} in PEM format", path.display());
            let text = fs_err::read(&settings.certificate).context("the certificate cannot be read")?;
            let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&text)
                .collect::<Result<_, _>>()
                .with_context(|| bad(&settings.certificate, "certificate"))?;
            ensure!(!chain.is_empty(), bad(&settings.certificate, "certificate"));
            let text = fs_err::read(&settings.key).context("the key cannot be read")?;
            let key = PrivateKeyDer::from_pem_slice(&text).with_context(|| bad(&settings.key, "private key"))?;
            let mut config =
                ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).with_context(|| {
                    format!("{} is not the key of {}", settings.key.display(), settings.certificate.display())
                })?;
            config.alpn_protocols = vec![b"http/1.1".to_vec()];
            Ok(Self(TlsAcceptor::from(Arc::new(config))))
        }
    }

    impl Handshake for Acceptor {
        type Stream = TlsStream<TcpStream>;

        async fn handshake(&self, socket: TcpStream) -> io::Result<Self::Stream> {
            self.0.accept(socket).await
        }
    }
}

#[cfg(not(feature = "tls"))]
mod without {
    use std::convert::Infallible;
    use std::io;

    use tokio::net::TcpStream;
    use wireform_server::Handshake;

    use crate::settings::Tls;

    /// Acceptor that cannot exist.
    #[derive(Clone)]
    pub struct Acceptor(Infallible);

    impl Acceptor {
        /// Refuses the settings.
        ///
        /// # Errors
        /// Always returns an error.
        pub fn new(_: &Tls) -> anyhow::Result<Self> {
            anyhow::bail!("this program was built without TLS; help: build it with the feature `tls`")
        }
    }

    impl Handshake for Acceptor {
        type Stream = TcpStream;

        async fn handshake(&self, _: TcpStream) -> io::Result<Self::Stream> {
            match self.0 {}
        }
    }
}
