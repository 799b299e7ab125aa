//! Replacement of events on a calendar by newer ones of a file or a mail.

use calendar_server::Error;
use calendar_server::types::Event;
use wireform_store::{Error as StoreError, EventRef, EventWrite, Store};

use super::{Origin, group};
use crate::CalendarService;
use crate::caller::Access;
use crate::content::is_cancelled;
use crate::error;
use crate::write::{MAX_ATTEMPTS, RequestedEvent, change};

/// Merges a change into another one, so that both are atomic.
pub(crate) fn merge_into(write: &mut EventWrite, mut other: EventWrite) {
    let first = write.new_events.len();
    for entry in &mut other.entries {
        if let EventRef::New(index) = &mut entry.event {
            *index += first;
        }
    }
    write.new_events.append(&mut other.new_events);
    write.events.append(&mut other.events);
    write.entries.append(&mut other.entries);
    write.new_uids.append(&mut other.new_uids);
    write.expected.append(&mut other.expected);
    write.read_exceptions.append(&mut other.read_exceptions);
    write.jobs.append(&mut other.jobs);
    write.mails.append(&mut other.mails);
}

impl<S: Store> CalendarService<S> {
    /// Replaces an event by an imported one, if that is newer or the event is an instance without an exception. Returns
    /// whether anything has changed.
    #[expect(deprecated, reason = "events still have colors")]
    pub(super) async fn replace(&self, access: &Access, id: &str, event: Event, origin: Origin) -> Result<bool, Error> {
        for _ in 0..MAX_ATTEMPTS {
            let mut draft = self.draft(access, id).await?;
            let stored = draft.found.shared.sequence.unwrap_or(0);
            let is_known = draft.found.instance.is_none();
            let sequence = event.sequence.unwrap_or(0);
            // A cancellation by mail may have the sequence number of the invitation.
            let cancels =
                origin == Origin::Mail && is_cancelled(&event) && !draft.found.is_gone() && sequence == stored;
            if (is_known && sequence <= stored && !cancels) || !change::may_organize(&draft) {
                return Ok(false);
            }
            let before = self.full_view(access).represent(&draft.found)?;
            let mut event = event.clone();
            group::check(&event)?;
            event.id.clone_from(&before.id);
            event.event_type.clone_from(&before.event_type);
            event.birthday_properties.clone_from(&before.birthday_properties);
            event.private_copy = before.private_copy;
            event.locked = before.locked;
            event.reminders = event.reminders.or(before.reminders);
            // A file has no labels, and one of another program no colors.
            event.event_label_id = before.event_label_id;
            event.color_id = event.color_id.or(before.color_id);
            event.sequence = Some(event.sequence.unwrap_or(0).max(stored));
            if !self.compute_change(access, &mut draft, RequestedEvent { event, participant_only: false }).await? {
                return Ok(false);
            }
            let write = self.write_without_mail(draft).await?;
            if self.store(write).await? {
                return Ok(true);
            }
        }
        Err(error::from_store(StoreError::Outdated))
    }

    /// Returns the identifier of the instance that an exception replaces.
    pub(super) async fn instance_id(&self, access: &Access, series: &str, exception: &Event) -> Result<String, Error> {
        let entries =
            self.store.entries(access.calendar.number, vec![series.to_owned()]).await.map_err(error::from_store)?;
        let entry = entries.into_iter().next().flatten().ok_or_else(|| error::event_not_found(series))?;
        let (zone, user) = (&access.calendar.time_zone, Some(access.user.mailbox));
        let named = self.instance_suffix(zone, &entry.kind, exception, user).await?;
        Ok(format!("{series}_{named}"))
    }
}
