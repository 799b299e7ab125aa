//! Slots: how much of one kind of work goes on at the same time, and how much of it for one caller.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::ConnectInfo;
use http::request::Parts;

use super::Limits;
use crate::auth::Principal;
use crate::error::Error;

/// The seconds after which a caller that was turned away may come back.
pub(super) const RETRY_AFTER: u32 = 1;

/// The caller whose share a slot counts against.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Caller {
    /// The subject that a credential stands for.
    Subject(Arc<str>),
    /// The address of a peer that shows no credential. Of IPv6 its /64, which one subscriber has as a whole.
    Peer(IpAddr),
    /// A peer whose address the server was not told.
    Unknown,
}

impl Caller {
    /// Returns the caller that a request counts against.
    pub(crate) fn of(principal: &Principal, parts: &Parts) -> Self {
        if !principal.is_anonymous() {
            return Self::Subject(principal.shared_subject());
        }
        match parts.extensions.get::<ConnectInfo<SocketAddr>>() {
            Some(ConnectInfo(peer)) => Self::Peer(network(peer.ip().to_canonical())),
            None => Self::Unknown,
        }
    }
}

fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

/// A number of slots, of which one caller can hold a share. Nobody waits for one: a queue would only make everybody
/// slow.
#[derive(Debug)]
pub(crate) struct Slots {
    total: usize,
    share: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    total: usize,
    by_caller: HashMap<Caller, usize>,
}

/// A slot, which is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    slots: Arc<Slots>,
    caller: Caller,
}

impl Slots {
    /// Creates a number of slots, of which a caller gets the share that the limits give.
    pub(crate) fn new(total: usize, limits: &Limits) -> Arc<Self> {
        let share = total.saturating_mul(usize::from(limits.share_percent.min(100))) / 100;
        Arc::new(Self { total, share: share.max(1), held: Mutex::default() })
    }

    /// Takes a slot for a caller.
    ///
    /// # Errors
    /// 503 when all slots are held, and 429 when the caller holds its share, both with `Retry-After`.
    pub(crate) fn enter(self: &Arc<Self>, caller: &Caller) -> Result<Permit, Error> {
        let mut held = self.lock();
        let Held { total, by_caller } = &mut *held;
        if *total >= self.total {
            return Err(Error::unavailable("the server has too much to do", RETRY_AFTER));
        }
        match by_caller.entry(caller.clone()) {
            Entry::Occupied(mut own) if *own.get() < self.share => *own.get_mut() += 1,
            Entry::Occupied(_) => {
                let message = "too many requests of this caller are worked on at the moment";
                return Err(Error::too_many_requests(message, RETRY_AFTER));
            }
            Entry::Vacant(none) => _ = none.insert(1),
        }
        *total += 1;
        drop(held);
        Ok(Permit { slots: Arc::clone(self), caller: caller.clone() })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut held = self.slots.lock();
        held.total -= 1;
        if let Some(own) = held.by_caller.get_mut(&self.caller) {
            *own -= 1;
            // What is kept depends on the callers of the moment, not on all that ever came.
            if *own == 0 {
                held.by_caller.remove(&self.caller);
            }
        }
    }
}
