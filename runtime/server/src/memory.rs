//! Memory budget for large requests and responses.
//!
//! The number of requests does not limit their memory: a thousand small ones are harmless, and a thousand large ones
//! exhaust it. A request reserves memory for the part that has arrived, and a response for its text; an announced
//! length alone reserves nothing. By default, one caller can hold half of the budget.

mod accounts;
mod ledger;
mod queue;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use self::accounts::{Request, ShareId};
use self::ledger::Ledger;
use self::queue::Ticket;
pub(crate) use self::text::TextMemory;
use crate::error::Error;
use crate::limits::Caller;

/// Size of a message below which no memory is reserved: the number of requests limits it.
pub(crate) const UNRESERVED_BYTES: u64 = 16 << 10;

/// `Retry-After` in seconds if no memory is available in time.
pub(crate) const BUSY_RETRY_SECONDS: u32 = 5;

/// Message of the error if no memory is available in time.
pub(crate) const BUSY: &str = "too many large messages are being processed";

/// Default time that a request waits for memory.
const DEFAULT_WAIT: Duration = Duration::from_secs(5);

/// Default time in which a body that holds memory must make progress.
const DEFAULT_PAUSE: Duration = Duration::from_secs(3);

/// Budget for the memory of large requests and responses. Clones share it.
#[derive(Clone)]
pub struct MemoryBudget {
    shared: Arc<BudgetState>,
    wait: Duration,
    pause: Duration,
}

/// State that the clones and the shares of a budget have in common.
struct BudgetState {
    ledger: Mutex<Ledger>,
    next_share: AtomicU64,
    /// Bytes of complete texts that wait for their memory.
    waiting_texts: AtomicU64,
}

impl MemoryBudget {
    /// Creates a budget in bytes. Half of it, the default maximum of a caller, should suffice for the largest request.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let ledger = Mutex::new(Ledger::new(bytes.max(2)));
        Self {
            shared: Arc::new(BudgetState {
                ledger,
                next_share: AtomicU64::default(),
                waiting_texts: AtomicU64::default(),
            }),
            wait: DEFAULT_WAIT,
            pause: DEFAULT_PAUSE,
        }
    }

    /// Sets the maximum number of bytes of one caller. The default is half of the budget. It applies to all clones.
    #[must_use]
    pub fn with_caller_bytes(self, bytes: u64) -> Self {
        self.lock().accounts.set_max_caller_bytes(bytes);
        self
    }

    /// Sets the maximum time that a request waits for memory before it gets a 503. The default is 5 seconds. Other
    /// clones keep their setting.
    #[must_use]
    pub fn with_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets the time in which a body that holds memory must progress by at least 16 KiB. The default is 3 seconds; it
    /// should be less than the wait. Otherwise a request gets a 408; a response is aborted, with its connection, if
    /// others wait for memory. Other clones keep their setting.
    #[must_use]
    pub fn with_pause(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// Creates a share that holds no memory yet, and counts for the caller with this subject of a credential, together
    /// with the other shares of that caller. In a handler, [`Context::share`](crate::Context::share) knows the caller.
    #[must_use]
    pub fn share(&self, subject: &str) -> MemoryShare {
        self.share_of(Caller::Subject(subject.into()))
    }

    /// Creates a share of a caller that holds no memory yet.
    pub(crate) fn share_of(&self, caller: Caller) -> MemoryShare {
        let id = self.shared.next_share.fetch_add(1, Ordering::Relaxed);
        MemoryShare { budget: self.clone(), caller, id }
    }

    /// Returns the number of bytes that are currently held.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.lock().accounts.held()
    }

    /// Returns the maximum number of bytes that were held at the same time so far.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.lock().accounts.peak()
    }

    /// Returns the maximum number of bytes of one caller.
    pub(crate) fn max_caller_bytes(&self) -> u64 {
        self.lock().accounts.max_caller_bytes()
    }

    /// Returns the mark for responses that hold memory of a caller.
    pub(crate) fn mark(&self, caller: &Caller) -> ShareMarker {
        ShareMarker { budget: self.clone(), caller: caller.clone() }
    }

    /// Returns the time in which a body that holds memory must make progress.
    pub(crate) const fn pause(&self) -> Duration {
        self.pause
    }

    /// Locks the ledger; a panic of another thread does not make it unusable.
    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.shared.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for MemoryBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryBudget").field("held", &self.held()).finish_non_exhaustive()
    }
}

