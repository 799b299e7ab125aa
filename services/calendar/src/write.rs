//! Writing events.
//!
//! A change is computed from the data that was read, and stored if that was not modified since; otherwise it is
//! computed again.

mod absent_guests;
mod attendees;
mod change;
mod checks;
mod conference;
mod copies;
mod declines;
mod delete;
mod draft;
mod entries;
mod exceptions;
mod ics;
mod import;
mod insert;
mod invitations;
mod memory;
mod moves;
mod quick_add;
mod zone;

pub(crate) use self::checks::recurrence as recurrence_error;
pub(crate) use self::conference::describes_conference;
pub(crate) use self::ics::merge_into;
pub use self::ics::{IcsImporter, IcsReport};
pub(crate) use self::invitations::Notify;
pub(crate) use self::memory::reply;
use calendar_server::runtime::wireform_runtime::Request;
use calendar_server::runtime::{Admission, WriteResult};
use calendar_server::types::{Event, EventPatch};
use calendar_server::{Context, Error, Result, requests};
use wireform_store::{Error as StoreError, EventWrite, Store};

use crate::CalendarService;
use crate::caller::{Access, Need, access};
use crate::entity_tag;
use crate::error;
use crate::view::{CalendarItem, View};

/// Maximum number of attempts to store a change.
pub(crate) const MAX_ATTEMPTS: usize = 10;

/// Event as requested by a client.
pub(crate) struct RequestedEvent {
    /// The event, including unchanged fields.
    pub(crate) event: Event,
    /// True if the attendees contain only the participant.
    pub(crate) participant_only: bool,
}

/// Returns whether a patch sets overrides and not `useDefault`.
fn sets_only_overrides(patch: &EventPatch) -> bool {
    patch.reminders.as_set().is_some_and(|reminders| {
        reminders.use_default.is_keep() && reminders.overrides.as_set().is_some_and(|overrides| !overrides.is_empty())
    })
}

impl<S: Store> CalendarService<S> {
    #[expect(deprecated, reason = "clients still request notifications in this way")]
    pub(crate) async fn update_event(
        &self,
        request: requests::EventsUpdate,
        context: &Context,
    ) -> WriteResult<requests::EventsUpdate> {
        let access = access(&self.store, context, &request.calendar_id, Need::Join).await?;
        let want = |stored: &Event| {
            let (mut event, admission) = context.prepare(&request, Some(stored))?;
            if event.reminders.is_none() {
                event.reminders.clone_from(&stored.reminders);
            }
            if event.sequence.is_none() {
                event.sequence = stored.sequence;
            }
            let participant_only = request.body.attendees_omitted == Some(true);
            Ok((RequestedEvent { event, participant_only }, admission))
        };
        let notify = Notify::of(request.send_updates.as_ref(), request.send_notifications);
        self.apply_change(context, &access, (&request.event_id, request.max_attendee), notify, want).await
    }

    #[expect(deprecated, reason = "clients still request notifications in this way")]
    pub(crate) async fn patch_event(
        &self,
        request: requests::EventsPatch,
        context: &Context,
    ) -> WriteResult<requests::EventsPatch> {
        let access = access(&self.store, context, &request.calendar_id, Need::Join).await?;
        let want = |stored: &Event| {
            let (mut event, admission) = context.prepare(&request, Some(stored))?;
            if sets_only_overrides(&request.body)
                && let Some(reminders) = &mut event.reminders
            {
                reminders.use_default = Some(false);
            }
            let participant_only =
                request.body.attendees_omitted.as_set() == Some(&true) && !request.body.attendees.is_keep();
            Ok((RequestedEvent { event, participant_only }, admission))
        };
        let notify = Notify::of(request.send_updates.as_ref(), request.send_notifications);
        self.apply_change(context, &access, (&request.event_id, request.max_attendee), notify, want).await
    }

    /// Changes an event as `want` computes it from the stored one, and responds with the result. Retries after
    /// concurrent writes.
    async fn apply_change<R: Request<Response = Event>>(
        &self,
        context: &Context,
        access: &Access,
        (id, max_attendees): (&str, Option<i32>),
        notify: Notify,
        want: impl Fn(&Event) -> std::result::Result<(RequestedEvent, Admission<R>), Error> + Send + Sync,
    ) -> WriteResult<R> {
        for _ in 0..MAX_ATTEMPTS {
            let mut draft = self.draft(access, id).await?;
            let stored = self.base_event(context, access, &draft.found)?;
            let (wanted, admission) = want(&stored)?;
            let id = draft.found.id();
            if self.compute_change(access, &mut draft, wanted).await? {
                let write = self.write_with_mail(draft, notify).await?;
                if !self.store(write).await? {
                    continue;
                }
                self.decline_conflicts_now(access, &id).await;
            }
            return Ok(admission.reply(self.respond(access, &id, max_attendees).await?));
        }
        Err(error::from_store(StoreError::Outdated))
    }

    /// Returns the calling user's view for changes, which omits nothing.
    pub(crate) fn full_view<'a>(&'a self, access: &'a Access) -> View<'a> {
        View { is_complete: true, ..self.view(access, None, None) }
    }

    /// Returns the event that a request changes. It has the tag that the request names, if that refers to the stored
    /// version.
    pub(crate) fn base_event(
        &self,
        context: &Context,
        access: &Access,
        found: &CalendarItem,
    ) -> std::result::Result<Event, Error> {
        let event = self.full_view(access).represent(found)?;
        Ok(Event { etag: entity_tag::matching_tag(context, found).or(event.etag), ..event })
    }

    /// Stores a change; returns false if its basis was modified since.
    pub(crate) async fn store(&self, write: EventWrite) -> std::result::Result<bool, Error> {
        match self.store.write_events(write, self.clock.now()).await {
            Ok(_) => {
                self.notifier.wake();
                Ok(true)
            }
            Err(StoreError::Outdated) => Ok(false),
            Err(error) => Err(error::from_store(error)),
        }
    }

    /// Returns the response with a written event.
    pub(crate) async fn respond(&self, access: &Access, id: &str, max_attendees: Option<i32>) -> Result<Event> {
        let found = self.find(access, id).await?;
        Ok(reply(access, self.view(access, None, max_attendees).represent(&found)?))
    }
}
