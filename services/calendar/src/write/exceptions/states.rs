//! State of exceptions after a change of their series.

use std::collections::{BTreeMap, BTreeSet};

use calendar_server::types::Event;
use wireform_store::{Entry, EntryKind, EntryState, EventNumber, Millis, NewEntry};

use super::super::draft::EventCopy;
use super::super::entries::with_state;
use crate::content::is_cancelled;

/// Exception that ends or comes back with a change of its series.
#[derive(Debug)]
pub(crate) struct AffectedException {
    /// Exception with its new sequence number and its guests before the change.
    pub(crate) body: Event,
    /// True if it no longer takes place.
    pub(crate) is_ending: bool,
}

/// Returns the address of a guest who removes a series from their calendar, and so declines all of it.
pub(super) fn leaving_guest(copy: &EventCopy) -> Option<&str> {
    let was_there = copy.entry.as_ref().is_some_and(|entry| entry.state == EntryState::Present);
    (was_there && copy.state == EntryState::Hidden).then_some(copy.own.address.as_str())
}

/// Returns the adjusted exception; `None` if it is unchanged. `before` and `after` are the starts of exceptions at which the
/// series has an instance before and after the change.
pub(super) fn adjust_entry(
    copy: &EventCopy,
    [before, after]: [&BTreeSet<i64>; 2],
    bodies: &BTreeMap<EventNumber, Event>,
    entry: Entry,
    now: Millis,
) -> Option<NewEntry> {
    let EntryKind::Exception { original, .. } = &entry.kind else { return None };
    let keeps = after.contains(original);
    let cancelled = bodies.get(&entry.event).is_some_and(is_cancelled);
    let (state, removed) = match copy.state {
        EntryState::Cancelled if entry.state == EntryState::Orphaned => (EntryState::Orphaned, Some(now)),
        EntryState::Cancelled => (EntryState::Cancelled, Some(now)),
        // Readers learn whether the series has an instance in its place.
        _ if entry.state == EntryState::Orphaned && (before.contains(original) != keeps || entry.removed.is_some()) => {
            (EntryState::Orphaned, None)
        }
        _ if entry.state == EntryState::Orphaned => return None,
        // Kept as long as its series, because a reader may hold it as long.
        _ if !keeps => (EntryState::Orphaned, None),
        _ if cancelled => (EntryState::Cancelled, None),
        EntryState::Present if copy.entry.as_ref().is_some_and(|entry| entry.state == EntryState::Present) => {
            (entry.state, None)
        }
        state => (state, None),
    };
    Some(with_state(entry, state, removed, now))
}

/// Returns the effect of a changed state on the calendar of the organizer: the exception with its new status, whose
/// sequence number is incremented.
pub(super) fn affects(body: &Event, before: EntryState, after: EntryState) -> Option<AffectedException> {
    let takes_place = |state| matches!(state, EntryState::Present | EntryState::Hidden);
    if is_cancelled(body) || takes_place(before) == takes_place(after) {
        return None;
    }
    let sequence = Some(body.sequence.unwrap_or(0).saturating_add(1));
    Some(AffectedException { body: Event { sequence, ..body.clone() }, is_ending: takes_place(before) })
}

/// Returns the state and the removal time of the entry of a guest who is invited only to an exception.
pub(super) fn standalone_state(exception: &NewEntry, before: EntryState, now: Millis) -> (EntryState, Option<Millis>) {
    match (exception.state, before) {
        // The guest has removed it.
        (EntryState::Present, EntryState::Hidden) => (EntryState::Hidden, None),
        // That calendar has no series with which it would be kept.
        (EntryState::Orphaned, _) => (EntryState::Orphaned, Some(now)),
        (state, _) => (state, exception.removed),
    }
}
