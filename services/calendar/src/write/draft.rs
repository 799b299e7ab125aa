//! Change of an event under computation.

use calendar_server::Error;
use calendar_server::types::Event;
use wireform_store::{CalendarNumber, Entry, EntryKind, EntryState, EventRef, HistoryId, Mailbox, Millis, Store};

use super::memory::{ChangeMemory, UNRESERVED_BYTES};
use crate::CalendarService;
use crate::caller::Access;
use crate::content::{CopyData, parse_shared, serialize_shared};
use crate::error;
use crate::series::{Rule, Series, Steps, split_id};
use crate::view::CalendarItem;

/// Change of an event, with its copies on all calendars.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// Event as it was read.
    pub(crate) found: CalendarItem,
    /// Entries that were read and are not written.
    pub(crate) expected: Vec<(CalendarNumber, String, HistoryId)>,
    /// Data of the series on the current calendar, if the event is an instance of it.
    pub(crate) series: Option<CopyData>,
    /// New shared data.
    pub(crate) shared: Event,
    /// Copies, that of the current calendar first.
    pub(crate) copies: Vec<EventCopy>,
    /// True if a conference is to be created for it.
    pub(crate) wants_conference: bool,
    /// User in whose turns series are expanded; `None` for jobs.
    pub(crate) user: Option<Mailbox>,
    pub(crate) memory: ChangeMemory,
}

/// EventCopy of an event on a calendar.
#[derive(Clone, Debug)]
pub(crate) struct EventCopy {
    pub(crate) calendar: CalendarNumber,
    pub(crate) id: String,
    /// Stored entry.
    pub(crate) entry: Option<Entry>,
    /// Series on this calendar, for an exception.
    pub(crate) series: Option<String>,
    pub(crate) own: CopyData,
    pub(crate) state: EntryState,
    pub(crate) updated: Millis,
}

impl EventCopy {
    pub(crate) fn from_entry(entry: Entry) -> Result<Self, Error> {
        let series = match &entry.kind {
            EntryKind::Exception { series, .. } => Some(series.clone()),
            _ => None,
        };
        Ok(Self {
            calendar: entry.calendar,
            id: entry.id.clone(),
            series,
            own: CopyData::parse(&entry.own)?,
            state: entry.state,
            updated: entry.updated,
            entry: Some(entry),
        })
    }

    /// Returns the stored rule; for a single event that is to become a series, a rule with one instance.
    pub(crate) fn rule(&self, becomes_series: bool) -> Result<Option<Rule>, Error> {
        let Some(entry) = &self.entry else { return Ok(None) };
        match &entry.kind {
            EntryKind::Series { rule, .. } => Rule::parse(rule).map(Some).map_err(error::corrupt),
            EntryKind::Single if becomes_series => {
                let rule = Rule::from_event(&parse_shared(&entry.shared)?, &self.own.zone);
                rule.map(Some).map_err(|error| error::corrupt(format!("{error:?}")))
            }
            _ => Ok(None),
        }
    }
}

impl Draft {
    /// Returns the copy on the current calendar.
    pub(crate) fn current_copy(&mut self) -> &mut EventCopy {
        &mut self.copies[0]
    }

    /// Returns the reference to the event to write.
    pub(crate) fn event(&self) -> EventRef {
        match &self.copies[0].entry {
            // Also that of a dropped exception, which another one replaces.
            Some(entry) => EventRef::Stored(entry.event),
            None => EventRef::New(0),
        }
    }

    /// Returns whether it is an instance of a series.
    pub(crate) fn is_instance(&self) -> bool {
        self.found.series_id().is_some()
    }

    /// Serializes the shared data for the store.
    pub(crate) fn serialize_shared(&self) -> Result<String, Error> {
        serialize_shared(&self.shared)
    }
}

/// Returns whether the calendar of an instance has its series: that of a guest who was removed from the series is
/// cancelled, and stays on a calendar with instances to which the guest is invited individually.
pub(crate) fn has_series(instance: &EventCopy, series: &Entry) -> bool {
    instance.own.organizer || series.state != EntryState::Cancelled
}

impl<S: Store> CalendarService<S> {
    /// Returns the event with an identifier on a calendar: an entry, or an instance of a series.
    pub(crate) async fn find(&self, access: &Access, id: &str) -> Result<CalendarItem, Error> {
        self.find_on(access.calendar.number, id, (Some(access.user.mailbox), &ChangeMemory::of(access))).await
    }