/// Memory of a budget that a request holds, until this is dropped.
pub struct MemoryShare {
    budget: MemoryBudget,
    caller: Caller,
    id: ShareId,
}

impl MemoryShare {
    /// Announces the maximum number of bytes that the share will hold, before it holds any. A share that grows in
    /// several steps needs this to prevent deadlocks: no step is granted that could leave shares waiting for each
    /// other.
    pub fn claim(&self, bytes: u64) {
        self.budget.lock().accounts.claim(self.request(bytes));
    }

    /// Waits until the share holds at least `bytes`, limited to the maximum of the caller.
    ///
    /// # Errors
    /// Returns a 503 with `Retry-After` if no memory is available in time.
    pub async fn reserve(&self, bytes: u64) -> Result<(), Error> {
        match self.enqueue(bytes) {
            Some(waiting) => waiting.granted().await,
            None => Ok(()),
        }
    }

    /// Returns the maximum number of bytes that the share can hold: that of its caller.
    #[must_use]
    pub fn max_bytes(&self) -> u64 {
        self.budget.max_caller_bytes()
    }

    /// Releases all but `bytes`.
    pub fn shrink(&self, bytes: u64) {
        self.budget.lock().shrink(self.id, bytes);
    }

    /// Returns the number of bytes that the share holds.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.budget.lock().accounts.held_by(self.id)
    }

    /// Returns the mark for responses that hold the share.
    pub(crate) fn mark(&self) -> ShareMarker {
        ShareMarker { budget: self.budget.clone(), caller: self.caller.clone() }
    }

    /// Creates a request to hold `bytes` in total.
    fn request(&self, bytes: u64) -> Request {
        Request { share: self.id, caller: self.caller.clone(), bytes }
    }

    /// Requests memory; returns the pending reservation.
    fn enqueue(&self, bytes: u64) -> Option<Reservation<'_>> {
        let mut ledger = self.budget.lock();
        let bytes = bytes.min(ledger.accounts.max_caller_bytes());
        let ticket = ledger.request(self.request(bytes))?;
        Some(Reservation { share: self, ticket, is_granted: false })
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

/// Mark of a response that holds memory. It is stored in the extensions of the response, for the connection that sends
/// it.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "serve"), allow(dead_code, reason = "connections alone look at it"))]
pub(crate) struct ShareMarker {
    budget: MemoryBudget,
    caller: Caller,
}

#[cfg(feature = "serve")]
impl ShareMarker {
    /// Returns the time in which the response must progress while others wait.
    pub(crate) const fn pause(&self) -> Duration {
        self.budget.pause
    }

    /// Returns whether a request waits for memory that the caller holds.
    pub(crate) fn is_contended(&self) -> bool {
        self.budget.lock().is_contended(&self.caller)
    }
}

/// Pending reservation, which is cancelled when it is dropped, so that those after it in the queue continue.
struct Reservation<'s> {
    share: &'s MemoryShare,
    ticket: Ticket<u64>,
    /// True if the reservation was granted and the share knows it.
    is_granted: bool,
}

impl Reservation<'_> {
    /// Waits for the grant, as long as the budget allows.
    async fn granted(mut self) -> Result<(), Error> {
        let granted = tokio::time::timeout(self.share.budget.wait, &mut self.ticket.granted).await;
        self.is_granted = matches!(granted, Ok(Ok(_)));
        if self.is_granted { Ok(()) } else { Err(Error::unavailable(BUSY, BUSY_RETRY_SECONDS)) }
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if !self.is_granted {
            self.share.budget.lock().cancel(&mut self.ticket, self.share.id);
        }
    }
}
