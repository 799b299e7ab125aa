//! Parts of a message: texts and attachments.

use mailbox_types::{Message, MessagePart};

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

/// Returns the number of bytes of the parts whose data is in the message itself.
pub(super) fn inline_bytes(message: &Message) -> i64 {
    fn sum(part: &MessagePart, depth: usize) -> i64 {
        let body = part.body.as_ref().filter(|body| body.attachment_id.is_none());
        let own = i64::from(body.and_then(|body| body.size).unwrap_or_default());
        let below = part.parts.iter().filter(|_| depth > 0).map(|below| sum(below, depth - 1));
        own + below.sum::<i64>()
    }
    message.payload.as_ref().map_or(0, |payload| sum(payload, MAX_DEPTH))
}

/// Returns the value of the first header with a name.
pub(super) fn header<'a>(part: &'a MessagePart, name: &str) -> Option<&'a str> {
    let is_named = |found: &str| found.eq_ignore_ascii_case(name);
    let found = part.headers.iter().find(|header| header.name.as_deref().is_some_and(is_named));
    found.and_then(|header| header.value.as_deref())
}

/// Returns the text of a part, which the API returns in UTF-8.
pub(super) fn text(part: &MessagePart) -> String {
    let data = part.body.as_ref().and_then(|body| body.data.as_ref());
    String::from_utf8_lossy(data.map(|data| data.as_slice()).unwrap_or_default()).into_owned()
}
