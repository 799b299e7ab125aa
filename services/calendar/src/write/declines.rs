//! Invitations are declined while somebody is away or wants to be left alone.

use calendar_server::Error;
use calendar_server::types::{AutoDeclineMode, Event, ResponseStatus};
use wireform_store::{CalendarNumber, EntryKind, Error as StoreError, Millis, Span, Store, WindowQuery};

use super::attendees::address;
use super::{TRIES, Wanted};
use crate::CalendarService;
use crate::caller::Access;
use crate::content::key;
use crate::fault;
use crate::series::{Rule, Series};
use crate::times::DAY;
use crate::view::Found;

/// So many instances of a series of absences decline what conflicts with them, within a year from now.
const INSTANCES: usize = 60;
/// The most events that are looked at in the time of one.
const LOOKED_AT: u32 = 1_000;

impl<S: Store> CalendarService<S> {
    /// Declines invitations that conflict with an event which says so, once it is stored. Those that are declined stay so
    /// when the event is changed or deleted.
    pub(crate) async fn decline_conflicts(&self, access: &Access, id: &str) -> Result<(), Error> {
        let found = self.find(access, id).await?;
        let Some((AutoDeclineMode::DeclineAllConflictingInvitations, message)) = declining(&found.shared) else {
            return Ok(());
        };
        if found.is_gone() {
            return Ok(());
        }
        for span in spans(&found, self.clock.now())? {
            for conflict in self.events_in(access.calendar.number, span).await? {
                if is_open_invitation(&conflict) {
                    self.decline(access, &conflict.id(), message.as_deref()).await?;
                }
            }
        }
        Ok(())
    }

    /// Returns the message with which a new invitation is declined, if it conflicts with an event which says so.
    pub(crate) async fn declined_with(
        &self,
        calendar: CalendarNumber,
        span: Span,
    ) -> Result<Option<Option<String>>, Error> {
        let found = self.events_in(calendar, span).await?;
        let declining = found.iter().filter_map(|found| declining(&found.shared));
        Ok(declining.map(|(_, message)| message).next())
    }

    /// Returns the events that take place in a range of time, instances of series among them.
    async fn events_in(&self, calendar: CalendarNumber, span: Span) -> Result<Vec<Found>, Error> {
        let (from, to) = (span.first, span.last);
        let query = WindowQuery { from, to, overlapping: true, epoch: None, search: None, limit: LOOKED_AT };
        let window = self.store.window(calendar, query).await.map_err(fault::answer)?;
        let mut events = Vec::new();
        for entry in window.entries {
            events.push(Found::of(entry)?);
        }
        for line in window.series {
            let series = read(&line.rule)?;
            let taken = |first: i64| window.originals.iter().any(|(id, original)| *id == line.id && *original == first);
            let mut instances = series.instances_in(from, to).filter(|instance| !taken(instance.span.first)).peekable();
            if instances.peek().is_none() {
                continue;
            }
            let body = self.store.entries(calendar, vec![line.id.clone()]).await.map_err(fault::answer)?;
            let Some(entry) = body.into_iter().next().flatten() else { continue };
            let found = Found::of(entry)?;
            match series.is_single {
                true => events.push(found),
                false => events.extend(instances.map(|instance| found.instance(instance))),
            }
        }
        events.retain(|found| !found.is_gone());
        Ok(events)
    }

    async fn decline(&self, access: &Access, id: &str, message: Option<&str>) -> Result<(), Error> {
        for _ in 0..TRIES {
            let mut draft = self.draft(access, id).await?;
            let mut event = self.whole(access).present(&draft.found)?;
            decline(&mut event, &draft.found.own.address, message);
            if !self.settle(access, &mut draft, Wanted { event, participant_only: false }).await? {
                return Ok(());
            }
            let write = self.entries_of(draft).await?;
            if self.store(write).await? {
                return Ok(());
            }
        }
        Err(fault::answer(StoreError::Outdated))
    }
}

/// Makes the answer of a guest a declined one.
pub(super) fn decline(event: &mut Event, guest: &str, message: Option<&str>) {
    for attendee in event.attendees.iter_mut().filter(|attendee| address(attendee) == key(guest)) {
        attendee.response_status = Some(ResponseStatus::Declined);
        attendee.comment = message.map(str::to_owned).or_else(|| attendee.comment.take());
    }
}

/// Returns what an event says about invitations that conflict with it.
fn declining(event: &Event) -> Option<(AutoDeclineMode, Option<String>)> {
    let away = event.out_of_office_properties.as_ref();
    let focus = event.focus_time_properties.as_ref();
    let mode = away.map(|away| (&away.auto_decline_mode, &away.decline_message));
    let (mode, message) = mode.or_else(|| focus.map(|focus| (&focus.auto_decline_mode, &focus.decline_message)))?;
    match mode {
        Some(AutoDeclineMode::DeclineNone) | None => None,
        Some(mode) => Some((mode.clone(), message.clone())),
    }
}

/// Returns whether somebody else invites to an event that makes busy, and it is not declined yet.
fn is_open_invitation(found: &Found) -> bool {
    let own = &found.own;
    let answer = found.shared.attendees.iter().find(|guest| address(guest) == own.address);
    !own.organizer
        && own.transparency.is_none()
        && answer.is_some_and(|guest| guest.response_status != Some(ResponseStatus::Declined))
}

/// Returns when an event takes place from now on.
fn spans(found: &Found, now: Millis) -> Result<Vec<Span>, Error> {
    let EntryKind::Series { rule, .. } = &found.entry.kind else { return Ok(vec![found.entry.span]) };
    let now = now.0.div_euclid(1_000);
    let series = read(rule)?;
    let instances = series.instances_in(now, now.saturating_add(366 * DAY));
    Ok(instances.take(INSTANCES).map(|instance| instance.span).collect())
}

fn read(rule: &str) -> Result<Series, Error> {
    let rule = Rule::read(rule).map_err(fault::corrupt)?;
    rule.series().map_err(|error| fault::corrupt(format!("{error:?}")))
}
