//! Events of a file with the same UID: a single event, or a series with its exceptions.

use std::collections::{BTreeMap, BTreeSet};

use calendar_server::types::{Event, EventType};
use calendar_server::validation::Validate as _;
use calendar_server::{Error, requests};
use wireform_store::{EntryState, EventRef, EventWrite, NewEntry, Store};

use super::{IcsReport, Origin};
use crate::CalendarService;
use crate::caller::Access;
use crate::content::{CopyData, is_cancelled, parse_shared, serialize_shared, strip_computed};
use crate::error;
use crate::ics::Losses;
use crate::ics::read::ParsedEvent;
use crate::times;
use crate::write::draft::EventCopy;
use crate::write::{Notify, change, checks, entries, exceptions};

/// Events with the same UID.
#[derive(Debug)]
pub(super) struct Group {
    /// File that they come from.
    pub(super) file: String,
    pub(super) uid: String,
    pub(super) main: Option<ParsedEvent>,
    pub(super) exceptions: Vec<ParsedEvent>,
}

/// Groups events by UID. Of duplicates, the newer one is kept.
pub(super) fn groups(file: &str, events: Vec<ParsedEvent>, report: &mut IcsReport) -> Vec<Group> {
    let mut order: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<ParsedEvent>> = Vec::new();
    for read in events {
        let uid = read.event.ical_uid.clone().unwrap_or_default();
        let at = *order.entry(uid).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(read);
    }
    groups.into_iter().map(|events| to_group(file, events, report)).collect()
}

/// Collects the events of a UID into a group: the main event and its exceptions, each in its newest version.
fn to_group(file: &str, mut events: Vec<ParsedEvent>, report: &mut IcsReport) -> Group {
    events.sort_by_key(|read| std::cmp::Reverse(read.event.sequence));
    let name = |read: &ParsedEvent| match &read.event.original_start_time {
        None => String::new(),
        Some(time) => times::second_of(time, &times::zone_by_name("UTC")).unwrap_or_default().to_string(),
    };
    let (events, older) = dedupe(events, name);
    for read in older {
        report.losses.add(read.line, "VEVENT", "duplicate event; the newer one is used");
        report.omitted += 1;
    }
    let uid = events.first().and_then(|read| read.event.ical_uid.clone()).unwrap_or_default();
    let (mut mains, exceptions): (Vec<ParsedEvent>, Vec<ParsedEvent>) =
        events.into_iter().partition(|read| read.event.original_start_time.is_none());
    Group { file: file.to_owned(), uid, main: mains.pop(), exceptions }
}

/// Checks an imported event.
pub(super) fn check(event: &Event) -> Result<(), Error> {
    let mut request = requests::EventsImport::new("primary", event.clone());
    // Creation and update times are not part of an import.
    request.body.created = None;
    request.body.attendees_omitted = None;
    match request.validate() {
        Ok(_) => Ok(()),
        Err(violations) => Err(error::invalid("event", violations.to_string())),
    }
}

impl Group {
    /// Returns the number of events, including exceptions.
    pub(super) fn len(&self) -> usize {
        self.exceptions.len() + usize::from(self.main.is_some())
    }

    /// Converts instances of an unknown series into events of their own.
    pub(super) fn into_single_events(self, losses: &mut Losses) -> Vec<Self> {
        let Self { file, uid, exceptions, .. } = self;
        let single = |mut read: ParsedEvent| {
            losses.add(read.line, "RECURRENCE-ID", "its series is missing; the instance is kept as a single event");
            let uid = format!("{uid}/{}", exceptions::suffix(&read.event));
            read.event.original_start_time = None;
            read.event.ical_uid = Some(uid.clone());
            Self { file: file.clone(), uid, main: Some(read), exceptions: Vec::new() }
        };
        exceptions.into_iter().map(single).collect()
    }

