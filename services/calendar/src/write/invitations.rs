//! Invitations, cancellations and answers as mail (RFC 5546, RFC 6047), stored with the change that they tell of.

mod mail;
mod received;
mod replies;

use std::collections::BTreeSet;

use calendar_server::Error;
use calendar_server::types::{Attendee, Event, Person, SendUpdates};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_store::{Error as StoreError, EventWrite, Mailbox, NewMessage, Store};

use self::mail::Mail;
use super::attendees::address;
use super::draft::Draft;
use crate::CalendarService;
use crate::content::{is_cancelled, key};
use crate::fault;
use crate::ics::write::{CalendarWriter, answer};
use crate::times;

/// The most bytes of a mail; one that is longer names its recipient alone among the attendees.
const MOST: usize = 200 << 10;

/// Whom a change is told by mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notify {
    /// All guests who have a mailbox here.
    All,
    /// Nobody. Guests elsewhere are never told, because no mail leaves this program.
    Nobody,
}

impl Notify {
    /// Returns what a request asks for: `sendUpdates` counts before the older `sendNotifications`.
    pub(crate) fn of(updates: Option<&SendUpdates>, notifications: Option<bool>) -> Self {
        match updates {
            Some(SendUpdates::All) => Self::All,
            None if notifications == Some(true) => Self::All,
            _ => Self::Nobody,
        }
    }
}

/// What a mail does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Invitation,
    Update,
    Cancellation,
    Answer,
}

impl Kind {
    fn method(self) -> &'static str {
        match self {
            Self::Invitation | Self::Update => "REQUEST",
            Self::Cancellation => "CANCEL",
            Self::Answer => "REPLY",
        }
    }
}

impl<S: Store> CalendarService<S> {
    /// Returns what is to be stored of a change, with the mails that tell of it.
    pub(super) async fn told_entries(&self, draft: Draft, notify: Notify) -> Result<EventWrite, Error> {
        let mails = self.mails(&draft, notify).await?;
        Ok(EventWrite { mails, ..self.entries_of(draft).await? })
    }

    /// Returns the mails that tell of a change.
    pub(super) async fn mails(&self, draft: &Draft, notify: Notify) -> Result<Vec<(Mailbox, NewMessage)>, Error> {
        let after = &draft.shared;
        let organizer = after.organizer.as_ref().filter(|person| person.email.as_deref().is_some_and(mail::is_address));
        let (Some(organizer), Notify::All, true) = (organizer, notify, self.mail.is_some()) else {
            return Ok(Vec::new());
        };
        if after.private_copy == Some(true) {
            return Ok(Vec::new());
        }
        let own = draft.copies.first().map(|copy| copy.own.address.clone()).unwrap_or_default();
        let mut mails = Vec::new();
        for (guest, kind) in told(&draft.found.shared, after) {
            let is_sender =
                [key(organizer.email.as_deref().unwrap_or_default()), own.clone()].contains(&address(&guest));
            if is_sender {
                continue;
            }
            if let Some(mailbox) = self.mailbox_of(&guest).await? {
                let body = self.mail(draft, kind, organizer, &guest);
                mails.extend(body.map(|body| (mailbox, body)));
            }
        }
        if let Some(guest) = answered(&draft.found.shared, after, &own) {
            let to = Attendee { email: organizer.email.clone(), ..Attendee::default() };
            if key(organizer.email.as_deref().unwrap_or_default()) != own
                && let Some(mailbox) = self.mailbox_of(&to).await?
            {
                let body = self.mail(draft, Kind::Answer, organizer, &guest);
                mails.extend(body.map(|body| (mailbox, body)));
            }
        }
        Ok(mails)
    }

    async fn mailbox_of(&self, guest: &Attendee) -> Result<Option<Mailbox>, Error> {
        let Some(email) = guest.email.as_deref().filter(|email| mail::is_address(email)) else { return Ok(None) };
        match self.store.user(email).await {
            Ok(user) => Ok(Some(user.mailbox)),
            Err(StoreError::Absent { .. }) => Ok(None),
            Err(error) => Err(fault::answer(error)),
        }
    }

    /// Returns a mail between the organizer and a guest.
    fn mail(&self, draft: &Draft, kind: Kind, organizer: &Person, guest: &Attendee) -> Option<NewMessage> {
        let now = times::timestamp(self.clock.now().0.div_euclid(1_000));
        let person =
            Person { email: guest.email.clone(), display_name: guest.display_name.clone(), ..Person::default() };
        let (from, to) = if kind == Kind::Answer { (&person, organizer) } else { (organizer, &person) };
        let mut event = seen(&draft.shared, kind, guest);
        loop {
            let mut calendar = CalendarWriter::new(Some(kind.method()), now);
            calendar.event(&event);
            let zone = times::zone(&draft.found.own.zone);
            let (subject, text) = (subject(kind, &event, guest), text(kind, &event, from, &zone));
            let mail = Mail { from, to, subject, text, method: kind.method(), calendar: calendar.finish(), now };
            let raw = mail.compose();
            if raw.len() <= MOST || event.attendees.len() <= 1 {
                return Some(self.mail.as_ref()?.prepare(raw)).filter(|mail| mail.raw.len() <= MOST);
            }
            event.attendees.retain(|other| address(other) == address(guest));
        }
    }
}

