//! Invitations and cancellations.

use calendar_server::types::EventStatus;

use super::super::component::parse_calendars;
use super::super::content::Property;
use super::super::losses::Losses;
use super::{ParsedEvent, parse_calendar};

/// Maximum number of events of a mail.
const MAX_EVENTS: usize = 200;

/// Parses the events of calendars with the method `REQUEST`, and as cancelled events those with the method `CANCEL`.
/// Times without a zone are in `zone`.
pub(crate) fn parse_requests(bytes: &[u8], zone: &str) -> Vec<ParsedEvent> {
    let (mut losses, mut room) = (Losses::default(), MAX_EVENTS);
    let mut events = Vec::new();
    for component in parse_calendars(bytes, &mut losses) {
        let cancels = match component.property("METHOD").map(Property::upper_case_value).as_deref() {
            Some("REQUEST") => false,
            Some("CANCEL") => true,
            _ => continue,
        };
        for mut read in parse_calendar(&component, zone, &mut room, &mut losses) {
            if cancels {
                read.event.status = Some(EventStatus::Cancelled);
            }
            events.push(read);
        }
    }
    events
}
