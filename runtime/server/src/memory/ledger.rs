//! Accounts of a budget, and the queue of waiting requests.

use super::accounts::{Accounts, Request, ShareId};
use super::queue::{Decision, Ticket, WaitQueue};
#[cfg(feature = "serve")]
use crate::limits::Caller;

/// Accounts and queue of a budget. Waiters receive the number of additional bytes that they were granted.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) accounts: Accounts,
    queue: WaitQueue<Request, u64>,
}

impl Ledger {
    pub(super) fn new(total: u64) -> Self {
        Self { accounts: Accounts::new(total), queue: WaitQueue::default() }
    }

    /// Grants a request at once, or adds it to the queue.
    pub(super) fn request(&mut self, request: Request) -> Option<Ticket<u64>> {
        if self.queue.is_empty() && self.accounts.decide(&request) == Decision::Grant {
            self.accounts.add(&request);
            return None;
        }
        let ticket = self.queue.push(request);
        self.grant_waiting();
        Some(ticket)
    }

    /// Removes a request from the queue, or returns what it was granted meanwhile.
    pub(super) fn cancel(&mut self, ticket: &mut Ticket<u64>, share: ShareId) {
        if !self.queue.remove(ticket.id)
            && let Ok(granted) = ticket.granted.try_recv()
        {
            self.accounts.subtract(share, granted);
        }
        self.grant_waiting();
    }

    /// Releases all but `bytes` of a share, which does not grow any more.
    pub(super) fn shrink(&mut self, share: ShareId, bytes: u64) {
        let less = self.accounts.held_by(share).saturating_sub(bytes);
        self.accounts.subtract(share, less);
        self.accounts.end_claim(share);
        self.grant_waiting();
    }

    /// Removes a share.
    pub(super) fn remove(&mut self, share: ShareId) {
        self.accounts.remove(share);
        self.grant_waiting();
    }

    /// Returns whether a request waits for memory that a caller holds.
    #[cfg(feature = "serve")]
    pub(super) fn is_contended(&self, caller: &Caller) -> bool {
        self.queue.requests().any(|waiter| waiter.caller == *caller || !self.accounts.exceeds_caller_limit(waiter))
    }

    /// Grants the requests that there is memory for: first those of shares that hold something, because others wait for
    /// their release.
    fn grant_waiting(&mut self) {
        self.grant_by(|accounts, request| match accounts.decide(request) {
            Decision::Grant if accounts.held_by(request.share) > 0 => Decision::Grant,
            _ => Decision::Skip,
        });
        self.grant_by(Accounts::decide);
    }

    /// Grants the waiting requests for which `decide` says so, in their order.
    fn grant_by(&mut self, decide: impl Fn(&Accounts, &Request) -> Decision) {
        let Self { accounts, queue } = self;
        let mut at = 0;
        while let Some((request, granted)) = queue.next_granted(&mut at, |request| decide(accounts, request)) {
            // The receiver is alive: a ticket leaves the queue under the same lock.
            let _ = granted.send(accounts.add(&request));
        }
    }
}
