//! Composition of mail that scripts send (RFC 5322, RFC 2045, RFC 2047).

mod files;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;
use wireform_store::Millis;

use crate::arguments::Arguments;
use crate::people::domain;

/// Message of a script.
pub(super) struct Mail<'a> {
    pub(super) arguments: &'a Arguments,
    /// Address of the sender.
    pub(super) from: &'a str,
    /// `Message-ID` of the message that this one replies to.
    pub(super) parent: Option<&'a str>,
    /// Unique part of the `Message-ID`.
    pub(super) id: u128,
    /// Time of writing.
    pub(super) now: Millis,
}

impl Mail<'_> {
    /// Composes the message; with `own` set, the sender's copy, which names the hidden recipients.
    pub(super) fn compose(&self, own: bool) -> Result<Vec<u8>, String> {
        let mut head = String::new();
        let name = self.arguments.optional("from_name");
        let from = name.map_or_else(|| self.from.to_owned(), |name| format!("{} <{}>", encode_phrase(name), self.from));
        push_header(&mut head, "From", &from);
        for (field, argument) in [("To", "to"), ("Cc", "cc"), ("Bcc", "bcc"), ("Reply-To", "reply_to")] {
            let list = self.arguments.optional(argument).filter(|_| own || argument != "bcc");
            if let Some(list) = list {
                push_header(&mut head, field, &addresses(list).join(",\r\n "));
            }
        }
        let date = Timestamp::from_millisecond(self.now.0).unwrap_or_default().to_zoned(TimeZone::UTC);
        if let Ok(date) = jiff::fmt::rfc2822::to_string(&date) {
            push_header(&mut head, "Date", &date);
        }
        // Replies refer to it and stay in the conversation.
        push_header(&mut head, "Message-ID", &format!("<{:032x}@{}>", self.id, domain(self.from)));
        push_header(&mut head, "Subject", &encode_word(self.arguments.optional("subject").unwrap_or_default()));
        if let Some(parent) = self.parent {
            push_header(&mut head, "In-Reply-To", &remove_control_characters(parent));
            push_header(&mut head, "References", &remove_control_characters(parent));
        }
        push_header(&mut head, "MIME-Version", "1.0");
        Ok(format!("{head}{}", self.compose_content()?).into_bytes())
    }

    /// Composes the content, with its own headers: the text, the HTML and the attachments.
    fn compose_content(&self) -> Result<String, String> {
        let body = self.arguments.optional("body").unwrap_or_default();
        let plain = encode_part("text/plain; charset=utf-8", "", &STANDARD.encode(body));
        let content = match self.html()? {
            Some(html) => join_parts("alternative", "", &[plain, html]),
            None => plain,
        };
        let mut parts = vec![content];
        for one in self.files("attachments") {
            parts.push(files::attachment_part(&one)?);
        }
        match parts.as_slice() {
            [content] => Ok(content.clone()),
            parts => Ok(join_parts("mixed", "", parts)),
        }
    }

    /// Composes the HTML with the images that it refers to (RFC 2387, RFC 2392).
    fn html(&self) -> Result<Option<String>, String> {
        let images = self.files("inline_images");
        let Some(html) = self.arguments.optional("html_body") else {
            let message = "inline images require an HTML body, which the message does not have";
            return if images.is_empty() { Ok(None) } else { Err(message.to_owned()) };
        };
        let html = encode_part("text/html; charset=utf-8", "", &STANDARD.encode(html));
        if images.is_empty() {
            return Ok(Some(html));
        }
        let (mut parts, mut keys) = (vec![html], BTreeSet::new());
        for image in &images {
            let (key, part) = files::image_part(image)?;
            if !keys.insert(key) {
                return Err(format!("duplicate inline image `{key}`"));
            }
            parts.push(part);
        }
        Ok(Some(join_parts("related", "; type=\"text/html\"", &parts)))
    }

    /// Returns the files of an argument; empty if it is missing.
    fn files(&self, argument: &str) -> Vec<Value> {
        match self.arguments.value(argument) {
            Value::Array(files) => files,
            _ => Vec::new(),
        }
    }
}

/// Removes the hidden recipients from a message.
pub(super) fn remove_hidden_recipients(raw: &[u8]) -> Vec<u8> {
    let (mut kept, mut in_head, mut is_hidden) = (Vec::with_capacity(raw.len()), true, false);
    for line in raw.split_inclusive(|byte| *byte == b'\n') {
        if in_head {
            in_head = !line.trim_ascii().is_empty();
            // A line that begins with a space continues the previous one.
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

/// Appends a header.
fn push_header(head: &mut String, name: &str, value: &str) {
    // Writing to a string does not fail.
    let _ = write!(head, "{name}: {value}\r\n");
}

/// Removes control characters, which keeps a text on one line.
fn remove_control_characters(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// Returns the addresses of a list without display names.
pub(super) fn addresses(list: &str) -> Vec<String> {
    let address = |one: &str| {
        let one = remove_control_characters(one);
        let bare = one.rsplit_once('<').map_or(one.as_str(), |(_, rest)| rest.split('>').next().unwrap_or(rest));
        bare.trim().to_owned()
    };
    // A comma in a quoted display name leaves a part without an address.
    list.split([',', ';']).map(address).filter(|address| address.contains('@') && address.is_ascii()).collect()
}

/// Encodes a text for a header: unchanged, or as encoded words of at most 75 characters.
fn encode_word(text: &str) -> String {
    let text = remove_control_characters(text);
    if text.is_ascii() && text.len() < 900 { text } else { encode_words(&text) }
}

/// Encodes a display name, quoted or as encoded words, so that it cannot end before the address.
fn encode_phrase(name: &str) -> String {
    let name = remove_control_characters(name);
    // Some readers would decode a text in the form of an encoded word even if it is quoted.
    if !name.is_ascii() || name.len() >= 400 || name.contains("=?") {
        return encode_words(&name);
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Encodes a text as encoded words.
fn encode_words(text: &str) -> String {
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

/// Returns a part with base64 data.
fn encode_part(kind: &str, headers: &str, data: &str) -> String {
    let mut text = format!("Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n{headers}\r\n");
    for line in data.as_bytes().chunks(76) {
        text.push_str(&String::from_utf8_lossy(line));
        text.push_str("\r\n");
    }
    text
}

/// Joins parts. Base64 contains no `=_`, so no part contains the boundary.
fn join_parts(kind: &str, parameters: &str, parts: &[String]) -> String {
    let boundary = format!("=_{kind}");
    let mut text = format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"{parameters}\r\n\r\n");
    for part in parts {
        let _ = write!(text, "--{boundary}\r\n{part}\r\n");
    }
    let _ = write!(text, "--{boundary}--\r\n");
    text
}

#[cfg(test)]
mod tests;
