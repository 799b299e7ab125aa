//! Parts of a message: texts and attachments.

use encoding_rs::{Encoding, UTF_8};
use mailbox_types::{Message, MessagePart};

use super::encoded_words;

/// Maximum depth of nested parts.
const MAX_DEPTH: usize = 24;

/// Leaf parts of a message.
pub(super) struct Parts<'a> {
    pub(super) plain: Vec<&'a MessagePart>,
    pub(super) html: Vec<&'a MessagePart>,
    pub(super) attached: Vec<&'a MessagePart>,
}

impl<'a> Parts<'a> {
    /// Classifies the parts of a message.
    pub(super) fn classify(message: &'a Message) -> Self {
        let mut parts = Self { plain: Vec::new(), html: Vec::new(), attached: Vec::new() };
        if let Some(payload) = &message.payload {
            parts.add(payload, MAX_DEPTH);
        }
        parts
    }

    /// Classifies a part, or the parts nested in it up to a depth.
    fn add(&mut self, part: &'a MessagePart, depth: usize) {
        if !part.parts.is_empty() && depth > 0 {
            part.parts.iter().for_each(|below| self.add(below, depth - 1));
            return;
        }
        let named = part.filename.as_deref().is_some_and(|name| !name.is_empty());
        let attached = named
            || header(part, "Content-Disposition")
                .is_some_and(|value| value.trim_start().to_ascii_lowercase().starts_with("attachment"));
        let kind = part.mime_type.as_deref().unwrap_or_default();
        match kind {
            "text/plain" if !attached => self.plain.push(part),
            "text/html" if !attached => self.html.push(part),
            _ => self.attached.push(part),
        }
    }
}

/// Returns the value of the first header with a name.
pub(super) fn header<'a>(part: &'a MessagePart, name: &str) -> Option<&'a str> {
    let is_named = |found: &str| found.eq_ignore_ascii_case(name);
    let found = part.headers.iter().find(|header| header.name.as_deref().is_some_and(is_named));
    found.and_then(|header| header.value.as_deref())
}

/// Returns the decoded value of the first header with a name.
pub(super) fn decoded_header(part: &MessagePart, name: &str) -> Option<String> {
    header(part, name).map(encoded_words::decode)
}

/// Returns the text of a part, decoded from its charset.
pub(super) fn decode_text(part: &MessagePart) -> String {
    let data = part.body.as_ref().and_then(|body| body.data.as_ref());
    let data = data.map(|data| data.as_slice()).unwrap_or_default();
    let encoding = header(part, "Content-Type").and_then(charset).unwrap_or(UTF_8);
    encoding.decode(data).0.into_owned()
}

/// Returns the encoding that the value of a `Content-Type` header names; `None` if it is missing or unknown.
fn charset(content_type: &str) -> Option<&'static Encoding> {
    let mut attributes = content_type.split(';').skip(1).filter_map(|attribute| attribute.split_once('='));
    let (_, name) = attributes.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Encoding::for_label(name.trim().trim_matches(['"', '\'']).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mailbox_types::{MessagePartBody, MessagePartHeader};

    #[test]
    fn texts_are_decoded_from_their_charsets() {
        for (content_type, data, text) in [
            ("text/plain; charset=iso-8859-1", &b"Soci\xe9t\xe9"[..], "Société"),
            ("text/plain; format=flowed; Charset=\"windows-1252\"", b"\x80", "€"),
            ("text/plain", "é".as_bytes(), "é"),
            ("text/plain; charset=nobody-knows", b"\xff", "\u{fffd}"),
        ] {
            let header = MessagePartHeader::default().with_name("content-type").with_value(content_type);
            let body = MessagePartBody::default().with_data(data.to_vec());
            let part = MessagePart::default().with_headers([header]).with_body(body);
            assert_eq!(super::decode_text(&part), text, "{content_type}");
        }
    }
}
