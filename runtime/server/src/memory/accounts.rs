//! Accounting of a budget: what each caller holds and may hold.

use std::collections::HashMap;

use super::queue::Decision;
use crate::limits::Caller;

/// Number of a share.
pub(super) type ShareId = u64;

/// Request of a share for a total number of bytes.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) share: ShareId,
    pub(super) caller: Caller,
    pub(super) bytes: u64,
}

/// Bytes that the shares of a budget hold.
#[derive(Debug)]
pub(super) struct Accounts {
    total: u64,
    /// Maximum number of bytes of one caller.
    max_caller_bytes: u64,
    held: u64,
    peak: u64,
    shares: HashMap<ShareId, Account>,
    by_caller: HashMap<Caller, u64>,
}

/// Memory of one share, in bytes.
#[derive(Debug)]
struct Account {
    caller: Caller,
    held: u64,
    /// Maximum number of bytes that the share announced before it held any.
    claim: u64,
}

impl Accounts {
    pub(super) fn new(total: u64) -> Self {
        Self { total, max_caller_bytes: total / 2, held: 0, peak: 0, shares: HashMap::new(), by_caller: HashMap::new() }
    }

    /// Sets the maximum of a caller.
    pub(super) fn set_max_caller_bytes(&mut self, bytes: u64) {
        self.max_caller_bytes = bytes.clamp(1, self.total);
    }

    /// Returns the number of bytes of the budget.
    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    /// Returns the maximum number of bytes of one caller.
    pub(super) const fn max_caller_bytes(&self) -> u64 {
        self.max_caller_bytes
    }

    /// Returns the number of bytes that all shares hold.
    pub(super) const fn held(&self) -> u64 {
        self.held
    }

    /// Returns the maximum number of bytes that were ever held at once.
    pub(super) const fn peak(&self) -> u64 {
        self.peak
    }

    /// Returns the number of bytes that a share holds.
    pub(super) fn held_by(&self, share: ShareId) -> u64 {
        self.shares.get(&share).map_or(0, |account| account.held)
    }

    /// Records the maximum number of bytes that a share will hold. Ignored for a share that holds some already.
    pub(super) fn claim(&mut self, Request { share, caller, bytes }: Request) {
        let claim = bytes.min(self.max_caller_bytes);
        let account = self.shares.entry(share).or_insert(Account { caller, held: 0, claim });
        if account.held == 0 {
            account.claim = claim;
        }
    }

    /// Records that a share will not grow any more.
    pub(super) fn end_claim(&mut self, share: ShareId) {
        if let Some(account) = self.shares.get_mut(&share) {
            account.claim = account.held;
        }
    }

    /// Grants a request. Returns the number of additional bytes.
    pub(super) fn add(&mut self, request: &Request) -> u64 {
        let more = self.additional_bytes(request);
        self.held += more;
        self.peak = self.peak.max(self.held);
        *self.by_caller.entry(request.caller.clone()).or_default() += more;
        let caller = request.caller.clone();
        self.shares.entry(request.share).or_insert(Account { caller, held: 0, claim: 0 }).held += more;
        more
    }

    /// Subtracts bytes from a share.
    pub(super) fn subtract(&mut self, share: ShareId, bytes: u64) {
        let Some(account) = self.shares.get_mut(&share) else { return };
        let less = bytes.min(account.held);
        account.held -= less;
        self.held -= less;
        if let Some(own) = self.by_caller.get_mut(&account.caller) {
            *own -= less;
            // The map holds only current callers, not all that ever came.
            if *own == 0 {
                self.by_caller.remove(&account.caller);
            }
        }
    }

    /// Removes a share.
    pub(super) fn remove(&mut self, share: ShareId) {
        self.subtract(share, u64::MAX);
        self.shares.remove(&share);
    }

    /// Decides on a request. If the caller itself holds too much, the requests after it continue. If a share that holds
    /// something must wait, the requests after it continue too, because it may be waiting for them; if one that holds
    /// nothing must wait, they do not, so that large requests do not starve.
    pub(super) fn decide(&self, request: &Request) -> Decision {
        if self.exceeds_caller_limit(request) || !self.is_safe(request, Some(&request.caller)) {
            Decision::Skip
        } else if self.held + self.additional_bytes(request) <= self.total && self.is_safe(request, None) {
            Decision::Grant
        } else if self.held_by(request.share) > 0 {
            Decision::Skip
        } else {
            Decision::Stop
        }
    }

    /// Returns whether the caller would exceed its maximum.
    pub(super) fn exceeds_caller_limit(&self, request: &Request) -> bool {
        let own = self.by_caller.get(&request.caller).copied().unwrap_or_default();
        own + self.additional_bytes(request) > self.max_caller_bytes
    }

    /// Returns the number of bytes that a request needs beyond those that its share holds.
    fn additional_bytes(&self, request: &Request) -> u64 {
        request.bytes.saturating_sub(self.held_by(request.share))
    }

    /// Returns whether all growing shares, of one caller or of all, can still reach their claims one after the other
    /// once the request is granted. Otherwise there could be a deadlock.
    ///
    /// This is the banker's algorithm for one resource: the share that needs the least continues first, and releases
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
        let room = if of.is_some() { self.max_caller_bytes } else { self.total };
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
