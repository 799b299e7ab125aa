//! Creating events.

use std::sync::Arc;

use calendar_server::runtime::ErrorLocation;
use calendar_server::types::{BirthdayType, Event, EventType, Person};
use calendar_server::{Context, Error, Result, requests};
use wireform_store::{Entry, EntryKind, EntryState, EventNumber, HistoryId, Millis, Span, Store};

use super::attendees::{ChangeAuthor, merge, require_delegation};
use super::change::normalize;
use super::draft::{Draft, EventCopy};
use super::memory::ChangeMemory;
use super::{MAX_ATTEMPTS, Notify, checks};
use crate::CalendarService;
use crate::caller::{Access, Need, access};
use crate::content::{CopyData, address_key, strip_computed};
use crate::error;
use crate::times;
use crate::view::CalendarItem;

/// Characters of identifiers: `base32hex`, in lower case.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghijklmnopqrstuv";

/// Returns a new identifier of 26 characters, with 130 random bits.
pub(crate) fn new_id() -> String {
    (0..26).map(|_| char::from(ALPHABET[usize::from(rand::random::<u8>() % 32)])).collect()
}

impl<S: Store> CalendarService<S> {
    /// Inserts an event. An identifier stays in use even after the event was deleted, until its deletion is no longer
    /// recorded.
    #[expect(deprecated, reason = "clients still request notifications in this way")]
    pub(crate) async fn insert_event(&self, request: requests::EventsInsert, context: &Context) -> Result<Event> {
        let access = access(&self.store, context, &request.calendar_id, Need::Write).await?;
        let (event, _) = context.prepare(&request, None)?;
        let notify = Notify::of(request.send_updates.as_ref(), request.send_notifications);
        self.insert_as(&access, event, request.max_attendee, notify).await
    }

    /// Stores a new event and returns it.
    pub(super) async fn insert_as(
        &self,
        access: &Access,
        event: Event,
        max_attendees: Option<i32>,
        notify: Notify,
    ) -> Result<Event> {
        // The field that determines the iCalendar identifier; a generated identifier is unused.
        let field = if event.ical_uid.is_some() { Some("iCalUID") } else { event.id.as_ref().map(|_| "id") };
        let (id, mut write) = self.prepare_insert(access, event, notify).await?;
        let uid = write.entries.first().map(|entry| entry.uid.clone()).zip(field);
        self.require_new_uid(access, uid.as_ref()).await?;
        write.new_uids.extend(uid.clone().map(|(uid, _)| (access.calendar.number, uid)));
        if !self.store(write).await? {
            self.require_new_uid(access, uid.as_ref()).await?;
            return Err(duplicate_error("id", &id, None));
        }
        self.decline_conflicts_now(access, &id).await;
        self.respond(access, &id, max_attendees).await
    }

