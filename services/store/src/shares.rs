//! Fair shares of the database for searches.
//!
//! A search takes short steps, and a turn for each. Turns go round robin among callers, which are the mailboxes that are
//! searched. A caller has one turn at a time and a bounded number of searches, so that a caller with many searches
//! waits for itself alone, and a search of another caller is as fast as if every caller had one search.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::{Error, Mailbox, Result, Trouble};

/// The maximum number of searches of a caller that have begun and not ended; more are refused.
const SEARCHES_OF_CALLER: usize = 16;
/// The maximum number of searches of all callers together.
const SEARCHES: usize = 512;

/// Returns how many processors the program may use.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The owner of a share: a mailbox, or with `None` the operator of the store.
type Caller = Option<Mailbox>;

/// The queue of searches for turns at the database. Clones share their turns.
#[derive(Clone, Debug)]
pub struct Shares(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// The number of turns that can be taken.
    free: usize,
    /// The number of searches that were admitted and have not ended.
    admitted: usize,
    callers: HashMap<Caller, CallerState>,
    /// Callers with steps that wait, in the order of their turns.
    round: VecDeque<Caller>,
}

/// The searches of one caller, and those that wait for a turn.
#[derive(Debug, Default)]
struct CallerState {
    admitted: usize,
    works: bool,
    waiting: VecDeque<oneshot::Sender<Turn>>,
}

