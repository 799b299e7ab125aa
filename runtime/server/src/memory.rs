//! A budget for the memory that large requests and responses take.
//!
//! The number of requests does not bound their memory: a thousand small ones are nothing, and a thousand large ones are
//! the end of the process. A request takes a share of the budget for what has arrived of it, and a response for what it
//! holds; what was only announced takes nothing. A caller holds half of the budget at the most.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::error::Error;

/// The seconds after which another attempt is worth it.
pub(crate) const RETRY_AFTER: u32 = 5;

/// What a caller is told when there is no room for too long.
pub(crate) const BUSY: &str = "too many large messages are worked on at the moment";

/// The memory that large requests and responses may take at the same time. Clones share it.
#[derive(Clone)]
pub struct MemoryBudget(Arc<Inner>);

struct Inner {
    total: u64,
    /// The most bytes of one caller.
    part: u64,
    wait: Duration,
    pause: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    held: u64,
    peak: u64,
    by_caller: HashMap<Arc<str>, u64>,
    queue: VecDeque<Waiter>,
}

struct Waiter {
    caller: Arc<str>,
    bytes: u64,
    granted: oneshot::Sender<Grant>,
}

/// Bytes that were granted to a waiter, which may have gone.
struct Grant(Option<(Arc<Inner>, Arc<str>, u64)>);

impl MemoryBudget {
    /// Creates a budget of so many bytes. Half of them should be enough for the largest request: one that needs more
    /// waits for all that a caller can have, and what it takes beyond is not counted.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let total = bytes.max(2);
        let (wait, pause) = (Duration::from_secs(5), Duration::from_secs(3));
        Self(Arc::new(Inner { total, part: total / 2, wait, pause, state: Mutex::default() }))
    }

    /// Sets how long a request waits for its share before it is answered 503; 5 seconds by default.
    #[must_use]
    pub fn with_wait(self, wait: Duration) -> Self {
        let Inner { total, part, pause, .. } = *self.0;
        Self(Arc::new(Inner { total, part, wait, pause, state: Mutex::default() }))
    }

    /// Sets in which time a body that holds a share must go on, by 16 KiB at least, before it is answered 408; 3 seconds
    /// by default, which should be less than others wait.
    #[must_use]
    pub fn with_pause(self, pause: Duration) -> Self {
        let Inner { total, part, wait, .. } = *self.0;
        Self(Arc::new(Inner { total, part, wait, pause, state: Mutex::default() }))
    }

    /// Creates a share of a caller, which holds nothing yet.
    #[must_use]
    pub fn share(&self, caller: &str) -> MemoryShare {
        MemoryShare { budget: Arc::clone(&self.0), caller: caller.into(), held: Mutex::new(0) }
    }

    /// Returns how many bytes are held at the moment.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.0.lock().held
    }

    /// Returns the most bytes that were held at the same time so far.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.0.lock().peak
    }

    pub(crate) fn pause(&self) -> Duration {
        self.0.pause
    }
}

impl fmt::Debug for MemoryBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryBudget").field("total", &self.0.total).field("held", &self.held()).finish_non_exhaustive()
    }
}

/// What a request holds of a budget, until this is dropped.
pub struct MemoryShare {
    budget: Arc<Inner>,
    caller: Arc<str>,
    held: Mutex<u64>,
}

impl MemoryShare {
    /// Waits until the share has so many bytes; it keeps what it has if that is more.
    ///
    /// # Errors
    /// 503 with `Retry-After` when there is no room for too long.
    pub async fn reserve(&self, bytes: u64) -> Result<(), Error> {
        let more = bytes.min(self.budget.part).saturating_sub(self.held());
        if more == 0 {
            return Ok(());
        }
        if let Err(waiting) = self.budget.take(&self.caller, more) {
            // The place in the queue is given up before the next one is looked for.
            let granted = tokio::time::timeout(self.budget.wait, waiting).await;
            match granted {
                Ok(Ok(mut grant)) => drop(grant.0.take()),
                _ => {
                    self.budget.lock().settle(&self.budget);
                    return Err(Error::unavailable(BUSY, RETRY_AFTER));
                }
            }
        }
        *self.lock() += more;
        Ok(())
    }

    /// Gives back all but so many bytes.
    pub fn shrink(&self, bytes: u64) {
        let mut held = self.lock();
        let less = held.saturating_sub(bytes);
        *held -= less;
        drop(held);
        self.budget.give_back(&self.caller, less);
    }

    /// Returns how many bytes it holds.
    #[must_use]
    pub fn held(&self) -> u64 {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        self.shrink(0);
    }
}

impl fmt::Debug for MemoryShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryShare").field("held", &self.held()).finish_non_exhaustive()
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes bytes for a caller, or a place in the queue.
    fn take(self: &Arc<Self>, caller: &Arc<str>, bytes: u64) -> Result<(), oneshot::Receiver<Grant>> {
        let mut state = self.lock();
        if state.queue.is_empty() && state.fits(self, caller, bytes) {
            state.add(caller, bytes);
            return Ok(());
        }
        let (granted, waiting) = oneshot::channel();
        state.queue.push_back(Waiter { caller: Arc::clone(caller), bytes, granted });
        state.settle(self);
        Err(waiting)
    }

    fn give_back(self: &Arc<Self>, caller: &Arc<str>, bytes: u64) {
        if bytes > 0 {
            let mut state = self.lock();
            state.remove(caller, bytes);
            state.settle(self);
        }
    }
}

impl State {
    fn fits(&self, of: &Inner, caller: &Arc<str>, bytes: u64) -> bool {
        self.held + bytes <= of.total && self.of(caller) + bytes <= of.part
    }

    fn of(&self, caller: &Arc<str>) -> u64 {
        self.by_caller.get(caller).copied().unwrap_or_default()
    }

    fn add(&mut self, caller: &Arc<str>, bytes: u64) {
        self.held += bytes;
        self.peak = self.peak.max(self.held);
        *self.by_caller.entry(Arc::clone(caller)).or_default() += bytes;
    }

    fn remove(&mut self, caller: &Arc<str>, bytes: u64) {
        self.held = self.held.saturating_sub(bytes);
        if let Some(own) = self.by_caller.get_mut(caller) {
            *own = own.saturating_sub(bytes);
            if *own == 0 {
                self.by_caller.remove(caller);
            }
        }
    }

    /// Grants what there is room for, in the order of the queue. A waiter whose caller holds its part lets others pass;
    /// one that only needs more than is free does not, or nobody would ever be granted much.
    fn settle(&mut self, of: &Arc<Inner>) {
        self.queue.retain(|waiter| !waiter.granted.is_closed());
        let mut at = 0;
        while let Some(Waiter { caller, bytes, .. }) = self.queue.get(at) {
            let (caller, bytes) = (Arc::clone(caller), *bytes);
            if self.of(&caller) + bytes > of.part {
                at += 1;
                continue;
            }
            if !self.fits(of, &caller, bytes) {
                break;
            }
            let Some(waiter) = self.queue.remove(at) else { break };
            self.add(&caller, bytes);
            let grant = Grant(Some((Arc::clone(of), Arc::clone(&caller), bytes)));
            if let Err(mut grant) = waiter.granted.send(grant) {
                // It is given back here: dropping it would wait for the lock that is held.
                drop(grant.0.take());
                self.remove(&caller, bytes);
            }
        }
    }
}

impl Drop for Grant {
    /// A waiter that has gone gives back what it was granted.
    fn drop(&mut self) {
        if let Some((budget, caller, bytes)) = self.0.take() {
            budget.give_back(&caller, bytes);
        }
    }
}
