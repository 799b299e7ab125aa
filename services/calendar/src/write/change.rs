//! Computation of an event from a client's request.

use std::collections::{BTreeMap, BTreeSet};

use calendar_server::Error;
use calendar_server::types::{Attendee, Event, EventStatus, ResponseStatus};
use wireform_store::{Calendar, Entry, EntryState, Millis, Store};

use super::attendees::{self, ChangeAuthor, attendee_address};
use super::draft::Draft;
use super::{RequestedEvent, checks};
use crate::CalendarService;
use crate::caller::Access;
use crate::content::{CopyData, address_key, is_cancelled, strip_computed};
use crate::error;
use crate::times;

/// Calendars by the addresses of invited people.
pub(crate) type Directory = BTreeMap<String, Calendar>;

impl<S: Store> CalendarService<S> {
    /// Computes the changed event. Returns whether anything changes.
    pub(crate) async fn compute_change(
        &self,
        access: &Access,
        draft: &mut Draft,
        wanted: RequestedEvent,
    ) -> Result<bool, Error> {
        let before = draft.found.shared.clone();
        let state = draft.current_copy().state;
        let RequestedEvent { event: mut next, participant_only } = wanted;
        let reminders_before = draft.current_copy().own.reminders.clone();
        let mut own = take_own(draft, access, &mut next)?;
        strip_computed(&mut next);
        times::complete_end_zone(&mut next);
        self.keep_server_fields(access, &before, &mut next);
        draft.wants_conference = self.check_conference(&before, &mut next).await?;
        if draft.is_instance() && !next.recurrence.is_empty() {
            return Err(error::invalid("recurrence", "an instance of a recurring event cannot have a recurrence"));
        }
        let organizes = may_organize(draft);
        let directory = self.directory(access, &before, &next).await?;
        next.attendees = merge_attendees(access, draft, &before, &mut next, participant_only, &directory)?;
        attendees::require_delegation(access, &before.attendees, &next.attendees)?;
        normalize(&mut next, &mut own);
        if access.can_only_join {
            attendees::require_only_join(access, draft, (&before, &next), &own)?;
        } else if draft.found.own.organizer || is_private_copy(draft) {
            // The organizer, or the owner of a private copy, may change the status.
        } else if handle_attendance(draft, &before, &mut next, &own, organizes)? && !organizes {
            require_guest(&before, &next, &own)?;
        }
        self.require_series(draft, &next).await?;
        checks::check(&next, &own, &access.calendar.time_zone)?;
        self.check_recurrence(access, &next).await?;
        checks::check_label(&own, draft.found.own.label.as_deref(), &access.calendar)?;
        next.sequence = sequence(&before, &next)?;
        let moved = draft.current_copy().state != state;
        if next == before && !moved && own == draft.found.own {
            return Ok(false);
        }
        let copy_changed = CopyData { reminders: reminders_before, ..own.clone() } != draft.found.own;
        set_update_times(draft, next != before, copy_changed, self.clock.now());
        draft.current_copy().own = own;
        draft.shared = next;
        self.update_copies(draft, &before, &directory).await?;
        Ok(true)
    }

    /// Checks that an instance is not restored while its series is deleted.
    async fn require_series(&self, draft: &Draft, next: &Event) -> Result<(), Error> {
        let restores = draft.found.is_gone() && !is_cancelled(next);
        let Some(series) = draft.found.series_id().filter(|_| restores) else { return Ok(()) };
        let entries = self.store.entries(draft.found.entry.calendar, vec![series.to_owned()]).await;
        let is_deleted = |entry: Entry| entry.state == EntryState::Cancelled;
        if !entries.map_err(error::from_store)?.into_iter().flatten().any(is_deleted) {
            return Ok(());
        }
        let message = format!("the series `{series}` of this instance is deleted; a patch of its `status` restores it");
        Err(error::invalid("status", message))
    }

