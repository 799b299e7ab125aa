//! Invitations received by mail.

use std::collections::BTreeSet;

use calendar_server::Error;
use calendar_server::types::{Event, EventType};
use wireform_store::{Mailbox, Role, Store, User};

use super::super::attendees::attendee_address;
use super::super::ics::{IcsImporter, Origin};
use crate::CalendarService;
use crate::caller::Access;
use crate::content::{address_key, parse_shared};
use crate::error;
use crate::ics::read::ParsedEvent;
use crate::ics::read::requests::parse_requests;

impl<S: Store> CalendarService<S> {
    /// Processes the invitations of a calendar part received by mail: they become locked events of the type `fromGmail`
    /// on the user's calendar, which follow newer invitations and are cancelled with them. An invitation is accepted if
    /// it comes from the address of its organizer and lists the user among its attendees, and if the calendar has the
    /// event from no other source. Returns the number of events stored or replaced.
    ///
    /// # Errors
    /// Returns an error if the store is unavailable.
    pub async fn process_invitations(&self, of: Mailbox, from: &str, calendar: &[u8]) -> Result<u64, Error> {
        if self.parse_in_turn(of, calendar, "UTC").await?.is_empty() {
            return Ok(0);
        }
        let users = self.store.users().await.map_err(error::from_store)?;
        let Some(user) = users.into_iter().find(|user| user.mailbox == of) else { return Ok(0) };
        let access = self.access_with_role(&user, &user.address, Role::Owner).await?;
        // Times without a zone are in the user's zone.
        let events = self.parse_in_turn(of, calendar, &access.calendar.time_zone).await?;
        let mut events: Vec<ParsedEvent> = events.into_iter().filter(|read| is_for(&read.event, &user, from)).collect();
        let mut others = BTreeSet::new();
        for uid in events.iter().filter_map(|read| read.event.ical_uid.clone()).collect::<BTreeSet<_>>() {
            if self.has_event_of_another_source(&access, &uid).await? {
                others.insert(uid);
            }
        }
        events.retain(|read| read.event.ical_uid.as_ref().is_some_and(|uid| !others.contains(uid)));
        let mut importer = IcsImporter::new(self.clone(), access, Origin::Mail);
        importer.add_events("mail", events).await?;
        let report = importer.finish().await?;
        Ok(report.stored + report.replaced)
    }

    /// Parses the invitations of a calendar part in a turn of the user: its series are expanded.
    async fn parse_in_turn(&self, of: Mailbox, calendar: &[u8], zone: &str) -> Result<Vec<ParsedEvent>, Error> {
        let (calendar, zone) = (calendar.to_vec(), zone.to_owned());
        let parse = move || parse_requests(&calendar, &zone);
        self.store.run_in_turn(Some(of), parse).await.map_err(error::from_store)
    }

    /// Returns whether the calendar has an event that did not come from a mail.
    async fn has_event_of_another_source(&self, access: &Access, uid: &str) -> Result<bool, Error> {
        let Some(known) = self.find_by_uid(access.calendar.number, uid).await? else { return Ok(false) };
        Ok(*parse_shared(&known.shared)?.event_type_or_default() != EventType::FromMail)
    }
}

/// Returns whether an event is an invitation of a user by an address.
fn is_for(event: &Event, user: &User, from: &str) -> bool {
    let organizer = event.organizer.as_ref().and_then(|person| person.email.as_deref()).map(address_key);
    let own = address_key(&user.address);
    organizer.as_ref() == Some(&address_key(from))
        && organizer.as_ref() != Some(&own)
        && event.attendees.iter().any(|guest| attendee_address(guest) == own)
}
