//! Copy of a calendar that a client keeps.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use calendar_client::types::{Event, EventStatus};
use calendar_client::{Client, Error};

/// Titles of the events of a calendar, by identifier.
pub type Titles = BTreeMap<String, String>;

/// State of a client that only synchronizes.
#[derive(Debug, Default)]
pub struct CalendarCopy {
    sync_token: Option<String>,
    titles: Titles,
}

impl CalendarCopy {
    /// Brings the copy up to date. An interrupted read leaves no trace.
    ///
    /// # Errors
    /// Returns an error if a call fails, or if the server does not accept the sync token any more.
    pub async fn synchronize(&mut self, client: &Client) -> anyhow::Result<()> {
        let call = client.events().list_changes("primary");
        let mut changes = match &self.sync_token {
            Some(cursor) => call.since(cursor.clone()),
            None => call.from_start(),
        };
        let mut read = Vec::new();
        while let Some(event) = changes.next().await {
            match event.map_err(calendar_client::runtime::SyncError::into_error)? {
                calendar_client::runtime::SyncEvent::Change(event) => read.push(event),
                calendar_client::runtime::SyncEvent::Done(cursor) => self.sync_token = Some(cursor),
            }
        }
        read.into_iter().try_for_each(|event| self.apply(event))
    }

    /// Applies a changed event: removes a cancelled one, and stores the title of any other.
    fn apply(&mut self, event: Event) -> anyhow::Result<()> {
        let id = event.id.context("an event without an identifier")?;
        match event.status {
            Some(EventStatus::Cancelled) => self.titles.remove(&id),
            _ => self.titles.insert(id, event.summary.unwrap_or_default()),
        };
        Ok(())
    }

    /// Returns the titles in the copy.
    pub fn titles(&self) -> &Titles {
        &self.titles
    }
}

/// Lists the whole calendar.
pub async fn list(client: &Client) -> anyhow::Result<Titles> {
    let mut titles = Titles::new();
    let mut items = client.events().list("primary").max_results(2_500).items();
    while let Some(event) = items.next().await {
        let event = event?;
        let id = event.id.context("an event without an identifier")?;
        ensure!(titles.insert(id.clone(), event.summary.unwrap_or_default()).is_none(), "`{id}` is listed twice");
    }
    Ok(titles)
}

/// Returns whether a call failed because the server was not reachable.
pub fn is_gone(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Error>().is_some_and(|error| error.status().is_none())
}