    /// Keeps the fields that clients cannot set.
    fn keep_server_fields(&self, access: &Access, before: &Event, next: &mut Event) {
        // Both are represented differently than stored, or may be sent in another form.
        next.original_start_time.clone_from(&before.original_start_time);
        next.ical_uid.clone_from(&before.ical_uid);
        next.created = before.created;
        next.event_type.clone_from(&before.event_type);
        next.creator.clone_from(&before.creator);
        next.organizer.clone_from(&before.organizer);
        next.hangout_link.clone_from(&before.hangout_link);
        if !self.full_view(access).is_creator(before) {
            next.source.clone_from(&before.source);
        }
        let zones = times::default_zones(before, &access.calendar.time_zone);
        let both = [(&mut next.start, &before.start), (&mut next.end, &before.end)];
        for ((time, stored), zone) in both.into_iter().zip(&zones) {
            let (Some(wanted), Some(stored)) = (time.as_mut(), stored) else { continue };
            if times::is_same_time(wanted, stored, zone) {
                wanted.clone_from(stored);
            } else if wanted.date.is_some() && stored.time_zone.is_none() {
                // The zone that the time had in the response, which a patch leaves behind.
                wanted.time_zone.take_if(|own| own == zone);
            }
        }
    }

    /// Returns the calendars of newly invited people.
    pub(crate) async fn directory(&self, access: &Access, before: &Event, next: &Event) -> Result<Directory, Error> {
        let known: BTreeSet<String> = before.attendees.iter().map(attendee_address).collect();
        let all = next.attendees.iter().map(attendee_address).filter(|new| !new.is_empty() && !known.contains(new));
        let mut new: Vec<String> = all.collect::<BTreeSet<_>>().into_iter().collect();
        new.truncate(checks::MAX_ATTENDEES);
        if new.is_empty() || next.private_copy == Some(true) {
            return Ok(Directory::new());
        }
        let found = self.store.find_calendars(new.clone(), access.user.mailbox).await.map_err(error::from_store)?;
        let found = new.into_iter().zip(found);
        Ok(found.filter_map(|(address, found)| found.map(|(calendar, _)| (address, calendar))).collect())
    }
}

/// Sets the time of the change: on all copies if shared fields change, otherwise on the current copy, whose reminders
/// do not count.
fn set_update_times(draft: &mut Draft, shared_changed: bool, copy_changed: bool, now: Millis) {
    for (at, copy) in draft.copies.iter_mut().enumerate() {
        if shared_changed || (at == 0 && copy_changed) {
            copy.updated = now;
        }
    }
}

/// Returns whether the current calendar may change an event like its organizer: it is the organizer's, guests may
/// modify it, or it is a private copy.
pub(super) fn may_organize(draft: &Draft) -> bool {
    draft.found.own.organizer || is_private_copy(draft) || draft.found.shared.guests_can_modify_or_default()
}

fn is_private_copy(draft: &Draft) -> bool {
    draft.found.shared.private_copy == Some(true)
}

/// Moves the data of the current copy out of the requested event.
fn take_own(draft: &mut Draft, access: &Access, next: &mut Event) -> Result<CopyData, Error> {
    let mut own = draft.current_copy().own.clone();
    own.set_reminders(access.user.mailbox, next.reminders.take())?;
    own.extract_from(next);
    if let Some(series) = &draft.series {
        own.limit_visibility(series);
    }
    if own.label.is_some() {
        // The label determines the color in responses.
        own.color.clone_from(&draft.found.own.color);
    }
    Ok(own)
}

/// Takes the requested attendees from `next`, and returns those of the changed event, including those that a guest
/// cannot see.
fn merge_attendees(
    access: &Access,
    draft: &Draft,
    before: &Event,
    next: &mut Event,
    participant_only: bool,
    directory: &Directory,
) -> Result<Vec<Attendee>, Error> {
    let own = &draft.found.own.address;
    let mut local: BTreeSet<String> = draft.copies.iter().map(|copy| copy.own.address.clone()).collect();
    local.extend(directory.keys().cloned());
    let mut wanted = std::mem::take(&mut next.attendees);
    // A user who adds themselves responds for themselves.
    let joining = address_key(&access.user.address);
    if participant_only && access.can_only_join {
        wanted.retain(|attendee| attendee_address(attendee) == joining);
        wanted.splice(..0, before.attendees.iter().cloned());
    } else if participant_only {
        wanted = attendees::change_response(&before.attendees, &wanted, own);
    } else if !draft.found.own.organizer && !is_private_copy(draft) && !before.guests_can_see_other_guests_or_default()
    {
        let organizer = before.organizer.as_ref().and_then(|person| person.email.as_deref()).map(address_key);
        let sees = |address: &str| address == own || Some(address) == organizer.as_deref();
        wanted = attendees::with_hidden(&before.attendees, wanted, sees);
    }
    let own = if access.can_only_join { &joining } else { own };
    let author = ChangeAuthor { own, local: &local, is_guest: !may_organize(draft) };
    attendees::merge(&before.attendees, wanted, &author)
}

