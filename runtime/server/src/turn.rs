//! Work on long bodies takes turns with that for other requests.
//!
//! A body whose peer is fast never waits, and would keep its thread until its end.

use std::pin::pin;
use std::task::{Context, Poll};

/// A turn is work on so many bytes that are compressed: half a millisecond.
const BYTES: usize = 64 << 10;

/// What was done in a turn.
#[derive(Debug, Default)]
pub struct Turn(usize);

impl Turn {
    /// Notes that so many bytes were compressed.
    pub fn spend(&mut self, bytes: usize) {
        self.0 += bytes;
    }

    /// Notes work on so many bytes that is less than compressing them, as writing or reading base64 is.
    pub fn spend_lightly(&mut self, bytes: usize) {
        self.spend(bytes / 4);
    }

    /// Begins a new turn where this one is over, which is when the other tasks of the thread had theirs and the sockets
    /// were looked at. The task is woken for it.
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.0 < BYTES {
            return Poll::Ready(());
        }
        self.0 = 0;
        pin!(tokio::task::yield_now()).poll(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn others_have_their_turn_between() {
        let others = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&others);
        let other = tokio::spawn(async move {
            loop {
                count.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
            }
        });
        let mut turn = Turn::default();
        for piece in 1..=10 {
            turn.spend(BYTES / 2);
            poll_fn(|cx| turn.poll(cx)).await;
            assert_eq!(others.load(Ordering::Relaxed) > 0, piece >= 2, "of pieces of half a turn: {piece}");
        }
        assert!(others.load(Ordering::Relaxed) >= 5);
        other.abort();
    }
}
