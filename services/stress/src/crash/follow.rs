//! Client that follows the history across processes of the server.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, ensure};
use mailbox_client::Client;
use mailbox_client::types::{History, Message};
use rand::RngExt as _;

use super::known::Listing;

/// State of the mailbox according to its history alone.
#[derive(Debug)]
pub struct Follower {
    /// Stored history ID for the next read.
    cursor: u64,
    /// Last record that was read.
    last: u64,
    seen: BTreeSet<u64>,
    /// Messages, and whether each is starred.
    messages: BTreeMap<String, bool>,
}

impl Follower {
    /// Starts with an empty mailbox.
    pub async fn begin(client: &Client) -> anyhow::Result<Self> {
        let profile = client.users().get_profile("me").send().await?;
        ensure!(profile.messages_total == Some(0), "the mailbox is not empty");
        let cursor = profile.history_id.context("no historyId")?.0;
        Ok(Self { cursor, last: cursor, seen: BTreeSet::new(), messages: BTreeMap::new() })
    }

    /// Reads until the server dies. A refusal is a bug of the server.
    pub async fn follow(mut self, client: Client) -> anyhow::Result<Self> {
        loop {
            match self.catch_up(&client).await {
                Ok(()) => tokio::task::yield_now().await,
                Err(error) => match error.downcast::<mailbox_client::Error>() {
                    Ok(error) if error.status().is_none() => return Ok(self),
                    Ok(error) => return Err(error.into()),
                    Err(error) => return Err(error),
                },
            }
        }
    }

    /// Reads all new records, in pages of any size.
    pub async fn catch_up(&mut self, client: &Client) -> anyhow::Result<()> {
        let size = rand::rng().random_range(1..=200);
        let mut token: Option<String> = None;
        // An interrupted read starts again at the end of the last complete one and sees its records again, so they are
        // applied only at the end.
        let mut records: Vec<History> = Vec::new();
        loop {
            let mut call = client.users().history().list("me", self.cursor).max_results(size);
            if let Some(token) = token.take() {
                call = call.page_token(token);
            }
            let page = call.send().await?;
            records.extend(page.history);
            match page.next_page_token {
                Some(next) => token = Some(next),
                None => {
                    for record in records {
                        self.apply(record)?;
                    }
                    self.cursor = page.history_id.context("a page without historyId")?.0;
                    return Ok(());
                }
            }
        }
    }

    /// Applies a history record to the messages; fails if it contradicts them or is out of order.
    fn apply(&mut self, record: History) -> anyhow::Result<()> {
        let number = record.id.context("a record without a number")?.0;
        ensure!(number > self.last, "the record {number} comes after {}", self.last);
        self.last = number;
        self.seen.insert(number);
        let name = |message: Option<Message>| message.and_then(|one| one.id).context("a change of no message");
        for added in record.messages_added {
            let id = name(added.message)?;
            ensure!(self.messages.insert(id.clone(), false).is_none(), "{id} was added twice");
        }
        for (labels, change, has) in record
            .labels_added
            .into_iter()
            .map(|one| (one.label_ids, one.message, true))
            .chain(record.labels_removed.into_iter().map(|one| (one.label_ids, one.message, false)))
        {
            let id = name(change)?;
            let state =
                self.messages.get_mut(&id).with_context(|| format!("the history starts with labels of {id}"))?;
            if labels.iter().any(|label| label == "STARRED") {
                ensure!(*state != has, "the star of {id} changes to what it was");
                *state = has;
            }
        }
        for deleted in record.messages_deleted {
            let id = name(deleted.message)?;
            ensure!(self.messages.remove(&id).is_some(), "{id} was deleted and never added");
        }
        Ok(())
    }

    /// Checks that the history agrees with the listing.
    pub fn compare(&self, listing: &Listing) -> anyhow::Result<()> {
        let followed = Listing {
            all: self.messages.keys().cloned().collect(),
            starred: self.messages.iter().filter(|(_, starred)| **starred).map(|(id, _)| id.clone()).collect(),
        };
        ensure!(followed == *listing, "the history yields {followed:?}, the listing {listing:?}");
        Ok(())
    }

    /// Returns whether the record with a number was read.
    pub fn has_seen(&self, number: u64) -> bool {
        self.seen.contains(&number)
    }

    /// Returns the number of records read.
    pub fn records(&self) -> usize {
        self.seen.len()
    }
}
