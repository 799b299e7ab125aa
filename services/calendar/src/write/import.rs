//! Import of events that exist elsewhere.

use calendar_server::types::{Event, EventStatus};
use calendar_server::{Context, Error, Result, requests};
use wireform_store::{
    CalendarNumber, Entry, EntryKind, EntryOrder, EntryQuery, EntryState, Error as StoreError, Mailbox, Store,
};

use super::change::may_organize;
use super::{MAX_ATTEMPTS, Notify, RequestedEvent};
use crate::CalendarService;
use crate::caller::{Access, Need, access};
use crate::content::is_cancelled;
use crate::error;
use crate::series::{Series, Steps};
use crate::times;

/// Maximum number of entries with the same UID that are examined.
const MAX_ENTRIES: u32 = 2_500;

impl<S: Store> CalendarService<S> {
    /// Imports an event as a private copy: nobody is notified. An existing event is replaced by one with a greater
    /// sequence number, and restored if it was deleted here; otherwise it is returned unchanged. An event with an
    /// original start is an exception of the series with the same UID.
    pub(crate) async fn import_event(&self, request: requests::EventsImport, context: &Context) -> Result<Event> {
        let access = access(&self.store, context, &request.calendar_id, Need::Write).await?;
        let (event, _) = context.prepare(&request, None)?;
        for _ in 0..MAX_ATTEMPTS {
            let id = match self.existing_id(&access, &event).await? {
                Some(id) => match self.replace_imported(&access, context, &id, &request).await? {
                    true => id,
                    false => continue,
                },
                None => {
                    let mut event = event.clone();
                    event.private_copy = Some(true);
                    event.original_start_time = None;
                    let uid = event.ical_uid.clone().unwrap_or_default();
                    let (id, mut write) = self.prepare_insert(&access, event, Notify::Nobody).await?;
                    // The same event may be imported concurrently.
                    write.new_uids.push((access.calendar.number, uid));
                    if !self.store(write).await? {
                        continue;
                    }
                    id
                }
            };
            return self.respond(&access, &id, None).await;
        }
        Err(error::from_store(StoreError::Outdated))
    }

    /// Returns the identifier of the existing event, or of the instance that an exception replaces.
    async fn existing_id(&self, access: &Access, event: &Event) -> std::result::Result<Option<String>, Error> {
        let uid = event.ical_uid.as_deref().unwrap_or_default();
        let Some(main) = self.find_by_uid(access.calendar.number, uid).await? else {
            return Ok(None);
        };
        if event.original_start_time.is_none() {
            return Ok(Some(main.id));
        }
        let (zone, user) = (&access.calendar.time_zone, Some(access.user.mailbox));
        let suffix = self.instance_suffix(zone, &main.kind, event, user).await?;
        Ok(Some(format!("{}_{suffix}", main.id)))
    }

    /// Returns the event, other than an exception, with a UID.
    pub(super) async fn find_by_uid(
        &self,
        calendar: CalendarNumber,
        uid: &str,
    ) -> std::result::Result<Option<Entry>, Error> {
        let is_exception = |entry: &Entry| matches!(entry.kind, EntryKind::Exception { .. });
        let mut after = None;
        loop {
            let order = EntryOrder::WithUid(uid.to_owned());
            let query = EntryQuery { order, after, epoch: None, search_mailbox: None, limit: MAX_ENTRIES };
            let page = self.store.list_entries(calendar, query).await.map_err(error::from_store)?;
            after = page.entries.last().filter(|_| page.has_more).map(|entry| (0, entry.id.clone()));
            let mut entries = page.entries.into_iter();
            let found = entries.find(|entry| !is_exception(entry) && entry.state != EntryState::Orphaned);
            if found.is_some() || after.is_none() {
                return Ok(found);
            }
        }
    }

    /// Returns the identifier on the calendar of the event with a UID.
    pub(super) async fn id_of_uid(&self, access: &Access, uid: &str) -> std::result::Result<Option<String>, Error> {
        Ok(self.find_by_uid(access.calendar.number, uid).await?.map(|entry| entry.id))
    }

    /// Replaces an event by a newer one, or one that was deleted here by any; a guest has the deleted invitation again.
    /// Returns false if there was a concurrent write.
    async fn replace_imported(
        &self,
        access: &Access,
        context: &Context,
        id: &str,
        request: &requests::EventsImport,
    ) -> std::result::Result<bool, Error> {
        let mut draft = self.draft(access, id).await?;
        let stored = draft.found.shared.sequence.unwrap_or(0);
        let is_known = draft.found.instance.is_none();
        let restores = draft.found.is_gone() && !is_cancelled(&request.body);
        let is_newer = !is_known || request.body.sequence.unwrap_or(0) > stored;
        let organizes = may_organize(&draft);
        let applies = restores || (is_newer && organizes);
        if !applies {
            return Ok(true);
        }
        let before = self.base_event(context, access, &draft.found)?;
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
        if organizes {
            event.reminders = event.reminders.or(before.reminders);
            event.sequence = Some(event.sequence.unwrap_or(0).max(stored));
        } else {
            event = Event { status: Some(EventStatus::Confirmed), ..before };
        }
        if !self.compute_change(access, &mut draft, RequestedEvent { event, participant_only: false }).await? {
            return Ok(true);
        }
        let write = self.write_without_mail(draft).await?;
        self.store(write).await
    }

    /// Returns the identifier suffix of the instance that an exception replaces, on a calendar with a zone.
    pub(super) async fn instance_suffix(
        &self,
        zone: &str,
        kind: &EntryKind,
        exception: &Event,
        user: Option<Mailbox>,
    ) -> std::result::Result<String, Error> {
        let original = exception.original_start_time.as_ref();
        let second = original.and_then(|original| times::second_of(original, &times::zone_by_name(zone)));
        let instance = match (kind, second) {
            (EntryKind::Series { rule, .. }, Some(second)) => {
                let find = move |series: &Series, steps: &Steps| {
                    series.instance_at(second, steps).filter(|_| !series.is_single)
                };
                self.in_series(user, rule, find).await?
            }
            _ => None,
        };
        let none = || error::invalid("originalStartTime", "the series has no instance at this time");
        instance.map(|instance| instance.suffix()).ok_or_else(none)
    }
}
