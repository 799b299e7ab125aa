//! Representation of an event for a reader.

use calendar_server::Error;
use calendar_server::types::{Event, EventDateTime, EventStatus, EventType, Person};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_store::{Entry, EntryKind, EntryState};

use crate::caller::Access;
use crate::colors;
use crate::content::{CopyData, address_key, is_cancelled, parse_shared};
use crate::gadget;
use crate::series::Instance;
use crate::times;

/// Everything except unreserved characters (RFC 3986, section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Reader of a calendar, with their options.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    pub(crate) access: &'a Access,
    /// Time zone of responses.
    pub(crate) zone: TimeZone,
    /// Maximum number of listed attendees; an event with more lists only the participant.
    pub(crate) max_attendees: Option<usize>,
    /// Base URL of this program's pages.
    pub(crate) base: &'a str,
    /// True if nothing is omitted, as the basis of a change.
    pub(crate) is_complete: bool,
    /// True if cancelled events are represented without details.
    pub(crate) with_stubs: bool,
    /// True to include invitations that the user has removed from their calendar.
    pub(crate) with_hidden: bool,
}

/// Stored or computed event of a calendar, before its conversion for a reader.
#[derive(Clone, Debug)]
pub(crate) struct CalendarItem {
    /// Entry; that of the series for a computed instance.
    pub(crate) entry: Entry,
    /// Shared data; for a computed instance, as it would be stored.
    pub(crate) shared: Event,
    pub(crate) own: CopyData,
    /// Instance, if it is computed from the series.
    pub(crate) instance: Option<Instance>,
}

impl CalendarItem {
    /// Parses an entry.
    pub(crate) fn from_entry(entry: Entry) -> Result<Self, Error> {
        let (shared, own) = (parse_shared(&entry.shared)?, CopyData::parse(&entry.own)?);
        Ok(Self { entry, shared, own, instance: None })
    }

    /// Returns an instance without an exception.
    pub(crate) fn with_instance(&self, instance: Instance) -> Self {
        let mut shared = self.shared.clone();
        let zone = |time: &Option<EventDateTime>| time.as_ref().and_then(|time| time.time_zone.clone());
        let (start_zone, end_zone) = (zone(&shared.start), zone(&shared.end));
        shared.original_start_time = Some(instance.original(start_zone.as_deref()));
        shared.start.clone_from(&shared.original_start_time);
        shared.end = Some(instance.end(end_zone.as_deref()));
        shared.recurrence.clear();
        Self { entry: self.entry.clone(), shared, own: self.own.clone(), instance: Some(instance) }
    }

    /// Returns the identifier on the calendar.
    pub(crate) fn id(&self) -> String {
        match &self.instance {
            Some(instance) => format!("{}_{}", self.entry.id, instance.suffix()),
            None => self.entry.id.clone(),
        }
    }

    /// Returns the identifier of the series that this is an instance of.
    pub(crate) fn series_id(&self) -> Option<&str> {
        match (&self.instance, &self.entry.kind) {
            (Some(_), _) => Some(&self.entry.id),
            (None, EntryKind::Exception { series, .. }) => Some(series),
            _ => None,
        }
    }

    /// Returns whether it is no longer visible on the calendar.
    pub(crate) fn is_gone(&self) -> bool {
        self.entry.state != EntryState::Present || is_cancelled(&self.shared)
    }

    /// Returns whether the calendar may restore it: not if its organizer, elsewhere, has cancelled it.
    pub(crate) fn can_be_restored(&self) -> bool {
        self.own.organizer || self.shared.private_copy == Some(true) || self.entry.state == EntryState::Hidden
    }
}

