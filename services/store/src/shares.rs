//! Fair shares: those who read much take turns, whoever begins how much of it.
//!
//! A search goes in short steps, and takes a turn for each. Parties, the mailboxes that are searched, come round robin;
//! of one party no more than one step is at work at a time, and no more than some searches wait. So whoever searches a
//! lot waits for himself, and a search of somebody else is answered as soon as if there were one search a party.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::{Error, Mailbox, Result, Trouble};

/// So many searches of a party are begun and not ended; more are told to come later.
const SEARCHES_OF_PARTY: usize = 16;
/// So many of all parties together.
const SEARCHES: usize = 512;

/// Returns how many processors the program may use.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Somebody who has a share: a mailbox, or with `None` whoever runs the store.
type Party = Option<Mailbox>;

/// Who may read much at the moment. Clones share their turns.
#[derive(Clone, Debug)]
pub struct Shares(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// Turns that nobody has.
    free: usize,
    /// Searches that were admitted and have not ended.
    admitted: usize,
    parties: HashMap<Party, Standing>,
    /// Parties with steps that wait, in the order of their turns.
    round: VecDeque<Party>,
}

/// How a party stands.
#[derive(Debug, Default)]
struct Standing {
    admitted: usize,
    works: bool,
    waiting: VecDeque<oneshot::Sender<Turn>>,
}

impl Shares {
    /// So many steps at a time.
    pub(crate) fn new(turns: usize) -> Self {
        let state = State { free: turns.max(1), admitted: 0, parties: HashMap::new(), round: VecDeque::new() };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Admits a search of a party.
    ///
    /// # Errors
    /// [`Trouble::Searching`] where the party has too many already, [`Trouble::Busy`] where all have.
    pub(crate) fn admit(&self, party: Party) -> Result<Admission> {
        let mut state = self.state();
        if state.admitted >= SEARCHES {
            return Err(Error::Unavailable(Trouble::Busy));
        }
        let standing = state.parties.entry(party).or_default();
        if standing.admitted >= SEARCHES_OF_PARTY {
            return Err(Error::Unavailable(Trouble::Searching));
        }
        standing.admitted += 1;
        state.admitted += 1;
        Ok(Admission { shares: self.clone(), party })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands free turns to those who wait for them.
    fn hand_out(&self) {
        while let Some((party, waiting)) = self.state().next() {
            // Whoever waited may have gone in this moment.
            if let Err(mut turn) = waiting.send(Turn { shares: Some(self.clone()), party }) {
                turn.give_back();
            }
        }
    }
}

impl State {
    /// Takes a free turn for the next step, and answers who gets it.
    fn next(&mut self) -> Option<(Party, oneshot::Sender<Turn>)> {
        for _ in 0..self.round.len() {
            if self.free == 0 {
                return None;
            }
            let party = self.round.pop_front()?;
            let Some(standing) = self.parties.get_mut(&party) else { continue };
            standing.waiting.retain(|waiting| !waiting.is_closed());
            if standing.works {
                if !standing.waiting.is_empty() {
                    self.round.push_back(party);
                }
                continue;
            }
            let Some(waiting) = standing.waiting.pop_front() else { continue };
            standing.works = true;
            self.free -= 1;
            if !standing.waiting.is_empty() {
                self.round.push_back(party);
            }
            return Some((party, waiting));
        }
        None
    }
}

/// A search that was admitted, until it is dropped.
#[derive(Debug)]
pub(crate) struct Admission {
    shares: Shares,
    party: Party,
}

impl Admission {
    /// Waits for a turn: for the steps of other parties that wait, and for those of the same party before.
    pub(crate) async fn turn(&self) -> Result<Turn> {
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = self.shares.state();
            state.parties.entry(self.party).or_default().waiting.push_back(sender);
            if !state.round.contains(&self.party) {
                state.round.push_back(self.party);
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
        if let Some(standing) = state.parties.get_mut(&self.party) {
            standing.admitted -= 1;
            if standing.admitted == 0 && !standing.works {
                state.parties.remove(&self.party);
            }
        }
    }
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    /// None once it is given back.
    shares: Option<Shares>,
    party: Party,
}

impl Turn {
    /// Gives the turn back, and answers where it came from.
    fn give_back(&mut self) -> Option<Shares> {
        let shares = self.shares.take()?;
        {
            let mut state = shares.state();
            state.free += 1;
            if let Some(standing) = state.parties.get_mut(&self.party) {
                standing.works = false;
                if standing.admitted == 0 {
                    state.parties.remove(&self.party);
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
    use std::task::{Context, Poll, Waker};

    use super::*;

    const ADA: Party = Some(Mailbox(1));
    const BOB: Party = Some(Mailbox(2));
    const EVE: Party = Some(Mailbox(3));

    /// Has a search wait for its turn in a task, which tells its number and goes on when it is let.
    fn queue(
        shares: &Shares,
        party: Party,
        number: usize,
        told: &tokio::sync::mpsc::UnboundedSender<usize>,
    ) -> oneshot::Sender<()> {
        let admission = shares.admit(party).expect("it is admitted");
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
    async fn parties_come_round_robin() {
        let shares = Shares::new(1);
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        let mut go = VecDeque::new();
        for (number, party) in [ADA, ADA, ADA, ADA, BOB, BOB, EVE].into_iter().enumerate() {
            go.push_back(Some(queue(&shares, party, number, &tell)));
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
        assert!(shares.state().parties.is_empty() && shares.state().admitted == 0, "nothing is left");
    }

    #[tokio::test]
    async fn a_party_has_one_turn_at_a_time() {
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

    #[test]
    fn a_party_and_all_of_them_have_a_bound() {
        let shares = Shares::new(1);
        let ada: Vec<_> = (0..SEARCHES_OF_PARTY).map(|_| shares.admit(ADA).expect("it is admitted")).collect();
        let refused = shares.admit(ADA);
        assert!(matches!(refused, Err(Error::Unavailable(Trouble::Searching))), "{refused:?}");
        let others: Vec<_> = (SEARCHES_OF_PARTY..SEARCHES)
            .map(|number| shares.admit(Some(Mailbox(number as i64))).expect("it is admitted"))
            .collect();
        let refused = shares.admit(BOB);
        assert!(matches!(refused, Err(Error::Unavailable(Trouble::Busy))), "{refused:?}");
        drop((ada, others));
        drop(shares.admit(ADA).expect("it is admitted again"));
        assert!(shares.state().parties.is_empty());
    }
}
