//! Detection of a database that went back to an earlier state.
//!
//! When the files of a server, its disk or its machine are restored, everything in the database looks as it did then.
//! But the epoch number or the position in the server's log is lower than before, which never happens otherwise:
//! positions on disk survive a crash, and a standby that takes over has another timeline.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Interval of observations while the database is in use. A state that was copied within that interval may be missed.
const INTERVAL: Duration = Duration::from_secs(10);

/// Observed state of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Observation {
    /// Identity of server, timeline and database (`IdentityCheck`).
    pub(super) identity: String,
    /// Position up to which the log is on disk, in bytes; `None` on a standby.
    pub(super) position: Option<i64>,
    /// Number of the epoch; `None` if none has begun since a dump was restored.
    pub(super) epoch: Option<i64>,
}

impl Observation {
    /// Returns whether the database has gone back since. It has not if another process has begun an epoch meanwhile.
    pub(super) fn is_ahead_of(&self, now: &Self) -> bool {
        self.identity == now.identity
            && (now.epoch < self.epoch
                || now.epoch == self.epoch && self.position.zip(now.position).is_some_and(|(then, now)| now < then))
    }
}

/// Latest observation, with which later ones are compared.
#[derive(Debug)]
pub(super) struct Observer(Mutex<State>);

/// Latest observation, and the time when the next one is due.
#[derive(Debug)]
struct State {
    last: Option<Observation>,
    next: Instant,
}

impl Default for Observer {
    fn default() -> Self {
        Self(Mutex::new(State { last: None, next: Instant::now() }))
    }
}

impl Observer {
    /// Returns whether the next observation is due; true once per interval.
    pub(super) fn is_due(&self) -> bool {
        let mut state = self.state();
        let due = state.next <= Instant::now();
        if due {
            state.next = Instant::now() + INTERVAL;
        }
        due
    }

    /// Returns the latest observation. A later observation of the same log is never behind it.
    pub(super) fn last(&self) -> Option<Observation> {
        self.state().last.clone()
    }

    /// Records an observation, unless it is older than the latest one or from a standby.
    pub(super) fn record(&self, new: Observation) {
        let mut state = self.state();
        state.next = Instant::now() + INTERVAL;
        let is_older = state.last.as_ref().is_some_and(|last| {
            let same = last.epoch == new.epoch && last.identity == new.identity;
            new.epoch < last.epoch || same && new.position < last.position
        });
        if !is_older && new.position.is_some() {
            state.last = Some(new);
        }
    }

    /// Locks the state, even if a thread panicked while it held the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observation(identity: &str, position: Option<i64>, epoch: i64) -> Observation {
        Observation { identity: identity.to_owned(), position, epoch: Some(epoch) }
    }

    #[test]
    fn a_shorter_log_means_an_earlier_state() {
        let known = observation("7/1/5", Some(300), 9);
        assert!(known.is_ahead_of(&observation("7/1/5", Some(299), 9)));
        assert!(known.is_ahead_of(&observation("7/1/5", Some(300), 8)), "the epoch was lost as well");
        assert!(!known.is_ahead_of(&observation("7/1/5", Some(300), 9)));
        assert!(!known.is_ahead_of(&observation("7/1/5", Some(100), 10)), "another process has begun an epoch");
        assert!(!known.is_ahead_of(&observation("7/2/5", Some(100), 9)), "another timeline is another place");
        assert!(
            !known.is_ahead_of(&observation("7/1/5", None, 9)) && !observation("7/1/5", None, 9).is_ahead_of(&known)
        );
    }

    #[test]
    fn the_latest_observation_of_the_last_epoch_is_kept() {
        let observer = Observer::default();
        let steps = [
            (observation("7/1/5", Some(100), 9), true),
            (observation("7/1/5", Some(300), 9), true),
            (observation("7/1/5", Some(200), 9), false),
            (observation("7/1/5", Some(150), 10), true),
            (observation("7/1/5", Some(400), 9), false),
            (observation("7/2/5", Some(90), 11), true),
            (observation("7/-/5", None, 11), false),
        ];
        for (step, is_kept) in steps {
            observer.record(step.clone());
            assert_eq!(observer.last().as_ref() == Some(&step), is_kept, "{step:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_observation_is_due_once_per_interval() {
        let observer = Observer::default();
        assert!(observer.is_due() && !observer.is_due());
        tokio::time::advance(INTERVAL).await;
        assert!(observer.is_due() && !observer.is_due());
        tokio::time::advance(INTERVAL / 2).await;
        observer.record(observation("7/1/5", Some(1), 1));
        tokio::time::advance(INTERVAL / 2).await;
        assert!(!observer.is_due(), "a new connection was a look as well");
    }
}
