//! Sockets: a router answers whoever connects.

mod activity;
mod connection;
mod guarded;
mod handshake;
mod limits;
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

/// How long nothing is accepted after that failed, most likely because all file descriptors are in use.
const ACCEPT_PAUSE: Duration = Duration::from_millis(250);

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
        let slots = Arc::new(Semaphore::new(limits.connections.clamp(1, Semaphore::MAX_PERMITS)));
        let grace = limits.grace;
        let shared = Arc::new(Shared::new(router, limits));
        let handshake = Arc::new(handshake);
        let (phases, phase) = watch::channel(Phase::Running);
        let mut stop = pin!(stop);
        loop {
            let (stream, peer, slot) = tokio::select! {
                biased;
                () = &mut stop => break,
                accepted = accept(&listener, &slots) => accepted,
            };
            let connection = Connection { stream, peer, phase: phase.clone(), slot };
            tokio::spawn(connection.run(Arc::clone(&shared), Arc::clone(&handshake)));
        }
        drop((listener, phase));
        finish(&phases, grace).await;
    }
}

/// The next connection, once there may be one more.
async fn accept(listener: &TcpListener, slots: &Arc<Semaphore>) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
    // Nobody closes the semaphore, so this waits for a place and does not fail.
    let Ok(slot) = Arc::clone(slots).acquire_owned().await else { return std::future::pending().await };
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer, slot),
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::error!(target: "wireform_server::serve", cause = %error, "no connection can be accepted");
                sleep(ACCEPT_PAUSE).await;
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
