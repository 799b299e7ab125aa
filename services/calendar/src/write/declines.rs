//! Declining of invitations during absences.

use std::time::Duration;

use calendar_server::Error;
use calendar_server::types::{AutoDeclineMode, Event, ResponseStatus};
use wireform_store::{CalendarNumber, EntryKind, Error as StoreError, Millis, Span, Store, WindowQuery};

use super::MAX_ATTEMPTS;
use super::attendees::attendee_address;
use crate::CalendarService;
use crate::content::{address_key, is_cancelled};
use crate::error;
use crate::series::{Instance, Rule, Series};
use crate::times::DAY;
use crate::view::CalendarItem;

/// Maximum number of instances of a recurring absence that decline conflicting invitations, within a year from now.
pub(super) const MAX_INSTANCES: usize = 60;
/// Maximum number of events examined during one event.
const MAX_EXAMINED: u32 = 1_000;

/// Delay after which the job declines conflicts again: concurrent writes are stored by then.
pub(super) const RECHECK_DELAY: Duration = Duration::from_secs(2);

impl<S: Store> CalendarService<S> {
    /// Declines invitations that conflict with an event that was just stored. On failure, this is left to the job that
    /// was stored with the event.
    pub(super) async fn decline_conflicts_now(&self, calendar: CalendarNumber, id: &str) {
        if let Err(error) = self.decline_conflicts(calendar, id).await {
            tracing::warn!(cause = ?error, "cannot decline invitations; retrying later");
        }
    }

    /// Declines invitations that conflict with a stored event that requests it. They stay declined when the event is
    /// changed or deleted.
    pub(super) async fn decline_conflicts(&self, calendar: CalendarNumber, id: &str) -> Result<(), Error> {
        let found = self.find_on(calendar, id).await?;
        let Some((AutoDeclineMode::DeclineAllConflictingInvitations, message)) = decline_settings(&found.shared) else {
            return Ok(());
        };
        if found.is_gone() {
            return Ok(());
        }
        for span in spans(&found, self.clock.now())? {
            for conflict in self.events_in(calendar, span).await? {
                if is_open_invitation(&conflict) {
                    self.decline_invitation(calendar, &conflict.id(), message.as_deref()).await?;
                }
            }
        }
        Ok(())
    }

    /// Returns the absences of a calendar within a time range, with their messages.
    pub(super) async fn absences(&self, calendar: CalendarNumber, span: Span) -> Result<Vec<Absence>, Error> {
        let (from, to) = (span.first, span.last);
        let query = WindowQuery { from, to, overlapping: true, epoch: None, search_mailbox: None, limit: MAX_EXAMINED };
        let window = self.store.read_window(calendar, query).await.map_err(error::from_store)?;
        let mut absences = Vec::new();
        for entry in window.entries {
            let found = CalendarItem::from_entry(entry)?;
            absences.extend(absence(&found, found.entry.span));
        }
        let mut lines = Vec::new();
        for line in window.series.into_iter().take(MAX_EXAMINED as usize) {
            let series = parse_series(&line.rule)?;
            if series.instances_in(from, to).next().is_some() {
                lines.push((line, series));
            }
        }
        let ids = lines.iter().map(|(line, _)| line.id.clone()).collect();
        let bodies = self.store.entries(calendar, ids).await.map_err(error::from_store)?;
        for ((line, series), entry) in lines.into_iter().zip(bodies) {
            let Some(entry) = entry else { continue };
            let found = CalendarItem::from_entry(entry)?;
            if absence(&found, line.span).is_none() {
                continue;
            }
            let taken = |first: i64| window.originals.iter().any(|(id, original)| *id == line.id && *original == first);
            let instances = series.instances_in(from, to).filter(|instance| !taken(instance.span.first));
            absences
                .extend(instances.take(MAX_EXAMINED as usize).filter_map(|instance| absence(&found, instance.span)));
        }
        Ok(absences)
    }

    /// Returns the events in a time range, including instances of series.
    async fn events_in(&self, calendar: CalendarNumber, span: Span) -> Result<Vec<CalendarItem>, Error> {
        let (from, to) = (span.first, span.last);
        let query = WindowQuery { from, to, overlapping: true, epoch: None, search_mailbox: None, limit: MAX_EXAMINED };
        let window = self.store.read_window(calendar, query).await.map_err(error::from_store)?;
        let mut events = Vec::new();
        for entry in window.entries {
            events.push(CalendarItem::from_entry(entry)?);
        }
        for line in window.series {
            let series = parse_series(&line.rule)?;
            let taken = |first: i64| window.originals.iter().any(|(id, original)| *id == line.id && *original == first);
            let mut instances = series.instances_in(from, to).filter(|instance| !taken(instance.span.first)).peekable();
            if instances.peek().is_none() {
                continue;
            }
            let body = self.store.entries(calendar, vec![line.id.clone()]).await.map_err(error::from_store)?;
            let Some(entry) = body.into_iter().next().flatten() else { continue };
            let found = CalendarItem::from_entry(entry)?;
            match series.is_single {
                true => events.push(found),
                false => events.extend(instances.map(|instance| found.with_instance(instance))),
            }
        }
        events.retain(|found| !found.is_gone());
        Ok(events)
    }