    /// Returns an error if a requested iCalendar identifier is taken, even by a deleted event. It comes with the field
    /// that determines it.
    async fn require_new_uid(
        &self,
        access: &Access,
        uid: Option<&(String, &'static str)>,
    ) -> std::result::Result<(), Error> {
        let Some((uid, field)) = uid else { return Ok(()) };
        match self.find_by_uid(access.calendar.number, uid).await? {
            Some(entry) => Err(duplicate_error(field, uid, Some(entry))),
            None => Ok(()),
        }
    }

    /// Returns the write of a new event, and its identifier.
    pub(crate) async fn prepare_insert(
        &self,
        access: &Access,
        mut event: Event,
        notify: Notify,
    ) -> std::result::Result<(String, wireform_store::EventWrite), Error> {
        let id = self.choose_id(access, event.id.take()).await?;
        let now = self.clock.now();
        let mut own = organizer_data(access);
        own.set_reminders(access.user.mailbox, event.reminders.take())?;
        own.extract_from(&mut event);
        strip_computed(&mut event);
        if *event.event_type_or_default() == EventType::Birthday {
            let properties = event.birthday_properties.get_or_insert_default();
            properties.r#type.get_or_insert(BirthdayType::Birthday);
        }
        event.ical_uid.get_or_insert_with(|| format!("{id}@wireform"));
        event.created = Some(times::to_date_time(now));
        event.creator = Some(person(access, true));
        let organizer = event.organizer.take().unwrap_or_else(|| person(access, false));
        own.organizer = organizer.email.as_deref().map(address_key).as_ref() == Some(&own.address);
        event.organizer = Some(organizer);
        event.locked = None;
        event.sequence.get_or_insert(0);
        let directory = self.directory(access, &Event::default(), &event).await?;
        let local = directory.keys().cloned().collect();
        let party = ChangeAuthor { own: &own.address, local: &local, is_guest: false };
        event.attendees = merge(&[], std::mem::take(&mut event.attendees), &party)?;
        require_delegation(access, &[], &event.attendees)?;
        normalize(&mut event, &mut own);
        times::complete_end_zone(&mut event);
        checks::check(&event, &own, &access.calendar.time_zone)?;
        self.check_recurrence(access, &event).await?;
        checks::check_label(&own, None, &access.calendar)?;
        let wants_conference = self.check_conference(&Event::default(), &mut event).await?;
        let mut draft = Draft { wants_conference, ..new_draft(access, &id, event, own, now) };
        let before = Event::default();
        self.update_copies(&mut draft, &before, &directory).await?;
        Ok((id, self.write_with_mail(draft, notify).await?))
    }

    /// Returns the requested identifier, or an error if it is taken; if none is requested, a new one.
    async fn choose_id(&self, access: &Access, wanted: Option<String>) -> std::result::Result<String, Error> {
        let number = access.calendar.number;
        let taken = async |id: &str| {
            let found = self.store.entries(number, vec![id.to_owned()]).await.map_err(error::from_store)?;
            Ok::<_, Error>(found.into_iter().next().flatten())
        };
        if let Some(id) = wanted {
            return match taken(&id).await? {
                Some(entry) => Err(duplicate_error("id", &id, Some(entry))),
                None => Ok(id),
            };
        }
        for _ in 0..MAX_ATTEMPTS {
            let id = new_id();
            if taken(&id).await?.is_none() {
                return Ok(id);
            }
        }
        Err(Error::internal("no free identifier found"))
    }
}

/// Returns the error for an identifier that is taken, and says how to restore its event if that was deleted here.
fn duplicate_error(field: &'static str, id: &str, entry: Option<Entry>) -> Error {
    let mut message = format!("the identifier `{id}` already exists on this calendar");
    let found = entry.and_then(|entry| CalendarItem::from_entry(entry).ok());
    if let Some(found) = found.filter(CalendarItem::is_gone) {
        message += "; its event is deleted";
        if found.can_be_restored() {
            message += ", and a patch of `status` restores it";
        }
    }
    Error::conflict(message).with_reason("duplicate").with_location(ErrorLocation::Field(field.into()))
}

/// Returns the data of the organizer's copy.
pub(crate) fn organizer_data(access: &Access) -> CopyData {
    let calendar = &access.calendar;
    CopyData {
        organizer: true,
        address: address_key(&calendar.id),
        zone: calendar.time_zone.clone(),
        ..CopyData::default()
    }
}

/// Returns the calling user as the creator, or the calendar as the organizer.
pub(super) fn person(access: &Access, is_creator: bool) -> Person {
    let Access { calendar, user, .. } = access;
    let own = address_key(&calendar.id) == address_key(&user.address);
    let (email, name) = match () {
        () if is_creator || own => (&user.address, &user.name),
        () => (&calendar.id, &calendar.summary),
    };
    let person = Person::default().with_email(email.as_str());
    if name.is_empty() { person } else { person.with_display_name(name.as_str()) }
}

/// Begins the draft of a new event.
fn new_draft(access: &Access, id: &str, shared: Event, own: CopyData, now: Millis) -> Draft {
    let entry = Entry {
        calendar: access.calendar.number,
        id: id.to_owned(),
        event: EventNumber(0),
        changed: HistoryId(0),
        updated: now,
        state: EntryState::Present,
        removed: None,
        uid: String::new(),
        kind: EntryKind::Single,
        span: Span::default(),
        own: String::new(),
        shared: Arc::default(),
    };
    let copy = EventCopy {
        calendar: entry.calendar,
        id: id.to_owned(),
        entry: None,
        series: None,
        own: own.clone(),
        state: EntryState::Present,
        updated: now,
    };
    let found = CalendarItem { entry, shared: Event::default(), own, instance: None };
    Draft {
        found,
        expected: Vec::new(),
        series: None,
        shared,
        copies: vec![copy],
        wants_conference: false,
        user: Some(access.user.mailbox),
        memory: ChangeMemory::of(access),
    }
}
