//! Sockets: a router answers whoever connects.

mod activity;
mod connection;
mod first;
mod guarded;
mod handshake;
mod limits;
mod registry;
mod share;
#[cfg(test)]
mod tests;

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

use self::connection::{Connection, Phase, Shared};
pub use self::handshake::{Handshake, Plain};
pub use self::limits::ServeLimits;
use self::registry::Registry;

/// How long nothing is accepted after that failed, most likely because all file descriptors are in use.
const ACCEPT_PAUSE: Duration = Duration::from_millis(250);

/// How long connections that were told to end are waited for before others are.
const SHED_PAUSE: Duration = Duration::from_millis(20);

/// Answers whoever connects with the router, over HTTP/1.1 (RFC 9112), until the future is dropped or told to stop.
///
/// Unlike `axum::serve` it bounds what connections may cost: see [`ServeLimits`]. A handler finds the peer's address
/// as `axum::extract::ConnectInfo<SocketAddr>`.
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

/// A server that is about to run: await it. Dropping the future drops its connections.
#[must_use = "a server runs when it is awaited"]
pub struct Serve<F = Pending<()>, H = Plain> {
    listener: TcpListener,
    router: Router,
    limits: ServeLimits,
    stop: F,
    handshake: H,
}

impl<F, H> Serve<F, H> {
    /// With other limits for connections.
    pub fn limits(mut self, limits: ServeLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Stops when that future is ready: nothing further is accepted, connections between requests are closed,
    /// requests that were accepted are finished. What is not finished after [`ServeLimits::grace`] is dropped.
    pub fn graceful_shutdown<G: Future<Output = ()> + Send + 'static>(self, stop: G) -> Serve<G, H> {
        let Self { listener, router, limits, handshake, .. } = self;
        Serve { listener, router, limits, stop, handshake }
    }

    /// Agrees with each peer on something before requests are read, such as TLS. HTTP/1.1 is all that is spoken then.
    pub fn handshake<G: Handshake>(self, handshake: G) -> Serve<F, G> {
        let Self { listener, router, limits, stop, .. } = self;
        Serve { listener, router, limits, stop, handshake }
    }

    /// The address that it listens at.
    ///
    /// # Errors
    /// When the operating system does not tell.
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
        let entrance = Entrance::new(listener, limits.connections);
        let grace = limits.grace;
        let shared = Arc::new(Shared::new(router, limits));
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
            let connection = Connection { stream, peer, phase: phase.clone(), slot, registered };
            tokio::spawn(connection.run(Arc::clone(&shared), Arc::clone(&handshake)));
        }
        drop((entrance, phase));
        finish(&phases, grace).await;
    }
}

/// Where connections come in.
struct Entrance {
    listener: TcpListener,
    slots: Arc<Semaphore>,
    registry: Arc<Registry>,
}

impl Entrance {
    fn new(listener: TcpListener, connections: usize) -> Self {
        let slots = Arc::new(Semaphore::new(connections.clamp(1, Semaphore::MAX_PERMITS)));
        Self { listener, slots, registry: Registry::new() }
    }

    /// Accepts the next connection, and makes room for it where there is none.
    async fn accept(&self) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => return (stream, peer, self.slot().await),
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    // Most likely all file descriptors are in use, and those of idle connections do.
                    let shed = self.registry.shed();
                    tracing::error!(target: "wireform_server::serve", cause = %error, shed, "no connection can be accepted");
                    sleep(if shed > 0 { SHED_PAUSE } else { ACCEPT_PAUSE }).await;
                }
            }
        }
    }

    /// Takes a slot for a connection that was accepted. While none is free, connections end that hold no request.
    async fn slot(&self) -> OwnedSemaphorePermit {
        loop {
            if let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() {
                return slot;
            }
            let shed = self.registry.shed();
            tracing::debug!(target: "wireform_server::serve", shed, "there are too many connections");
            let freed = timeout(SHED_PAUSE, Arc::clone(&self.slots).acquire_owned()).await;
            if let Ok(Ok(slot)) = freed {
                return slot;
            }
        }
    }
}

/// Whether a peer was gone before it was accepted, which says nothing of the next one.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Lets connections finish, and drops those that do not in time.
async fn finish(phases: &watch::Sender<Phase>, grace: Duration) {
    phases.send_replace(Phase::Finishing);
    if timeout(grace, phases.closed()).await.is_err() {
        let connections = phases.receiver_count();
        tracing::warn!(target: "wireform_server::serve", connections, "dropped connections that did not finish");
        phases.send_replace(Phase::Over);
        phases.closed().await;
    }
}