impl View<'_> {
    /// Returns the representation for the reader.
    pub(crate) fn represent(&self, found: &CalendarItem) -> Result<Event, Error> {
        let is_shown = self.with_hidden && found.entry.state == EntryState::Hidden && !is_cancelled(&found.shared);
        let gone = found.is_gone() && !is_shown;
        if gone && !self.is_complete && (self.with_stubs || !found.own.organizer) {
            return Ok(self.stub(found));
        }
        let mut event = if self.sees_details(found) { self.detailed_event(found)? } else { busy_event(found) };
        self.set_identity(found, &mut event);
        event.html_link = Some(self.page_url(found));
        event.updated = Some(times::to_date_time(found.entry.updated));
        if gone {
            event.status = Some(EventStatus::Cancelled);
        }
        // The basis of a change is in the zone of the calendar, like `View::zone` then.
        let zones = times::default_zones(&event, &self.access.calendar.time_zone);
        let (start, end, original) = (&mut event.start, &mut event.end, &mut event.original_start_time);
        for (time, zone) in [start, end, original].into_iter().zip(zones) {
            *time = time.as_ref().map(|time| self.shown_time(time, zone));
        }
        Ok(event)
    }

    /// Returns the fields that even a cancelled event has.
    pub(crate) fn stub(&self, found: &CalendarItem) -> Event {
        let mut event = Event { status: Some(EventStatus::Cancelled), ..Event::default() };
        self.set_identity(found, &mut event);
        if found.series_id().is_some() {
            let original = found.shared.original_start_time.as_ref();
            event.original_start_time =
                original.map(|time| self.shown_time(time, self.access.calendar.time_zone.clone()));
        }
        event
    }

    /// Returns a time in the zone of the response. One that has no zone of its own gets a default one.
    fn shown_time(&self, time: &EventDateTime, default_zone: String) -> EventDateTime {
        let mut shown = times::to_zone(time, &self.zone);
        if shown.date_time.is_some() {
            shown.time_zone.get_or_insert(default_zone);
        }
        shown
    }

    /// Sets the kind, entity tag, identifier and series of an event.
    fn set_identity(&self, found: &CalendarItem, event: &mut Event) {
        event.kind = Some("calendar#event".to_owned());
        event.etag = Some(self.entity_tag(found));
        event.id = Some(found.id());
        event.recurring_event_id = found.series_id().map(str::to_owned);
    }

    /// Returns the representation for readers who may see more than busy times, without what only the creator or other
    /// guests may see.
    #[expect(deprecated, reason = "clients without labels need colors, and some still read gadgets")]
    fn detailed_event(&self, found: &CalendarItem) -> Result<Event, Error> {
        let mut event = found.shared.clone();
        found.own.apply_to(&mut event, self.access.user.mailbox)?;
        let organizer = event.organizer.as_ref().and_then(|person| person.email.as_deref()).map(address_key);
        for person in [&mut event.creator, &mut event.organizer].into_iter().flatten() {
            person.is_self = is_self(person, &found.own).then_some(true);
        }
        for attendee in &mut event.attendees {
            let address = attendee.email.as_deref().map(address_key);
            attendee.is_self = (address.as_ref() == Some(&found.own.address)).then_some(true);
            attendee.organizer = (address.is_some() && address == organizer).then_some(true);
        }
        if *event.event_type_or_default() == EventType::Birthday {
            event.gadget = gadget::birthday_gadget(&event);
        }
        event.event_type.get_or_insert(EventType::Default);
        if !self.is_complete {
            event.color_id = self.label_color(event.event_label_id.as_deref()).or(event.color_id);
            self.omit_attendees(&mut event, &found.own);
            if !self.is_creator(&event) {
                event.source = None;
            }
        }
        Ok(event)
    }

    /// Returns the palette color for a label of the calendar.
    pub(crate) fn label_color(&self, label: Option<&str>) -> Option<String> {
        let labels = &self.access.calendar.settings.labels;
        let label = labels.iter().find(|known| Some(known.id.as_str()) == label)?;
        colors::nearest(&label.color)
    }

    /// Reduces the attendees to the participant if there are too many, or to the participant and the organizer if
    /// guests may not see each other.
    fn omit_attendees(&self, event: &mut Event, own: &CopyData) {
        let hidden = !event.guests_can_see_other_guests_or_default() && !own.organizer;
        let many = self.max_attendees.is_some_and(|most| event.attendees.len() > most);
        if hidden || many {
            let before = event.attendees.len();
            event.attendees.retain(|attendee| {
                attendee.is_self_or_default() || (hidden && !many && attendee.organizer_or_default())
            });
            if event.attendees.len() < before {
                event.attendees_omitted = Some(true);
            }
        }
    }

    /// Returns whether the user has created the event, and so sees its source.
    pub(crate) fn is_creator(&self, event: &Event) -> bool {
        let creator = event.creator.as_ref().and_then(|creator| creator.email.as_deref());
        creator.is_some_and(|creator| address_key(creator) == address_key(&self.access.user.address))
    }

    /// Returns whether the reader sees more than busy times.
    pub(crate) fn sees_details(&self, found: &CalendarItem) -> bool {
        if self.access.busy_only {
            return false;
        }
        self.access.can_see_private() || !found.own.is_private()
    }

    /// Returns the URL of the page that shows the event.
    fn page_url(&self, found: &CalendarItem) -> String {
        let encode = |text: &str| utf8_percent_encode(text, RESERVED).to_string();
        let (calendar, id) = (encode(&self.access.calendar.id), encode(&found.id()));
        format!("{}/calendar/event?calendar={calendar}&event={id}", self.base)
    }
}

/// Returns whether a person has the address of a copy, and so is its owner.
fn is_self(person: &Person, own: &CopyData) -> bool {
    person.email.as_deref().is_some_and(|email| address_key(email) == own.address)
}

/// Returns the representation for readers who may only see busy times.
fn busy_event(found: &CalendarItem) -> Event {
    let shared = &found.shared;
    Event {
        status: shared.status.clone(),
        start: shared.start.clone(),
        end: shared.end.clone(),
        recurrence: shared.recurrence.clone(),
        original_start_time: shared.original_start_time.clone(),
        ical_uid: shared.ical_uid.clone(),
        visibility: found.own.visibility.as_deref().map(Into::into),
        transparency: found.own.transparency.as_deref().map(Into::into),
        ..Event::default()
    }
}