/// Returns whom the organizer tells of a change: of a significant one all guests, and new ones and former ones always.
fn told(before: &Event, after: &Event) -> Vec<(Attendee, Kind)> {
    let people = |event: &Event| event.attendees.iter().map(address).collect::<BTreeSet<_>>();
    let (were, are) = (people(before), people(after));
    let is_new = before.start.is_none();
    let (was_gone, is_gone) = (!is_new && is_cancelled(before), is_cancelled(after));
    let former = before.attendees.iter().filter(|guest| !are.contains(&address(guest)) && !was_gone);
    let mut told: Vec<(Attendee, Kind)> = former.map(|guest| (guest.clone(), Kind::Cancellation)).collect();
    let bare = |event: &Event| Event { attendees: Vec::new(), ..event.clone() };
    let is_significant = is_new || bare(before) != bare(after);
    for guest in &after.attendees {
        let is_known = were.contains(&address(guest)) && !is_new;
        let kind = match (is_gone, is_known) {
            (true, _) if was_gone || is_new => continue,
            (true, _) => Kind::Cancellation,
            (false, true) if is_significant => Kind::Update,
            (false, true) => continue,
            (false, false) => Kind::Invitation,
        };
        told.push((guest.clone(), kind));
    }
    told
}

/// Returns the entry of a guest who has answered.
fn answered(before: &Event, after: &Event, own: &str) -> Option<Attendee> {
    let entry = |event: &Event| event.attendees.iter().find(|guest| address(guest) == own).cloned();
    let (before, after) = (entry(before)?, entry(after)?);
    let same = (&before.response_status, &before.comment, before.additional_guests)
        == (&after.response_status, &after.comment, after.additional_guests);
    (!same).then_some(after)
}

/// Returns an event as a mail tells it: an answer and a cancellation name one guest, and others may not be for all to see.
fn seen(event: &Event, kind: Kind, guest: &Attendee) -> Event {
    let mut seen = event.clone();
    if matches!(kind, Kind::Answer | Kind::Cancellation) || !event.guests_can_see_other_guests_or_default() {
        seen.attendees = vec![guest.clone()];
    }
    if kind == Kind::Cancellation {
        seen.status = Some(calendar_server::types::EventStatus::Cancelled);
    }
    seen
}

fn subject(kind: Kind, event: &Event, guest: &Attendee) -> String {
    let title = event.summary.as_deref().unwrap_or("(no title)");
    let what = match kind {
        Kind::Invitation => "Invitation",
        Kind::Update => "Updated invitation",
        Kind::Cancellation => "Cancelled",
        Kind::Answer => match answer(guest) {
            "ACCEPTED" => "Accepted",
            "DECLINED" => "Declined",
            "TENTATIVE" => "Tentative",
            _ => "Not decided",
        },
    };
    format!("{what}: {title}")
}

/// Returns the part of a mail that people read.
fn text(kind: Kind, event: &Event, from: &Person, zone: &TimeZone) -> String {
    let name = from.display_name.as_deref().or(from.email.as_deref()).unwrap_or_default();
    let what = match kind {
        Kind::Invitation => "invites you to an event.",
        Kind::Update => "has changed an event that you are invited to.",
        Kind::Cancellation => "has cancelled an event, or you are no longer invited.",
        Kind::Answer => "has answered your invitation.",
    };
    let mut lines = vec![format!("{name} {what}"), String::new()];
    let title = event.summary.as_deref().unwrap_or("(no title)");
    lines.push(title.to_owned());
    for (label, time) in [("Start", &event.start), ("End", &event.end)] {
        if let Some(time) = time {
            lines.push(format!("{label}: {}", mail::shown(time, zone)));
        }
    }
    lines.extend(event.recurrence.iter().map(|rule| format!("Recurs: {rule}")));
    lines.extend(event.location.iter().map(|place| format!("Place: {place}")));
    if kind == Kind::Answer {
        let guest = event.attendees.first();
        lines.extend(guest.map(|guest| format!("Answer: {}", answer(guest).to_lowercase())));
        lines.extend(guest.and_then(|guest| guest.comment.as_ref()).map(|comment| format!("Comment: {comment}")));
    } else {
        lines.extend(event.description.iter().flat_map(|text| [String::new(), text.clone()]));
    }
    lines.join("\n")
}
