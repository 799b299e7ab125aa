//! Organizers and attendees.

use std::collections::BTreeSet;

use calendar_server::types::{Attendee, Event, Person, ResponseStatus};

use super::super::component::Component;
use super::super::content::Property;
use super::super::losses::Losses;
use crate::content::address_key;

/// Maximum number of attendees of an event.
const MAX_ATTENDEES: usize = 200;

/// Reads the organizer and the attendees, without duplicates. Those without a mail address are recorded as losses.
pub(super) fn read(part: &Component, event: &mut Event, losses: &mut Losses) {
    if let Some(property) = part.property("ORGANIZER") {
        match address(property) {
            Some(address) => {
                let mut person = Person::default().with_email(address);
                person.display_name = name(property);
                event.organizer = Some(person);
            }
            None => losses.add(property.line, "ORGANIZER", "the organizer has no mail address"),
        }
    }
    let mut seen = BTreeSet::new();
    for property in part.properties.iter().filter(|property| property.name == "ATTENDEE") {
        let Some(address) = address(property) else {
            losses.add(property.line, "ATTENDEE", "the attendee has no mail address");
            continue;
        };
        if !seen.insert(address_key(&address)) {
            losses.add(property.line, "ATTENDEE", "duplicate attendee; the first one is used");
        } else if event.attendees.len() >= MAX_ATTENDEES {
            losses.add(property.line, "ATTENDEE", format!("an event can have at most {MAX_ATTENDEES} attendees"));
        } else {
            event.attendees.push(attendee(property, address, losses));
        }
    }
}

/// Converts an `ATTENDEE` property. An unknown response counts as none.
fn attendee(property: &Property, address: String, losses: &mut Losses) -> Attendee {
    let mut attendee = Attendee::default().with_email(address);
    attendee.display_name = name(property);
    let word = |name: &str| property.parameter(name).map(str::to_ascii_uppercase);
    if matches!(word("CUTYPE").as_deref(), Some("RESOURCE" | "ROOM")) {
        attendee.resource = Some(true);
    }
    match word("ROLE").as_deref() {
        Some("OPT-PARTICIPANT") => attendee.optional = Some(true),
        Some("REQ-PARTICIPANT" | "CHAIR") | None => {}
        Some(other) => losses.add(property.line, "ATTENDEE", format!("the role `{other}` is not kept")),
    }
    attendee.response_status = Some(parse_status(word("PARTSTAT").as_deref()).unwrap_or_else(|other| {
        losses.add(property.line, "ATTENDEE", format!("unknown response `{other}`, kept as no response"));
        ResponseStatus::NeedsAction
    }));
    let guests = property.parameter("X-NUM-GUESTS").and_then(|number| number.parse::<i32>().ok());
    attendee.additional_guests = guests.filter(|number| *number > 0);
    attendee.comment = property.parameter("X-RESPONSE-COMMENT").map(str::to_owned);
    attendee
}

/// Returns the response status for a participation status, or the unknown value.
fn parse_status(word: Option<&str>) -> Result<ResponseStatus, String> {
    match word {
        Some("NEEDS-ACTION") | None => Ok(ResponseStatus::NeedsAction),
        Some("ACCEPTED") => Ok(ResponseStatus::Accepted),
        Some("DECLINED") => Ok(ResponseStatus::Declined),
        Some("TENTATIVE") => Ok(ResponseStatus::Tentative),
        Some(other) => Err(other.chars().take(40).collect()),
    }
}

/// Returns the display name of a person, truncated to 200 characters; `None` if it is missing or empty.
fn name(property: &Property) -> Option<String> {
    property.parameter("CN").map(|name| name.chars().take(200).collect::<String>()).filter(|name| !name.is_empty())
}

/// Returns the mail address of a person.
fn address(property: &Property) -> Option<String> {
    let value = property.value.trim();
    let scheme = value.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
    let stated = scheme.and_then(|_| value.get(7..)).or_else(|| property.parameter("EMAIL"));
    let stated = stated.or(Some(value)).map(str::trim);
    stated.filter(|address| is_address(address)).map(str::to_owned)
}

/// Returns whether a text is an email address, at most 254 bytes long.
fn is_address(address: &str) -> bool {
    let fits = |part: &str| {
        !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c.is_control() || "<>,;:\"".contains(c))
    };
    address.len() <= 254
        && address.split_once('@').is_some_and(|(user, host)| fits(user) && fits(host) && !host.contains('@'))
}