/// Sets a missing status, and removes fields with default values, so that equivalent events are equal.
#[expect(deprecated, reason = "clients still send it")]
pub(crate) fn normalize(event: &mut Event, own: &mut CopyData) {
    let flags = [
        (&mut event.end_time_unspecified, false),
        (&mut event.anyone_can_add_self, false),
        (&mut event.guests_can_invite_others, true),
        (&mut event.guests_can_modify, false),
        (&mut event.guests_can_see_other_guests, true),
        (&mut event.private_copy, false),
        (&mut event.locked, false),
    ];
    for (flag, default) in flags {
        *flag = flag.filter(|value| *value != default);
    }
    event.status.get_or_insert(EventStatus::Confirmed);
    own.transparency = own.transparency.take().filter(|value| value != "opaque");
    own.visibility = own.visibility.take().filter(|value| value != "default");
}

/// Handles a guest's change of status: cancelling declines and hides their copy, whatever else the request changes;
/// restoring shows it again. Returns whether the rest of the request applies.
///
/// # Errors
/// Returns an error if the event is cancelled and the guest may not restore it.
fn handle_attendance(
    draft: &mut Draft,
    before: &Event,
    next: &mut Event,
    own: &CopyData,
    may_restore: bool,
) -> Result<bool, Error> {
    let state = draft.current_copy().state;
    match (state, is_cancelled(next)) {
        (EntryState::Cancelled, _) if !may_restore => return Err(error::not_organizer("restore a cancelled event")),
        (EntryState::Present, true) if !is_cancelled(before) => {
            *next = before.clone();
            decline(next, &own.address);
            draft.current_copy().state = EntryState::Hidden;
            return Ok(false);
        }
        (EntryState::Hidden, false) => draft.current_copy().state = EntryState::Present,
        _ => {}
    }
    if state == EntryState::Hidden {
        next.status.clone_from(&before.status);
    }
    Ok(true)
}

/// Checks the changes of a guest who may not modify an event: only their response and invitations of others are
/// allowed.
fn require_guest(before: &Event, next: &Event, own: &CopyData) -> Result<(), Error> {
    let may_invite = before.guests_can_invite_others_or_default();
    let forbidden_change = attendees::forbidden_change(&before.attendees, &next.attendees, &own.address, may_invite);
    if let Some(what) = forbidden_change {
        return Err(error::not_organizer(what));
    }
    let same = Event { attendees: before.attendees.clone(), ..next.clone() };
    if same != *before {
        return Err(error::not_organizer("change the shared fields of the event"));
    }
    Ok(())
}

/// Sets the response of a calendar's participant to declined.
pub(crate) fn decline(event: &mut Event, own: &str) {
    for attendee in &mut event.attendees {
        if attendee.email.as_deref().map(address_key).as_deref() == Some(own) {
            attendee.response_status = Some(ResponseStatus::Declined);
        }
    }
}

/// Returns the sequence number, which is incremented by changes of time, recurrence and status.
fn sequence(before: &Event, next: &Event) -> Result<Option<i32>, Error> {
    let stored = before.sequence.unwrap_or(0);
    let wanted = next.sequence.unwrap_or(stored);
    if wanted < stored {
        let message = format!("the sequence number `{wanted}` is less than the current one, `{stored}`");
        return Err(error::invalid("sequence", message));
    }
    let is_same = next.start == before.start
        && next.end == before.end
        && next.recurrence == before.recurrence
        && next.status == before.status;
    let number = if is_same || wanted > stored { wanted } else { stored.saturating_add(1) };
    Ok(Some(number))
}
