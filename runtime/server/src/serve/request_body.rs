//! Bodies of requests that show whether they are still received.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;

use super::activity::RequestBodyGuard;

/// Body of a request. A connection that is idle otherwise may still receive it.
#[derive(Debug)]
pub(super) struct RequestBody {
    body: Incoming,
    _guard: RequestBodyGuard,
}

impl RequestBody {
    pub(super) const fn new(body: Incoming, guard: RequestBodyGuard) -> Self {
        Self { body, _guard: guard }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

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
