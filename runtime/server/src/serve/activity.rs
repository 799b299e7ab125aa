//! What the two ends of a connection, requests and bytes, know of each other.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};

/// What goes on on one connection. The service writes it and the socket reads it, within the same task, so that no
/// order between the numbers is needed.
#[derive(Debug, Default)]
pub(super) struct Activity {
    begun: AtomicU32,
    open: AtomicU32,
    body: AtomicBool,
}

impl Activity {
    /// A request begins; it lasts until what is returned is dropped.
    pub(super) fn begin(self: &Arc<Self>, body: bool) -> Open {
        self.begun.fetch_add(1, Relaxed);
        self.open.fetch_add(1, Relaxed);
        self.body.store(body, Relaxed);
        Open(Arc::clone(self))
    }

    /// How many requests have begun. It wraps around, and is only good for telling whether another one has begun.
    pub(super) fn begun(&self) -> u32 {
        self.begun.load(Relaxed)
    }

    /// Whether a request is being answered.
    pub(super) fn is_open(&self) -> bool {
        self.open.load(Relaxed) > 0
    }

    /// Whether the latest request has a body, of which the peer may still be sending.
    pub(super) fn has_body(&self) -> bool {
        self.body.load(Relaxed)
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(super) struct Open(Arc<Activity>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Relaxed);
    }
}

/// The body of an answer; the request is over when it is dropped.
#[derive(Debug)]
pub(super) struct Answer {
    body: Body,
    _open: Open,
}

impl Answer {
    pub(super) const fn new(body: Body, open: Open) -> Self {
        Self { body, _open: open }
    }
}

impl http_body::Body for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
