//! Mail that scripts send (RFC 5322, RFC 2045, RFC 2047).

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;
use wireform_store::Millis;

use super::text;
use crate::arguments::Arguments;
use crate::people::domain;

/// A message of a script.
pub(super) struct Mail<'a> {
    pub(super) arguments: &'a Arguments,
    /// The address of the sender.
    pub(super) from: &'a str,
    /// The `Message-ID` of the message that this one replies to.
    pub(super) parent: Option<&'a str>,
    /// What makes its `Message-ID` one of its own.
    pub(super) id: u128,
    /// When it is written.
    pub(super) now: Millis,
}

impl Mail<'_> {
    /// Returns the bytes of the message; the copy of the sender names the hidden recipients.
    pub(super) fn compose(&self, own: bool) -> Result<Vec<u8>, String> {
        let mut head = String::new();
        let name = self.arguments.optional("from_name");
        let from = name.map_or_else(|| self.from.to_owned(), |name| format!("{} <{}>", phrase(name), self.from));
        header(&mut head, "From", &from);
        for (field, argument) in [("To", "to"), ("Cc", "cc"), ("Bcc", "bcc"), ("Reply-To", "reply_to")] {
            let list = self.arguments.optional(argument).filter(|_| own || argument != "bcc");
            if let Some(list) = list {
                header(&mut head, field, &addresses(list).join(",\r\n "));
            }
        }
        let date = Timestamp::from_millisecond(self.now.0).unwrap_or_default().to_zoned(TimeZone::UTC);
        if let Ok(date) = jiff::fmt::rfc2822::to_string(&date) {
            header(&mut head, "Date", &date);
        }
        // Replies name it, and stay in the conversation.
        header(&mut head, "Message-ID", &format!("<{:032x}@{}>", self.id, domain(self.from)));
        header(&mut head, "Subject", &word(self.arguments.optional("subject").unwrap_or_default()));
        if let Some(parent) = self.parent {
            header(&mut head, "In-Reply-To", &clean(parent));
            header(&mut head, "References", &clean(parent));
        }
        header(&mut head, "MIME-Version", "1.0");
        Ok(format!("{head}{}", self.content()?).into_bytes())
    }

    fn content(&self) -> Result<String, String> {
        let base64 = |text: &str| STANDARD.encode(text);
        let body = self.arguments.optional("body").unwrap_or_default();
        let plain = part("text/plain; charset=utf-8", "", &base64(body));
        let content = match self.arguments.optional("html_body") {
            Some(html) => multipart("alternative", &[plain, part("text/html; charset=utf-8", "", &base64(html))]),
            None => plain,
        };
        let attachments = self.arguments.value("attachments");
        let attachments = attachments.as_array().map(Vec::as_slice).unwrap_or_default();
        if attachments.is_empty() {
            return Ok(content);
        }
        let mut parts = vec![content];
        for one in attachments {
            parts.push(attachment(one)?);
        }
        Ok(multipart("mixed", &parts))
    }
}

/// Returns a message without its hidden recipients.
pub(super) fn without_hidden(raw: &[u8]) -> Vec<u8> {
    let (mut kept, mut in_head, mut is_hidden) = (Vec::with_capacity(raw.len()), true, false);
    for line in raw.split_inclusive(|byte| *byte == b'\n') {
        if in_head {
            in_head = !line.trim_ascii().is_empty();
            // A line that begins with a space goes on with the one before.
            if !line.starts_with(b" ") && !line.starts_with(b"\t") {
                is_hidden = line.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"bcc:"));
            }
        }
        if !(in_head && is_hidden) {
            kept.extend_from_slice(line);
        }
    }
    kept
}

fn attachment(one: &Value) -> Result<String, String> {
    let kind = text(one, "content_type").unwrap_or("application/octet-stream");
    let token = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    if !kind.split_once('/').is_some_and(|(main, sub)| token(main) && token(sub)) {
        return Err(format!("`{kind}` is no media type of an attachment"));
    }
    let name = word(&text(one, "name").unwrap_or("attachment").replace(['"', '\\'], "_"));
    let data = text(one, "data_base64").unwrap_or_default();
    // What is no base64 could end its part.
    STANDARD.decode(data).map_err(|_| "the data of an attachment is no base64".to_owned())?;
    Ok(part(kind, &format!("Content-Disposition: attachment; filename=\"{name}\"\r\n"), data))
}

fn header(head: &mut String, name: &str, value: &str) {
    // Writing to a string does not fail.
    let _ = write!(head, "{name}: {value}\r\n");
}

/// Returns a text on one line without control characters.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// Returns the addresses of a list without the names before them.
pub(super) fn addresses(list: &str) -> Vec<String> {
    let address = |one: &str| {
        let one = clean(one);
        let bare = one.rsplit_once('<').map_or(one.as_str(), |(_, rest)| rest.split('>').next().unwrap_or(rest));
        bare.trim().to_owned()
    };
    // A comma within the quoted name of a person leaves a piece without an address.
    list.split([',', ';']).map(address).filter(|address| address.contains('@') && address.is_ascii()).collect()
}

