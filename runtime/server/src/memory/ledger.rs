//! The accounts of a budget, and those who wait for room.

use super::accounts::{Accounts, Request, ShareId};
use super::queue::{Decision, Ticket, WaitQueue};
#[cfg(feature = "serve")]
use crate::limits::Caller;

/// What is held of a budget, and what is waited for. A waiter hears how much more it was granted.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) accounts: Accounts,
    queue: WaitQueue<Request, u64>,
}

impl Ledger {
    pub(super) fn new(total: u64) -> Self {
        Self { accounts: Accounts::new(total), queue: WaitQueue::default() }
    }

    /// Grants a request at once, or gives it a place in the queue.
    pub(super) fn enter(&mut self, request: Request) -> Option<Ticket<u64>> {
        if self.queue.is_empty() && self.accounts.decide(&request) == Decision::Grant {
            self.accounts.add(&request);
            return None;
        }
        let ticket = self.queue.push(request);
        self.settle();
        Some(ticket)
    }

    /// Takes back a place in the queue, or what was granted meanwhile.
    pub(super) fn leave(&mut self, ticket: &mut Ticket<u64>, share: ShareId) {
        if !self.queue.remove(ticket.id)
            && let Ok(granted) = ticket.granted.try_recv()
        {
            self.accounts.subtract(share, granted);
        }
        self.settle();
    }

    /// Takes all but so many bytes from a share, which asks for no more from now on.
    pub(super) fn shrink(&mut self, share: ShareId, bytes: u64) {
        let less = self.accounts.held_by(share).saturating_sub(bytes);
        self.accounts.subtract(share, less);
        self.accounts.settle_claim(share);
        self.settle();
    }

    /// Forgets a share.
    pub(super) fn remove(&mut self, share: ShareId) {
        self.accounts.remove(share);
        self.settle();
    }

    /// Whether somebody waits for what a caller holds.
    #[cfg(feature = "serve")]
    pub(super) fn is_awaited(&self, caller: &Caller) -> bool {
        self.queue.requests().any(|waiter| waiter.caller == *caller || !self.accounts.exceeds_part(waiter))
    }

    /// Grants what there is room for: first to shares that hold something, as others wait for what they will give back.
    fn settle(&mut self) {
        self.grant(|accounts, request| match accounts.decide(request) {
            Decision::Grant if accounts.held_by(request.share) > 0 => Decision::Grant,
            _ => Decision::Skip,
        });
        self.grant(Accounts::decide);
    }

    fn grant(&mut self, decide: impl Fn(&Accounts, &Request) -> Decision) {
        let Self { accounts, queue } = self;
        let mut at = 0;
        while let Some((request, granted)) = queue.next_granted(&mut at, |request| decide(accounts, request)) {
            // The ticket is there: it leaves the queue under the same lock.
            let _ = granted.send(accounts.add(&request));
        }
    }
}
