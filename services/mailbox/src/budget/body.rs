//! Bodies that hold on to memory.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http_body::{Frame, SizeHint};
use mailbox_server::runtime::axum;
use mailbox_server::runtime::axum::body::{Body, Bytes};
use tokio::sync::OwnedSemaphorePermit;

use super::{BUSY, Budget, COPIES, Hold, SMALL};

/// The least that a body asks for when it has used up what it has.
const STEP: u64 = 1 << 20;

/// A body that holds on to its shares.
pub(super) struct Held {
    pub(super) body: Body,
    pub(super) _hold: Hold,
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

type Waiting = Pin<Box<dyn Future<Output = Option<OwnedSemaphorePermit>> + Send>>;

/// A body that has not said how long it is, and asks for its share while it arrives.
pub(super) struct Counted {
    body: Body,
    budget: Budget,
    hold: Hold,
    /// How many more bytes there is room for.
    covered: u64,
    /// A piece that there is no room for yet, and what it waits for.
    waiting: Option<(Frame<Bytes>, Waiting)>,
}

impl Counted {
    pub(super) fn new(body: Body, budget: Budget, hold: Hold) -> Self {
        Self { body, budget, hold, covered: SMALL, waiting: None }
    }

    /// Hands a piece on, or waits for the room that it needs.
    fn admit(&mut self, frame: Frame<Bytes>) -> Option<Frame<Bytes>> {
        let bytes = frame.data_ref().map_or(0, |data| data.len() as u64);
        if bytes <= self.covered {
            self.covered -= bytes;
            return Some(frame);
        }
        let step = bytes.max(STEP);
        self.covered += step - bytes;
        let budget = self.budget.clone();
        self.waiting = Some((frame, Box::pin(async move { budget.share(step * COPIES).await })));
        None
    }
}

impl http_body::Body for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        loop {
            if let Some((_, share)) = &mut self.waiting {
                let share = ready!(share.as_mut().poll(context));
                let frame = self.waiting.take().map(|(frame, _)| frame);
                return Poll::Ready(match share {
                    Some(share) => {
                        self.hold.keep(share);
                        frame.map(Ok)
                    }
                    None => {
                        self.hold.give_up();
                        Some(Err(axum::Error::new(BUSY)))
                    }
                });
            }
            let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => frame,
                other => return Poll::Ready(other),
            };
            if let Some(frame) = self.admit(frame) {
                return Poll::Ready(Some(Ok(frame)));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.waiting.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // A lower bound is a promise, and pieces wait here.
        SizeHint::default()
    }
}
