//! A budget for the memory that large requests and responses take.
//!
//! The number of requests does not bound their memory: a thousand small ones are nothing, and a thousand large ones are
//! the end of the process. A request takes a share of the budget for what has arrived of it, and a response for what it
//! holds; what was only announced takes nothing. A caller holds half of the budget at the most, unless set.

mod accounts;
mod ledger;
mod queue;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use self::accounts::{Request, ShareId};
use self::ledger::Ledger;
use self::queue::Ticket;
use crate::error::Error;
use crate::limits::Caller;

/// The seconds after which another attempt is worth it.
pub(crate) const RETRY_AFTER: u32 = 5;

/// What a caller is told when there is no room for too long.
pub(crate) const BUSY: &str = "too many large messages are worked on at the moment";

/// How long a request waits for room, unless set.
const WAIT: Duration = Duration::from_secs(5);

/// How long a body that holds a share may stand still, unless set.
const PAUSE: Duration = Duration::from_secs(3);

/// The memory that large requests and responses may take at the same time. Clones share it.
#[derive(Clone)]
pub struct MemoryBudget {
    shared: Arc<Shared>,
    wait: Duration,
    pause: Duration,
}

struct Shared {
    ledger: Mutex<Ledger>,
    next_share: AtomicU64,
}

impl MemoryBudget {
    /// Creates a budget of so many bytes. Half of them, which a caller can hold, should be enough for the largest request.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let ledger = Mutex::new(Ledger::new(bytes.max(2)));
        Self { shared: Arc::new(Shared { ledger, next_share: AtomicU64::default() }), wait: WAIT, pause: PAUSE }
    }

    /// Sets how many bytes a caller can hold; half of the budget by default. Clones have the same.
    #[must_use]
    pub fn with_caller_bytes(self, bytes: u64) -> Self {
        self.lock().accounts.set_part(bytes);
        self
    }

    /// Sets how long a request waits for its share before it is answered 503; 5 seconds by default. Other clones keep
    /// their time.
    #[must_use]
    pub fn with_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets in which time a body that holds a share must go on, by 16 KiB at least; 3 seconds by default, which should be
    /// less than others wait. A request is answered 408 otherwise. A response breaks off, with its connection, if others
    /// wait for room. Other clones keep their time.
    #[must_use]
    pub fn with_pause(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// Creates a share of a caller by the subject of its credential, which holds nothing yet. In a handler,
    /// [`Context::share`](crate::Context::share) knows the caller.
    #[must_use]
    pub fn share(&self, subject: &str) -> MemoryShare {
        self.share_of(Caller::Subject(subject.into()))
    }

    /// Creates a share of a caller, which holds nothing yet.
    pub(crate) fn share_of(&self, caller: Caller) -> MemoryShare {
        let id = self.shared.next_share.fetch_add(1, Ordering::Relaxed);
        MemoryShare { budget: self.clone(), caller, id }
    }

    /// Returns how many bytes are held at the moment.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.lock().accounts.held()
    }

    /// Returns the most bytes that were held at the same time so far.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.lock().accounts.peak()
    }

    /// Returns the most bytes that one caller can hold.
    pub(crate) fn part(&self) -> u64 {
        self.lock().accounts.part()
    }

    /// Returns what a response of a caller says that holds shares of it.
    pub(crate) fn mark(&self, caller: &Caller) -> ShareMark {
        ShareMark { budget: self.clone(), caller: caller.clone() }
    }

    pub(crate) const fn pause(&self) -> Duration {
        self.pause
    }

    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.shared.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for MemoryBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryBudget").field("held", &self.held()).finish_non_exhaustive()
    }
}

/// What a request holds of a budget, until this is dropped.
pub struct MemoryShare {
    budget: MemoryBudget,
    caller: Caller,
    id: ShareId,
}

impl MemoryShare {
    /// Announces the most bytes that the share will hold, before it holds any. A share that grows in several steps
    /// needs this: none of them is granted then from where it and others could only wait for each other.
    pub fn claim(&self, bytes: u64) {
        self.budget.lock().accounts.claim(self.request(bytes));
    }

    /// Waits until the share has so many bytes; it keeps what it has if that is more. More than one caller can hold
    /// counts as that.
    ///
    /// # Errors
    /// 503 with `Retry-After` when there is no room for too long.
    pub async fn reserve(&self, bytes: u64) -> Result<(), Error> {
        let Some(mut waiting) = self.enter(bytes) else { return Ok(()) };
        let granted = tokio::time::timeout(self.budget.wait, &mut waiting.ticket.granted).await;
        if !matches!(granted, Ok(Ok(_))) {
            return Err(Error::unavailable(BUSY, RETRY_AFTER));
        }
        waiting.is_settled = true;
        Ok(())
    }

    /// Gives back all but so many bytes.
    pub fn shrink(&self, bytes: u64) {
        self.budget.lock().shrink(self.id, bytes);
    }

    /// Returns how many bytes it holds.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.budget.lock().accounts.held_by(self.id)
    }

    /// Returns what a response that holds the share says of it.
    pub(crate) fn mark(&self) -> ShareMark {
        ShareMark { budget: self.budget.clone(), caller: self.caller.clone() }
    }

    fn request(&self, bytes: u64) -> Request {
        Request { share: self.id, caller: self.caller.clone(), bytes }
    }

    /// Asks for so many bytes; what is returned waits for them.
    fn enter(&self, bytes: u64) -> Option<Reservation<'_>> {
        let mut ledger = self.budget.lock();
        let bytes = bytes.min(ledger.accounts.part());
        let ticket = ledger.enter(self.request(bytes))?;
        Some(Reservation { share: self, ticket, is_settled: false })
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        self.budget.lock().remove(self.id);
    }
}

impl fmt::Debug for MemoryShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryShare").field("held", &self.held()).finish_non_exhaustive()
    }
}

/// Whose share a response holds. It is among the extensions of the response, for the connection that sends it.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "serve"), allow(dead_code, reason = "connections alone look at it"))]
pub(crate) struct ShareMark {
    budget: MemoryBudget,
    caller: Caller,
}

#[cfg(feature = "serve")]
impl ShareMark {
    /// Returns in which time the response must go on, while others wait.
    pub(crate) const fn pause(&self) -> Duration {
        self.budget.pause
    }

    /// Whether somebody waits for what the caller holds.
    pub(crate) fn is_awaited(&self) -> bool {
        self.budget.lock().is_awaited(&self.caller)
    }
}

/// A place in the queue of a budget. It is given up when this is dropped, for which nobody need wait: those behind it
/// go on.
struct Reservation<'s> {
    share: &'s MemoryShare,
    ticket: Ticket<u64>,
    /// Whether the share has heard what it was granted.
    is_settled: bool,
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if !self.is_settled {
            self.share.budget.lock().leave(&mut self.ticket, self.share.id);
        }
    }
}
