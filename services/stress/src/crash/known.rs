//! State of the mailbox as known by the writers, and as listed by the server.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::ensure;
use mailbox_client::Client;

/// Pending request of a writer when the server died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pending {
    /// Starring, or removing the star.
    Star(bool),
    /// Deletion.
    Delete,
}

/// Message as its writer knows it.
#[derive(Debug, Clone, Copy, Default)]
pub struct State {
    /// True if it is starred.
    pub starred: bool,
    /// Change that was not acknowledged.
    pub pending: Option<Pending>,
}

/// Known state of the writers.
#[derive(Debug, Default)]
pub struct KnownState {
    /// Messages that they wrote.
    pub messages: BTreeMap<String, State>,
    /// Number of messages whose insert was not acknowledged.
    pub inserting: usize,
    /// Numbers of acknowledged changes since the last check.
    pub acknowledged: Vec<u64>,
}

impl KnownState {
    /// Divides the messages among writers.
    pub fn split(self, writers: usize) -> Vec<Self> {
        let mut parts: Vec<Self> = (0..writers).map(|_| Self::default()).collect();
        for (index, (id, state)) in self.messages.into_iter().enumerate() {
            if let Some(part) = parts.get_mut(index % writers.max(1)) {
                part.messages.insert(id, state);
            }
        }
        parts
    }

    /// Merges the known states of writers.
    pub fn join(parts: Vec<Self>) -> Self {
        parts.into_iter().fold(Self::default(), |mut all, part| {
            all.messages.extend(part.messages);
            all.inserting += part.inserting;
            all.acknowledged.extend(part.acknowledged);
            all
        })
    }

    /// Compares the known state with the listing, which resolves uncertain changes. Returns the numbers of the
    /// acknowledged changes, and the number of uncertain ones.
    pub fn settle(&mut self, listing: &Listing) -> anyhow::Result<(Vec<u64>, usize)> {
        let mut doubts = self.inserting;
        let mut gone = Vec::new();
        for (id, state) in &mut self.messages {
            let (there, starred) = (listing.all.contains(id), listing.starred.contains(id));
            doubts += usize::from(state.pending.is_some());
            match state.pending.take() {
                Some(Pending::Delete) if !there => gone.push(id.clone()),
                Some(Pending::Star(pending)) if starred == pending => {
                    ensure!(there, "the message {id} is lost");
                    state.starred = starred;
                }
                _ => {
                    ensure!(there, "the message {id} is lost");
                    ensure!(starred == state.starred, "the star of {id} is not as it was acknowledged");
                }
            }
        }
        for id in gone {
            self.messages.remove(&id);
        }
        let new: Vec<_> = listing.all.iter().filter(|id| !self.messages.contains_key(*id)).cloned().collect();
        ensure!(new.len() <= self.inserting, "{} messages that were never requested: {new:?}", new.len());
        self.messages.extend(new.into_iter().map(|id| (id, State::default())));
        self.inserting = 0;
        Ok((std::mem::take(&mut self.acknowledged), doubts))
    }
}

/// Listing of the server.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// All messages.
    pub all: BTreeSet<String>,
    /// Starred messages.
    pub starred: BTreeSet<String>,
}

impl Listing {
    /// Lists all messages.
    pub async fn of(client: &Client) -> anyhow::Result<Self> {
        Ok(Self { all: list_ids(client, None).await?, starred: list_ids(client, Some("STARRED")).await? })
    }
}

/// Lists the identifiers of all messages, or of those with a label; fails if one is listed twice.
async fn list_ids(client: &Client, label: Option<&str>) -> anyhow::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut items = client.users().messages().list("me").max_results(500).label_ids(label).items();
    while let Some(message) = items.next().await {
        let id = message?.id.unwrap_or_default();
        ensure!(!id.is_empty() && found.insert(id.clone()), "the message `{id}` is listed twice");
    }
    Ok(found)
}
