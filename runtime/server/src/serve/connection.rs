//! Single connection.

use std::convert::Infallible;
use std::error::Error;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use http::header::{CONNECTION, HOST};
use http::{HeaderValue, StatusCode, Version};
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, sleep_until};
use tower_service::Service;

use super::activity::{ConnectionActivity, RequestGuard};
use super::handshake::Handshake;
use super::limits::ServeLimits;
use super::registry::Registration;
use super::request_body::RequestBody;
use super::share::ResponseShare;
use super::timeout_socket::TimeoutSocket;
use crate::guarded_body::GuardedBody;
use crate::memory::ShareMarker;

/// Time for which an idle connection keeps its buffers of 16 KiB.
const BUFFER_TIME: Duration = Duration::from_secs(1);

/// Phase of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// Accepts connections and requests.
    Running,
    /// Finishes accepted requests.
    Finishing,
    /// Drops remaining connections.
    Over,
}

/// State that all connections share.
pub(super) struct ServerState {
    http: Builder,
    router: Router,
    limits: ServeLimits,
}

impl ServerState {
    pub(super) fn new(router: Router, limits: ServeLimits) -> Self {
        let mut http = Builder::new();
        let head_bytes = limits.head_bytes.max(8192);
        http.header_read_timeout(None).max_header_size(head_bytes).max_buf_size(head_bytes);
        // By default, the headers of a request are collected on the stack.
        if limits.headers != ServeLimits::DEFAULT.headers {
            http.max_headers(limits.headers);
        }
        // Prepares the routes once, and not for every request.
        Self { http, router: router.with_state(()), limits }
    }

    /// Returns the maximum time of the head of a first request.
    pub(super) const fn head_time(&self) -> Duration {
        self.limits.head_time
    }
}

/// Accepted connection.
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    pub(super) phase: watch::Receiver<Phase>,
    /// Permit for one of the connections.
    pub(super) permit: OwnedSemaphorePermit,
    pub(super) registered: Registration,
}

impl Connection {
    /// Serves requests until the peer, a limit or a shutdown ends the connection.
    pub(super) async fn run<H: Handshake>(self, shared: Arc<ServerState>, handshake: Arc<H>) {
        let Self { stream, peer, mut phase, permit: _slot, registered } = self;
        let activity = &registered.activity;
        let first_head = Instant::now() + shared.head_time();
        // A peer that sends nothing costs no buffer.
        tokio::select! {
            biased;
            readable = stream.readable() => if readable.is_err() { return },
            () = sleep_until(first_head) => return,
            () = activity.close_requested() => return,
            () = wait_for_phase(&mut phase, Phase::Finishing) => return,
        }
        // Responses are written as a whole, so there is nothing to delay them for.
        let _ = stream.set_nodelay(true);
        // Boxed, because the state is large, and idle peers do not need it.
        Box::pin(async {
            let shaken = tokio::select! {
                biased;
                shaken = handshake.handshake(stream) => shaken,
                () = sleep_until(first_head) => return,
                () = activity.close_requested() => return,
                () = wait_for_phase(&mut phase, Phase::Finishing) => return,
            };
            match shaken {
                Ok(stream) => serve_requests(stream, (peer, activity), first_head, phase, &shared).await,
                Err(error) => log_handshake_error(&error),
            }
        })
        .await;
    }
}

/// Serves requests on a stream whose first head must arrive by the deadline.
pub(super) async fn serve_requests<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    (peer, activity): (SocketAddr, &Arc<ConnectionActivity>),
    first_head: Instant,
    mut phase: watch::Receiver<Phase>,
    shared: &ServerState,
) {
    let share = ResponseShare::default();
    let mut socket = TimeoutSocket::new(stream, Arc::clone(activity), &shared.limits, first_head, share.clone());
    loop {
        // Boxed, because the state and its buffers are large, and an idle connection does not need them.
        let served = Box::pin(serve_until_idle(socket, (peer, activity), &share, &mut phase, shared));
        let Some(idle) = served.await else { return };
        socket = idle;
        let arrived = tokio::select! {
            biased;
            arrived = socket.wait_for_request() => arrived,
            () = activity.close_requested() => return,
            () = wait_for_phase(&mut phase, Phase::Finishing) => Ok(false),
        };
        match arrived {
            Ok(true) => {}
            Ok(false) => return shut_down(&mut socket, &mut phase).await,
            Err(error) => return log_end(&error),
        }
    }
}

