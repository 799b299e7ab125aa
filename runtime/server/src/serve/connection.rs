//! One connection.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
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

use super::activity::{Activity, Open};
use super::guarded::Guarded;
use super::handshake::Handshake;
use super::limits::ServeLimits;
use super::registry::Registered;
use super::share::SentShare;
use crate::held::HeldBody;
use crate::memory::ShareMark;

/// What a server does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// It accepts connections and requests.
    Running,
    /// It finishes what it accepted.
    Finishing,
    /// It drops what is left.
    Over,
}

/// What all connections share.
pub(super) struct Shared {
    http: Builder,
    router: Router,
    limits: ServeLimits,
}

impl Shared {
    pub(super) fn new(router: Router, limits: ServeLimits) -> Self {
        let mut http = Builder::new();
        let head_bytes = limits.head_bytes.max(8192);
        http.header_read_timeout(None).max_header_size(head_bytes).max_buf_size(head_bytes);
        // Left alone, the headers of a request are collected on the stack.
        if limits.headers != ServeLimits::DEFAULT.headers {
            http.max_headers(limits.headers);
        }
        // This readies the routes once, and not for every request.
        Self { http, router: router.with_state(()), limits }
    }

    /// How long the head of a first request may take.
    pub(super) const fn head_time(&self) -> Duration {
        self.limits.head_time
    }
}

/// A connection that was accepted.
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    pub(super) phase: watch::Receiver<Phase>,
    /// Its share of the connections that there may be.
    pub(super) slot: OwnedSemaphorePermit,
    pub(super) registered: Registered,
}

impl Connection {
    /// Serves requests until the peer, a limit or a shutdown ends it.
    pub(super) async fn run<H: Handshake>(self, shared: Arc<Shared>, handshake: Arc<H>) {
        let Self { stream, peer, mut phase, slot: _slot, registered } = self;
        let activity = &registered.activity;
        let first_head = Instant::now() + shared.head_time();
        // Somebody who connects and says nothing costs no buffer.
        tokio::select! {
            biased;
            readable = stream.readable() => if readable.is_err() { return },
            () = sleep_until(first_head) => return,
            () = activity.ended() => return,
            () = reached(&mut phase, Phase::Finishing) => return,
        }
        // An answer is written as a whole; there is nothing to wait for.
        let _ = stream.set_nodelay(true);
        // What follows is large, and those who say nothing do not need it.
        Box::pin(async {
            let shaken = tokio::select! {
                biased;
                shaken = handshake.shake(stream) => shaken,
                () = sleep_until(first_head) => return,
                () = activity.ended() => return,
                () = reached(&mut phase, Phase::Finishing) => return,
            };
            match shaken {
                Ok(stream) => exchange(stream, (peer, activity), first_head, phase, &shared).await,
                Err(error) => refused(&error),
            }
        })
        .await;
    }
}

/// Serves requests on a stream whose first head must be there by the instant given.
pub(super) async fn exchange<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    (peer, activity): (SocketAddr, &Arc<Activity>),
    first_head: Instant,
    mut phase: watch::Receiver<Phase>,
    shared: &Shared,
) {
    let share = SentShare::default();
    let io = TokioIo::new(Guarded::new(stream, Arc::clone(activity), &shared.limits, first_head, share.clone()));
    let service = service_fn(|request| answer(&shared.router, request, (peer, activity), &share));
    let mut http = pin!(shared.http.serve_connection(io, service));
    tokio::select! {
        biased;
        ended = http.as_mut() => return tell(ended),
        () = activity.ended() => return,
        () = reached(&mut phase, Phase::Finishing) => http.as_mut().graceful_shutdown(),
    }
    tokio::select! {
        biased;
        ended = http.as_mut() => tell(ended),
        () = reached(&mut phase, Phase::Over) => {}
    }
}

/// Waits until the server is that far, or is gone altogether.
async fn reached(phase: &mut watch::Receiver<Phase>, wanted: Phase) {
    let _ = phase.wait_for(|phase| *phase >= wanted).await;
}

/// Hands one request to the router. One without a host is refused here (RFC 9112, section 3.2): only who reads from
/// the wire knows that it was left out, while programs that call a router without a wire need none.
fn answer(
    router: &Router,
    request: http::Request<Incoming>,
    (peer, activity): (SocketAddr, &Arc<Activity>),
    share: &SentShare,
) -> impl Future<Output = Result<http::Response<HeldBody<Open>>, Infallible>> + use<> {
    let open = activity.begin(!request.body().is_end_stream());
    let (activity, share) = (Arc::clone(activity), share.clone());
    let hosted = request.version() != Version::HTTP_11 || request.headers().contains_key(HOST);
    // A router is always ready, and its clone is a reference.
    let answered = hosted.then(|| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().call(request)
    });
    async move {
        let mut answer = match answered {
            Some(answered) => answered.await?,
            None => unhosted(),
        };
        if !answer.status().is_client_error() {
            activity.mark_served();
        }
        share.set(answer.extensions_mut().remove::<ShareMark>());
        Ok(answer.map(|body| HeldBody::new(body, open)))
    }
}

fn unhosted() -> http::Response<Body> {
    let mut answer = http::Response::new(Body::empty());
    *answer.status_mut() = StatusCode::BAD_REQUEST;
    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    answer
}

/// Whoever speaks another protocol, or trusts another certificate, is everyday life too.
fn refused(error: &io::Error) {
    tracing::debug!(target: "wireform_server::serve", cause = %error, "handshake failed");
}

/// Peers that break off or break rules are everyday life, so this is for those who look for it.
fn tell(ended: hyper::Result<()>) {
    if let Err(error) = ended {
        tracing::debug!(target: "wireform_server::serve", cause = %error, "connection ended");
    }
}
