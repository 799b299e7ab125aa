//! Slots for running and waiting executions: executions beyond them are refused before anything is stored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wireform_store::{Error, Mailbox, Result, Unavailable};

/// Number of slots per concurrent execution.
const SLOTS_PER_RUN: usize = 8;

/// Slots for executions that run or wait.
#[derive(Debug)]
pub(crate) struct Slots {
    free: Arc<Semaphore>,
    count: usize,
    /// Maximum number of slots of a deployment's web app, whose visitors may be anonymous.
    max_web_app_slots: usize,
    web_apps: Counters,
    /// Maximum number of slots of a user.
    max_user_slots: usize,
    users: Counters,
    /// Triggers whose functions run.
    triggers: Counters,
}

/// Slot of an execution, released on drop.
#[derive(Debug)]
pub(crate) struct Slot {
    _free: OwnedSemaphorePermit,
    _shares: (Option<CounterGuard>, CounterGuard),
}

impl Slots {
    /// Creates the slots of a server that runs `concurrency` executions at once.
    pub(super) fn new(concurrency: usize) -> Self {
        let slots = concurrency.saturating_mul(SLOTS_PER_RUN).clamp(1, Semaphore::MAX_PERMITS);
        Self {
            free: Arc::new(Semaphore::new(slots)),
            count: slots,
            max_web_app_slots: (slots / 2).max(1),
            web_apps: Counters::default(),
            max_user_slots: (slots * 3 / 4).max(1),
            users: Counters::default(),
            triggers: Counters::default(),
        }
    }

    /// Takes a slot of a user, and of the web app of a deployment if one is given; returns `None` if there is no free one.
    pub(super) fn acquire(&self, user: Mailbox, web_app: Option<&str>) -> Option<Slot> {
        let share = match web_app {
            Some(deployment) => Some(self.web_apps.try_increment(deployment, self.max_web_app_slots)?),
            None => None,
        };
        let of_user = self.users.try_increment(&user.0.to_string(), self.max_user_slots)?;
        Some(Slot { _free: Arc::clone(&self.free).try_acquire_owned().ok()?, _shares: (share, of_user) })
    }

    /// Waits until all slots are free, and takes them. Meanwhile no other slot is taken.
    pub(super) async fn acquire_all(&self) -> Result<OwnedSemaphorePermit> {
        let count = u32::try_from(self.count).unwrap_or(u32::MAX);
        let taken = Arc::clone(&self.free).acquire_many_owned(count).await;
        taken.map_err(|_| Error::Unavailable(Unavailable::Closed))
    }

    /// Marks the function of a trigger as running until the entry is dropped; returns `None` if it still runs.
    pub(crate) fn start_trigger(&self, trigger: &str) -> Option<CounterGuard> {
        self.triggers.try_increment(trigger, 1)
    }
}

/// Counters by name.
#[derive(Debug, Clone, Default)]
struct Counters(Arc<Mutex<HashMap<String, usize>>>);

impl Counters {
    /// Increments a counter until the guard is dropped; returns `None` if it is `max` already.
    fn try_increment(&self, name: &str, max: usize) -> Option<CounterGuard> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(name.to_owned()).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        drop(counts);
        Some(CounterGuard { counters: self.clone(), name: name.to_owned() })
    }
}

/// Increment of a counter, undone on drop.
#[derive(Debug)]
pub(crate) struct CounterGuard {
    counters: Counters,
    name: String,
}

impl Drop for CounterGuard {
    fn drop(&mut self) {
        let mut counts = self.counters.0.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.get_mut(&self.name) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(counts.remove(&self.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_app_gets_half_of_the_slots() {
        let (slots, ada, bob) = (Slots::new(1), Mailbox(1), Mailbox(2));
        let mut taken: Vec<_> = (0..4).map(|_| slots.acquire(ada, Some("a")).unwrap()).collect();
        assert!(slots.acquire(ada, Some("a")).is_none());
        taken.push(slots.acquire(ada, Some("b")).unwrap());
        taken.extend((0..3).map(|_| slots.acquire(bob, None).unwrap()));
        assert!(slots.acquire(bob, None).is_none() && slots.acquire(bob, Some("b")).is_none());
        taken.clear();
        assert!(slots.acquire(ada, Some("a")).is_some() && slots.web_apps.0.lock().unwrap().is_empty());
    }

    #[test]
    fn a_user_gets_three_quarters_of_the_slots() {
        let (slots, ada, bob) = (Slots::new(1), Mailbox(1), Mailbox(2));
        let taken: Vec<_> = (0..6).map(|_| slots.acquire(ada, None).unwrap()).collect();
        assert!(slots.acquire(ada, None).is_none() && slots.acquire(bob, None).is_some());
        drop(taken);
        assert!(slots.users.0.lock().unwrap().is_empty());
    }
}
