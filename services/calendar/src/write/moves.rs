//! Moving events to another calendar, which becomes the organizer.

use std::collections::BTreeMap;

use calendar_server::runtime::WriteResult;
use calendar_server::types::{Event, Person};
use calendar_server::{Context, Error, requests};
use wireform_store::{
    Entry, EntryKind, EntryState, Error as StoreError, EventRef, EventWrite, Millis, NewEntry, Store,
};

use super::attendees::attendee_address;
use super::draft::{Draft, EventCopy};
use super::entries::{single_kind_and_span, with_state};
use super::insert::{organizer_data, person};
use super::{MAX_ATTEMPTS, Notify, exceptions};
use crate::CalendarService;
use crate::caller::{Access, Need, access, access_for_parameter};
use crate::content::{CopyData, parse_shared, serialize_shared};
use crate::error;

impl<S: Store> CalendarService<S> {
    /// Moves an event. Identifiers stay, and exceptions of a series are moved as well. The previous calendar keeps a
    /// copy if it is invited; otherwise the event is cancelled there.
    #[expect(deprecated, reason = "clients still request notifications in this way")]
    pub(crate) async fn move_event(
        &self,
        request: requests::EventsMove,
        context: &Context,
    ) -> WriteResult<requests::EventsMove> {
        let from = access(&self.store, context, &request.calendar_id, Need::Write).await?;
        let to = access_for_parameter(&self.store, context, &request.destination, Need::Write, "destination").await?;
        if from.calendar.number == to.calendar.number {
            return Err(error::invalid_parameter("destination", "the event is on this calendar already"));
        }
        let notify = Notify::of(request.send_updates.as_ref(), request.send_notifications);
        for _ in 0..MAX_ATTEMPTS {
            let draft = self.draft(&from, &request.event_id).await?;
            let admission = context.admit(&request, &self.base_event(context, &from, &draft.found)?)?;
            if draft.is_instance() {
                let message = "an instance cannot be moved without its series";
                return Err(error::invalid_parameter("eventId", message));
            }
            if draft.found.is_gone() {
                return Err(error::event_not_found(&request.event_id));
            }
            if !draft.found.own.organizer {
                return Err(error::not_organizer("move the event to another calendar"));
            }
            let (id, write) = self.prepare_move(draft, &to, notify).await?;
            if self.store(write).await? {
                return Ok(admission.reply(self.respond(&to, &id, None).await?));
            }
        }
        Err(error::from_store(StoreError::Outdated))
    }

    /// Returns the identifier on the destination calendar, and the write.
    async fn prepare_move(
        &self,
        mut draft: Draft,
        to: &Access,
        notify: Notify,
    ) -> std::result::Result<(String, EventWrite), Error> {
        let now = self.clock.now();
        let organizer = person(to, false);
        draft.shared.organizer = Some(organizer.clone());
        draft.shared.sequence = Some(draft.shared.sequence.unwrap_or(0).saturating_add(1));
        let source = draft.current_copy();
        let carried = source.own.clone();
        source.own.organizer = false;
        let invited = draft.shared.attendees.iter().any(|guest| attendee_address(guest) == carried.address);
        if !invited {
            draft.current_copy().state = EntryState::Cancelled;
        }
        self.add_to_destination(&mut draft, to, carried).await?;
        let event = draft.event();
        let mut write = EventWrite { mails: self.mails(&draft, notify).await?, ..EventWrite::default() };
        if let EventRef::Stored(number) = event {
            write.events.push((number, draft.serialize_shared()?));
        }
        for copy in &mut draft.copies {
            copy.updated = now;
        }
        for copy in &draft.copies {
            write.entries.push(self.copy_entry(&draft, copy, event, true, now).await?);
        }
        let target = draft.copies.iter().find(|copy| copy.calendar == to.calendar.number);
        let target = target.ok_or_else(|| error::event_not_found(&draft.found.id()))?;
        if target.entry.is_none() {
            let uid = draft.shared.ical_uid.clone().unwrap_or_default();
            write.new_uids.push((target.calendar, uid));
        }
        self.move_exceptions(&draft, target, &organizer, &mut write, now).await?;
        Ok((target.id.clone(), write))
    }

