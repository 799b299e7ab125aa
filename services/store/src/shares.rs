//! Fair scheduling of searches.
//!
//! A search takes short steps, each in a turn. Turns go round robin among callers, which are the searched mailboxes. A
//! caller has one turn at a time and a bounded number of searches, so that a caller with many searches delays only
//! itself, and a search of another caller is as fast as if every caller had one search.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::{Error, Mailbox, Result, Trouble};

/// Maximum number of unfinished searches per caller; further ones are refused.
const SEARCHES_OF_CALLER: usize = 16;
/// Maximum number of unfinished searches of all callers.
const SEARCHES: usize = 512;

/// Returns the number of processors available to the program.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Owner of a share: a mailbox, or with `None` the operator of the store.
type Caller = Option<Mailbox>;

/// Scheduler of searches. Clones share their turns.
#[derive(Clone, Debug)]
pub struct Shares(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// Number of free turns.
    free: usize,
    /// Number of admitted searches that have not ended.
    admitted: usize,
    callers: HashMap<Caller, CallerState>,
    /// Callers with waiting steps, in the order of their turns.
    round: VecDeque<Caller>,
}

/// State of one caller.
#[derive(Debug, Default)]
struct CallerState {
    admitted: usize,
    /// Number of joined lists that have not ended.
    lists: usize,
    works: bool,
    waiting: VecDeque<oneshot::Sender<Turn>>,
}

impl CallerState {
    /// Returns whether the caller has no searches, lists or turns left.
    fn is_idle(&self) -> bool {
        self.admitted + self.lists == 0 && !self.works
    }
}

impl Shares {
    /// Creates a scheduler with `turns` concurrent steps, at least one.
    pub(crate) fn new(turns: usize) -> Self {
        let state = State { free: turns.max(1), admitted: 0, callers: HashMap::new(), round: VecDeque::new() };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Admits a search of a caller.
    ///
    /// # Errors
    /// Returns [`Trouble::Searching`] if the caller has too many searches, [`Trouble::Busy`] if all callers together
    /// have.
    pub(crate) fn admit(&self, caller: Caller) -> Result<Admission> {
        let mut state = self.state();
        if state.admitted >= SEARCHES {
            return Err(Error::Unavailable(Trouble::Busy));
        }
        let entry = state.callers.entry(caller).or_default();
        if entry.admitted >= SEARCHES_OF_CALLER {
            return Err(Error::Unavailable(Trouble::Searching));
        }
        entry.admitted += 1;
        state.admitted += 1;
        Ok(Admission { shares: self.clone(), caller, searches: true })
    }

    /// Admits a list that is no search, without a limit: the caller limits their number.
    pub(crate) fn join(&self, caller: Caller) -> Admission {
        let mut state = self.state();
        state.callers.entry(caller).or_default().lists += 1;
        drop(state);
        Admission { shares: self.clone(), caller, searches: false }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands free turns to waiting steps.
    fn hand_out(&self) {
        while let Some((caller, waiting)) = self.next() {
            self.grant(caller, waiting);
        }
    }

    /// Takes a free turn for the next step. The state is unlocked on return: handing out a turn wakes other tasks, and
    /// returns the turn if its step is no longer waiting.
    fn next(&self) -> Option<(Caller, oneshot::Sender<Turn>)> {
        self.state().next()
    }

    /// Hands out a turn that was taken.
    fn grant(&self, caller: Caller, waiting: oneshot::Sender<Turn>) {
        if let Err(mut turn) = waiting.send(Turn { shares: Some(self.clone()), caller }) {
            // The search has ended since it was taken from the queue. `hand_out` gives the turn to the next step.
            turn.give_back();
        }
    }
}

impl State {
    /// Takes a free turn for the next step, and returns the caller and the step that gets it.
    fn next(&mut self) -> Option<(Caller, oneshot::Sender<Turn>)> {
        for _ in 0..self.round.len() {
            if self.free == 0 {
                return None;
            }
            let caller = self.round.pop_front()?;
            let Some(entry) = self.callers.get_mut(&caller) else { continue };
            entry.waiting.retain(|waiting| !waiting.is_closed());
            if entry.works {
                if !entry.waiting.is_empty() {
                    self.round.push_back(caller);
                }
                continue;
            }
            let Some(waiting) = entry.waiting.pop_front() else { continue };
            entry.works = true;
            self.free -= 1;
            if !entry.waiting.is_empty() {
                self.round.push_back(caller);
            }
            return Some((caller, waiting));
        }
        None
    }
}

/// Admission of a search, until it is dropped.
#[derive(Debug)]
pub(crate) struct Admission {
    shares: Shares,
    caller: Caller,
    /// True if it counts as a search.
    searches: bool,
}

impl Admission {
    /// Waits for a turn, after waiting steps of other callers and earlier steps of the same caller.
    pub(crate) async fn turn(&self) -> Result<Turn> {
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = self.shares.state();
            state.callers.entry(self.caller).or_default().waiting.push_back(sender);
            if !state.round.contains(&self.caller) {
                state.round.push_back(self.caller);
            }
        }
        self.shares.hand_out();
        receiver.await.map_err(|_| Error::Unavailable(Trouble::Closed))
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut state = self.shares.state();
        state.admitted -= usize::from(self.searches);
        if let Some(entry) = state.callers.get_mut(&self.caller) {
            *if self.searches { &mut entry.admitted } else { &mut entry.lists } -= 1;
            if entry.is_idle() {
                state.callers.remove(&self.caller);
            }
        }
    }
}

/// Turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    /// `None` after the turn was returned.
    shares: Option<Shares>,
    caller: Caller,
}

impl Turn {
    /// Returns the turn to its scheduler, and the scheduler.
    fn give_back(&mut self) -> Option<Shares> {
        let shares = self.shares.take()?;
        {
            let mut state = shares.state();
            state.free += 1;
            if let Some(entry) = state.callers.get_mut(&self.caller) {
                entry.works = false;
                if entry.is_idle() {
                    state.callers.remove(&self.caller);
                }
            }
        }
        Some(shares)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(shares) = self.give_back() {
            shares.hand_out();
        }
    }
}

#[cfg(test)]
mod tests;
