//! Filter of listed events.

use std::collections::BTreeSet;

use calendar_server::runtime::ErrorLocation;
use calendar_server::types::{Event, EventStatus, OrderBy};
use calendar_server::{Error, requests};
use wireform_store::{Calendar, EntryState, Millis};

use crate::error;
use crate::view::CalendarItem;

/// Order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Id,
    Update,
    Start,
}

/// Filter and order of listed events.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    pub(super) order: Order,
    /// True if series are expanded into instances.
    pub(super) single: bool,
    pub(super) deleted: bool,
    pub(super) hidden: bool,
    /// Lower bound of the end of events, exclusive, in seconds.
    pub(super) from: Option<i64>,
    /// Upper bound of the start of events, exclusive, in seconds.
    pub(super) to: Option<i64>,
    /// Time up to which instances are listed.
    pub(super) horizon: i64,
    pub(super) updated_min: Option<Millis>,
    pub(super) uid: Option<String>,
    types: BTreeSet<String>,
    words: Vec<String>,
    private: Vec<(String, String)>,
    shared: Vec<(String, String)>,
}

impl Filter {
    /// Creates the filter of a request.
    pub(super) fn from_request(request: &requests::EventsList, horizon: i64) -> Result<Self, Error> {
        let second = |time: Option<calendar_server::runtime::wireform_runtime::DateTime>, up: bool| {
            let instant = time.and_then(|time| time.to_timestamp())?;
            Some(instant.as_second() + i64::from(up && instant.subsec_nanosecond() > 0))
        };
        let from = second(request.time_min, false);
        let to = second(request.time_max, true);
        let updated_min = request.updated_min.and_then(|time| time.to_timestamp());
        let updated_min = updated_min.map(|instant| Millis(instant.as_millisecond()));
        let single = request.single_events.unwrap_or(false);
        let by_update = updated_min.is_some() || request.order_by == Some(OrderBy::Updated);
        let order = match () {
            () if request.order_by == Some(OrderBy::StartTime) => Order::Start,
            () if by_update => Order::Update,
            () if request.ical_uid.is_some() && request.order_by.is_none() => Order::Id,
            () if single || from.is_some() || to.is_some() => Order::Start,
            () => Order::Id,
        };
        Ok(Self {
            order,
            single,
            deleted: request.show_deleted.unwrap_or(false),
            hidden: request.show_hidden_invitations.unwrap_or(false),
            from,
            to,
            horizon: to.unwrap_or(horizon),
            updated_min,
            uid: request.ical_uid.clone(),
            types: request.event_types.iter().map(ToString::to_string).collect(),
            words: request
                .q
                .iter()
                .flat_map(|q| q.to_lowercase().split_whitespace().map(str::to_owned).collect::<Vec<_>>())
                .collect(),
            private: split_properties(&request.private_extended_property),
            shared: split_properties(&request.shared_extended_property),
        })
    }

    /// Creates the filter of all events in a time range, by start, with instances of series.
    pub(super) fn of_range(from: i64, to: i64) -> Self {
        Self {
            order: Order::Start,
            single: true,
            deleted: false,
            hidden: false,
            from: Some(from),
            to: Some(to),
            horizon: to,
            updated_min: None,
            uid: None,
            types: BTreeSet::new(),
            words: Vec::new(),
            private: Vec::new(),
            shared: Vec::new(),
        }
    }

    /// Returns the time up to which instances are listed, if they are.
    pub(super) fn list_horizon(&self) -> i64 {
        if self.single { self.horizon } else { 0 }
    }