    /// Moves the exceptions of a series to the destination calendar, which becomes their organizer.
    async fn move_exceptions(
        &self,
        draft: &Draft,
        target: &EventCopy,
        organizer: &Person,
        write: &mut EventWrite,
        now: Millis,
    ) -> std::result::Result<(), Error> {
        let there = self.known_exceptions(draft, target, write).await?.into_iter();
        let mut there: BTreeMap<String, Entry> = there.map(|entry| (entry.id.clone(), entry)).collect();
        for copy in draft.copies.iter().filter(|copy| copy.entry.is_some()) {
            let exceptions = match copy.calendar == target.calendar {
                true => std::mem::take(&mut there).into_values().collect(),
                false => self.all_exceptions(draft, copy, write).await?,
            };
            for exception in exceptions {
                let is_source = copy.calendar == draft.copies[0].calendar;
                if is_source && exception.state != EntryState::Orphaned {
                    let mut body = parse_shared(&exception.shared)?;
                    let carried = target_exception(target, &exception, &body, now)?;
                    let is_kept = |known: &Entry| known.state == EntryState::Present && target.entry.is_some();
                    if !there.get(&carried.id).is_some_and(is_kept) {
                        let replaces = there.remove(&carried.id).map(|known| known.changed);
                        write.entries.push(NewEntry { replaces, ..carried });
                    }
                    let individual = self.individual_entries(draft, exception.event, Some(&body)).await?.into_iter();
                    let individual = individual.filter(|entry| entry.calendar != target.calendar);
                    write.entries.extend(individual.map(|entry| {
                        let (state, removed) = (entry.state, entry.removed);
                        with_state(entry, state, removed, now)
                    }));
                    body.organizer = Some(organizer.clone());
                    write.events.push((exception.event, serialize_shared(&body)?));
                }
                write.entries.push(source_exception(copy, target, exception, now)?);
            }
        }
        Ok(())
    }

    /// Adds the event to the destination calendar.
    async fn add_to_destination(
        &self,
        draft: &mut Draft,
        to: &Access,
        carried: CopyData,
    ) -> std::result::Result<(), Error> {
        let number = to.calendar.number;
        let CopyData { address, zone, organizer, .. } = organizer_data(to);
        // Labels belong to a calendar.
        let carried = CopyData { address, zone, organizer, label: None, ..carried };
        if let Some(copy) = draft.copies.iter_mut().find(|copy| copy.calendar == number) {
            // The data of a cancelled copy are those of the time before it was cancelled.
            match copy.state {
                EntryState::Cancelled => copy.own = carried,
                _ => copy.own.organizer = true,
            }
            copy.state = EntryState::Present;
            return Ok(());
        }
        let id = draft.found.id();
        let taken = self.store.entries(number, vec![id.clone()]).await.map_err(error::from_store)?;
        let is_taken = taken.into_iter().any(|entry| entry.is_some());
        let uid = draft.shared.ical_uid.clone().unwrap_or_default();
        if is_taken || self.id_of_uid(to, &uid).await?.is_some() {
            let used = if is_taken { &id } else { &uid };
            let message = format!("the identifier `{used}` already exists on the destination calendar");
            return Err(Error::conflict(message).with_reason("duplicate"));
        }
        let updated = draft.current_copy().updated;
        let state = EntryState::Present;
        draft.copies.push(EventCopy { calendar: number, id, entry: None, series: None, own: carried, state, updated });
        Ok(())
    }
}

/// Returns an exception on a calendar of the series before the move.
fn source_exception(
    copy: &EventCopy,
    target: &EventCopy,
    exception: Entry,
    now: Millis,
) -> std::result::Result<NewEntry, Error> {
    let gone = copy.state == EntryState::Cancelled && exception.state != EntryState::Orphaned;
    let state = if gone { EntryState::Cancelled } else { exception.state };
    let removed = if gone { Some(now) } else { exception.removed };
    let own = CopyData { organizer: copy.calendar == target.calendar, ..CopyData::parse(&exception.own)? };
    Ok(NewEntry { own: own.serialize()?, ..with_state(exception, state, removed, now) })
}

/// Returns an exception on the destination calendar of its series.
fn target_exception(
    target: &EventCopy,
    exception: &Entry,
    body: &Event,
    now: Millis,
) -> std::result::Result<NewEntry, Error> {
    let before = CopyData::parse(&exception.own)?;
    let CopyData { address, zone, organizer, .. } = target.own.clone();
    let mut own = CopyData { address, zone, organizer, label: None, ..before };
    own.limit_visibility(&target.own);
    let id = format!("{}_{}", target.id, exceptions::suffix(body));
    let of = EventCopy { series: Some(target.id.clone()), entry: None, own: own.clone(), ..target.clone() };
    let (kind, span): (EntryKind, _) = single_kind_and_span(body, &of)?;
    let stored = with_state(exception.clone(), exception.state, exception.removed, now);
    Ok(NewEntry { calendar: target.calendar, id, replaces: None, kind, span, own: own.serialize()?, ..stored })
}