    /// Declines an invitation on a calendar, if it is still open. Retries after concurrent writes.
    async fn decline_invitation(&self, calendar: CalendarNumber, id: &str, message: Option<&str>) -> Result<(), Error> {
        for _ in 0..MAX_ATTEMPTS {
            let mut draft = self.draft_on(calendar, id).await?;
            if !is_open_invitation(&draft.found) || draft.found.is_gone() {
                return Ok(());
            }
            set_declined(&mut draft.shared, &draft.found.own.address, message);
            let now = self.clock.now();
            draft.copies.iter_mut().for_each(|copy| copy.updated = now);
            let write = self.write_without_mail(draft).await?;
            if self.store(write).await? {
                return Ok(());
            }
        }
        Err(error::from_store(StoreError::Outdated))
    }
}

/// Time in which a calendar declines invitations.
#[derive(Clone, Debug)]
pub(super) struct Absence {
    pub(super) span: Span,
    pub(super) message: Option<String>,
}

impl Absence {
    /// Returns whether a time conflicts with the absence.
    pub(super) fn conflicts(&self, span: Span) -> bool {
        self.span.first < span.last && span.first < self.span.last
    }
}

/// Returns a time as an absence, if the event declines invitations and still exists.
fn absence(found: &CalendarItem, span: Span) -> Option<Absence> {
    let (_, message) = decline_settings(&found.shared).filter(|_| !found.is_gone())?;
    Some(Absence { span, message })
}

/// Returns whether an event declines existing invitations when it is stored.
pub(super) fn declines_existing(event: &Event) -> bool {
    matches!(decline_settings(event), Some((AutoDeclineMode::DeclineAllConflictingInvitations, _)))
        && !is_cancelled(event)
}

/// Sets the response of a guest to declined.
pub(super) fn set_declined(event: &mut Event, guest: &str, message: Option<&str>) {
    for attendee in event.attendees.iter_mut().filter(|attendee| attendee_address(attendee) == address_key(guest)) {
        attendee.response_status = Some(ResponseStatus::Declined);
        attendee.comment = message.map(str::to_owned).or_else(|| attendee.comment.take());
    }
}

/// Returns the mode and message for declining conflicting invitations.
fn decline_settings(event: &Event) -> Option<(AutoDeclineMode, Option<String>)> {
    let away = event.out_of_office_properties.as_ref();
    let focus = event.focus_time_properties.as_ref();
    let mode = away.map(|away| (&away.auto_decline_mode, &away.decline_message));
    let (mode, message) = mode.or_else(|| focus.map(|focus| (&focus.auto_decline_mode, &focus.decline_message)))?;
    match mode {
        Some(AutoDeclineMode::DeclineNone) | None => None,
        Some(mode) => Some((mode.clone(), message.clone())),
    }
}

/// Returns whether it is an invitation by another organizer to an event that counts as busy, and is not declined yet.
fn is_open_invitation(found: &CalendarItem) -> bool {
    let own = &found.own;
    let attendee = found.shared.attendees.iter().find(|guest| attendee_address(guest) == own.address);
    !own.organizer
        && own.transparency.is_none()
        && attendee.is_some_and(|guest| guest.response_status != Some(ResponseStatus::Declined))
}

/// Returns the time of an event, or the times of the first instances of a series within a year from now.
fn spans(found: &CalendarItem, now: Millis) -> Result<Vec<Span>, Error> {
    let EntryKind::Series { rule, .. } = &found.entry.kind else { return Ok(vec![found.entry.span]) };
    Ok(first_year(&parse_series(rule)?, now).into_iter().map(|instance| instance.span).collect())
}

/// Returns the first instances of a series within a year from now.
pub(super) fn first_year(series: &Series, now: Millis) -> Vec<Instance> {
    let now = now.0.div_euclid(1_000);
    series.instances_in(now, now.saturating_add(366 * DAY)).take(MAX_INSTANCES).collect()
}

fn parse_series(rule: &str) -> Result<Series, Error> {
    let rule = Rule::parse(rule).map_err(error::corrupt)?;
    rule.series().map_err(|error| error::corrupt(format!("{error:?}")))
}
