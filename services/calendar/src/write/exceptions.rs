//! Effects of changes between a series and its exceptions.

mod states;
mod visibility;

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use calendar_server::Error;
use calendar_server::types::{Attendee, Event};
use wireform_store::{
    Entry, EntryKind, EntryState, EventNumber, EventRef, EventWrite, HistoryId, Millis, NewEntry, Store,
};

pub(super) use self::states::AffectedException;
use self::states::{adjust_entry, affects, leaving_guest, standalone_state};
use super::absent_guests::AbsentGuest;
use super::attendees::attendee_address;
use super::change::decline;
use super::draft::{Draft, EventCopy};
use super::entries::{single_kind_and_span, with_state};
use crate::CalendarService;
use crate::content::{CopyData, is_cancelled, parse_shared, serialize_shared};
use crate::error;
use crate::read::Cache;
use crate::series::{Rule, Steps};

/// Exceptions that were read.
type ReadEntries = Result<Vec<Entry>, Error>;

impl<S: Store> CalendarService<S> {
    /// Adjusts the exceptions of a changed series: they are removed and restored with their series, and dropped if the
    /// series no longer has an instance for them. Guests are added and removed in exceptions as well. Returns the
    /// exceptions that end or come back.
    pub(super) async fn adjust_exceptions(
        &self,
        draft: &Draft,
        away: &[AbsentGuest<'_>],
        write: &mut EventWrite,
        now: Millis,
    ) -> Result<Vec<AffectedException>, Error> {
        let before = &draft.found.shared;
        let recurs = !before.recurrence.is_empty() || !draft.shared.recurrence.is_empty();
        let is_series = draft.copies[0].series.is_none() && recurs;
        let people = |event: &Event| event.attendees.iter().map(attendee_address).collect::<BTreeSet<_>>();
        let (were, are) = (people(before), people(&draft.shared));
        let same = before.recurrence == draft.shared.recurrence
            && before.start == draft.shared.start
            && is_cancelled(before) == is_cancelled(&draft.shared)
            && were == are;
        let hidden = draft.copies[0].entry.as_ref().is_some_and(|entry| entry.state != draft.copies[0].state);
        if !is_series || draft.copies[0].entry.is_none() || (same && !hidden) {
            return Ok(Vec::new());
        }
        let mut bodies = BTreeMap::new();
        let mut affected = Vec::new();
        for copy in draft.copies.iter().filter(|copy| copy.entry.is_some()) {
            affected.extend(self.adjust_on(draft, copy, &mut bodies, write, now).await?);
        }
        for (event, AffectedException { body, .. }) in &affected {
            bodies.entry(*event).and_modify(|stored| stored.sequence = body.sequence);
            write.events.push((*event, serialize_shared(body)?));
        }
        if let Some(guest) = leaving_guest(&draft.copies[0]) {
            for (event, body) in &mut bodies {
                decline(body, guest);
                write.events.push((*event, serialize_shared(body)?));
            }
        }
        if were != are {
            self.adjust_guests(draft, away, write, &mut bodies, (&were, &are), now).await?;
        }
        Ok(affected.into_iter().map(|(_, exception)| exception).collect())
    }

    /// Adjusts the exceptions on one calendar, and reads their shared data. Returns those that end or come back on the
    /// calendar of the organizer.
    async fn adjust_on(
        &self,
        draft: &Draft,
        copy: &EventCopy,
        bodies: &mut BTreeMap<EventNumber, Event>,
        write: &mut EventWrite,
        now: Millis,
    ) -> Result<Vec<(EventNumber, AffectedException)>, Error> {
        let exceptions = self.all_exceptions(draft, copy, write).await?;
        let had = self.instances_at(draft, copy.rule(false)?, &exceptions).await?;
        let has = self.instances_at(draft, rule_after(draft, copy)?, &exceptions).await?;
        let mut affected = Vec::new();
        for entry in exceptions {
            if let Slot::Vacant(slot) = bodies.entry(entry.event) {
                slot.insert(parse_shared(&entry.shared)?);
            }
            let (event, state) = (entry.event, entry.state);
            let Some(adjusted) = adjust_entry(copy, [&had, &has], bodies, entry, now) else { continue };
            if copy.own.organizer && adjusted.state != state {
                let body = bodies.get(&event);
                affected.extend(body.and_then(|body| Some((event, affects(body, state, adjusted.state)?))));
                write.entries.extend(self.individual_entries(draft, event, body).await?.into_iter().map(|entry| {
                    let (state, removed) = standalone_state(&adjusted, entry.state, now);
                    with_state(entry, state, removed, now)
                }));
            }
            write.entries.push(adjusted);
        }
        Ok(affected)
    }

    /// Returns all exceptions of a series on the calendar of its copy, as the basis of a write.
    pub(super) async fn all_exceptions(&self, draft: &Draft, copy: &EventCopy, write: &mut EventWrite) -> ReadEntries {
        self.exceptions_of(draft, (copy, &copy.id), write).await
    }

    /// Returns the exceptions of the series with the identifier `series` on the calendar of a copy, as the basis of a
    /// write: it fails after a concurrent change of an exception, so that none escapes the change of its series. They are
    /// read once there is memory for them.
    async fn exceptions_of(
        &self,
        draft: &Draft,
        (copy, series): (&EventCopy, &str),
        write: &mut EventWrite,
    ) -> ReadEntries {
        draft.memory.reserve_exceptions().await?;
        let all = (i64::MIN, i64::MAX);
        let found = self.store.exceptions(copy.calendar, series, all, u32::MAX).await.map_err(error::from_store)?;
        let last = found.iter().map(|entry| entry.changed).max().unwrap_or(HistoryId(0));
        write.read_exceptions.push((copy.calendar, series.to_owned(), last));
        Ok(found)
    }

    /// Returns the exceptions of a series on the calendar of a copy. A calendar that is new to the series has those to
    /// which it was invited individually, under the series' identifier elsewhere.
    pub(super) async fn known_exceptions(
        &self,
        draft: &Draft,
        copy: &EventCopy,
        write: &mut EventWrite,
    ) -> ReadEntries {
        if copy.entry.is_some() {
            return self.all_exceptions(draft, copy, write).await;
        }
        let mut known = Vec::new();
        for series in draft.copies.iter().map(|copy| &copy.id).collect::<BTreeSet<_>>() {
            known.extend(self.exceptions_of(draft, (copy, series), write).await?);
        }
        Ok(known)
    }

    /// Returns the entries of an exception on the calendars of guests who are invited to it but not to its series.
    pub(super) async fn individual_entries(
        &self,
        draft: &Draft,
        event: EventNumber,
        body: Option<&Event>,
    ) -> Result<Vec<Entry>, Error> {
        let mut of_series: BTreeSet<String> = draft.copies.iter().map(|copy| copy.own.address.clone()).collect();
        of_series.extend(draft.found.shared.attendees.iter().map(attendee_address));
        let guests = body.iter().flat_map(|body| &body.attendees).map(attendee_address);
        let individual: BTreeSet<String> = guests.filter(|guest| !of_series.contains(guest)).collect();
        if individual.is_empty() {
            return Ok(Vec::new());
        }
        let mut entries = Vec::new();
        for entry in self.store.event_entries(event).await.map_err(error::from_store)? {
            if individual.contains(&CopyData::parse(&entry.own)?.address) {
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// Returns those of the original starts of exceptions at which the series of a rule has an instance.
    async fn instances_at(
        &self,
        draft: &Draft,
        rule: Option<Rule>,
        exceptions: &[Entry],
    ) -> Result<BTreeSet<i64>, Error> {
        let Some(rule) = rule.filter(|rule| !rule.is_single()) else { return Ok(BTreeSet::new()) };
        let mut originals: Vec<i64> = exceptions.iter().filter_map(original_start).collect();
        let mut found = BTreeSet::new();
        let search = move |cache: &Cache, steps: &Steps| {
            let series = match cache.series_of_rule(&rule, steps) {
                Ok(series) => series,
                Err(_) if steps.is_attempt_over() => return Ok(ControlFlow::Continue(())),
                Err(error) => return Err(super::checks::recurrence(error)),
            };
            while let Some(original) = originals.last() {
                let instance = series.instance_at(*original, steps);
                if steps.is_attempt_over() {
                    return Ok(ControlFlow::Continue(()));
                }
                found.extend(instance.map(|_| *original));
                originals.pop();
                if steps.is_over() {
                    return Ok(ControlFlow::Continue(()));
                }
            }
            Ok(ControlFlow::Break(std::mem::take(&mut found)))
        };
        Ok(self.expand(draft.user, search).await?.0)
    }

    /// Adds new guests of a series to its exceptions, and removes former ones.
    async fn adjust_guests(
        &self,
        draft: &Draft,
        away: &[AbsentGuest<'_>],
        write: &mut EventWrite,
        bodies: &mut BTreeMap<EventNumber, Event>,
        (were, are): (&BTreeSet<String>, &BTreeSet<String>),
        now: Millis,
    ) -> Result<(), Error> {
        let added: Vec<Attendee> =
            draft.shared.attendees.iter().filter(|guest| !were.contains(&attendee_address(guest))).cloned().collect();
        let mut known = BTreeMap::new();
        for copy in draft.copies.iter().filter(|copy| copy.entry.is_none()) {
            let exceptions = self.known_exceptions(draft, copy, write).await?.into_iter();
            known.extend(exceptions.map(|entry| ((entry.calendar, entry.event), entry)));
        }
        for (event, body) in bodies.iter_mut() {
            body.attendees
                .retain(|guest| are.contains(&attendee_address(guest)) || !were.contains(&attendee_address(guest)));
            for guest in &added {
                if !body.attendees.iter().any(|known| attendee_address(known) == attendee_address(guest)) {
                    body.attendees.push(guest.clone());
                }
            }
            for guest in away {
                guest.decline(body)?;
            }
            write.events.push((*event, serialize_shared(body)?));
            for copy in draft.copies.iter().filter(|copy| copy.entry.is_none()) {
                write.entries.push(guest_entry(copy, *event, body, known.get(&(copy.calendar, *event)), now)?);
            }
        }
        Ok(())
    }
}

/// Returns the rule of a series on a calendar after the change; `None` if it no longer recurs.
fn rule_after(draft: &Draft, copy: &EventCopy) -> Result<Option<Rule>, Error> {
    if draft.shared.recurrence.is_empty() {
        return Ok(None);
    }
    Rule::from_event(&draft.shared, &copy.own.zone).map(Some).map_err(super::checks::recurrence)
}

/// Returns the original start of an exception.
fn original_start(entry: &Entry) -> Option<i64> {
    match entry.kind {
        EntryKind::Exception { original, .. } => Some(original),
        _ => None,
    }
}

/// Returns the entry of an exception for a guest who is new to the series, and may already be a guest of the exception.
fn guest_entry(
    copy: &EventCopy,
    event: EventNumber,
    body: &Event,
    known: Option<&Entry>,
    now: Millis,
) -> Result<NewEntry, Error> {
    let state = match known.map(|entry| entry.state) {
        _ if is_cancelled(body) => EntryState::Cancelled,
        Some(EntryState::Hidden) => EntryState::Hidden,
        _ => EntryState::Present,
    };
    let of = EventCopy { series: Some(copy.id.clone()), ..copy.clone() };
    let (kind, span) = single_kind_and_span(body, &of)?;
    let mut own = known.map_or_else(|| Ok(copy.own.clone()), |entry| CopyData::parse(&entry.own))?;
    own.limit_visibility(&copy.own);
    Ok(NewEntry {
        calendar: copy.calendar,
        id: known.map_or_else(|| format!("{}_{}", copy.id, suffix(body)), |entry| entry.id.clone()),
        replaces: known.map(|entry| entry.changed),
        event: EventRef::Stored(event),
        updated: now,
        state,
        removed: None,
        uid: body.ical_uid.clone().unwrap_or_default(),
        kind,
        span,
        own: own.serialize()?,
    })
}

/// Returns the identifier suffix of an exception.
pub(super) fn suffix(exception: &Event) -> String {
    let Some(original) = &exception.original_start_time else { return String::new() };
    match original.date {
        Some(date) => date.to_string().replace('-', ""),
        None => {
            let second = crate::times::second_of(original, &crate::times::zone_by_name("UTC")).unwrap_or_default();
            crate::times::timestamp(second).strftime("%Y%m%dT%H%M%SZ").to_string()
        }
    }
}
