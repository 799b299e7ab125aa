//! Who holds how much of a budget, and what each may hold.

use std::collections::HashMap;

use super::queue::Decision;
use crate::limits::Caller;

/// The number of a share.
pub(super) type ShareId = u64;

/// A request of a share to hold so many bytes in all.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) share: ShareId,
    pub(super) caller: Caller,
    pub(super) bytes: u64,
}

/// What the shares of a budget hold.
#[derive(Debug)]
pub(super) struct Accounts {
    total: u64,
    /// The most bytes of one caller.
    part: u64,
    held: u64,
    peak: u64,
    shares: HashMap<ShareId, Account>,
    by_caller: HashMap<Caller, u64>,
}

#[derive(Debug)]
struct Account {
    caller: Caller,
    held: u64,
    /// The most bytes that the share announced before it held any.
    claim: u64,
}

impl Accounts {
    pub(super) fn new(total: u64) -> Self {
        Self { total, part: total / 2, held: 0, peak: 0, shares: HashMap::new(), by_caller: HashMap::new() }
    }

    /// Sets what a caller can hold.
    pub(super) fn set_part(&mut self, bytes: u64) {
        self.part = bytes.clamp(1, self.total);
    }

    pub(super) const fn part(&self) -> u64 {
        self.part
    }

    pub(super) const fn held(&self) -> u64 {
        self.held
    }

    pub(super) const fn peak(&self) -> u64 {
        self.peak
    }

    /// Returns how many bytes a share holds.
    pub(super) fn held_by(&self, share: ShareId) -> u64 {
        self.shares.get(&share).map_or(0, |account| account.held)
    }

    /// Notes the most bytes that a share will hold. A share that holds some has made its claim before.
    pub(super) fn claim(&mut self, Request { share, caller, bytes }: Request) {
        let claim = bytes.min(self.part);
        let account = self.shares.entry(share).or_insert(Account { caller, held: 0, claim });
        if account.held == 0 {
            account.claim = claim;
        }
    }

    /// Notes that a share will hold no more than it does.
    pub(super) fn settle_claim(&mut self, share: ShareId) {
        if let Some(account) = self.shares.get_mut(&share) {
            account.claim = account.held;
        }
    }

    /// Gives a share what it requests. Returns how much that is in addition.
    pub(super) fn add(&mut self, request: &Request) -> u64 {
        let more = self.more(request);
        self.held += more;
        self.peak = self.peak.max(self.held);
        *self.by_caller.entry(request.caller.clone()).or_default() += more;
        let caller = request.caller.clone();
        self.shares.entry(request.share).or_insert(Account { caller, held: 0, claim: 0 }).held += more;
        more
    }

    /// Takes bytes from a share.
    pub(super) fn subtract(&mut self, share: ShareId, bytes: u64) {
        let Some(account) = self.shares.get_mut(&share) else { return };
        let less = bytes.min(account.held);
        account.held -= less;
        self.held -= less;
        if let Some(own) = self.by_caller.get_mut(&account.caller) {
            *own -= less;
            // What is kept depends on the callers of the moment, not on all that ever came.
            if *own == 0 {
                self.by_caller.remove(&account.caller);
            }
        }
    }

    /// Forgets a share.
    pub(super) fn remove(&mut self, share: ShareId) {
        self.subtract(share, u64::MAX);
        self.shares.remove(&share);
    }

    /// Decides on a request. Where the caller itself holds too much, others go on. A share that holds something lets
    /// others go on as well, as it may be them it waits for; one that holds nothing does not, or nobody would ever be
    /// granted much.
    pub(super) fn decide(&self, request: &Request) -> Decision {
        if self.exceeds_part(request) || !self.is_safe(request, Some(&request.caller)) {
            Decision::Skip
        } else if self.held + self.more(request) <= self.total && self.is_safe(request, None) {
            Decision::Grant
        } else if self.held_by(request.share) > 0 {
            Decision::Skip
        } else {
            Decision::Stop
        }
    }

    /// Whether the caller would hold more than its part.
    pub(super) fn exceeds_part(&self, request: &Request) -> bool {
        let own = self.by_caller.get(&request.caller).copied().unwrap_or_default();
        own + self.more(request) > self.part
    }

    fn more(&self, request: &Request) -> u64 {
        request.bytes.saturating_sub(self.held_by(request.share))
    }

    /// Whether all shares that grow, of one caller or of all, can still reach their claims one after the other once the
    /// request is granted. If not, each of them may wait for the others in the end.
    ///
    /// This is the banker's algorithm for one resource: the share that needs the least goes on first, and gives back
    /// what it holds.
    fn is_safe(&self, request: &Request, of: Option<&Caller>) -> bool {
        let shares = self.shares.iter().filter(|(_, account)| of.is_none_or(|caller| account.caller == *caller));
        let mut growing: Vec<(u64, u64)> = shares
            .filter_map(|(share, account)| {
                let granted = if *share == request.share { request.bytes } else { 0 };
                let held = account.held.max(granted);
                let needs = account.claim.saturating_sub(held);
                (held > 0 && needs > 0).then_some((needs, held))
            })
            .collect();
        growing.sort_unstable();
        let room = if of.is_some() { self.part } else { self.total };
        let mut free = room.saturating_sub(growing.iter().map(|(_, held)| held).sum());
        growing.iter().all(|(needs, held)| {
            let is_enough = *needs <= free;
            free += held;
            is_enough
        })
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.held == 0 && self.shares.is_empty() && self.by_caller.is_empty()
    }
}
