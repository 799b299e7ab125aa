//! How many executions wait: what would wait beyond that is refused before anything is stored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many executions have a place for each that runs at once.
const PLACES: usize = 8;

/// Places for executions that run or wait.
#[derive(Debug)]
pub(crate) struct Places {
    free: Arc<Semaphore>,
    /// A deployment has at most so many for its web app, whose visitors nobody may know.
    share: usize,
    web_apps: Entries,
    /// The triggers whose functions run.
    triggers: Entries,
}

/// The place of an execution, which is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    _free: OwnedSemaphorePermit,
    _share: Option<Entry>,
}

impl Places {
    pub(super) fn new(concurrency: usize) -> Self {
        let places = concurrency.saturating_mul(PLACES).clamp(1, Semaphore::MAX_PERMITS);
        let (web_apps, triggers) = (Entries::default(), Entries::default());
        Self { free: Arc::new(Semaphore::new(places)), share: (places / 2).max(1), web_apps, triggers }
    }

    /// Takes a place, for the web app of a deployment where one is given; `None` where there is none.
    pub(super) fn take(&self, web_app: Option<&str>) -> Option<Place> {
        let share = match web_app {
            Some(deployment) => Some(self.web_apps.enter(deployment, self.share)?),
            None => None,
        };
        Some(Place { _free: Arc::clone(&self.free).try_acquire_owned().ok()?, _share: share })
    }

    /// Notes that the function of a trigger runs, until the entry is dropped; `None` where it still does.
    pub(crate) fn fire(&self, trigger: &str) -> Option<Entry> {
        self.triggers.enter(trigger, 1)
    }
}

/// How often something is entered by its name.
#[derive(Debug, Clone, Default)]
struct Entries(Arc<Mutex<HashMap<String, usize>>>);

impl Entries {
    fn enter(&self, name: &str, most: usize) -> Option<Entry> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(name.to_owned()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        drop(counts);
        Some(Entry { entries: self.clone(), name: name.to_owned() })
    }
}

/// One of the times that something is entered; dropping it leaves.
#[derive(Debug)]
pub(crate) struct Entry {
    entries: Entries,
    name: String,
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut counts = self.entries.0.lock().unwrap_or_else(PoisonError::into_inner);
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
    fn a_web_app_has_half_of_the_places_and_gives_them_back() {
        let places = Places::new(1);
        let mut taken: Vec<_> = (0..4).map(|_| places.take(Some("a")).unwrap()).collect();
        assert!(places.take(Some("a")).is_none());
        taken.push(places.take(Some("b")).unwrap());
        taken.extend((0..3).map(|_| places.take(None).unwrap()));
        assert!(places.take(None).is_none() && places.take(Some("b")).is_none());
        taken.clear();
        assert!(places.take(Some("a")).is_some() && places.web_apps.0.lock().unwrap().is_empty());
    }
}
