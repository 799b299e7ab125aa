//! Client that writes and keeps track of acknowledged writes.

use std::collections::BTreeMap;

use anyhow::ensure;
use calendar_client::Client;
use calendar_client::types::EventPatch;
use rand::RngExt as _;

use super::calendar_copy::Titles;
use super::event;

/// Maximum number of events of a writer.
const MAX_KEPT: usize = 40;

/// State of an event: its title, or `None` if it does not exist.
type State = Option<String>;

/// Known state of a writer's events.
#[derive(Debug, Default)]
pub struct KnownState {
    events: BTreeMap<String, State>,
    /// Requested change without acknowledgement.
    pending: Option<(String, State)>,
    /// Number of acknowledged writes.
    pub acknowledged: usize,
}

impl KnownState {
    /// Returns a change to make.
    pub fn next(&self) -> (String, State) {
        let mut rng = rand::rng();
        let title = format!("Meeting {}", rng.random::<u32>());
        let chosen = self.events.keys().nth(rng.random_range(0..self.events.len().max(1))).cloned();
        match (chosen, rng.random_range(0..10)) {
            (Some(id), 0..4) => (id, Some(title)),
            (Some(id), 4..) if self.events.len() > MAX_KEPT => (id, None),
            (Some(id), 4) => (id, None),
            _ => (event::id(), Some(title)),
        }
    }

    /// Makes a change. Parts that an earlier process of the server has already made are accepted.
    ///
    /// # Errors
    /// Returns an error if the server refuses the change or is not reachable.
    pub async fn apply_change(&mut self, client: &Client, (id, state): (String, State)) -> anyhow::Result<()> {
        let again = self.pending.as_ref() == Some(&(id.clone(), state.clone()));
        self.pending = Some((id.clone(), state.clone()));
        let calls = client.events();
        let done = match &state {
            None => calls.delete("primary", &*id).send().await,
            Some(title) if self.events.contains_key(&id) => {
                let patch = EventPatch { summary: title.clone().into(), ..EventPatch::default() };
                calls.patch("primary", &*id, patch).send().await.map(drop)
            }
            Some(title) => {
                let number = rand::rng().random_range(0..744);
                calls.insert("primary", event::event(&id, title, number)?).send().await.map(drop)
            }
        };
        match done {
            Err(error) if again && matches!(error.status(), Some(409 | 410)) => {}
            done => done?,
        }
        self.acknowledge();
        Ok(())
    }

    /// Moves the pending change to the known state, and counts it.
    fn acknowledge(&mut self) {
        self.acknowledged += 1;
        match self.pending.take() {
            Some((id, None)) => self.events.remove(&id),
            Some((id, state)) => self.events.insert(id, state),
            None => None,
        };
    }

    /// Removes the known events from a listing: all acknowledged ones, and the uncertain one in either state. Returns
    /// whether there was an uncertain change.
    ///
    /// # Errors
    /// Returns an error if an acknowledged write is lost.
    pub fn settle(&mut self, listed: &mut Titles) -> anyhow::Result<bool> {
        let doubt = self.pending.take();
        if let Some((id, requested)) = &doubt {
            let (stored, before) = (listed.remove(id), self.events.remove(id).flatten());
            ensure!(
                stored == before || stored == *requested,
                "`{id}` was {before:?}, was requested as {requested:?}, and is {stored:?}"
            );
            if stored.is_some() {
                self.events.insert(id.clone(), stored.clone());
            }
        }
        for (id, state) in &self.events {
            if doubt.as_ref().is_some_and(|(doubted, _)| doubted == id) {
                continue;
            }
            let stored = listed.remove(id);
            ensure!(stored == *state, "`{id}` is {stored:?}, and {state:?} was acknowledged");
        }
        Ok(doubt.is_some())
    }
}
