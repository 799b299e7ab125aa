//! Declining of invitations during absences.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use calendar_server::Error;
use calendar_server::types::{AutoDeclineMode, Event, ResponseStatus};
use wireform_store::{
    Calendar, CalendarNumber, Entry, EntryHead, EntryKind, Error as StoreError, Mailbox, Millis, SeriesSummary, Span,
    Store, WindowQuery,
};

use super::MAX_ATTEMPTS;
use super::attendees::attendee_address;
use super::memory::ChangeMemory;
use crate::CalendarService;
use crate::caller::Access;
use crate::content::{address_key, is_cancelled};
use crate::error;
use crate::read::{Cache, unsearched};
use crate::series::{Instance, Series, Steps};
use crate::times::DAY;
use crate::view::CalendarItem;

/// Maximum number of instances of a recurring absence that decline conflicting invitations, within a year from now.
pub(super) const MAX_INSTANCES: usize = 60;
/// Maximum number of events examined during one event.
const MAX_EXAMINED: u32 = 1_000;

/// Delay after which the job declines conflicts again: concurrent writes are stored by then.
pub(super) const RECHECK_DELAY: Duration = Duration::from_secs(2);

/// Identifier of a series, whether it is a single event, and its instances.
type SeriesInstances = (String, bool, Vec<Instance>);

impl<S: Store> CalendarService<S> {
    /// Declines invitations that conflict with an event that was just stored. On failure, this is left to the job that
    /// was stored with the event.
    pub(super) async fn decline_conflicts_now(&self, access: &Access, id: &str) {
        let by = (Some(access.user.mailbox), &ChangeMemory::of(access));
        if let Err(error) = self.decline_conflicts(access.calendar.number, id, by).await {
            tracing::warn!(cause = ?error, "cannot decline invitations; retrying later");
        }
    }

