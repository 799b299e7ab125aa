//! Invitations, cancellations and replies by mail (RFC 5546, RFC 6047), stored with the change that they are about.

mod instances;
mod mail;
mod received;
mod replies;
mod text;

use std::collections::BTreeSet;

use calendar_server::Error;
use calendar_server::types::{Attendee, Event, EventStatus, Person, SendUpdates};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_store::{Error as StoreError, EventWrite, Mailbox, NewMessage, Store};

use self::mail::Mail;
use super::attendees::attendee_address;
use super::draft::Draft;
use crate::CalendarService;
use crate::content::{address_key, is_cancelled};
use crate::error;
use crate::ics::write::CalendarWriter;
use crate::times;

/// Maximum size of a mail in bytes. A longer one contains only its recipient among the attendees; if that is still too
/// long, it is not sent.
const MAX_MAIL_BYTES: usize = 200 << 10;

/// Recipients of mail about a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notify {
    /// All guests who have a mailbox here.
    All,
    /// Nobody. Guests elsewhere never get mail, because this program sends none.
    Nobody,
}

impl Notify {
    /// Returns the recipients requested: `sendUpdates` takes precedence over the older `sendNotifications`.
    pub(crate) fn of(updates: Option<&SendUpdates>, notifications: Option<bool>) -> Self {
        match updates {
            Some(SendUpdates::All) => Self::All,
            None if notifications == Some(true) => Self::All,
            _ => Self::Nobody,
        }
    }
}

/// Kind of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MailKind {
    Invitation,
    Update,
    Cancellation,
    Reply,
}

impl MailKind {
    /// Returns the iTIP method (RFC 5546).
    fn method(self) -> &'static str {
        match self {
            Self::Invitation | Self::Update => "REQUEST",
            Self::Cancellation => "CANCEL",
            Self::Reply => "REPLY",
        }
    }
}

/// Parties of the mails about a change.
#[derive(Debug)]
struct Parties<'a> {
    organizer: &'a Person,
    /// Address of the calendar on which the change is made.
    own: String,
    zone: TimeZone,
}

impl Parties<'_> {
    fn organizer_key(&self) -> String {
        address_key(self.organizer.email.as_deref().unwrap_or_default())
    }

    /// Returns whether an address is that of the organizer or of the author of the change, who know about it.
    fn is_informed(&self, address: &str) -> bool {
        self.own == address || self.organizer_key() == address
    }
}

impl<S: Store> CalendarService<S> {
    /// Returns the write of a change, including mails about it.
    pub(super) async fn write_with_mail(&self, draft: Draft, notify: Notify) -> Result<EventWrite, Error> {
        let (write, exceptions) = self.stored_change(&draft).await?;
        // Mails about a series take precedence over mails about its instances.
        let mut mails = self.instance_mails(&draft, notify, &exceptions).await?;
        mails.extend(self.mails(&draft, notify).await?);
        Ok(EventWrite { mails, ..write })
    }

    /// Returns the mails about a change.
    pub(super) async fn mails(&self, draft: &Draft, notify: Notify) -> Result<Vec<(Mailbox, NewMessage)>, Error> {
        let Some(parties) = self.parties(draft, notify) else { return Ok(Vec::new()) };
        let after = &draft.shared;
        let mut mails = Vec::new();
        for (guest, kind) in recipients(&draft.found.shared, after) {
            if parties.is_informed(&attendee_address(&guest)) {
                continue;
            }
            if let Some(mailbox) = self.mailbox_of(&guest).await? {
                let mail = self.mail(&parties, kind, vec![after.clone()], &guest);
                draft.memory.add_mails(&mail).await?;
                mails.extend(mail.into_iter().map(|mail| (mailbox, mail)));
            }
        }
        if let Some(guest) = changed_response(&draft.found.shared, after, &parties.own) {
            let to = Attendee { email: parties.organizer.email.clone(), ..Attendee::default() };
            if parties.organizer_key() != parties.own
                && let Some(mailbox) = self.mailbox_of(&to).await?
            {
                let mail = self.mail(&parties, MailKind::Reply, vec![after.clone()], &guest);
                mails.extend(mail.into_iter().map(|mail| (mailbox, mail)));
            }
        }
        Ok(mails)
    }

