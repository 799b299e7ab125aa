//! Change of a calendar's time zone.

use calendar_server::Error;
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_store::{
    CalendarNumber, Entry, EntryOrder, EntryQuery, Error as StoreError, EventWrite, Millis, NewEntry, Store,
};

use super::MAX_ATTEMPTS;
use super::draft::EventCopy;
use super::entries::with_state;
use crate::CalendarService;
use crate::content::{CopyData, parse_shared};
use crate::error;

/// Number of entries changed per write.
const BATCH: u32 = 250;

impl<S: Store> CalendarService<S> {
    /// Sets the time zone of a calendar. All-day events keep their days, which begin in the new zone; other events keep
    /// their instants. An interrupted change is completed by calling this again. Returns the number of changed entries
    /// of the calendar.
    ///
    /// # Errors
    /// Returns an error if the zone is unknown, the calendar does not exist, the store is unavailable, or concurrent
    /// writes keep interfering.
    pub async fn set_time_zone(&self, calendar: CalendarNumber, zone: &str) -> Result<u64, Error> {
        if TimeZone::get(zone).is_err() {
            return Err(error::invalid("timeZone", format!("unknown time zone `{zone}`")));
        }
        let time_zone = zone.to_owned();
        let change = move |calendar: &mut wireform_store::Calendar| calendar.time_zone = time_zone;
        self.store.update_calendar(calendar, change, self.clock.now()).await.map_err(error::from_store)?;
        let mut count = 0;
        // Operations that have read the calendar before may still store events of the previous zone.
        for _ in 0..MAX_ATTEMPTS {
            let changed = self.change_zone(calendar, zone).await?;
            count += changed;
            if changed == 0 {
                break;
            }
        }
        Ok(count)
    }

    /// Changes the entries of another zone; returns their number.
    async fn change_zone(&self, calendar: CalendarNumber, zone: &str) -> Result<u64, Error> {
        let (mut after, mut count, mut tries) = (None, 0, 0);
        loop {
            let query = EntryQuery {
                order: EntryOrder::ById,
                after: after.clone(),
                epoch: None,
                search_mailbox: None,
                limit: BATCH,
            };
            let page = self.store.list_entries(calendar, query).await.map_err(error::from_store)?;
            let last = page.entries.last().map(|entry| (0, entry.id.clone()));
            let mut write = EventWrite::default();
            for entry in page.entries {
                write.entries.extend(self.convert_to_zone(entry, zone, self.clock.now()).await?);
            }
            let changed = write.entries.len() as u64;
            if changed > 0 && !self.store(write).await? {
                tries += 1;
                if tries == MAX_ATTEMPTS {
                    return Err(error::from_store(StoreError::Outdated));
                }
                continue;
            }
            (count, tries) = (count + changed, 0);
            if !page.has_more || last.is_none() {
                return Ok(count);
            }
            after = last;
        }
    }

    /// Returns an entry converted to the zone of a calendar; `None` if it is of that zone already.
    async fn convert_to_zone(&self, entry: Entry, zone: &str, now: Millis) -> Result<Option<NewEntry>, Error> {
        let copy = EventCopy::from_entry(entry.clone())?;
        if copy.own.zone == zone {
            return Ok(None);
        }
        let copy = EventCopy { own: CopyData { zone: zone.to_owned(), ..copy.own }, ..copy };
        let (kind, span) = self.kind_and_span(&parse_shared(&entry.shared)?, &copy, None, now).await?;
        let (state, removed, updated, own) = (entry.state, entry.removed, entry.updated, copy.own.serialize()?);
        Ok(Some(NewEntry { updated, kind, span, own, ..with_state(entry, state, removed, now) }))
    }
}
