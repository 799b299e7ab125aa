//! Slots for running and waiting executions: executions beyond them are refused before anything is stored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Number of slots per concurrent execution.
const SLOTS_PER_RUN: usize = 8;

/// Slots for executions that run or wait.
#[derive(Debug)]
pub(crate) struct Slots {
    free: Arc<Semaphore>,
    /// Maximum number of slots of a deployment's web app, whose visitors may be anonymous.
    max_web_app_slots: usize,
    web_apps: Counters,
    /// Triggers whose functions run.
    triggers: Counters,
}

/// Slot of an execution, released on drop.
#[derive(Debug)]
pub(crate) struct Slot {
    _free: OwnedSemaphorePermit,
    _share: Option<CounterGuard>,
}

impl Slots {
    /// Creates the slots of a server that runs `concurrency` executions at once.
    pub(super) fn new(concurrency: usize) -> Self {
        let slots = concurrency.saturating_mul(SLOTS_PER_RUN).clamp(1, Semaphore::MAX_PERMITS);
        let (web_apps, triggers) = (Counters::default(), Counters::default());
        Self { free: Arc::new(Semaphore::new(slots)), max_web_app_slots: (slots / 2).max(1), web_apps, triggers }
    }

    /// Takes a slot, of the web app of a deployment if one is given; returns `None` if there is no free one.
    pub(super) fn acquire(&self, web_app: Option<&str>) -> Option<Slot> {
        let share = match web_app {
            Some(deployment) => Some(self.web_apps.try_increment(deployment, self.max_web_app_slots)?),
            None => None,
        };
        Some(Slot { _free: Arc::clone(&self.free).try_acquire_owned().ok()?, _share: share })
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
        let slots = Slots::new(1);
        let mut taken: Vec<_> = (0..4).map(|_| slots.acquire(Some("a")).unwrap()).collect();
        assert!(slots.acquire(Some("a")).is_none());
        taken.push(slots.acquire(Some("b")).unwrap());
        taken.extend((0..3).map(|_| slots.acquire(None).unwrap()));
        assert!(slots.acquire(None).is_none() && slots.acquire(Some("b")).is_none());
        taken.clear();
        assert!(slots.acquire(Some("a")).is_some() && slots.web_apps.0.lock().unwrap().is_empty());
    }
}
