//! The state of exceptions after a change of their series.

use std::collections::BTreeMap;

use calendar_server::Error;
use calendar_server::types::Event;
use wireform_store::{Entry, EntryKind, EntryState, EventNumber, Millis, NewEntry};

use super::super::draft::Copy;
use super::super::entries::rewritten;
use crate::content::is_cancelled;
use crate::fault;
use crate::series::Series;

/// An exception that ends or comes back with a change of its series.
#[derive(Debug)]
pub(crate) struct AffectedException {
    /// The exception with its new sequence number and the guests that it had before the change.
    pub(crate) body: Event,
    /// Whether it takes place no more.
    pub(crate) ends: bool,
}

/// Returns the address of a guest who removes a series from their calendar, and so declines all of it.
pub(super) fn leaving(copy: &Copy) -> Option<&str> {
    let was_there = copy.entry.as_ref().is_some_and(|entry| entry.state == EntryState::Present);
    (was_there && copy.state == EntryState::Hidden).then_some(copy.own.address.as_str())
}

/// Returns the series on a calendar as it was; none where it did not recur.
pub(super) fn series_before(copy: &Copy) -> Result<Option<Series>, Error> {
    let Some(rule) = copy.rule(false)? else { return Ok(None) };
    let series = rule.series().map_err(|error| fault::corrupt(format!("{error:?}")))?;
    Ok(Some(series).filter(|series| !series.is_single))
}

/// Returns what becomes of an exception; none where it stays as it is.
pub(super) fn adjusted(
    copy: &Copy,
    [before, after]: &[Option<Series>; 2],
    bodies: &BTreeMap<EventNumber, Event>,
    entry: Entry,
    now: Millis,
) -> Option<NewEntry> {
    let EntryKind::Exception { original, .. } = &entry.kind else { return None };
    let has = |series: &Option<Series>| series.as_ref().is_some_and(|series| series.instance_at(*original).is_some());
    let keeps = has(after);
    let cancelled = bodies.get(&entry.event).is_some_and(is_cancelled);
    let (state, removed) = match copy.state {
        EntryState::Cancelled if entry.state == EntryState::Dropped => (EntryState::Dropped, Some(now)),
        EntryState::Cancelled => (EntryState::Cancelled, Some(now)),
        // Readers learn whether the series has an instance in its place.
        _ if entry.state == EntryState::Dropped && (has(before) != keeps || entry.removed.is_some()) => {
            (EntryState::Dropped, None)
        }
        _ if entry.state == EntryState::Dropped => return None,
        // It is kept as long as its series: a reader may hold it as long.
        _ if !keeps => (EntryState::Dropped, None),
        _ if cancelled => (EntryState::Cancelled, None),
        EntryState::Present if copy.entry.as_ref().is_some_and(|entry| entry.state == EntryState::Present) => {
            (entry.state, None)
        }
        state => (state, None),
    };
    Some(rewritten(entry, state, removed, now))
}

/// Returns whether an exception ends or comes back where its state on the calendar of the organizer changes, and what it is
/// then: its status is another one, so that the sequence number rises.
pub(super) fn affects(body: &Event, before: EntryState, after: EntryState) -> Option<AffectedException> {
    let takes_place = |state| matches!(state, EntryState::Present | EntryState::Hidden);
    if is_cancelled(body) || takes_place(before) == takes_place(after) {
        return None;
    }
    let sequence = Some(body.sequence.unwrap_or(0).saturating_add(1));
    Some(AffectedException { body: Event { sequence, ..body.clone() }, ends: takes_place(before) })
}

/// Returns what becomes of the entry of a guest who is invited to an exception alone, and when it was removed.
pub(super) fn lone_state(exception: &NewEntry, before: EntryState, now: Millis) -> (EntryState, Option<Millis>) {
    match (exception.state, before) {
        // The guest has removed it.
        (EntryState::Present, EntryState::Hidden) => (EntryState::Hidden, None),
        // There is no series on that calendar that it is kept with.
        (EntryState::Dropped, _) => (EntryState::Dropped, Some(now)),
        (state, _) => (state, exception.removed),
    }
}
