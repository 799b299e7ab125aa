//! Mail with a calendar part.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use calendar_server::types::{EventDateTime, Person};
use wireform_recurrence::jiff::Timestamp;
use wireform_recurrence::jiff::tz::TimeZone;

use crate::times;

/// Mail under construction.
#[derive(Debug)]
pub(super) struct Mail<'a> {
    pub(super) from: &'a Person,
    pub(super) to: &'a Person,
    pub(super) subject: String,
    pub(super) text: String,
    /// iTIP method of the calendar, such as `REQUEST`.
    pub(super) method: &'static str,
    pub(super) calendar: String,
    pub(super) now: Timestamp,
}

impl Mail<'_> {
    /// Returns the mail in its wire format.
    pub(super) fn compose(&self) -> Vec<u8> {
        let id = format!("{:032x}", rand::random::<u128>());
        let boundary = format!("=_{:032x}", rand::random::<u128>());
        let (from, to, subject) = (format_mailbox(self.from), format_mailbox(self.to), words(&self.subject));
        let date = self.now.strftime("%a, %d %b %Y %H:%M:%S +0000");
        let calendar = format!("text/calendar; charset=UTF-8; method={}; component=VEVENT", self.method);
        let head = format!(
            "From: {from}\r\nTo: {to}\r\nSubject: {subject}\r\nDate: {date}\r\nMessage-ID: <{id}@wireform.invalid>\r\n\
             MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=\"{boundary}\"\r\n\r\n"
        );
        let mut raw = head.into_bytes();
        for (kind, body) in [("text/plain; charset=UTF-8", &self.text), (&*calendar, &self.calendar)] {
            let part = format!("--{boundary}\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n\r\n");
            raw.extend(part.into_bytes());
            for line in STANDARD.encode(body).as_bytes().chunks(76) {
                raw.extend(line);
                raw.extend(b"\r\n");
            }
        }
        raw.extend(format!("--{boundary}--\r\n").into_bytes());
        raw
    }
}

/// Returns whether an address is valid in a mail header.
pub(super) fn is_address(address: &str) -> bool {
    let fits =
        |part: &str| !part.is_empty() && !part.contains(|c: char| !c.is_ascii_graphic() || "<>,;:()\"\\".contains(c));
    address.len() <= 254 && address.split_once('@').is_some_and(|(user, host)| fits(user) && fits(host))
}

/// Formats a person for an address header, such as `From`.
fn format_mailbox(person: &Person) -> String {
    let address = person.email.as_deref().unwrap_or_default();
    match person.display_name.as_deref().filter(|name| !name.is_empty()) {
        Some(name) => format!("{} <{address}>", words(&name.chars().take(100).collect::<String>())),
        None => address.to_owned(),
    }
}

/// Encodes text for a header (RFC 2047), including line ends.
fn words(text: &str) -> String {
    let is_plain = text.len() < 60 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" .-".contains(&byte));
    if is_plain && !text.is_empty() {
        return text.to_owned();
    }
    let mut words = Vec::new();
    let mut word = String::new();
    for character in text.chars() {
        if word.len() + character.len_utf8() > 42 {
            words.push(std::mem::take(&mut word));
        }
        word.push(character);
    }
    words.push(word);
    let words: Vec<String> = words.iter().map(|word| format!("=?UTF-8?B?{}?=", STANDARD.encode(word))).collect();
    words.join("\r\n ")
}

/// Formats a time for people, in a zone.
pub(super) fn format_time(time: &EventDateTime, zone: &TimeZone) -> String {
    if let Some(date) = time.date {
        return date.to_civil().strftime("%A, %-d %B %Y").to_string();
    }
    let zone = time.time_zone.as_deref().map_or_else(|| zone.clone(), times::zone_by_name);
    let second = times::second_of(time, &zone).unwrap_or_default();
    let shown = times::timestamp(second).to_zoned(zone);
    shown.strftime("%A, %-d %B %Y, %H:%M (%Z)").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_no_lines_of_others() {
        assert_eq!(words("Lunch at 3"), "Lunch at 3");
        for text in ["", "a\r\nBcc: x@example.com", "Gr\u{fc}\u{df}e", "=?x?="] {
            let words = words(text);
            assert!(words.starts_with("=?UTF-8?B?") && !words.contains("Bcc"), "{words}");
        }
        assert!(words(&"\u{1f600}".repeat(100)).split("\r\n ").all(|word| word.len() <= 75));
        for address in ["a@b\r\nBcc: c@d", "a b@c", "a@", "@b", "<a@b>", "a@b,c@d"] {
            assert!(!is_address(address), "{address}");
        }
        assert!(is_address("ana@example.com"));
    }
}
