//! Mail is put together of its parts (RFC 5322, RFC 2045 to 2047).

use std::fmt::Write as _;

use jiff::Timestamp;
use serde_saphyr::Spanned;
use wireform_store::Millis;

use super::format::{Attachment, Message};

/// What is wrong, and with which value.
type Wrong<'m> = (&'m Spanned<String>, &'static str);

/// The bytes of a text whose lines end as those of mail do.
pub fn with_line_ends(text: &str) -> Vec<u8> {
    text.replace("\r\n", "\n").replace('\n', "\r\n").into_bytes()
}

/// The mail, the `number`th of those of a user.
pub fn mail<'m>(message: &'m Message, date: Option<Millis>, number: usize, owner: &str) -> Result<Vec<u8>, Wrong<'m>> {
    let mut head = String::new();
    if let Some(from) = &message.from {
        if !from.value.contains('@') || from.value.contains(['\r', '\n']) {
            return Err((from, "is no address, such as `Ada <ada@example.com>`"));
        }
        header(&mut head, "From", &addresses(&from.value));
    }
    header(&mut head, "To", &addresses(message.to.as_deref().unwrap_or(owner)));
    if let Some(cc) = &message.cc {
        header(&mut head, "Cc", &addresses(cc));
    }
    header(&mut head, "Subject", &encoded(&message.subject));
    let date = date.and_then(|date| Timestamp::from_millisecond(date.0).ok());
    if let Some(date) =
        date.and_then(|date| jiff::fmt::rfc2822::to_string(&date.to_zoned(jiff::tz::TimeZone::UTC)).ok())
    {
        header(&mut head, "Date", &date);
    }
    let id = match &message.id {
        Some(id) => identifier(id)?.to_owned(),
        None => format!("seed-{}.{owner}", number + 1),
    };
    header(&mut head, "Message-ID", &format!("<{id}>"));
    if let Some(answers) = &message.answers {
        let answers = identifier(answers)?;
        header(&mut head, "In-Reply-To", &format!("<{answers}>"));
        header(&mut head, "References", &format!("<{answers}>"));
    }
    header(&mut head, "MIME-Version", "1.0");
    for attachment in &message.attachments {
        check(attachment)?;
    }
    Ok(with_line_ends(&format!("{head}{}", content(message))))
}

fn header(head: &mut String, name: &str, value: &str) {
    // Writing to a string does not fail. Whatever the value is, it stays on its line.
    let _ = writeln!(head, "{name}: {}", value.replace(['\r', '\n'], " "));
}

/// An identifier as it may stand in angle brackets.
fn identifier(id: &Spanned<String>) -> Result<&str, Wrong<'_>> {
    let fits = id.value.contains('@') && id.value.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>".contains(&byte));
    if fits {
        Ok(&id.value)
    } else {
        Err((id, "is no identifier without angle brackets, such as `plan-1@example.com`"))
    }
}

fn check(attachment: &Attachment) -> Result<(), Wrong<'_>> {
    let odd = |c: char| c.is_control() || c == '"' || c == '\\';
    if attachment.name.value.is_empty() || attachment.name.value.contains(odd) {
        return Err((&attachment.name, "is no name of a file"));
    }
    let token = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    match attachment.media_type.value.split_once('/') {
        Some((kind, of)) if token(kind) && token(of) => Ok(()),
        _ => Err((&attachment.media_type, "is no media type, such as `text/csv`")),
    }
}

/// The addresses of a header: the names in front of angle brackets are encoded where they need it.
fn addresses(list: &str) -> String {
    let one = |address: &str| match address.trim().rsplit_once('<') {
        Some((name, rest)) if !name.is_ascii() => format!("{} <{rest}", encoded(name.trim())),
        _ => address.trim().to_owned(),
    };
    list.split(',').map(one).collect::<Vec<_>>().join(", ")
}

/// A text for a header: as it is, or in encoded words of at most 75 characters (RFC 2047).
fn encoded(text: &str) -> String {
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
        // `=?UTF-8?Q?` and `?=` take twelve.
        if words.last().is_some_and(|word| word.len() + digits.len() > 63) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push_str(&digits);
        }
    }
    words.iter().map(|word| format!("=?UTF-8?Q?{word}?=")).collect::<Vec<_>>().join(" ")
}

/// The text, its HTML beside it, and what is attached.
fn content(message: &Message) -> String {
    let text = part("text/plain; charset=utf-8", "", &message.text);
    let text = match &message.html {
        Some(html) => several("alternative", &[text, part("text/html; charset=utf-8", "", html)]),
        None => text,
    };
    if message.attachments.is_empty() {
        return text;
    }
    let attached = message.attachments.iter().map(|one| {
        let kind = format!("{}; charset=utf-8", one.media_type.value);
        let disposition = format!("Content-Disposition: attachment; filename=\"{}\"\n", encoded(&one.name.value));
        part(&kind, &disposition, &one.text)
    });
    several("mixed", &std::iter::once(text).chain(attached).collect::<Vec<_>>())
}

fn part(content_type: &str, headers: &str, text: &str) -> String {
    format!("Content-Type: {content_type}\nContent-Transfer-Encoding: 8bit\n{headers}\n{text}")
}

/// Parts between boundaries that none of them holds.
fn several(kind: &str, parts: &[String]) -> String {
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
