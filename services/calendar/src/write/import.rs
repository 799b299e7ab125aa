//! Import of events that exist elsewhere.

use calendar_server::types::Event;
use calendar_server::{Context, Error, Result, requests};
use wireform_store::{CalendarNumber, Entry, EntryKind, EntryQuery, EntryState, EntryWalk, Error as StoreError, Store};

use super::draft::series_of_kind;
use super::settle::may_organize;
use super::{Notify, TRIES, Wanted};
use crate::CalendarService;
use crate::caller::{Access, Need, access};
use crate::fault;
use crate::times;

/// Maximum number of entries with the same UID that are examined.
const ENTRIES: u32 = 2_500;

impl<S: Store> CalendarService<S> {
    /// Imports an event as a private copy: nobody is notified. An existing event is replaced by one with a greater
    /// sequence number; otherwise it is returned unchanged. An event with an original start is an exception of the
    /// series with the same UID.
    pub(crate) async fn import_event(&self, request: requests::EventsImport, context: &Context) -> Result<Event> {
        let access = access(&self.store, context, &request.calendar_id, Need::Write).await?;
        let (mut event, _) = context.prepare(&request, None)?;
        event.recurring_event_id = None;
        for _ in 0..TRIES {
            let id = match self.imported_before(&access, &event).await? {
                Some(id) => match self.import_again(&access, context, &id, &request).await? {
                    true => id,
                    false => continue,
                },
                None => {
                    let mut event = event.clone();
                    event.private_copy = Some(true);
                    event.original_start_time = None;
                    let uid = event.ical_uid.clone().unwrap_or_default();
                    let (id, mut write) = self.created(&access, event, Notify::Nobody).await?;
                    // The same event may be imported concurrently.
                    write.new_uids.push((access.calendar.number, uid));
                    if !self.store(write).await? {
                        continue;
                    }
                    id
                }
            };
            return self.written(&access, &id, None).await;
        }
        Err(fault::answer(StoreError::Outdated))
    }

    /// Returns the identifier of the existing event, or of the instance that an exception replaces.
    async fn imported_before(&self, access: &Access, event: &Event) -> std::result::Result<Option<String>, Error> {
        let uid = event.ical_uid.as_deref().unwrap_or_default();
        let Some(main) = self.known_on(access.calendar.number, uid).await? else {
            return Ok(None);
        };
        if event.original_start_time.is_none() {
            return Ok(Some(main.id));
        }
        let suffix = instance_of(access, &main, event)?;
        Ok(Some(format!("{}_{suffix}", main.id)))
    }

    /// Returns the event, other than an exception, with a UID.
    pub(super) async fn known_on(
        &self,
        calendar: CalendarNumber,
        uid: &str,
    ) -> std::result::Result<Option<Entry>, Error> {
        let walk = EntryWalk::WithUid(uid.to_owned());
        let query = EntryQuery { walk, after: None, epoch: None, search: None, limit: ENTRIES };
        let page = self.store.walk(calendar, query).await.map_err(fault::answer)?;
        let is_exception = |entry: &Entry| matches!(entry.kind, EntryKind::Exception { .. });
        let mut entries = page.entries.into_iter();
        Ok(entries.find(|entry| !is_exception(entry) && entry.state != EntryState::Dropped))
    }

    /// Returns the identifier on the calendar of the event with a UID.
    pub(super) async fn known_id(&self, access: &Access, uid: &str) -> std::result::Result<Option<String>, Error> {
        Ok(self.known_on(access.calendar.number, uid).await?.map(|entry| entry.id))
    }

    /// Replaces an event by a newer one. Returns false if there was a concurrent write.
    async fn import_again(
        &self,
        access: &Access,
        context: &Context,
        id: &str,
        request: &requests::EventsImport,
    ) -> std::result::Result<bool, Error> {
        let mut draft = self.draft(access, id).await?;
        let stored = draft.found.shared.sequence.unwrap_or(0);
        let is_known = draft.found.instance.is_none();
        if (is_known && request.body.sequence.unwrap_or(0) <= stored) || !may_organize(&draft) {
            return Ok(true);
        }
        let before = self.basis(context, access, &draft.found)?;
        // The identifier on the calendar is known by now.
        let mut named = request.clone();
        named.body = Event {
            id: None,
            event_type: None,
            original_start_time: None,
            recurring_event_id: None,
            private_copy: None,
            birthday_properties: None,
            ..named.body
        };
        let (mut event, _) = context.prepare(&named, Some(&before))?;
        event.id.clone_from(&before.id);
        event.reminders = event.reminders.or(before.reminders);
        event.sequence = Some(event.sequence.unwrap_or(0).max(stored));
        if !self.settle(access, &mut draft, Wanted { event, participant_only: false }).await? {
            return Ok(true);
        }
        let write = self.entries_of(draft).await?;
        self.store(write).await
    }
}

/// Returns the identifier suffix of the instance that an exception replaces.
pub(super) fn instance_of(access: &Access, series: &Entry, exception: &Event) -> std::result::Result<String, Error> {
    instance_on(&access.calendar.time_zone, &series.kind, exception)
}

/// Same for a kind of entry on a calendar with a zone.
pub(super) fn instance_on(zone: &str, kind: &EntryKind, exception: &Event) -> std::result::Result<String, Error> {
    let original = exception.original_start_time.as_ref();
    let second = original.and_then(|original| times::second_of(original, &times::zone(zone)));
    let series = series_of_kind(kind)?.filter(|series| !series.is_single);
    let instance = series.zip(second).and_then(|(series, second)| series.instance_at(second));
    let none = || fault::invalid("originalStartTime", "the series has no instance at this time");
    instance.map(|instance| instance.suffix()).ok_or_else(none)
}
