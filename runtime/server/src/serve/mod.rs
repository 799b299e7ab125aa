//! HTTP server for a router.

mod activity;
mod connection;
mod deadline;
mod first_head;
mod handshake;
mod limits;
mod registry;
mod request_body;
mod share;
#[cfg(test)]
mod tests;
mod timeout_socket;

use std::fmt;
use std::future::{IntoFuture, Pending};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use self::connection::{Connection, Phase, ServerState};
pub use self::handshake::{Handshake, Plain};
pub use self::limits::ServeLimits;
use self::registry::Registry;

/// Pause after a failure to accept, most likely because all file descriptors are in use.
const ACCEPT_PAUSE: Duration = Duration::from_millis(250);

/// Time to wait for connections that were notified to close before more are.
const SHED_PAUSE: Duration = Duration::from_millis(20);

/// Serves a router over HTTP/1.1 (RFC 9112), until the future is dropped or shut down.
///
/// Unlike `axum::serve` it limits the cost of connections: see [`ServeLimits`]. The address of the peer is available as
/// `axum::extract::ConnectInfo<SocketAddr>`.
///
/// ```no_run
/// # async fn run(router: axum::Router) -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// let stop = async { std::future::pending().await }; // such as `tokio::signal::ctrl_c()`
/// wireform_server::serve(listener, router).graceful_shutdown(stop).await;
/// # Ok(())
/// # }
/// ```
pub fn serve(listener: TcpListener, router: Router) -> Serve {
    Serve { listener, router, limits: ServeLimits::DEFAULT, stop: std::future::pending(), handshake: Plain }
}

/// Future of a server: it runs while it is awaited. Dropping it drops its connections.
#[must_use = "a server runs when it is awaited"]
pub struct Serve<F = Pending<()>, H = Plain> {
    listener: TcpListener,
    router: Router,
    limits: ServeLimits,
    stop: F,
    handshake: H,
}

impl<F, H> Serve<F, H> {
    /// Sets the limits on connections.
    pub fn limits(mut self, limits: ServeLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Shuts down when the future completes: no further connections are accepted, idle connections are closed, and
    /// accepted requests are finished. Requests that take longer than [`ServeLimits::grace`] are dropped.
    pub fn graceful_shutdown<G: Future<Output = ()> + Send + 'static>(self, stop: G) -> Serve<G, H> {
        let Self { listener, router, limits, handshake, .. } = self;
        Serve { listener, router, limits, stop, handshake }
    }

    /// Performs a handshake with each peer before requests are read, such as TLS. The protocol after it is always
    /// HTTP/1.1.
    pub fn handshake<G: Handshake>(self, handshake: G) -> Serve<F, G> {
        let Self { listener, router, limits, stop, .. } = self;
        Serve { listener, router, limits, stop, handshake }
    }

    /// Returns the address of the listener.
    ///
    /// # Errors
    /// Returns an error if the operating system does not report it.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl<F, H> fmt::Debug for Serve<F, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serve").field("listener", &self.listener).field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<F: Future<Output = ()> + Send + 'static, H: Handshake> IntoFuture for Serve<F, H> {
    type Output = ();
    type IntoFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl<F: Future<Output = ()> + Send + 'static, H: Handshake> Serve<F, H> {
    async fn run(self) {
        let Self { listener, router, limits, stop, handshake } = self;
        let entrance = Acceptor::new(listener, limits.connections);
        let grace = limits.grace;
        let shared = Arc::new(ServerState::new(router, limits));
        let handshake = Arc::new(handshake);
        let (phases, phase) = watch::channel(Phase::Running);
        let mut stop = pin!(stop);
        loop {
            let (stream, peer, slot) = tokio::select! {
                biased;
                () = &mut stop => break,
                accepted = entrance.accept() => accepted,
            };
            let registered = entrance.registry.add();
            let connection = Connection { stream, peer, phase: phase.clone(), permit: slot, registered };
            tokio::spawn(connection.run(Arc::clone(&shared), Arc::clone(&handshake)));
        }
        drop((entrance, phase));
        drain(&phases, grace).await;
    }
}

/// Listener with the limit on connections.
struct Acceptor {
    listener: TcpListener,
    slots: Arc<Semaphore>,
    registry: Arc<Registry>,
}

impl Acceptor {
    fn new(listener: TcpListener, connections: usize) -> Self {
        let slots = Arc::new(Semaphore::new(connections.clamp(1, Semaphore::MAX_PERMITS)));
        Self { listener, slots, registry: Registry::new() }
    }

    /// Accepts the next connection, and closes others if there is no room for it.
    async fn accept(&self) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => return (stream, peer, self.acquire_slot().await),
                Err(error) if is_transient(&error) => {}
                Err(error) => {
                    // Most likely all file descriptors are in use, some of them by idle connections.
                    let shed = self.registry.shed();
                    tracing::error!(target: "wireform_server::serve", cause = %error, shed, "no connection can be accepted");
                    sleep(if shed > 0 { SHED_PAUSE } else { ACCEPT_PAUSE }).await;
                }
            }
        }
    }

    /// Acquires a slot for an accepted connection. While none is free, connections without a request are closed.
    async fn acquire_slot(&self) -> OwnedSemaphorePermit {
        loop {
            if let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() {
                return slot;
            }
            let shed = self.registry.shed();
            tracing::debug!(target: "wireform_server::serve", shed, "too many connections");
            let freed = timeout(SHED_PAUSE, Arc::clone(&self.slots).acquire_owned()).await;
            if let Ok(Ok(slot)) = freed {
                return slot;
            }
        }
    }
}

/// Returns whether the error affects a single peer, which disconnected before it was accepted.
fn is_transient(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Lets connections finish, and drops those that do not in time.
async fn drain(phases: &watch::Sender<Phase>, grace: Duration) {
    phases.send_replace(Phase::Finishing);
    if timeout(grace, phases.closed()).await.is_err() {
        let connections = phases.receiver_count();
        tracing::warn!(target: "wireform_server::serve", connections, "dropped connections that did not finish");
        phases.send_replace(Phase::Over);
        phases.closed().await;
    }
}
