//! Contents of events that a page reads only when it lists them: of series, and of events beyond a batch.

use std::collections::HashMap;

use wireform_store::Store;

use super::page::{ListError, Listing};
use crate::CalendarService;
use crate::error;
use crate::view::CalendarItem;

/// Maximum number of events whose content is read at once.
const BATCH: usize = 100;

/// Contents of the next events of a list.
pub(super) struct Contents {
    /// Identifiers of the events, in the order in which they are listed; those of series are repeated.
    ids: Vec<String>,
    /// Index of the next identifier.
    next: usize,
    /// Events that were read; `None` if they no longer exist.
    read: HashMap<String, Option<CalendarItem>>,
}

impl Contents {
    /// Creates the contents of events that are listed in this order.
    pub(super) fn new(ids: Vec<String>) -> Self {
        Self { ids, next: 0, read: HashMap::new() }
    }

    /// Returns the next event of the list; `None` if it no longer exists.
    pub(super) async fn next<S: Store>(
        &mut self,
        service: &CalendarService<S>,
        listing: &mut Listing<'_>,
    ) -> Result<Option<&CalendarItem>, ListError> {
        let Some(id) = self.ids.get(self.next).cloned() else { return Ok(None) };
        if !self.read.contains_key(&id) {
            self.read_on(service, listing).await?;
        }
        self.next += 1;
        let read = self.read.get(&id).ok_or_else(|| error::corrupt("the store has returned no entry"))?;
        Ok(read.as_ref())
    }

    /// Reads the next events. Those before them are dropped if there are too many.
    async fn read_on<S: Store>(
        &mut self,
        service: &CalendarService<S>,
        listing: &mut Listing<'_>,
    ) -> Result<(), ListError> {
        if listing.memory.keeps_much() {
            self.read.clear();
            listing.memory.drop_kept();
        }
        let mut ids: Vec<String> = Vec::new();
        for id in self.ids.get(self.next..).unwrap_or_default() {
            if ids.len() == BATCH {
                break;
            }
            if !self.read.contains_key(id) && !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        let entries = service.store.some_entries(listing.access.calendar.number, ids.clone()).await?;
        for (id, entry) in ids.into_iter().zip(entries) {
            if let Some(entry) = &entry {
                listing.memory.keep(entry).await?;
            }
            self.read.insert(id, entry.map(CalendarItem::from_entry).transpose()?);
        }
        Ok(())
    }
}
