//! Text part of a mail.

use calendar_server::types::{Attendee, Event, Person};
use wireform_recurrence::jiff::tz::TimeZone;

use super::{MailKind, mail};
use crate::ics::write::participation_status;

/// Returns the subject of a mail about events with the same `UID`.
pub(super) fn subject(kind: MailKind, events: &[Event], guest: &Attendee) -> String {
    let title = events.first().map_or("", title);
    let what = match kind {
        MailKind::Invitation => "Invitation",
        MailKind::Update => "Updated invitation",
        MailKind::Cancellation => "Cancelled",
        MailKind::Reply => match participation_status(guest) {
            "ACCEPTED" => "Accepted",
            "DECLINED" => "Declined",
            "TENTATIVE" => "Tentative",
            _ => "Not decided",
        },
    };
    format!("{what}: {title}")
}

/// Returns the text of a mail about events with the same `UID`.
pub(super) fn text(kind: MailKind, events: &[Event], from: &Person, zone: &TimeZone) -> String {
    let name = from.display_name.as_deref().or(from.email.as_deref()).unwrap_or_default();
    let what = match kind {
        MailKind::Invitation => "invites you to an event.",
        MailKind::Update => "has changed an event that you are invited to.",
        MailKind::Cancellation => "has cancelled an event, or you are no longer invited.",
        MailKind::Reply => "has responded to your invitation.",
    };
    let mut lines = vec![format!("{name} {what}")];
    for event in events {
        lines.push(String::new());
        lines.extend(event_details(kind, event, zone));
    }
    lines.join("\n")
}

/// Returns the lines about an event; in a reply with the response instead of the description.
fn event_details(kind: MailKind, event: &Event, zone: &TimeZone) -> Vec<String> {
    let mut lines = vec![title(event).to_owned()];
    for (label, time) in [("Start", &event.start), ("End", &event.end)] {
        if let Some(time) = time {
            lines.push(format!("{label}: {}", mail::format_time(time, zone)));
        }
    }
    lines.extend(event.recurrence.iter().map(|rule| format!("Recurs: {rule}")));
    lines.extend(event.location.iter().map(|place| format!("Place: {place}")));
    if kind == MailKind::Reply {
        let guest = event.attendees.first();
        lines.extend(guest.map(|guest| format!("Response: {}", participation_status(guest).to_lowercase())));
        lines.extend(guest.and_then(|guest| guest.comment.as_ref()).map(|comment| format!("Comment: {comment}")));
    } else {
        lines.extend(event.description.iter().flat_map(|text| [String::new(), text.clone()]));
    }
    lines
}

/// Returns the title of an event, or a placeholder.
fn title(event: &Event) -> &str {
    event.summary.as_deref().unwrap_or("(no title)")
}
