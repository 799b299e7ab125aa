//! Name resolution.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::Semaphore;

/// Resolver of host names.
pub trait Resolver: fmt::Debug + Send + Sync {
    /// Returns the addresses of a host, with the given port.
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'a>>;
}

/// Resolver of the operating system.
#[derive(Clone, Debug)]
pub struct SystemResolver {
    /// Limit of threads: a thread waits for the system even after the request was cancelled.
    threads: Arc<Semaphore>,
}

/// Maximum number of concurrent resolutions.
const MAX_THREADS: usize = 16;

impl Default for SystemResolver {
    fn default() -> Self {
        Self { threads: Arc::new(Semaphore::new(MAX_THREADS)) }
    }
}

impl Resolver for SystemResolver {
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'a>> {
        Box::pin(async move {
            let thread = Arc::clone(&self.threads).acquire_owned().await.map_err(io::Error::other)?;
            let host = host.to_owned();
            let resolved = tokio::task::spawn_blocking(move || {
                let _thread = thread;
                (host.as_str(), port).to_socket_addrs().map(Iterator::collect)
            });
            resolved.await.map_err(io::Error::other)?
        })
    }
}