    /// Checks that deletions since `updatedMin` are still recorded.
    pub(super) fn require_recorded_deletions(&self, calendar: &Calendar) -> Result<(), Error> {
        match self.updated_min {
            Some(since) if since <= calendar.pruned_until => {
                let message = "deletions since `updatedMin` are no longer available; list without it";
                Err(Error::gone(message)
                    .with_reason("updatedMinTooLongAgo")
                    .with_location(ErrorLocation::Parameter("updatedMin".into())))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether an event may be listed, as far as that is known without its representation.
    pub(super) fn may_match(&self, found: &CalendarItem) -> bool {
        let uid = self.uid.as_ref().is_none_or(|uid| *uid == found.entry.uid);
        let updated = self.updated_min.is_none_or(|since| found.entry.updated >= since);
        uid && updated && self.is_listed(found) && self.has_requested_type(found)
    }

    /// Returns whether removed events are listed: if requested, or in a list of events updated since a time.
    pub(super) fn lists_removed(&self) -> bool {
        self.deleted || self.updated_min.is_some()
    }

    /// Returns whether the list is a text search.
    pub(super) fn is_search(&self) -> bool {
        !self.words.is_empty()
    }

    /// Returns whether an event has a requested type.
    pub(super) fn has_requested_type(&self, found: &CalendarItem) -> bool {
        self.types.is_empty() || self.types.contains(&found.shared.event_type_or_default().to_string())
    }

    /// Returns whether the state of an event allows listing it. Cancelled instances of an existing series are listed
    /// next to it; deleted events if requested, or if deleted since a given time.
    fn is_listed(&self, found: &CalendarItem) -> bool {
        let is_exception = found.series_id().is_some() && found.instance.is_none() && found.entry.removed.is_none();
        match found.entry.state {
            EntryState::Orphaned => false,
            EntryState::Hidden => self.hidden || self.lists_removed() || (is_exception && !self.single),
            _ if !found.is_gone() => true,
            _ => self.lists_removed() || (is_exception && !self.single),
        }
    }

    /// Returns whether a time overlaps the requested range.
    pub(super) fn overlaps(&self, first: i64, last: i64) -> bool {
        self.from.is_none_or(|from| last > from) && self.to.is_none_or(|to| first < to)
    }

    /// Returns whether the representation of an event matches the filter.
    pub(super) fn matches(&self, event: &Event) -> bool {
        if self.words.is_empty() && self.private.is_empty() && self.shared.is_empty() {
            return true;
        }
        if event.status == Some(EventStatus::Cancelled) && event.start.is_none() {
            return false;
        }
        let none = calendar_server::types::ExtendedProperties::default();
        let properties = event.extended_properties.as_ref().unwrap_or(&none);
        let has = |wanted: &[(String, String)], held: &std::collections::BTreeMap<String, String>| {
            wanted.iter().all(|(name, value)| held.get(name) == Some(value))
        };
        has(&self.private, &properties.private) && has(&self.shared, &properties.shared) && self.contains_words(event)
    }

    /// Returns whether every word occurs in the title, description, location, working location or people.
    fn contains_words(&self, event: &Event) -> bool {
        let texts = || searched_texts(event).into_iter().flatten().map(|text| text.to_lowercase()).collect::<Vec<_>>();
        self.words.is_empty() || {
            let texts = texts();
            self.words.iter().all(|word| texts.iter().any(|text| text.contains(word.as_str())))
        }
    }
}

/// Splits the requested extended properties, `name=value`; others are ignored.
fn split_properties(texts: &[String]) -> Vec<(String, String)> {
    texts
        .iter()
        .filter_map(|text| text.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Returns the texts of an event that searches read.
fn searched_texts(event: &Event) -> Vec<Option<&String>> {
    let mut texts = vec![event.summary.as_ref(), event.description.as_ref(), event.location.as_ref()];
    if let Some(organizer) = &event.organizer {
        texts.extend([organizer.email.as_ref(), organizer.display_name.as_ref()]);
    }
    for attendee in &event.attendees {
        texts.extend([attendee.email.as_ref(), attendee.display_name.as_ref()]);
    }
    if let Some(place) = &event.working_location_properties {
        texts.push(place.custom_location.as_ref().and_then(|custom| custom.label.as_ref()));
        if let Some(office) = &place.office_location {
            let parts =
                [&office.label, &office.building_id, &office.desk_id, &office.floor_id, &office.floor_section_id];
            texts.extend(parts.map(Option::as_ref));
        }
    }
    texts
}

/// Parses the time in a parameter: a date, or a date-time with an offset.
pub(super) fn second_of(
    name: &'static str,
    text: &str,
    zone: &wireform_recurrence::jiff::tz::TimeZone,
) -> Result<i64, Error> {
    let mut time = calendar_server::types::EventDateTime::default();
    if text.len() == 10 {
        time.date = text.parse().ok();
    } else {
        time.date_time = text.parse().ok();
    }
    let second = crate::times::second_of(&time, zone);
    second.ok_or_else(|| {
        error::invalid_parameter(name, format!("invalid value `{text}`, expected a date or a date-time"))
    })
}