/// Serves requests until the connection ends or has been idle for a while. Returns the socket of an idle connection,
/// whose buffers are freed while it waits.
async fn serve_until_idle<S: AsyncRead + AsyncWrite + Unpin>(
    socket: TimeoutSocket<S>,
    (peer, activity): (SocketAddr, &Arc<ConnectionActivity>),
    share: &ResponseShare,
    phase: &mut watch::Receiver<Phase>,
    shared: &ServerState,
) -> Option<TimeoutSocket<S>> {
    let service = service_fn(|request| call_router(&shared.router, request, (peer, activity), share));
    let mut http = shared.http.serve_connection(TokioIo::new(socket), service);
    tokio::select! {
        biased;
        ended = &mut http => {
            ended.unwrap_or_else(|error| log_end(&error));
            return None;
        }
        () = activity.close_requested() => return None,
        () = wait_for_phase(phase, Phase::Finishing) => {}
        () = activity.idle_for(BUFFER_TIME) => {
            let parts = http.into_parts();
            return Some(parts.io.into_inner().with_unread(parts.read_buf));
        }
    }
    Pin::new(&mut http).graceful_shutdown();
    tokio::select! {
        biased;
        ended = &mut http => ended.unwrap_or_else(|error| log_end(&error)),
        () = wait_for_phase(phase, Phase::Over) => {}
    }
    None
}

/// Closes an idle connection.
async fn shut_down<S: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut TimeoutSocket<S>,
    phase: &mut watch::Receiver<Phase>,
) {
    tokio::select! {
        biased;
        closed = poll_fn(|cx| Pin::new(&mut *socket).poll_shutdown(cx)) => closed.unwrap_or_else(|error| log_end(&error)),
        () = wait_for_phase(phase, Phase::Over) => {}
    }
}

/// Waits until the server reaches the phase, or is dropped.
async fn wait_for_phase(phase: &mut watch::Receiver<Phase>, wanted: Phase) {
    let _ = phase.wait_for(|phase| *phase >= wanted).await;
}

/// Passes a request to the router. A missing `Host` is refused here (RFC 9112, section 3.2): programs that call a
/// router directly need none.
fn call_router(
    router: &Router,
    request: http::Request<Incoming>,
    (peer, activity): (SocketAddr, &Arc<ConnectionActivity>),
    share: &ResponseShare,
) -> impl Future<Output = Result<http::Response<GuardedBody<RequestGuard>>, Infallible>> + use<> {
    let has_body = !request.body().is_end_stream();
    let open = activity.begin_request(has_body);
    let (activity, share) = (Arc::clone(activity), share.clone());
    let hosted = request.version() != Version::HTTP_11 || request.headers().contains_key(HOST);
    // A router is always ready, and cloning it is cheap.
    let routed = hosted.then(|| {
        let mut request = request.map(|body| match has_body {
            true => Body::new(RequestBody::new(body, activity.begin_body())),
            false => Body::new(body),
        });
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().call(request)
    });
    async move {
        let mut response = match routed {
            Some(response) => response.await?,
            None => missing_host_response(),
        };
        if !response.status().is_client_error() {
            activity.mark_served();
        }
        share.set(response.extensions_mut().remove::<ShareMarker>());
        Ok(response.map(|body| GuardedBody::new(body, open)))
    }
}

/// Creates the response to a request without `Host`: a 400 that closes the connection.
fn missing_host_response() -> http::Response<Body> {
    let mut response = http::Response::new(Body::empty());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Logs a failed handshake at a low level: other protocols and untrusted certificates are common.
fn log_handshake_error(error: &io::Error) {
    tracing::debug!(target: "wireform_server::serve", cause = %error, "handshake failed");
}

/// Logs the end of a connection at a low level: peers that disconnect or violate the protocol are common.
fn log_end(error: &dyn Error) {
    tracing::debug!(target: "wireform_server::serve", cause = %error, "connection ended");
}
