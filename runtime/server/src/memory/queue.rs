//! FIFO queue of waiters.

use std::collections::VecDeque;

use tokio::sync::oneshot;

/// Waiting requests, each with the sender of its grant. A waiter whose future is dropped must be
/// [removed](Self::remove) under the lock under which it would be granted, so that no grant is lost.
#[derive(Debug)]
pub(super) struct WaitQueue<T, G> {
    waiters: VecDeque<Waiter<T, G>>,
    next: u64,
}

/// Request that waits, and the sender of its grant.
#[derive(Debug)]
struct Waiter<T, G> {
    id: u64,
    request: T,
    granted: oneshot::Sender<G>,
}

/// Position in the queue.
#[derive(Debug)]
pub(super) struct Ticket<G> {
    pub(super) id: u64,
    pub(super) granted: oneshot::Receiver<G>,
}

/// Decision about a waiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Grant,
    /// The waiter waits, and those after it are considered.
    Skip,
    /// The waiter waits, and so do those after it.
    Stop,
}

impl<T, G> Default for WaitQueue<T, G> {
    fn default() -> Self {
        Self { waiters: VecDeque::new(), next: 0 }
    }
}

impl<T, G> WaitQueue<T, G> {
    /// Returns whether no request waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiters.is_empty()
    }

    /// Iterates over the waiting requests.
    #[cfg(feature = "serve")]
    pub(super) fn requests(&self) -> impl Iterator<Item = &T> {
        self.waiters.iter().map(|waiter| &waiter.request)
    }

    /// Adds a request at the end.
    pub(super) fn push(&mut self, request: T) -> Ticket<G> {
        let (sender, granted) = oneshot::channel();
        let id = self.next;
        self.next += 1;
        self.waiters.push_back(Waiter { id, request, granted: sender });
        Ticket { id, granted }
    }

    /// Removes a waiter. Returns whether it was waiting: otherwise it was granted, and its ticket holds the grant.
    pub(super) fn remove(&mut self, id: u64) -> bool {
        let place = self.waiters.iter().position(|waiter| waiter.id == id);
        place.and_then(|place| self.waiters.remove(place)).is_some()
    }

    /// Removes the first request from `at` on that is granted, and returns it with its sender. `at` is advanced to the
    /// index at which the next search starts.
    pub(super) fn next_granted(
        &mut self,
        at: &mut usize,
        decide: impl Fn(&T) -> Decision,
    ) -> Option<(T, oneshot::Sender<G>)> {
        while let Some(waiter) = self.waiters.get(*at) {
            match decide(&waiter.request) {
                Decision::Grant => {
                    return self.waiters.remove(*at).map(|Waiter { request, granted, .. }| (request, granted));
                }
                Decision::Skip => *at += 1,
                Decision::Stop => break,
            }
        }
        None
    }
}
