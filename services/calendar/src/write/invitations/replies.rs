//! Replies of guests received by mail.

use calendar_server::Error;
use calendar_server::types::Event;
use wireform_store::{CalendarNumber, Entry, Error as StoreError, Mailbox, Store};

use super::super::MAX_ATTEMPTS;
use super::super::attendees::attendee_address;
use crate::CalendarService;
use crate::content::address_key;
use crate::error;
use crate::ics::read::replies::{Reply, parse_replies};

/// Maximum number of replies of a mail.
const MAX_REPLIES: usize = 10;

impl<S: Store> CalendarService<S> {
    /// Processes the replies of a calendar part received by mail. A reply is accepted if it comes from the address of
    /// the guest, is to an event that the mailbox's user organizes, and has the event's current sequence number; others
    /// are ignored. Returns the number of replies that have changed an event.
    ///
    /// # Errors
    /// Returns an error if the store is unavailable.
    pub async fn process_replies(&self, of: Mailbox, from: &str, calendar: &[u8]) -> Result<usize, Error> {
        let mut taken = 0;
        for reply in parse_replies(calendar)
            .into_iter()
            .take(MAX_REPLIES)
            .filter(|reply| attendee_address(&reply.attendee) == address_key(from))
        {
            match self.process_reply(of, &reply).await {
                Ok(changed) => taken += usize::from(changed),
                // The event does not exist, or has no such instance.
                Err(error) if error.status().is_client_error() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(taken)
    }

    /// Sets the response of a guest on the first calendar of the user where that changes the event. Returns whether
    /// there is one.
    async fn process_reply(&self, of: Mailbox, reply: &Reply) -> Result<bool, Error> {
        for calendar in self.store.calendars(Some(of)).await.map_err(error::from_store)? {
            if let Some(entry) = self.find_by_uid(calendar.number, &reply.uid).await? {
                let id = self.replied_id(of, &entry, &calendar.time_zone, reply).await?;
                if self.set_reply(of, calendar.number, &id, reply).await? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Sets the response of a guest on the event of the organizer, and thus on all copies.
    async fn set_reply(&self, of: Mailbox, calendar: CalendarNumber, id: &str, reply: &Reply) -> Result<bool, Error> {
        for _ in 0..MAX_ATTEMPTS {
            let mut draft = self.draft_on(calendar, id, Some(of)).await?;
            let is_current = draft.shared.sequence.unwrap_or(0) == reply.sequence;
            let is_kept =
                draft.found.own.organizer && draft.shared.private_copy != Some(true) && !draft.found.is_gone();
            if !is_current || !is_kept || !set_response(&mut draft.shared, reply) {
                return Ok(false);
            }
            let now = self.clock.now();
            draft.copies.iter_mut().for_each(|copy| copy.updated = now);
            let write = self.write_without_mail(draft).await?;
            if self.store(write).await? {
                return Ok(true);
            }
        }
        Err(error::from_store(StoreError::Outdated))
    }

    /// Returns the identifier of the event, or of its instance, that a reply is about.
    async fn replied_id(&self, of: Mailbox, entry: &Entry, zone: &str, reply: &Reply) -> Result<String, Error> {
        if reply.instance.is_none() {
            return Ok(entry.id.clone());
        }
        let exception = Event { original_start_time: reply.instance.clone(), ..Event::default() };
        let suffix = self.instance_suffix(zone, &entry.kind, &exception, Some(of)).await?;
        Ok(format!("{}_{suffix}", entry.id))
    }
}

/// Sets a response; returns whether it has changed.
fn set_response(event: &mut Event, reply: &Reply) -> bool {
    let from = attendee_address(&reply.attendee);
    let Some(guest) = event.attendees.iter_mut().find(|guest| attendee_address(guest) == from) else { return false };
    let before = guest.clone();
    guest.response_status.clone_from(&reply.attendee.response_status);
    if reply.attendee.comment.is_some() {
        guest.comment.clone_from(&reply.attendee.comment);
    }
    guest.additional_guests = reply.attendee.additional_guests.or(guest.additional_guests);
    *guest != before
}
