//! Bodies that keep a guard until they have been sent.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};

/// Body with a guard that is dropped with it.
///
/// A connection drops a body as soon as it reports its end, even if the last frame was not sent yet. This one reports
/// its end only when it is polled for another frame, which a connection does once it has room in its buffer.
#[derive(Debug)]
pub(crate) struct GuardedBody<G> {
    body: Body,
    /// True if a frame was taken and the end was not reached.
    is_under_way: bool,
    _guard: G,
}

impl<G> GuardedBody<G> {
    /// Creates a body with a guard.
    pub(crate) const fn new(body: Body, guard: G) -> Self {
        Self { body, is_under_way: false, _guard: guard }
    }
}

impl<G: Unpin> http_body::Body for GuardedBody<G> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        self.is_under_way = matches!(frame, Some(Ok(_)));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        !self.is_under_way && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn body_ends_only_after_the_last_frame_was_polled() {
        let guard = Arc::new(());
        let mut body = GuardedBody::new(Body::from("text"), Arc::clone(&guard));
        assert_eq!(http_body::Body::size_hint(&body).exact(), Some(4));
        assert!(body.frame().await.is_some());
        assert!(!http_body::Body::is_end_stream(&body), "the frame may wait to be sent");
        assert!(body.frame().await.is_none());
        assert!(http_body::Body::is_end_stream(&body));
        // A body without frames has nothing to wait for.
        assert!(http_body::Body::is_end_stream(&GuardedBody::new(Body::empty(), ())));
    }
}
