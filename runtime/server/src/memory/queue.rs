//! Waiters that are granted something in the order in which they came.

use std::collections::VecDeque;

use tokio::sync::oneshot;

/// Requests that wait, each with what is sent when it is granted. A waiter whose future is dropped must be
/// [removed](Self::remove) by the same lock under which it would be granted: so none is lost between the two.
#[derive(Debug)]
pub(super) struct WaitQueue<T, G> {
    waiters: VecDeque<Waiter<T, G>>,
    next: u64,
}

#[derive(Debug)]
struct Waiter<T, G> {
    id: u64,
    request: T,
    granted: oneshot::Sender<G>,
}

/// A place in the queue.
#[derive(Debug)]
pub(super) struct Ticket<G> {
    pub(super) id: u64,
    pub(super) granted: oneshot::Receiver<G>,
}

/// What becomes of a waiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Grant,
    /// It waits, and those behind it are looked at.
    Skip,
    /// It waits, and so do those behind it.
    Stop,
}

impl<T, G> Default for WaitQueue<T, G> {
    fn default() -> Self {
        Self { waiters: VecDeque::new(), next: 0 }
    }
}

impl<T, G> WaitQueue<T, G> {
    pub(super) fn is_empty(&self) -> bool {
        self.waiters.is_empty()
    }

    /// Iterates over the requests that wait.
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

    /// Removes a waiter. Returns whether it was waiting: if not, it was granted, and its ticket holds what was sent.
    pub(super) fn remove(&mut self, id: u64) -> bool {
        let place = self.waiters.iter().position(|waiter| waiter.id == id);
        place.and_then(|place| self.waiters.remove(place)).is_some()
    }

    /// Removes the first request that is granted, looking from `at` on, and returns it with its sender. `at` is where
    /// the next look begins.
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
