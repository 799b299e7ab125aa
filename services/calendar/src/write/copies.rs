//! Copies of an event on the calendars of its guests, and their stored form.

use std::collections::BTreeSet;

use calendar_server::Error;
use calendar_server::types::Event;
use wireform_store::{Calendar, EntryState, EventRef, EventWrite, Millis, Store};

use super::attendees::attendee_address;
use super::change::Directory;
use super::draft::{Draft, EventCopy};
use super::entries::single_kind_and_span;
use super::exceptions::AffectedException;
use super::{conference, declines, insert};
use crate::CalendarService;
use crate::content::{CopyData, is_cancelled};
use crate::error;

impl<S: Store> CalendarService<S> {
    /// Creates copies for new guests, removes those of former guests, and cancels or restores all copies with the
    /// event.
    pub(crate) async fn update_copies(
        &self,
        draft: &mut Draft,
        before: &Event,
        directory: &Directory,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let guests: BTreeSet<String> = draft.shared.attendees.iter().map(attendee_address).collect();
        let known: BTreeSet<String> = before.attendees.iter().map(attendee_address).collect();
        let cancelled = is_cancelled(&draft.shared);
        let restored = is_cancelled(before) && !cancelled;
        for copy in &mut draft.copies {
            let is_kept = copy.own.organizer || draft.shared.private_copy == Some(true);
            let invited = is_kept || guests.contains(&copy.own.address);
            let left = !invited && known.contains(&copy.own.address);
            let state = match copy.state {
                EntryState::Present | EntryState::Hidden if cancelled || left => EntryState::Cancelled,
                EntryState::Cancelled if invited && (restored || !known.contains(&copy.own.address)) && !cancelled => {
                    EntryState::Present
                }
                state => state,
            };
            if state != copy.state {
                (copy.state, copy.updated) = (state, now);
            }
        }
        for (address, calendar) in directory {
            let has_one = draft.copies.iter().any(|copy| copy.calendar == calendar.number);
            if !has_one && guests.contains(address) {
                let copy = self.copy(draft, address, calendar, now).await?;
                self.decline_for(draft, &copy).await?;
                draft.copies.push(copy);
            }
        }
        Ok(())
    }

    /// Declines for a guest who is away or in focus time. Instances of series are declined individually when the series
    /// is stored.
    async fn decline_for(&self, draft: &mut Draft, copy: &EventCopy) -> Result<(), Error> {
        let busy = copy.own.transparency.is_none() && draft.shared.recurrence.is_empty();
        if !busy || copy.state != EntryState::Present {
            return Ok(());
        }
        let (_, span) = single_kind_and_span(&draft.shared, copy)?;
        draft.memory.reserve_scan().await?;
        let absences = self.absences(copy.calendar, span).await?;
        if let Some(absence) = absences.iter().find(|absence| absence.conflicts(span)) {
            declines::set_declined(&mut draft.shared, &copy.own.address, absence.message.as_deref());
        }
        Ok(())
    }

    /// Returns the copy for a new guest. It has the same identifier as elsewhere, unless that is taken.
    async fn copy(&self, draft: &Draft, address: &str, calendar: &Calendar, now: Millis) -> Result<EventCopy, Error> {
        let first = &draft.copies[0];
        let taken = self.store.entries(calendar.number, vec![first.id.clone()]).await.map_err(error::from_store)?;
        let is_taken = taken.into_iter().any(|entry| entry.is_some());
        let id = if is_taken { insert::new_id() } else { first.id.clone() };
        let own = CopyData {
            organizer: false,
            address: address.to_owned(),
            zone: calendar.time_zone.clone(),
            transparency: first.own.transparency.clone(),
            visibility: first.own.visibility.clone(),
            ..CopyData::default()
        };
        let state = if is_cancelled(&draft.shared) { EntryState::Cancelled } else { EntryState::Present };
        let series = first.series.clone();
        Ok(EventCopy { calendar: calendar.number, id, entry: None, series, own, state, updated: now })
    }

    /// Returns the write of a change without mail.
    pub(crate) async fn write_without_mail(&self, draft: Draft) -> Result<EventWrite, Error> {
        Ok(self.stored_change(&draft).await?.0)
    }

    /// Returns the write of a change, including its effects on exceptions of a series, and the exceptions that end or
    /// come back.
    pub(super) async fn stored_change(&self, draft: &Draft) -> Result<(EventWrite, Vec<AffectedException>), Error> {
        let now = self.clock.now();
        let mut write = EventWrite { expected: draft.expected.clone(), ..EventWrite::default() };
        let changed = draft.found.instance.is_some() || draft.shared != draft.found.shared;
        let event = draft.event();
        match event {
            EventRef::New(_) => write.new_events.push(draft.serialize_shared()?),
            EventRef::Stored(number) if changed => write.events.push((number, draft.serialize_shared()?)),
            EventRef::Stored(_) => {}
        }
        for (at, copy) in draft.copies.iter().enumerate() {
            if changed || at == 0 {
                write.entries.push(self.copy_entry(draft, copy, event, changed, now).await?);
            }
        }
        // A new exception of a series that waits for a conference may wait longer than it.
        if draft.wants_conference || (draft.found.instance.is_some() && conference::is_pending(&draft.shared)) {
            let copy = &draft.copies[0];
            write.jobs.push((copy.calendar, copy.id.clone(), now.saturating_add(conference::MIN_DELAY)));
        }
        if declines::declines_existing(&draft.shared) {
            let copy = &draft.copies[0];
            write.jobs.push((copy.calendar, copy.id.clone(), now.saturating_add(declines::RECHECK_DELAY)));
        }
        let away = self.absent_guests(draft, now).await?;
        let affected = self.adjust_exceptions(draft, &away, &mut write, now).await?;
        self.decline_instances(draft, &away, &mut write, now).await?;
        self.spread_visibility(draft, &mut write).await?;
        Ok((write, affected))
    }
}
