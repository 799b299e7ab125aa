//! Conversion of copies of events into entries of the store.

use calendar_server::Error;
use calendar_server::types::Event;
use wireform_store::{Entry, EntryKind, EntryState, EventRef, Mailbox, Millis, NewEntry, Span, Store};

use super::checks;
use super::draft::{Draft, EventCopy};
use crate::CalendarService;
use crate::error;
use crate::series::Rule;
use crate::times;

impl<S: Store> CalendarService<S> {
    /// Returns the entry to store for a copy.
    pub(super) async fn copy_entry(
        &self,
        draft: &Draft,
        copy: &EventCopy,
        event: EventRef,
        changed: bool,
        now: Millis,
    ) -> Result<NewEntry, Error> {
        let (kind, span) = match &copy.entry {
            Some(entry) if !changed => (entry.kind.clone(), entry.span),
            _ => self.kind_and_span(&draft.shared, copy, draft.user, now).await?,
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
    pub(super) async fn kind_and_span(
        &self,
        shared: &Event,
        copy: &EventCopy,
        user: Option<Mailbox>,
        now: Millis,
    ) -> Result<(EntryKind, Span), Error> {
        let before = copy.rule(!shared.recurrence.is_empty())?;
        if copy.series.is_some() || (before.is_none() && shared.recurrence.is_empty()) {
            return single_kind_and_span(shared, copy);
        }
        let mut rule = Rule::from_event(shared, &copy.own.zone).map_err(checks::recurrence)?;
        if let Some(before) = before {
            rule = rule.with_history(&before, now.0);
            // An unchanged rule need not be computed again.
            if let (true, Some(entry)) = (rule == before, &copy.entry) {
                return Ok((entry.kind.clone(), entry.span));
            }
        }
        self.in_new_series(user, rule, Rule::kind_and_span).await
    }
}

/// Returns the kind and time of a single event or an exception on a calendar.
pub(super) fn single_kind_and_span(shared: &Event, copy: &EventCopy) -> Result<(EntryKind, Span), Error> {
    let zone = times::zone_by_name(&copy.own.zone);
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
