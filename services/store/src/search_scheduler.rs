//! Fair scheduling of searches.
//!
//! A search takes short steps, each in a turn. Turns go round robin among callers, which are the searched mailboxes. A
//! caller has one turn at a time and a bounded number of searches, so that a caller with many searches delays only
//! itself, and a search of another caller is as fast as if every caller had one search.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::{Error, Mailbox, Result, Unavailable};

/// Maximum number of unfinished searches per caller; further ones are refused.
const MAX_SEARCHES_PER_CALLER: usize = 16;
/// Maximum number of unfinished searches of all callers.
const MAX_SEARCHES: usize = 512;

/// Returns the number of processors available to the program.
pub(crate) fn processor_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Owner of a share: a mailbox, or with `None` the operator of the store.
pub(crate) type Caller = Option<Mailbox>;

/// Scheduler of searches. Clones share their turns.
#[derive(Clone, Debug)]
pub struct SearchScheduler(Arc<Mutex<State>>);

/// Turns and callers of a scheduler.
#[derive(Debug)]
struct State {
    /// Number of free turns.
    free: usize,
    /// Number of admitted searches that have not ended.
    admitted: usize,
    callers: HashMap<Caller, CallerState>,
    /// Callers with waiting steps, in the order of their turns.
    queue: VecDeque<Caller>,
}

/// State of one caller.
#[derive(Debug, Default)]
struct CallerState {
    admitted: usize,
    /// Number of joined lists that have not ended.
    lists: usize,
    has_permit: bool,
    waiting: VecDeque<oneshot::Sender<SearchPermit>>,
}

impl CallerState {
    /// Returns whether the caller has no searches, lists or turns left.
    fn is_idle(&self) -> bool {
        self.admitted + self.lists == 0 && !self.has_permit
    }
}

impl SearchScheduler {
    /// Creates a scheduler with `turns` concurrent steps, at least one.
    pub(crate) fn new(turns: usize) -> Self {
        let state = State { free: turns.max(1), admitted: 0, callers: HashMap::new(), queue: VecDeque::new() };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Admits a search of a caller.
    ///
    /// # Errors
    /// Returns [`Unavailable::TooManySearches`] if the caller has too many searches, [`Unavailable::Busy`] if all
    /// callers together have.
    pub(crate) fn admit(&self, caller: Caller) -> Result<Admission> {
        let mut state = self.state();
        if state.admitted >= MAX_SEARCHES {
            return Err(Error::Unavailable(Unavailable::Busy));
        }
        let entry = state.callers.entry(caller).or_default();
        if entry.admitted >= MAX_SEARCHES_PER_CALLER {
            return Err(Error::Unavailable(Unavailable::TooManySearches));
        }
        entry.admitted += 1;
        state.admitted += 1;
        Ok(Admission { scheduler: self.clone(), caller, is_search: true })
    }

    /// Admits a list that is no search, without a limit: the caller limits their number.
    pub(crate) fn admit_list(&self, caller: Caller) -> Admission {
        let mut state = self.state();
        state.callers.entry(caller).or_default().lists += 1;
        drop(state);
        Admission { scheduler: self.clone(), caller, is_search: false }
    }

    /// Runs work on a thread of its own in a turn of a caller. The turn ends with the work, so that a caller that does not
    /// continue holds none.
    ///
    /// # Errors
    /// Returns the errors of [`admit`](Self::admit).
    pub(crate) async fn run<T, F>(&self, caller: Caller, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let admission = self.admit(caller)?;
        let (reply, response) = oneshot::channel();
        tokio::spawn(async move {
            let Ok(turn) = admission.acquire().await else { return };
            if reply.is_closed() {
                return;
            }
            let run = move || {
                let result = work();
                drop(turn);
                result
            };
            if let Ok(result) = tokio::task::spawn_blocking(run).await {
                drop(reply.send(result));
            }
        });
        response.await.map_err(|_| Error::Internal("work in a turn was interrupted".to_owned()))
    }

    /// Locks the state, even if a thread panicked while it held the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands free turns to waiting steps.
    fn dispatch(&self) {
        while let Some((caller, waiting)) = self.next() {
            self.deliver(caller, waiting);
        }
    }

    /// Takes a free turn for the next step. The state is unlocked on return: handing out a turn wakes other tasks, and
    /// returns the turn if its step is no longer waiting.
    fn next(&self) -> Option<(Caller, oneshot::Sender<SearchPermit>)> {
        self.state().next()
    }

    /// Hands out a turn that was taken.
    fn deliver(&self, caller: Caller, waiting: oneshot::Sender<SearchPermit>) {
        if let Err(mut turn) = waiting.send(SearchPermit { scheduler: Some(self.clone()), caller }) {
            // The search has ended since it was taken from the queue. `dispatch` gives the turn to the next step.
            turn.release();
        }
    }
}

impl State {
    /// Takes a free turn for the next step, and returns the caller and the step that gets it.
    fn next(&mut self) -> Option<(Caller, oneshot::Sender<SearchPermit>)> {
        for _ in 0..self.queue.len() {
            if self.free == 0 {
                return None;
            }
            let caller = self.queue.pop_front()?;
            let Some(entry) = self.callers.get_mut(&caller) else { continue };
            entry.waiting.retain(|waiting| !waiting.is_closed());
            if entry.has_permit {
                if !entry.waiting.is_empty() {
                    self.queue.push_back(caller);
                }
                continue;
            }
            let Some(waiting) = entry.waiting.pop_front() else { continue };
            entry.has_permit = true;
            self.free -= 1;
            if !entry.waiting.is_empty() {
                self.queue.push_back(caller);
            }
            return Some((caller, waiting));
        }
        None
    }
}

/// Admission of a search, until it is dropped.
#[derive(Debug)]
pub(crate) struct Admission {
    scheduler: SearchScheduler,
    caller: Caller,
    /// True if it counts as a search.
    is_search: bool,
}

impl Admission {
    /// Waits for a turn, after waiting steps of other callers and earlier steps of the same caller.
    pub(crate) async fn acquire(&self) -> Result<SearchPermit> {
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = self.scheduler.state();
            state.callers.entry(self.caller).or_default().waiting.push_back(sender);
            if !state.queue.contains(&self.caller) {
                state.queue.push_back(self.caller);
            }
        }
        self.scheduler.dispatch();
        receiver.await.map_err(|_| Error::Unavailable(Unavailable::Closed))
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut state = self.scheduler.state();
        state.admitted -= usize::from(self.is_search);
        if let Some(entry) = state.callers.get_mut(&self.caller) {
            *if self.is_search { &mut entry.admitted } else { &mut entry.lists } -= 1;
            if entry.is_idle() {
                state.callers.remove(&self.caller);
            }
        }
    }
}

/// Turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct SearchPermit {
    /// `None` after the turn was returned.
    scheduler: Option<SearchScheduler>,
    caller: Caller,
}

impl SearchPermit {
    /// Returns the turn to its scheduler, and the scheduler.
    fn release(&mut self) -> Option<SearchScheduler> {
        let shares = self.scheduler.take()?;
        {
            let mut state = shares.state();
            state.free += 1;
            if let Some(entry) = state.callers.get_mut(&self.caller) {
                entry.has_permit = false;
                if entry.is_idle() {
                    state.callers.remove(&self.caller);
                }
            }
        }
        Some(shares)
    }
}

impl Drop for SearchPermit {
    fn drop(&mut self) {
        if let Some(shares) = self.release() {
            shares.dispatch();
        }
    }
}

#[cfg(test)]
mod tests;
