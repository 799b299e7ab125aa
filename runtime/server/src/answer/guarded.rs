//! Bodies that keep something until they have been sent.

use std::any::Any;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};

/// Returns the body, which keeps that until it is dropped.
pub(super) fn until_sent(body: Body, guard: Box<dyn Any + Send>) -> Body {
    Body::new(Guarded { body, _guard: guard })
}

struct Guarded {
    body: Body,
    _guard: Box<dyn Any + Send>,
}

impl http_body::Body for Guarded {
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
