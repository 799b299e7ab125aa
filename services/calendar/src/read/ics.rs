//! Export of calendars to iCalendar files.

use calendar_server::Error;
use calendar_server::types::Event;
use wireform_store::{EntryKind, EntryOrder, EntryQuery, EntryState, Role, Store, User};

use crate::CalendarService;
use crate::content::is_cancelled;
use crate::error;
use crate::ics::write::CalendarWriter;
use crate::times;
use crate::view::CalendarItem;

/// Number of entries read at once.
const BATCH: u32 = 500;

impl<S: Store> CalendarService<S> {
    /// Returns the events of a calendar as an iCalendar file, with their number. Cancelled events, and those whose
    /// details the user may not see, are omitted; cancelled instances are exported as exceptions of their series.
    ///
    /// # Errors
    /// Returns an error if the user has no such calendar that they may read, or the store is unavailable.
    pub async fn export_ics(&self, user: &User, calendar: &str) -> Result<(String, u64), Error> {
        let access = self.access_with_role(user, calendar, Role::Reader).await?;
        let view = self.view(&access, None, None);
        let mut writer = CalendarWriter::new(None, times::timestamp(self.clock.now().0.div_euclid(1_000)));
        let (mut after, mut count) = (None, 0);
        loop {
            let walk = EntryOrder::ById;
            let query =
                EntryQuery { order: walk, after: after.take(), epoch: None, search_mailbox: None, limit: BATCH };
            let page = self.store.list_entries(access.calendar.number, query).await.map_err(error::from_store)?;
            after = page.entries.last().map(|entry| (0, entry.id.clone()));
            for entry in page.entries {
                let is_exception = matches!(entry.kind, EntryKind::Exception { .. });
                // Exceptions of a removed series are removed with it.
                let is_kept = match entry.state {
                    EntryState::Present => true,
                    EntryState::Cancelled => is_exception && entry.removed.is_none(),
                    EntryState::Hidden | EntryState::Orphaned => false,
                };
                let found = CalendarItem::from_entry(entry)?;
                if is_kept && (is_exception || !is_cancelled(&found.shared)) && view.sees_details(&found) {
                    writer.event(&cancelled_exception(&found, view.represent(&found)?));
                    count += 1;
                }
            }
            if !page.has_more || after.is_none() {
                return Ok((writer.finish(), count));
            }
        }
    }
}

/// Returns a cancelled exception with its identifying fields, because guests do not get its details.
fn cancelled_exception(found: &CalendarItem, mut event: Event) -> Event {
    event.ical_uid.clone_from(&found.shared.ical_uid);
    event.sequence = event.sequence.or(found.shared.sequence);
    event.start = event.start.or_else(|| event.original_start_time.clone());
    event
}