    /// Returns the write of new events, and the exceptions that cannot be stored, by their lines.
    pub(super) async fn to_write<S: Store>(
        &self,
        service: &CalendarService<S>,
        access: &Access,
        origin: Origin,
    ) -> Result<(EventWrite, Vec<(usize, String)>), Error> {
        let Some(main) = &self.main else { return Ok((EventWrite::default(), Vec::new())) };
        let mut event = main.event.clone();
        check(&event)?;
        event.private_copy = Some(true);
        let from_mail = origin == Origin::Mail;
        event.event_type = from_mail.then_some(EventType::FromMail);
        let (uid, created) = (event.ical_uid.clone().unwrap_or_default(), event.created);
        let (id, mut write) = service.prepare_insert(access, event, Notify::Nobody).await?;
        write.new_uids.push((access.calendar.number, uid));
        if let Some(body) = write.new_events.first_mut() {
            let mut shared = parse_shared(body)?;
            shared.created = created.or(shared.created);
            shared.locked = from_mail.then_some(true);
            *body = serialize_shared(&shared)?;
        }
        let mut refused = Vec::new();
        for read in &self.exceptions {
            if let Err(error) = self.add_exception(service, access, &id, read, &mut write).await {
                refused.push((read.line, error.message().to_owned()));
            }
        }
        Ok((write, refused))
    }

    /// Adds an exception of the series being stored.
    async fn add_exception<S: Store>(
        &self,
        service: &CalendarService<S>,
        access: &Access,
        series: &str,
        read: &ParsedEvent,
        write: &mut EventWrite,
    ) -> Result<(), Error> {
        let of = || error::invalid("recurrence", "the event is an instance of an event that does not recur");
        let (body, entry) = write.new_events.first().zip(write.entries.first()).ok_or_else(of)?;
        let (parent, series_data) = (parse_shared(body)?, CopyData::parse(&entry.own)?);
        let (zone, user) = (&access.calendar.time_zone, Some(access.user.mailbox));
        let suffix = service.instance_suffix(zone, &entry.kind, &read.event, user).await?;
        let mut event = read.event.clone();
        check(&event)?;
        let own = inherit(access, &mut event, &parent, &series_data)?;
        service.check_conference(&Event::default(), &mut event).await?;
        let now = service.clock.now();
        let copy = EventCopy {
            calendar: access.calendar.number,
            id: format!("{series}_{suffix}"),
            entry: None,
            series: Some(series.to_owned()),
            own,
            state: if is_cancelled(&event) { EntryState::Cancelled } else { EntryState::Present },
            updated: now,
        };
        let (kind, span) = entries::single_kind_and_span(&event, &copy)?;
        if copy.own.restricts(&series_data) {
            for entry in &mut write.entries {
                entry.own = copy.own.share_visibility(&entry.own)?;
            }
        }
        write.entries.push(NewEntry {
            calendar: copy.calendar,
            id: copy.id,
            replaces: None,
            event: EventRef::New(write.new_events.len()),
            updated: now,
            state: copy.state,
            removed: None,
            uid: self.uid.clone(),
            kind,
            span,
            own: copy.own.serialize()?,
        });
        write.new_events.push(serialize_shared(&event)?);
        Ok(())
    }
}

/// Adds inherited data of the series to an exception; returns the data of its copy.
fn inherit(access: &Access, event: &mut Event, parent: &Event, series: &CopyData) -> Result<CopyData, Error> {
    let mut own = CopyData { reminders: BTreeMap::new(), ..series.clone() };
    own.set_reminders(access.user.mailbox, event.reminders.take())?;
    own.extract_from(event);
    own.limit_visibility(series);
    let created = event.created;
    strip_computed(event);
    event.created = created.or(parent.created);
    event.creator.clone_from(&parent.creator);
    event.organizer = event.organizer.take().or_else(|| parent.organizer.clone());
    event.private_copy = Some(true);
    event.event_type.clone_from(&parent.event_type);
    event.locked = parent.locked;
    change::normalize(event, &mut own);
    checks::check(event, &own, &access.calendar.time_zone)?;
    Ok(own)
}

/// Splits items into the first one for each key and the duplicates.
fn dedupe<T>(items: Vec<T>, key: impl Fn(&T) -> String) -> (Vec<T>, Vec<T>) {
    let mut seen = BTreeSet::new();
    items.into_iter().partition(|item| seen.insert(key(item)))
}
