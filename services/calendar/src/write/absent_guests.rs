//! Guests who are away during instances of a series that they are invited to: these are declined when the series is
//! stored.

use std::collections::BTreeMap;

use calendar_server::Error;
use calendar_server::types::Event;
use wireform_store::{EntryState, EventRef, EventWrite, HistoryId, Millis, NewEntry, Span, Store};

use super::declines::{self, Absence, first_year};
use super::draft::{Draft, EventCopy};
use super::entries::single_kind_and_span;
use crate::CalendarService;
use crate::content::{is_cancelled, serialize_shared};
use crate::error;
use crate::series::{Instance, Rule};
use crate::view::CalendarItem;

/// New guest of a series, and the times in which they decline invitations.
#[derive(Debug)]
pub(super) struct AbsentGuest<'a> {
    copy: &'a EventCopy,
    absences: Vec<Absence>,
}

impl AbsentGuest<'_> {
    /// Returns the first absence that conflicts with a time.
    fn find_conflict(&self, span: Span) -> Option<&Absence> {
        self.absences.iter().find(|absence| absence.conflicts(span))
    }

    /// Declines an exception of the series, if it conflicts.
    pub(super) fn decline(&self, exception: &mut Event) -> Result<(), Error> {
        let of = EventCopy { series: Some(self.copy.id.clone()), ..self.copy.clone() };
        let (_, span) = single_kind_and_span(exception, &of)?;
        if let Some(absence) = self.find_conflict(span) {
            declines::set_declined(exception, &self.copy.own.address, absence.message.as_deref());
        }
        Ok(())
    }
}

impl<S: Store> CalendarService<S> {
    /// Returns the new guests of a series who decline invitations at times of its instances within a year.
    pub(super) async fn absent_guests<'a>(&self, draft: &'a Draft, now: Millis) -> Result<Vec<AbsentGuest<'a>>, Error> {
        let mut away = Vec::new();
        if draft.shared.recurrence.is_empty() || is_cancelled(&draft.shared) {
            return Ok(away);
        }
        let is_new = |copy: &&EventCopy| {
            copy.entry.is_none()
                && copy.series.is_none()
                && !copy.own.organizer
                && copy.own.transparency.is_none()
                && copy.state == EntryState::Present
        };
        for copy in draft.copies.iter().filter(is_new) {
            let instances = self.instances_of(draft, copy, now).await?;
            let Some((first, last)) = instances.first().zip(instances.last()) else { continue };
            let span = Span { first: first.span.first, last: last.span.last };
            draft.memory.reserve_scan().await?;
            let absences = self.absences(copy.calendar, span).await?;
            if !absences.is_empty() {
                away.push(AbsentGuest { copy, absences });
            }
        }
        Ok(away)
    }

    /// Creates exceptions for the instances that guests decline.
    pub(super) async fn decline_instances(
        &self,
        draft: &Draft,
        away: &[AbsentGuest<'_>],
        write: &mut EventWrite,
        now: Millis,
    ) -> Result<(), Error> {
        if away.is_empty() {
            return Ok(());
        }
        let series = CalendarItem { shared: draft.shared.clone(), ..draft.found.clone() };
        let mut declined: BTreeMap<String, Event> = BTreeMap::new();
        for guest in away {
            for instance in self.instances_of(draft, guest.copy, now).await? {
                let Some(absence) = guest.find_conflict(instance.span) else { continue };
                let suffix = instance.suffix();
                let event = declined.entry(suffix).or_insert_with(|| series.with_instance(instance).shared);
                declines::set_declined(event, &guest.copy.own.address, absence.message.as_deref());
            }
        }
        let mut stored = BTreeMap::new();
        for copy in &draft.copies {
            for entry in self.known_exceptions(draft, copy, write).await? {
                stored.insert((copy.calendar, entry.id), (entry.changed, entry.state));
            }
        }
        for (suffix, event) in declined {
            let id = |copy: &EventCopy| format!("{}_{suffix}", copy.id);
            let known = |copy: &EventCopy| stored.get(&(copy.calendar, id(copy)));
            let is_exception = |copy: &EventCopy| known(copy).is_some_and(|(_, state)| *state != EntryState::Orphaned);
            if draft.copies.iter().filter(|copy| copy.entry.is_some()).any(is_exception) {
                // It was declined together with the other exceptions.
                continue;
            }
            let number = EventRef::New(write.new_events.len());
            for copy in draft.copies.iter().filter(|copy| copy.state == EntryState::Present) {
                let replaces = known(copy).map(|(changed, _)| *changed);
                write.entries.push(exception_entry(copy, id(copy), replaces, (number, &event), now)?);
            }
            write.new_events.push(serialize_shared(&event)?);
        }
        Ok(())
    }

    /// Returns the instances of a series that may conflict with absences of a guest.
    async fn instances_of(&self, draft: &Draft, copy: &EventCopy, now: Millis) -> Result<Vec<Instance>, Error> {
        let rule = Rule::from_event(&draft.shared, &copy.own.zone).map_err(super::checks::recurrence)?;
        self.in_new_series(draft.user, rule, move |_, series, steps| Ok(first_year(series, now, steps))).await
    }
}

/// Returns the entry of an exception on the calendar of the series' copy. `replaces` is the version of the stored entry
/// that it overwrites.
fn exception_entry(
    copy: &EventCopy,
    id: String,
    replaces: Option<HistoryId>,
    (event, shared): (EventRef, &Event),
    now: Millis,
) -> Result<NewEntry, Error> {
    let of = EventCopy { series: Some(copy.id.clone()), entry: None, ..copy.clone() };
    let (kind, span) = single_kind_and_span(shared, &of).map_err(|error| error::corrupt(error.message()))?;
    Ok(NewEntry {
        calendar: copy.calendar,
        id,
        replaces,
        event,
        updated: now,
        state: EntryState::Present,
        removed: None,
        uid: shared.ical_uid.clone().unwrap_or_default(),
        kind,
        span,
        own: copy.own.serialize()?,
    })
}
