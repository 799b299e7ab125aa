//! Yielding of long-running work on bodies.
//!
//! A body whose peer is fast is always ready, and would occupy its thread until its end.

use std::pin::pin;
use std::task::{Context, Poll};

/// Number of compressed bytes after which work yields: half a millisecond.
const MAX_BYTES: usize = 64 << 10;

/// Budget of work until the next yield.
#[derive(Debug, Default)]
pub struct WorkBudget(usize);

impl WorkBudget {
    /// Records the compression of bytes.
    pub fn spend(&mut self, bytes: usize) {
        self.0 += bytes;
    }

    /// Records cheaper work on bytes, such as encoding or decoding base64.
    pub fn spend_lightly(&mut self, bytes: usize) {
        self.spend(bytes / 4);
    }

    /// Yields if the budget is spent, so that the other tasks of the thread and the sockets are polled. The task is
    /// woken afterwards.
    pub fn poll_yield(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.0 < MAX_BYTES {
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
    async fn spent_budget_yields_to_other_tasks() {
        let others = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&others);
        let other = tokio::spawn(async move {
            loop {
                count.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
            }
        });
        let mut turn = WorkBudget::default();
        for piece in 1..=10 {
            turn.spend(MAX_BYTES / 2);
            poll_fn(|cx| turn.poll_yield(cx)).await;
            assert_eq!(others.load(Ordering::Relaxed) > 0, piece >= 2, "of pieces of half a turn: {piece}");
        }
        assert!(others.load(Ordering::Relaxed) >= 5);
        other.abort();
    }
}
