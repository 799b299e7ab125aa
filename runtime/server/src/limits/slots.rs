//! Concurrency limits, in total and for each caller.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::ConnectInfo;
use http::request::Parts;

use super::Limits;
use crate::auth::Principal;
use crate::error::Error;

/// `Retry-After` in seconds of a request that exceeds a limit on concurrency or time.
pub(super) const OVERLOAD_RETRY_SECONDS: u32 = 1;

/// Caller that a slot is counted for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Caller {
    /// Subject of a credential.
    Subject(Arc<str>),
    /// IP address of a peer without a credential. For IPv6 its /64, which one subscriber has as a whole.
    Peer(IpAddr),
    /// Peer of an unknown address.
    Unknown,
}

impl Caller {
    /// Returns the caller of a request.
    pub(crate) fn of(principal: &Principal, parts: &Parts) -> Self {
        if !principal.is_anonymous() {
            return Self::Subject(principal.shared_subject());
        }
        match parts.extensions.get::<ConnectInfo<SocketAddr>>() {
            Some(ConnectInfo(peer)) => Self::Peer(subscriber_network(peer.ip().to_canonical())),
            None => Self::Unknown,
        }
    }
}

/// Returns the /64 of an IPv6 address, which one subscriber has as a whole; an IPv4 address as it is.
fn subscriber_network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

/// Limited number of slots, of which one caller can hold a share. Requests do not wait for a slot: a queue would slow
/// down all of them.
#[derive(Debug)]
pub(crate) struct Slots {
    total: usize,
    share: usize,
    usage: Mutex<SlotUsage>,
}

/// Number of slots in use.
#[derive(Debug, Default)]
struct SlotUsage {
    total: usize,
    by_caller: HashMap<Caller, usize>,
}

/// Permit for a slot, which is released when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    slots: Arc<Slots>,
    caller: Caller,
}

impl Slots {
    /// Creates slots, of which one caller can hold the share in the limits.
    pub(crate) fn new(total: usize, limits: &Limits) -> Arc<Self> {
        let share = total.saturating_mul(usize::from(limits.share_percent.min(100))) / 100;
        Arc::new(Self { total, share: share.max(1), usage: Mutex::default() })
    }

    /// Acquires a slot for a caller.
    ///
    /// # Errors
    /// Returns a 503 if all slots are held, and a 429 if the caller holds its share, both with `Retry-After`.
    pub(crate) fn acquire(self: &Arc<Self>, caller: &Caller) -> Result<Permit, Error> {
        let mut held = self.lock();
        let SlotUsage { total, by_caller } = &mut *held;
        if *total >= self.total {
            return Err(Error::unavailable("the server is overloaded", OVERLOAD_RETRY_SECONDS));
        }
        match by_caller.entry(caller.clone()) {
            Entry::Occupied(mut own) if *own.get() < self.share => *own.get_mut() += 1,
            Entry::Occupied(_) => {
                let message = "too many concurrent requests of this caller";
                return Err(Error::too_many_requests(message, OVERLOAD_RETRY_SECONDS));
            }
            Entry::Vacant(none) => _ = none.insert(1),
        }
        *total += 1;
        drop(held);
        Ok(Permit { slots: Arc::clone(self), caller: caller.clone() })
    }

    /// Locks the usage; a panic of another thread does not make it unusable.
    fn lock(&self) -> std::sync::MutexGuard<'_, SlotUsage> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut held = self.slots.lock();
        held.total -= 1;
        if let Some(own) = held.by_caller.get_mut(&self.caller) {
            *own -= 1;
            // The map holds only current callers, not all that ever came.
            if *own == 0 {
                held.by_caller.remove(&self.caller);
            }
        }
    }
}
