//! Composition of mail from its parts (RFC 5322, RFC 2045 to 2047).

use std::fmt::Write as _;

use jiff::Timestamp;
use serde_saphyr::Spanned;
use wireform_store::Millis;

use super::format::{Attachment, Message};

/// Invalid value with the description of the error.
type InvalidValue<'m> = (&'m Spanned<String>, &'static str);

/// Returns the bytes of a text with the line ends of mail.
pub fn normalize_line_ends(text: &str) -> Vec<u8> {
    text.replace("\r\n", "\n").replace('\n', "\r\n").into_bytes()
}

/// Composes the message with index `number` of a user.
pub fn compose_mail<'m>(
    message: &'m Message,
    date: Option<Millis>,
    number: usize,
    owner: &str,
) -> Result<Vec<u8>, InvalidValue<'m>> {
    let mut head = String::new();
    if let Some(from) = &message.from {
        if !from.value.contains('@') || from.value.contains(['\r', '\n']) {
            return Err((from, "is not an address such as `Ada <ada@example.com>`"));
        }
        header(&mut head, "From", &addresses(&from.value));
    }
    header(&mut head, "To", &addresses(message.to.as_deref().unwrap_or(owner)));
    if let Some(cc) = &message.cc {
        header(&mut head, "Cc", &addresses(cc));
    }
    header(&mut head, "Subject", &encode_words(&message.subject));
    let date = date.and_then(|date| Timestamp::from_millisecond(date.0).ok());
    if let Some(date) =
        date.and_then(|date| jiff::fmt::rfc2822::to_string(&date.to_zoned(jiff::tz::TimeZone::UTC)).ok())
    {
        header(&mut head, "Date", &date);
    }
    let id = match &message.id {
        Some(id) => check_identifier(id)?.to_owned(),
        None => format!("seed-{}.{owner}", number + 1),
    };
    header(&mut head, "Message-ID", &format!("<{id}>"));
    if let Some(parent) = &message.in_reply_to {
        let parent = check_identifier(parent)?;
        header(&mut head, "In-Reply-To", &format!("<{parent}>"));
        header(&mut head, "References", &format!("<{parent}>"));
    }
    header(&mut head, "MIME-Version", "1.0");
    for attachment in &message.attachments {
        check(attachment)?;
    }
    Ok(normalize_line_ends(&format!("{head}{}", content(message))))
}

/// Appends a header to the head of a mail.
fn header(head: &mut String, name: &str, value: &str) {
    // Writing to a string does not fail. Line breaks are replaced, so that every value stays on its line.
    let _ = writeln!(head, "{name}: {}", value.replace(['\r', '\n'], " "));
}

/// Returns an identifier that is valid in angle brackets.
fn check_identifier(id: &Spanned<String>) -> Result<&str, InvalidValue<'_>> {
    let fits = id.value.contains('@') && id.value.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>".contains(&byte));
    if fits {
        Ok(&id.value)
    } else {
        Err((id, "is not an identifier without angle brackets, such as `plan-1@example.com`"))
    }
}

/// Checks the file name and the media type of an attachment, which are written into headers.
fn check(attachment: &Attachment) -> Result<(), InvalidValue<'_>> {
    let is_invalid = |c: char| c.is_control() || c == '"' || c == '\\';
    if attachment.name.value.is_empty() || attachment.name.value.contains(is_invalid) {
        return Err((&attachment.name, "is not a valid file name"));
    }
    let token = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    match attachment.media_type.value.split_once('/') {
        Some((kind, of)) if token(kind) && token(of) => Ok(()),
        _ => Err((&attachment.media_type, "is not a media type such as `text/csv`")),
    }
}

/// Encodes the addresses of a header; only the display names are encoded, if necessary.
fn addresses(list: &str) -> String {
    let one = |address: &str| match address.trim().rsplit_once('<') {
        Some((name, rest)) if !name.is_ascii() => format!("{} <{rest}", encode_words(name.trim())),
        _ => address.trim().to_owned(),
    };
    list.split(',').map(one).collect::<Vec<_>>().join(", ")
}

/// Encodes a text for a header: unchanged if it is ASCII, or as encoded words of at most 75 characters (RFC 2047).
fn encode_words(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut words = vec![String::new()];
    for c in text.chars() {
        let mut bytes = [0; 4];
        let mut digits = String::new();
        for byte in c.encode_utf8(&mut bytes).bytes() {
            match byte {
                b' ' => digits.push('_'),
                _ if byte.is_ascii_alphanumeric() => digits.push(char::from(byte)),
                _ => _ = write!(digits, "={byte:02X}"),
            }
        }
        // `=?UTF-8?Q?` and `?=` take twelve characters.
        if words.last().is_some_and(|word| word.len() + digits.len() > 63) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push_str(&digits);
        }
    }
    words.iter().map(|word| format!("=?UTF-8?Q?{word}?=")).collect::<Vec<_>>().join(" ")
}

/// Composes the body: the text, its HTML alternative and the attachments.
fn content(message: &Message) -> String {
    let text = part("text/plain; charset=utf-8", "", &message.text);
    let text = match &message.html {
        Some(html) => multipart("alternative", &[text, part("text/html; charset=utf-8", "", html)]),
        None => text,
    };
    if message.attachments.is_empty() {
        return text;
    }
    let attached = message.attachments.iter().map(|one| {
        let kind = format!("{}; charset=utf-8", one.media_type.value);
        let disposition = format!("Content-Disposition: attachment; filename=\"{}\"\n", encode_words(&one.name.value));
        part(&kind, &disposition, &one.text)
    });
    multipart("mixed", &std::iter::once(text).chain(attached).collect::<Vec<_>>())
}

/// Composes a part of a mail; `headers` are further lines, each with its line end.
fn part(content_type: &str, headers: &str, text: &str) -> String {
    format!("Content-Type: {content_type}\nContent-Transfer-Encoding: 8bit\n{headers}\n{text}")
}

/// Joins parts with a boundary that none of them contains.
fn multipart(kind: &str, parts: &[String]) -> String {
    let mut boundary = format!("part-of-{kind}");
    while parts.iter().any(|part| part.contains(&boundary)) {
        boundary.push('-');
        boundary.push('x');
    }
    let mut text = format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"\n\n");
    for part in parts {
        let _ = write!(text, "--{boundary}\n{part}\n");
    }
    let _ = writeln!(text, "--{boundary}--");
    text
}
