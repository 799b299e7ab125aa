//! Deleting events.

use calendar_server::runtime::WriteResult;
use calendar_server::types::{Event, EventStatus};
use calendar_server::{Context, Error, requests};
use wireform_store::{Error as StoreError, Store};

use super::{MAX_ATTEMPTS, Notify, RequestedEvent};
use crate::CalendarService;
use crate::caller::{Need, access};
use crate::error;

impl<S: Store> CalendarService<S> {
    /// Deletes an event. On the calendar of the organizer, it is cancelled everywhere. A guest declines, and their copy
    /// is hidden. Deleting an instance leaves a cancelled exception.
    #[expect(deprecated, reason = "clients still request notifications in this way")]
    pub(crate) async fn delete_event(
        &self,
        request: requests::EventsDelete,
        context: &Context,
    ) -> WriteResult<requests::EventsDelete> {
        let access = access(&self.store, context, &request.calendar_id, Need::Write).await?;
        let notify = Notify::of(request.send_updates.as_ref(), request.send_notifications);
        for _ in 0..MAX_ATTEMPTS {
            let mut draft = self.draft(&access, &request.event_id).await?;
            let stored = self.base_event(context, &access, &draft.found)?;
            if draft.found.is_gone() {
                return Err(gone_error(&request.event_id));
            }
            let admission = context.admit_as::<requests::EventsGet, _>(&request, &stored)?;
            let event = Event { status: Some(EventStatus::Cancelled), ..stored };
            if !self.compute_change(&access, &mut draft, RequestedEvent { event, participant_only: false }).await? {
                return Ok(admission.reply(()));
            }
            let write = self.write_with_mail(draft, notify).await?;
            if self.store(write).await? {
                return Ok(admission.reply(()));
            }
        }
        Err(error::from_store(StoreError::Outdated))
    }
}

fn gone_error(id: &str) -> Error {
    Error::gone(format!("the event `{id}` has been deleted")).with_reason("deleted")
}
