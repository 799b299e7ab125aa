//! Conversion of copies of events into entries of the store.

use calendar_server::Error;
use calendar_server::types::Event;
use wireform_store::{Entry, EntryKind, EntryState, EventRef, Millis, NewEntry, Span};

use super::checks;
use super::draft::{Draft, EventCopy};
use crate::error;
use crate::series::Rule;
use crate::times;

/// Returns the entry to store for a copy.
pub(super) fn entry(
    draft: &Draft,
    copy: &EventCopy,
    event: EventRef,
    changed: bool,
    now: Millis,
) -> Result<NewEntry, Error> {
    let (kind, span) = match &copy.entry {
        Some(entry) if !changed => (entry.kind.clone(), entry.span),
        _ => kind_and_span(&draft.shared, copy, now)?,
    };
    // A cancelled instance is kept as long as its series.
    let is_kept = copy.state != EntryState::Cancelled || copy.series.is_some();
    Ok(NewEntry {
        calendar: copy.calendar,
        id: copy.id.clone(),
        replaces: copy.entry.as_ref().map(|entry| entry.changed),
        event,
        updated: copy.updated,
        state: copy.state,
        removed: (!is_kept).then_some(now),
        uid: draft.shared.ical_uid.clone().unwrap_or_default(),
        kind,
        span,
        own: copy.own.serialize()?,
    })
}

/// Returns the kind and time of an event on a calendar.
pub(crate) fn kind_and_span(shared: &Event, copy: &EventCopy, now: Millis) -> Result<(EntryKind, Span), Error> {
    let zone = times::zone_by_name(&copy.own.zone);
    let before = copy.rule(!shared.recurrence.is_empty())?;
    if copy.series.is_none() && (before.is_some() || !shared.recurrence.is_empty()) {
        let mut rule = Rule::from_event(shared, &copy.own.zone).map_err(checks::recurrence)?;
        if let Some(before) = before {
            rule = rule.with_history(&before, now.0);
            // An unchanged rule need not be computed again.
            if let (true, Some(entry)) = (rule == before, &copy.entry) {
                return Ok((entry.kind.clone(), entry.span));
            }
        }
        return rule.kind_and_span().map_err(checks::recurrence);
    }
    let second = |time: &Option<_>| time.as_ref().and_then(|time| times::second_of(time, &zone));
    let (first, last) = (second(&shared.start), second(&shared.end));
    let first = first.ok_or_else(|| error::invalid("start", "an event requires a start"))?;
    let span = Span { first, last: last.unwrap_or(first).max(first) };
    let kind = match &copy.series {
        Some(series) => {
            let original = second(&shared.original_start_time).unwrap_or(first);
            EntryKind::Exception { series: series.clone(), original }
        }
        None => EntryKind::Single,
    };
    Ok((kind, span))
}

/// Returns an entry with another state.
pub(crate) fn with_state(entry: Entry, state: EntryState, removed: Option<Millis>, now: Millis) -> NewEntry {
    NewEntry {
        calendar: entry.calendar,
        id: entry.id,
        replaces: Some(entry.changed),
        event: EventRef::Stored(entry.event),
        updated: now,
        state,
        removed,
        uid: entry.uid,
        kind: entry.kind,
        span: entry.span,
        own: entry.own,
    }
}
