//! Replies of guests.

use calendar_server::types::{Attendee, Event, EventDateTime};

use super::super::component::parse_calendars;
use super::super::content::Property;
use super::super::losses::Losses;
use super::super::zones::Zones;
use super::{CalendarContext, people, times};

/// Reply of a guest.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) uid: String,
    pub(crate) sequence: i32,
    /// Original start of the instance that the reply is about.
    pub(crate) instance: Option<EventDateTime>,
    pub(crate) attendee: Attendee,
}

/// Parses the replies of calendars with the method `REPLY`, each of one guest.
pub(crate) fn parse_replies(bytes: &[u8]) -> Vec<Reply> {
    let mut losses = Losses::default();
    let mut replies = Vec::new();
    for calendar in parse_calendars(bytes, &mut losses) {
        if calendar.property("METHOD").map(Property::upper_case_value).as_deref() != Some("REPLY") {
            continue;
        }
        let context = CalendarContext { zones: Zones::read(&calendar, &mut losses), zone: "UTC" };
        for part in calendar.components.iter().filter(|part| part.name == "VEVENT") {
            let mut event = Event::default();
            people::read(part, &mut event, &mut losses);
            let instance = part.property("RECURRENCE-ID").map(|id| times::read_time(id, &context, &mut losses));
            let sequence = part.value("SEQUENCE").map_or(Some(0), |number| number.parse().ok());
            let (Some(uid), Some(sequence), [attendee]) = (part.property("UID"), sequence, &mut *event.attendees)
            else {
                continue;
            };
            let mut attendee = std::mem::take(attendee);
            attendee.comment = attendee.comment.or_else(|| part.property("COMMENT").map(Property::text));
            attendee.comment = attendee.comment.map(|comment| comment.chars().take(1_000).collect());
            // Ignores replies about an invalid instance.
            if instance.as_ref().is_none_or(Option::is_some) {
                let (uid, instance) = (uid.text().trim().to_owned(), instance.flatten());
                replies.push(Reply { uid, sequence, instance, attendee });
            }
        }
    }
    replies
}