/// Returns a text for a header: as it is, or in encoded words of at most 75 characters.
fn word(text: &str) -> String {
    let text = clean(text);
    if text.is_ascii() && text.len() < 900 { text } else { encoded(&text) }
}

/// Returns the name before an address, which cannot end there: quoted, or in encoded words.
fn phrase(name: &str) -> String {
    let name = clean(name);
    // What looks like an encoded word would be decoded by some readers although it is quoted.
    if !name.is_ascii() || name.len() >= 400 || name.contains("=?") {
        return encoded(&name);
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a text in encoded words.
fn encoded(text: &str) -> String {
    let mut pieces = vec![String::new()];
    for c in text.chars() {
        if pieces.last().is_some_and(|piece| piece.len() + c.len_utf8() > 45) {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
    }
    pieces.iter().map(|piece| format!("=?UTF-8?B?{}?=", STANDARD.encode(piece))).collect::<Vec<_>>().join("\r\n ")
}

/// Returns a part whose data is base64.
fn part(kind: &str, headers: &str, data: &str) -> String {
    let mut text = format!("Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n{headers}\r\n");
    for line in data.as_bytes().chunks(76) {
        text.push_str(&String::from_utf8_lossy(line));
        text.push_str("\r\n");
    }
    text
}

/// Joins parts. Base64 has no `=_` within, so that no part contains a boundary.
fn multipart(kind: &str, parts: &[String]) -> String {
    let boundary = format!("=_{kind}");
    let mut text = format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"\r\n\r\n");
    for part in parts {
        let _ = write!(text, "--{boundary}\r\n{part}\r\n");
    }
    let _ = write!(text, "--{boundary}--\r\n");
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns the names and addresses of `From`, as the server's own parser reads them.
    fn senders(name: &str) -> Vec<(String, String)> {
        let arguments = Arguments(json!({ "to": "b@c.d", "from_name": name }));
        let mail = Mail { arguments: &arguments, from: "ana@example.com", parent: None, id: 1, now: Millis(0) };
        let raw = mail.compose(false).unwrap();
        let message = mail_parser::MessageParser::default().parse(&raw).unwrap();
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        message.from().unwrap().iter().map(|one| (text(one.name()), text(one.address()))).collect()
    }

    #[test]
    fn names_add_no_sender() {
        for name in [
            "Boss <boss@example.com>,",
            "boss@example.com (",
            "a\" <boss@example.com>, \"b",
            "a\\",
            "\\\" <b@c>,",
            "=?UTF-8?Q?Boss_=3Cboss=40example.com=3E=2C?=",
            "Bö <boss@example.com>,",
            &"a,".repeat(500),
        ] {
            assert_eq!(senders(name), [(name.to_owned(), "ana@example.com".to_owned())]);
        }
    }

    #[test]
    fn hidden_recipients_are_removed() {
        let raw = b"To: a@b.c\r\nBCC: x@y.z,\r\n w@y.z\r\nSubject: s\r\n\r\nBcc: text\r\n more\r\n";
        let kept = String::from_utf8(without_hidden(raw)).unwrap();
        assert_eq!(kept, "To: a@b.c\r\nSubject: s\r\n\r\nBcc: text\r\n more\r\n");
    }

    #[test]
    fn values_stay_in_their_headers() {
        let arguments = Arguments(json!({
            "to": "Ben <ben@example.com>,\r\nX-Evil: 1@x", "subject": "a\r\nBcc: x@y.z", "body": "ä",
            "bcc": "cy@example.com", "from_name": "Änne",
            "attachments": [{ "name": "a\"b", "content_type": "text/plain", "data_base64": "eA==" }],
        }));
        let mail = Mail { arguments: &arguments, from: "ana@example.com", parent: None, id: 1, now: Millis(0) };
        let text = String::from_utf8(mail.compose(false).unwrap()).unwrap();
        let own = "\r\nDate: Thu, 1 Jan 1970 00:00:00 +0000\r\nMessage-ID: <00000000000000000000000000000001@example.com>\r\n";
        assert!(text.contains(own), "{text}");
        assert!(text.contains("\r\nSubject: aBcc: x@y.z\r\n") && !text.contains("\r\nBcc"), "{text}");
        assert!(!text.contains("\r\nX-Evil") && text.contains("To: ben@example.com"), "{text}");
        assert!(text.contains("From: =?UTF-8?B?w4RubmU=?= <ana@example.com>"), "{text}");
        assert!(text.contains("filename=\"a_b\"") && text.contains("\r\nw6Q=\r\n"), "{text}");
        assert!(String::from_utf8(mail.compose(true).unwrap()).unwrap().contains("Bcc: cy@example.com"));
        let wrong = Arguments(json!({ "to": "b@c.d", "attachments": [{ "content_type": "a\r\nb/c" }] }));
        assert!(Mail { arguments: &wrong, ..mail }.compose(true).is_err());
    }
}