    /// Declines invitations that conflict with a stored event that requests it. They stay declined when the event is
    /// changed or deleted.
    pub(super) async fn decline_conflicts(
        &self,
        calendar: CalendarNumber,
        id: &str,
        (user, memory): (Option<Mailbox>, &ChangeMemory),
    ) -> Result<(), Error> {
        let found = self.find_on(calendar, id, (user, memory)).await?;
        let Some((AutoDeclineMode::DeclineAllConflictingInvitations, message)) = decline_settings(&found.shared) else {
            return Ok(());
        };
        if found.is_gone() {
            return Ok(());
        }
        memory.reserve_scan().await?;
        for span in self.spans(&found, user).await? {
            for id in self.open_invitations(calendar, span).await? {
                self.decline_invitation(calendar, &id, message.as_deref(), user).await?;
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
        let add = |found: CalendarItem| absences.extend(absence(&found, found.entry.span));
        self.for_each_event(calendar, (window.entries, window.heads), add).await?;
        let series = self.instances_in(&window.calendar, span, window.series, window.originals).await?;
        for (id, _, instances) in series {
            let Some(entry) = self.entry(calendar, &id).await? else { continue };
            let found = CalendarItem::from_entry(entry)?;
            absences.extend(instances.into_iter().filter_map(|instance| absence(&found, instance.span)));
        }
        Ok(absences)
    }

    /// Returns the identifiers of the open invitations in a time range, including those of instances of series. The events
    /// are read one after the other, since together they may be large.
    async fn open_invitations(&self, calendar: CalendarNumber, span: Span) -> Result<Vec<String>, Error> {
        let (from, to) = (span.first, span.last);
        let query = WindowQuery { from, to, overlapping: true, epoch: None, search_mailbox: None, limit: MAX_EXAMINED };
        let window = self.store.read_window(calendar, query).await.map_err(error::from_store)?;
        let mut ids = Vec::new();
        let is_open = |found: &CalendarItem| is_open_invitation(found) && !found.is_gone();
        let add = |found: CalendarItem| ids.extend(is_open(&found).then(|| found.id()));
        self.for_each_event(calendar, (window.entries, window.heads), add).await?;
        let series = self.instances_in(&window.calendar, span, window.series, window.originals).await?;
        for (id, is_single, instances) in series {
            let Some(entry) = self.entry(calendar, &id).await? else { continue };
            let found = CalendarItem::from_entry(entry)?;
            match is_single {
                _ if !is_open(&found) => {}
                true => ids.push(found.id()),
                false => ids.extend(instances.into_iter().map(|instance| found.with_instance(instance).id())),
            }
        }
        Ok(ids)
    }

    /// Passes the single events and exceptions of a window, also those whose content it does not have.
    async fn for_each_event(
        &self,
        calendar: CalendarNumber,
        (entries, heads): (Vec<Entry>, Vec<EntryHead>),
        mut add: impl FnMut(CalendarItem) + Send,
    ) -> Result<(), Error> {
        for entry in entries {
            add(CalendarItem::from_entry(entry)?);
        }
        let mut ids: VecDeque<String> = heads.into_iter().map(|head| head.id).collect();
        while !ids.is_empty() {
            for entry in self.read_next(calendar, &mut ids).await?.into_iter().flatten() {
                add(CalendarItem::from_entry(entry)?);
            }
        }
        Ok(())
    }

    /// Returns the series with instances in a time range: the identifier, whether it is a single event, and the instances
    /// that are no exceptions. The number of series and instances is limited, and so is the work for them.
    async fn instances_in(
        &self,
        calendar: &Calendar,
        span: Span,
        series: Vec<SeriesSummary>,
        originals: Vec<(String, i64)>,
    ) -> Result<Vec<SeriesInstances>, Error> {
        let originals: Arc<BTreeSet<(String, i64)>> = Arc::new(originals.into_iter().collect());
        let mut left = unsearched(series);
        left.truncate(MAX_EXAMINED as usize);
        let mut found = Vec::new();
        while !left.is_empty() {
            let batch = self.next_series(calendar.number, &mut left).await?;
            let (more, is_over) = self.instances_of_batch(calendar, span, batch, Arc::clone(&originals)).await?;
            found.extend(more);
            if is_over {
                break;
            }
        }
        Ok(found)
    }

    /// Returns the instances of some series, and whether the steps were over.
    async fn instances_of_batch(
        &self,
        calendar: &Calendar,
        span: Span,
        series: Vec<SeriesSummary>,
        originals: Arc<BTreeSet<(String, i64)>>,
    ) -> Result<(Vec<SeriesInstances>, bool), Error> {
        let search = move |cache: &Cache, steps: &Steps| {
            let mut found = Vec::new();
            for line in &series {
                if steps.is_over() {
                    break;
                }
                let Some(rule) = &line.rule else { continue };
                let series = cache.series(rule, steps)?;
                let instances = series.instances_in(span.first, span.last, steps);
                let instances = instances.filter(|one| !originals.contains(&(line.id.clone(), one.span.first)));
                let instances: Vec<Instance> = instances.take(MAX_EXAMINED as usize).collect();
                if !instances.is_empty() {
                    found.push((line.id.clone(), series.is_single, instances));
                }
            }
            Ok((found, steps.is_over()))
        };
        Ok(self.expand_once(calendar.owner, search).await?.0)
    }

    /// Declines an invitation on a calendar, if it is still open. Retries after concurrent writes.
    async fn decline_invitation(
        &self,
        calendar: CalendarNumber,
        id: &str,
        message: Option<&str>,
        user: Option<Mailbox>,
    ) -> Result<(), Error> {
        for _ in 0..MAX_ATTEMPTS {
            let mut draft = self.draft_on(calendar, id, user).await?;
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

    /// Returns the time of an event, or the times of the first instances of a series within a year from now.
    async fn spans(&self, found: &CalendarItem, user: Option<Mailbox>) -> Result<Vec<Span>, Error> {
        let EntryKind::Series { rule, .. } = &found.entry.kind else { return Ok(vec![found.entry.span]) };
        let now = self.clock.now();
        let instances = self.in_series(user, rule, move |series, steps| first_year(series, now, steps)).await?;
        Ok(instances.into_iter().map(|instance| instance.span).collect())
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

/// Returns the first instances of a series within a year from now, as far as the steps suffice.
pub(super) fn first_year(series: &Series, now: Millis, steps: &Steps) -> Vec<Instance> {
    let now = now.0.div_euclid(1_000);
    series.instances_in(now, now.saturating_add(366 * DAY), steps).take(MAX_INSTANCES).collect()
}