    /// Returns the parties of the mails about a change; `None` if no mail is sent.
    fn parties<'a>(&self, draft: &'a Draft, notify: Notify) -> Option<Parties<'a>> {
        let event = &draft.shared;
        if notify != Notify::All || self.mail.is_none() || event.private_copy == Some(true) {
            return None;
        }
        let organizer = event.organizer.as_ref();
        let organizer = organizer.filter(|person| person.email.as_deref().is_some_and(mail::is_address))?;
        let own = draft.copies.first().map(|copy| copy.own.address.clone()).unwrap_or_default();
        Some(Parties { organizer, own, zone: times::zone_by_name(&draft.found.own.zone) })
    }

    /// Returns the mailbox of a guest; `None` if it is not on this server.
    async fn mailbox_of(&self, guest: &Attendee) -> Result<Option<Mailbox>, Error> {
        let Some(email) = guest.email.as_deref().filter(|email| mail::is_address(email)) else { return Ok(None) };
        match self.store.user(email).await {
            Ok(user) => Ok(Some(user.mailbox)),
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error::from_store(error)),
        }
    }

    /// Returns the mails between the organizer and a guest about events with the same `UID`: several if one would be
    /// too long.
    fn mail(&self, parties: &Parties<'_>, kind: MailKind, events: Vec<Event>, guest: &Attendee) -> Vec<NewMessage> {
        let person =
            Person { email: guest.email.clone(), display_name: guest.display_name.clone(), ..Person::default() };
        let people = match kind {
            MailKind::Reply => (&person, parties.organizer),
            _ => (parties.organizer, &person),
        };
        let mut events: Vec<Event> = events.iter().map(|event| event_for_mail(event, kind, guest)).collect();
        let raw = self.compose(kind, people, &events, guest, &parties.zone);
        let is_long = raw.len() > MAX_MAIL_BYTES;
        match &mut *events {
            [event] if is_long && event.attendees.len() > 1 => {
                event.attendees.retain(|other| attendee_address(other) == attendee_address(guest));
                self.mail(parties, kind, events, guest)
            }
            [_, _, ..] if is_long => {
                let rest = events.split_off(events.len() / 2);
                let mut mails = self.mail(parties, kind, events, guest);
                mails.extend(self.mail(parties, kind, rest, guest));
                mails
            }
            _ => {
                let mail = self.mail.as_ref().map(|mail| mail.prepare(raw));
                mail.filter(|mail| mail.raw.len() <= MAX_MAIL_BYTES).into_iter().collect()
            }
        }
    }

    /// Returns a mail with a text and a calendar part about events, in its wire format.
    fn compose(
        &self,
        kind: MailKind,
        (from, to): (&Person, &Person),
        events: &[Event],
        guest: &Attendee,
        zone: &TimeZone,
    ) -> Vec<u8> {
        let now = times::timestamp(self.clock.now().0.div_euclid(1_000));
        let mut calendar = CalendarWriter::new(Some(kind.method()), now);
        for event in events {
            calendar.event(event);
        }
        let (subject, text) = (text::subject(kind, events, guest), text::text(kind, events, from, zone));
        Mail { from, to, subject, text, method: kind.method(), calendar: calendar.finish(), now }.compose()
    }
}

/// Returns the guests that the organizer notifies: of a significant change all guests, and new and former ones in any
/// case.
fn recipients(before: &Event, after: &Event) -> Vec<(Attendee, MailKind)> {
    let people = |event: &Event| event.attendees.iter().map(attendee_address).collect::<BTreeSet<_>>();
    let (were, are) = (people(before), people(after));
    let is_new = before.start.is_none();
    let (was_gone, is_gone) = (!is_new && is_cancelled(before), is_cancelled(after));
    let former = before.attendees.iter().filter(|guest| !are.contains(&attendee_address(guest)) && !was_gone);
    let mut recipients: Vec<(Attendee, MailKind)> =
        former.map(|guest| (guest.clone(), MailKind::Cancellation)).collect();
    let bare = |event: &Event| Event { attendees: Vec::new(), ..event.clone() };
    let is_significant = is_new || bare(before) != bare(after);
    for guest in &after.attendees {
        let is_known = were.contains(&attendee_address(guest)) && !is_new;
        let kind = match (is_gone, is_known) {
            // A guest who was not invited need not know about the end.
            (true, false) => continue,
            (true, true) if was_gone => continue,
            (true, true) => MailKind::Cancellation,
            (false, true) if is_significant => MailKind::Update,
            (false, true) => continue,
            (false, false) => MailKind::Invitation,
        };
        recipients.push((guest.clone(), kind));
    }
    recipients
}

/// Returns the entry of a guest who has responded.
fn changed_response(before: &Event, after: &Event, own: &str) -> Option<Attendee> {
    let entry = |event: &Event| event.attendees.iter().find(|guest| attendee_address(guest) == own).cloned();
    let (before, after) = (entry(before)?, entry(after)?);
    let same = (&before.response_status, &before.comment, before.additional_guests)
        == (&after.response_status, &after.comment, after.additional_guests);
    (!same).then_some(after)
}

/// Returns the event as included in a mail: replies and cancellations contain only one guest, and the guest list may be
/// private.
fn event_for_mail(event: &Event, kind: MailKind, guest: &Attendee) -> Event {
    let mut seen = event.clone();
    if matches!(kind, MailKind::Reply | MailKind::Cancellation) || !event.guests_can_see_other_guests_or_default() {
        seen.attendees = vec![guest.clone()];
    }
    if kind == MailKind::Cancellation {
        seen.status = Some(EventStatus::Cancelled);
    }
    seen
}