    /// Returns the event with an identifier on a calendar, for a user or a job: an entry, or an instance of a series. It is
    /// read once there is memory for it.
    pub(super) async fn find_on(
        &self,
        number: CalendarNumber,
        id: &str,
        (user, memory): (Option<Mailbox>, &ChangeMemory),
    ) -> Result<CalendarItem, Error> {
        let mut ids = vec![id.to_owned()];
        ids.extend(split_id(id).map(|(series, _)| series.to_owned()));
        let (size, found) =
            self.store.entries_within(number, ids.clone(), UNRESERVED_BYTES).await.map_err(error::from_store)?;
        memory.begin(size).await?;
        let found = match found {
            Some(found) => found,
            None => self.store.entries(number, ids).await.map_err(error::from_store)?,
        };
        let mut found = found.into_iter();
        match (found.next().flatten(), found.next().flatten()) {
            (Some(entry), _) if entry.state != EntryState::Orphaned => CalendarItem::from_entry(entry),
            (_, Some(series)) => {
                let found = self.instance(CalendarItem::from_entry(series)?, id, user).await?;
                found.ok_or_else(|| error::event_not_found(id))
            }
            _ => Err(error::event_not_found(id)),
        }
    }

    /// Begins a change of an event.
    pub(crate) async fn draft(&self, access: &Access, id: &str) -> Result<Draft, Error> {
        self.draft_with(access.calendar.number, id, (Some(access.user.mailbox), ChangeMemory::of(access))).await
    }

    /// Begins a change of an event on a calendar, for a job or a received mail, of which few run at a time.
    pub(crate) async fn draft_on(
        &self,
        number: CalendarNumber,
        id: &str,
        user: Option<Mailbox>,
    ) -> Result<Draft, Error> {
        self.draft_with(number, id, (user, ChangeMemory::default())).await
    }

    async fn draft_with(
        &self,
        number: CalendarNumber,
        id: &str,
        (user, memory): (Option<Mailbox>, ChangeMemory),
    ) -> Result<Draft, Error> {
        let found = self.find_on(number, id, (user, &memory)).await?;
        let copies = self.store.event_entries(found.entry.event).await.map_err(error::from_store)?;
        let mut copies = copies.into_iter().map(EventCopy::from_entry).collect::<Result<Vec<_>, _>>()?;
        // The first read may be outdated: the copies are all from one snapshot.
        let here = copies.iter().position(|copy| copy.calendar == number);
        let here = here.ok_or_else(|| error::event_not_found(id))?;
        copies.swap(0, here);
        let entry = copies[0].entry.clone().ok_or_else(|| error::event_not_found(id))?;
        let series = match (&found.instance, &copies[0].series) {
            (Some(_), _) => Some(entry.clone()),
            (None, Some(series)) => self.entry(number, series).await?,
            (None, None) => None,
        };
        let expected = series.iter().map(|series| (number, series.id.clone(), series.changed)).collect();
        let series = series.filter(|series| has_series(&copies[0], series));
        let series = series.map(|series| CopyData::parse(&series.own)).transpose()?;
        let (found, copies) = match found.instance {
            None => (CalendarItem::from_entry(entry)?, copies),
            Some(_) => {
                let found = self.instance(CalendarItem::from_entry(entry)?, id, user).await?;
                let found = found.ok_or_else(|| error::event_not_found(id))?;
                let copies = self.instance_copies(&found, copies).await?;
                (found, copies)
            }
        };
        let shared = found.shared.clone();
        let mut draft = Draft { found, expected, series, shared, copies, wants_conference: false, user, memory };
        draft.found.own = draft.current_copy().own.clone();
        Ok(draft)
    }

    /// Returns the entry with an identifier on a calendar.
    pub(super) async fn entry(&self, number: CalendarNumber, id: &str) -> Result<Option<Entry>, Error> {
        let found = self.store.entries(number, vec![id.to_owned()]).await.map_err(error::from_store)?;
        Ok(found.into_iter().next().flatten())
    }

    /// Returns copies of an instance on the calendars that have its series and no exception for it.
    async fn instance_copies(&self, found: &CalendarItem, series: Vec<EventCopy>) -> Result<Vec<EventCopy>, Error> {
        let Some(instance) = &found.instance else { return Ok(series) };
        let mut copies = Vec::with_capacity(series.len());
        for (at, of) in series.into_iter().enumerate() {
            let id = format!("{}_{}", of.id, instance.suffix());
            let stored = self.entry(of.calendar, &id).await?;
            let is_free = stored.as_ref().is_none_or(|entry| entry.state == EntryState::Orphaned);
            if at == 0 || (is_free && of.state == EntryState::Present) {
                copies.push(EventCopy { id, entry: stored, series: Some(of.id), ..of });
            }
        }
        Ok(copies)
    }

    /// Returns the instance of a series with an identifier.
    async fn instance(
        &self,
        series: CalendarItem,
        id: &str,
        user: Option<Mailbox>,
    ) -> Result<Option<CalendarItem>, Error> {
        let Some((_, suffix)) = split_id(id) else { return Ok(None) };
        let EntryKind::Series { rule, .. } = &series.entry.kind else { return Ok(None) };
        let suffix = suffix.to_owned();
        let find = move |expanded: &Series, steps: &Steps| {
            expanded.instance_by_suffix(&suffix, steps).filter(|_| !expanded.is_single)
        };
        let named = self.in_series(user, rule, find).await?;
        Ok(named.map(|found| series.with_instance(found)))
    }
}
