//! Mail to be sent: its recipients, and the headers that the server adds.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mail_parser::DateTime;
use wireform_store::Millis;

use super::fields::Fields;
use super::structure::MAX_FIELDS;

/// Maximum number of recipients of a mail.
const MAX_RECIPIENTS: usize = 50;

/// Mail that is ready to be delivered.
#[derive(Debug)]
pub(crate) struct OutgoingMail {
    /// Distinct addresses of the recipients.
    pub(crate) recipients: Vec<String>,
    /// Mail for the recipients, without hidden ones.
    pub(crate) delivered: Vec<u8>,
    /// Mail as the sender keeps it.
    pub(crate) copy: Vec<u8>,
}

/// Reason why a mail cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SendError {
    #[error("`From` must be the address of the user, `{0}`")]
    Sender(String),
    #[error("the message has no recipient: expected an address in `To`, `Cc` or `Bcc`")]
    NoRecipient,
    #[error("a message can have at most {MAX_RECIPIENTS} recipients")]
    TooManyRecipients,
    #[error("the headers of the message cannot be parsed")]
    Unreadable,
}

/// Returns a mail with the headers `From`, `Date` and `Message-ID`, which are added if they are missing.
pub(crate) fn prepare_outgoing(raw: Vec<u8>, sender: &str, now: Millis) -> Result<OutgoingMail, SendError> {
    // The input is untrusted and the parser is large.
    let read = catch_unwind(AssertUnwindSafe(|| read(&raw, sender)));
    let (recipients, missing) = read.map_err(|_| SendError::Unreadable)??;
    let copy = if missing.is_empty() {
        raw
    } else {
        let mut copy = headers(&missing, sender, now).into_bytes();
        copy.extend(raw);
        copy
    };
    Ok(OutgoingMail { recipients, delivered: without_hidden_recipients(&copy), copy })
}

/// Returns the recipients of a mail, and the names of headers that are missing.
fn read(raw: &[u8], sender: &str) -> Result<(Vec<String>, Vec<&'static str>), SendError> {
    let mut room = MAX_FIELDS;
    let (fields, _) = Fields::read(raw, &mut room);
    let authors = fields.mailboxes("from");
    if fields.text("from").is_some() && !matches!(&*authors, [author] if author.eq_ignore_ascii_case(sender)) {
        return Err(SendError::Sender(sender.to_owned()));
    }
    let mut recipients: Vec<String> = ["to", "cc", "bcc"].iter().flat_map(|name| fields.mailboxes(name)).collect();
    recipients.sort_unstable();
    recipients.dedup();
    match recipients.len() {
        0 => return Err(SendError::NoRecipient),
        1..=MAX_RECIPIENTS => {}
        _ => return Err(SendError::TooManyRecipients),
    }
    let missing = ["From", "Date", "Message-ID"].into_iter().filter(|name| fields.text(&name.to_lowercase()).is_none());
    Ok((recipients, missing.collect()))
}

/// Returns the lines of headers that are missing.
fn headers(missing: &[&str], sender: &str, now: Millis) -> String {
    let line = |name: &&str| match *name {
        "From" => format!("From: {sender}\r\n"),
        "Date" => format!("Date: {}\r\n", DateTime::from_timestamp(now.0.div_euclid(1_000)).to_rfc822()),
        _ => {
            let domain = sender.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
            format!("Message-ID: <{:032x}@{domain}>\r\n", rand::random::<u128>())
        }
    };
    missing.iter().map(line).collect()
}

/// Returns a mail without the header `Bcc`.
fn without_hidden_recipients(raw: &[u8]) -> Vec<u8> {
    let (mut kept, mut in_head, mut is_hidden) = (Vec::with_capacity(raw.len()), true, false);
    for line in raw.split_inclusive(|byte| *byte == b'\n') {
        if in_head {
            // A line of spaces continues the previous one, too.
            in_head = !matches!(line, b"\r\n" | b"\n");
            // A line that begins with a space continues the previous one.
            if !line.starts_with(b" ") && !line.starts_with(b"\t") {
                is_hidden = is_bcc(line);
            }
        }
        if !(in_head && is_hidden) {
            kept.extend_from_slice(line);
        }
    }
    kept
}

/// Returns whether a line begins a header `Bcc`; spaces may precede the colon.
fn is_bcc(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    name.trim_ascii_end().eq_ignore_ascii_case(b"bcc")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_recipients_are_removed_from_the_head_only() {
        let raw = b"To: a\r\nBCC : b,\r\n \r\n c\r\nbcc: d\r\nSubject: x\r\n\r\nBcc: text\r\n";
        assert_eq!(without_hidden_recipients(raw), b"To: a\r\nSubject: x\r\n\r\nBcc: text\r\n");
    }

    #[test]
    fn only_missing_headers_are_added() {
        let raw = b"from: Ana <ANA@example.com>\r\nTo: ben@example.com\r\nMessage-Id: <1@example.com>\r\n\r\nHi";
        let mail = prepare_outgoing(raw.to_vec(), "ana@example.com", Millis(0)).unwrap();
        assert_eq!(mail.recipients, ["ben@example.com"]);
        let text = String::from_utf8(mail.copy).unwrap();
        assert!(text.starts_with("Date: Thu, 1 Jan 1970 00:00:00") && text.matches(": ").count() == 4, "{text}");
    }
}