impl Shares {
    /// Creates shares of `turns` steps at a time, at least one.
    pub(crate) fn new(turns: usize) -> Self {
        let state = State { free: turns.max(1), admitted: 0, callers: HashMap::new(), round: VecDeque::new() };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Admits a search of a caller.
    ///
    /// # Errors
    /// [`Trouble::Searching`] where the caller has too many already, [`Trouble::Busy`] where all have.
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
        Ok(Admission { shares: self.clone(), caller })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands free turns to the searches that wait for them.
    fn hand_out(&self) {
        while let Some((caller, waiting)) = self.next() {
            self.grant(caller, waiting);
        }
    }

    /// Takes a free turn for the next step. The state is unlocked when this returns: handing a turn out wakes other
    /// tasks, and gives the turn back where nobody waits for it any more.
    fn next(&self) -> Option<(Caller, oneshot::Sender<Turn>)> {
        self.state().next()
    }

    /// Hands out a turn that was taken.
    fn grant(&self, caller: Caller, waiting: oneshot::Sender<Turn>) {
        if let Err(mut turn) = waiting.send(Turn { shares: Some(self.clone()), caller }) {
            // The search has ended since it was taken from the queue. `hand_out` gives the turn to the next one.
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

/// A search that was admitted, until it is dropped.
#[derive(Debug)]
pub(crate) struct Admission {
    shares: Shares,
    caller: Caller,
}

impl Admission {
    /// Waits for a turn: for the steps of other callers that wait, and for those of the same caller before.
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
        state.admitted -= 1;
        if let Some(entry) = state.callers.get_mut(&self.caller) {
            entry.admitted -= 1;
            if entry.admitted == 0 && !entry.works {
                state.callers.remove(&self.caller);
            }
        }
    }
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    /// None once it is given back.
    shares: Option<Shares>,
    caller: Caller,
}

impl Turn {
    /// Gives the turn back, and returns the shares that it came from.
    fn give_back(&mut self) -> Option<Shares> {
        let shares = self.shares.take()?;
        {
            let mut state = shares.state();
            state.free += 1;
            if let Some(entry) = state.callers.get_mut(&self.caller) {
                entry.works = false;
                if entry.admitted == 0 {
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
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Wake, Waker};

    use super::*;

    const ADA: Caller = Some(Mailbox(1));
    const BOB: Caller = Some(Mailbox(2));
    const EVE: Caller = Some(Mailbox(3));

    /// Has a search wait for its turn in a task, which tells its number and goes on when it is let.
    fn queue(
        shares: &Shares,
        caller: Caller,
        number: usize,
        told: &tokio::sync::mpsc::UnboundedSender<usize>,
    ) -> oneshot::Sender<()> {
        let admission = shares.admit(caller).expect("it is admitted");
        let (go, until) = oneshot::channel();
        let told = told.clone();
        tokio::spawn(async move {
            let turn = admission.turn().await.expect("a turn");
            let _ = told.send(number);
            let _ = until.await;
            drop(turn);
        });
        go
    }

    #[tokio::test]
    async fn callers_come_round_robin() {
        let shares = Shares::new(1);
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        let mut go = VecDeque::new();
        for (number, caller) in [ADA, ADA, ADA, ADA, BOB, BOB, EVE].into_iter().enumerate() {
            go.push_back(Some(queue(&shares, caller, number, &tell)));
            tokio::task::yield_now().await;
        }
        let mut order = Vec::new();
        while order.len() < 7 {
            let number = told.recv().await.expect("somebody has a turn");
            assert!(told.try_recv().is_err(), "there is one turn");
            order.push(number);
            drop(go[number].take());
        }
        assert_eq!(order, [0, 1, 4, 6, 2, 5, 3]);
        // The last search ends behind its turn.
        while Arc::strong_count(&shares.0) > 1 {
            tokio::task::yield_now().await;
        }
        assert!(shares.state().callers.is_empty() && shares.state().admitted == 0, "nothing is left");
    }

    #[tokio::test]
    async fn a_caller_has_one_turn_at_a_time() {
        let shares = Shares::new(3);
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        let _ada: Vec<_> = (0..5).map(|number| queue(&shares, ADA, number, &tell)).collect();
        let _bob = queue(&shares, BOB, 10, &tell);
        let mut at_work = [told.recv().await, told.recv().await];
        at_work.sort_unstable();
        assert_eq!(at_work, [Some(0), Some(10)]);
        tokio::task::yield_now().await;
        assert!(told.try_recv().is_err(), "a turn is free, and nobody may have it");
    }

    #[tokio::test]
    async fn whoever_goes_away_is_passed_over() {
        let shares = Shares::new(1);
        let (first, second, third) = (shares.admit(ADA), shares.admit(BOB), shares.admit(EVE));
        let (first, second, third) = (first.expect("ada"), second.expect("bob"), third.expect("eve"));
        let turn = first.turn().await.expect("it is free");
        let mut context = Context::from_waker(Waker::noop());
        {
            let gone = pin!(second.turn());
            assert!(matches!(gone.poll(&mut context), Poll::Pending));
        }
        let mut waits = pin!(third.turn());
        assert!(matches!(waits.as_mut().poll(&mut context), Poll::Pending));
        drop(second);
        drop(turn);
        assert!(matches!(waits.poll(&mut context), Poll::Ready(Ok(_))));
    }

    /// Notes whether the state is locked while a waiter is woken.
    struct LockProbe {
        shares: Shares,
        was_free: Mutex<Vec<bool>>,
    }

    impl Wake for LockProbe {
        fn wake(self: Arc<Self>) {
            let is_free = self.shares.0.try_lock().is_ok();
            self.was_free.lock().expect("a list").push(is_free);
        }
    }

    /// A waiter that goes away while it is handed a turn makes the same thread give the turn back.
    #[test]
    fn nothing_is_locked_while_a_turn_is_handed_out() {
        let shares = Shares::new(1);
        let (first, second) = (shares.admit(ADA).expect("ada"), shares.admit(BOB).expect("bob"));
        let probe = Arc::new(LockProbe { shares: shares.clone(), was_free: Mutex::default() });
        let waker = Waker::from(Arc::clone(&probe));
        let mut turn = pin!(first.turn());
        let Poll::Ready(Ok(turn)) = turn.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("it is free");
        };
        let mut waits = pin!(second.turn());
        assert!(waits.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        drop(turn);
        assert_eq!(*probe.was_free.lock().expect("a list"), [true]);
    }

    /// The search ends between the choice of it and the message to it.
    #[test]
    fn a_turn_that_nobody_takes_goes_to_the_next() {
        let shares = Shares::new(1);
        let (gone, second) = (shares.admit(ADA).expect("ada"), shares.admit(BOB).expect("bob"));
        let (sender, receiver) = oneshot::channel();
        shares.state().callers.entry(ADA).or_default().waiting.push_back(sender);
        shares.state().round.push_back(ADA);
        let (caller, waiting) = shares.next().expect("a free turn");
        drop(receiver);
        shares.grant(caller, waiting);
        let mut waits = pin!(second.turn());
        assert!(matches!(waits.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(_))));
        drop(gone);
    }

    #[test]
    fn a_caller_and_all_of_them_have_a_bound() {
        let shares = Shares::new(1);
        let ada: Vec<_> = (0..SEARCHES_OF_CALLER).map(|_| shares.admit(ADA).expect("it is admitted")).collect();
        let refused = shares.admit(ADA);
        assert!(matches!(refused, Err(Error::Unavailable(Trouble::Searching))), "{refused:?}");
        let others: Vec<_> = (SEARCHES_OF_CALLER..SEARCHES)
            .map(|number| shares.admit(Some(Mailbox(number as i64))).expect("it is admitted"))
            .collect();
        let refused = shares.admit(BOB);
        assert!(matches!(refused, Err(Error::Unavailable(Trouble::Busy))), "{refused:?}");
        drop((ada, others));
        drop(shares.admit(ADA).expect("it is admitted again"));
        assert!(shares.state().callers.is_empty());
    }
}
