//! Mail as a structured API resource.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mailbox_server::runtime::wireform_runtime::Bytes;
use mailbox_server::types::{MessagePart, MessagePartBody, MessagePartHeader};

use super::decode::Decoder;
use super::fields::Fields;
use super::structure::{MAX_FIELDS, Part};
use super::words::decode_header;
use crate::number::count;

/// Maximum size of a part that is included in the response at once, because reading it again would not pay off.
const MAX_INLINE_PART_BYTES: usize = 2 << 10;

/// Beginning of the identifiers of attachments, which ends with the identifier of the part.
const ATTACHMENT_PREFIX: &str = "part-";

/// Returns whether the headers of a mail end within its beginning.
pub(crate) fn headers_end_within(beginning: &[u8]) -> bool {
    let mut room = MAX_FIELDS;
    // A truncated line may be anything.
    catch_unwind(AssertUnwindSafe(|| Fields::read(beginning, &mut room).1.contains(&b'\n'))).unwrap_or_default()
}

/// Converts a mail into its parts. A part with a file name has the identifier of an attachment instead of data; an
/// embedded mail is represented by its parts, so that nothing is included twice. Texts are in UTF-8.
///
/// Part identifiers are positions: empty for the mail, `0`, `1`, … for its parts, `0.1` for a part of a part.
#[must_use]
pub fn payload(raw: &[u8]) -> MessagePart {
    catch_panic(raw, |mail| part(mail, String::new()))
}

/// Converts a mail without its content: its type and its headers, or those of the given names.
pub(crate) fn headers_of(raw: &[u8], names: &[String]) -> MessagePart {
    catch_panic(raw, |mail| {
        let wanted = |name: &str| names.is_empty() || names.iter().any(|one| one.eq_ignore_ascii_case(name));
        let headers = headers(mail).into_iter().filter(|header| header.name.as_deref().is_some_and(wanted));
        MessagePart::default().with_mime_type(mail.media_type.as_str()).with_headers(headers)
    })
}

/// Calls `read`; a mail whose parsing panics becomes opaque data.
fn catch_panic(raw: &[u8], read: impl Fn(&Part<'_>) -> MessagePart) -> MessagePart {
    catch_unwind(AssertUnwindSafe(|| read(&Part::of_message(raw)))).unwrap_or_else(|_| unreadable(raw.len(), body(raw)))
}

/// Returns a mail that cannot be parsed as a single part with the given body, and logs a warning.
fn unreadable(bytes: usize, body: MessagePartBody) -> MessagePart {
    tracing::warn!(bytes, "cannot parse a mail; it is returned as opaque data");
    MessagePart::default().with_part_id("").with_mime_type("application/octet-stream").with_body(body)
}

/// Content of a part that is streamed in the response.
#[derive(Debug)]
pub(crate) struct PartData {
    /// Byte range of the part in the mail.
    pub(crate) range: std::ops::Range<u64>,
    /// Decoder of the content.
    pub(crate) decoder: Decoder,
    /// Decoded length in bytes.
    pub(crate) length: u64,
}

impl PartData {
    /// Returns the decoded content of the part of a mail.
    pub(crate) fn decode(mut self, raw: &[u8]) -> Vec<u8> {
        let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
        self.decoder.push(raw.get(at(self.range.start)..at(self.range.end)).unwrap_or_default(), true)
    }
}

/// Returns the size of the text that a response includes at once: headers, small parts, and converted texts.
pub(crate) fn text_length(raw: &[u8]) -> u64 {
    catch_unwind(AssertUnwindSafe(|| {
        let mail = Part::of_message(raw);
        let leaves = mail.leaves();
        let streamed: usize = leaves.iter().filter(|leaf| is_streamed(leaf)).map(|leaf| leaf.body.len()).sum();
        // A text can grow in UTF-8.
        let converted: usize = leaves.iter().filter(|leaf| leaf.has_other_charset()).map(|leaf| leaf.body.len()).sum();
        raw.len().saturating_sub(streamed).saturating_add(converted) as u64
    }))
    .unwrap_or_default()
}

/// Returns whether the content of a part is not included in the response at once.
fn is_streamed(leaf: &Part<'_>) -> bool {
    leaf.filename.is_some() || (leaf.body.len() > MAX_INLINE_PART_BYTES && !leaf.has_other_charset())
}

/// Converts a mail like [`payload`], with `data` providing the content of large parts.
pub(crate) fn payload_with(raw: &[u8], data: impl Fn(PartData) -> Bytes) -> MessagePart {
    let whole = || PartData { range: 0..raw.len() as u64, decoder: Decoder::None, length: raw.len() as u64 };
    catch_unwind(AssertUnwindSafe(|| {
        part_with(&Part::of_message(raw), String::new(), &|leaf| {
            if is_streamed(leaf) { stream_part(part_data(raw, leaf), &data) } else { body(&leaf.text()) }
        })
    }))
    .unwrap_or_else(|_| unreadable(raw.len(), stream_part(whole(), &data)))
}

/// Returns the content of an attachment with its identifier, or `None` if the mail has none.
pub(crate) fn attachment(raw: &[u8], id: &str) -> Option<PartData> {
    let places = id.strip_prefix(ATTACHMENT_PREFIX)?;
    catch_unwind(AssertUnwindSafe(|| {
        let mail = Part::of_message(raw);
        let mut part = &mail;
        for place in places.split('.').filter(|place| !place.is_empty()) {
            part = part.parts.get(place.parse::<usize>().ok()?)?;
        }
        // Other notations of the same places are not identifiers.
        part.filename.as_ref().map(|_| part_data(raw, part))
    }))
    .unwrap_or_default()
}

/// Returns where the content of a part is in a mail.
fn part_data(raw: &[u8], part: &Part<'_>) -> PartData {
    // Both are slices of the mail.
    let start = part.body.as_ptr().addr().saturating_sub(raw.as_ptr().addr()) as u64;
    PartData { range: start..start + part.body.len() as u64, decoder: part.decoder(), length: decoded_length(part) }
}

/// Returns a body whose content `data` provides, unless it is empty.
fn stream_part(part: PartData, data: &impl Fn(PartData) -> Bytes) -> MessagePartBody {
    let body = MessagePartBody::default().with_size(count(part.length));
    if part.length == 0 { body } else { body.with_data(data(part)) }
}

/// Returns the length of a part's content after decoding, without keeping the content in memory.
fn decoded_length(leaf: &Part<'_>) -> u64 {
    let mut decoder = leaf.decoder();
    let length: usize = leaf.body.chunks(64 << 10).map(|piece| decoder.push(piece, false).len()).sum();
    (length + decoder.push(&[], true).len()) as u64
}

/// Converts a part and its nested parts with their content. `id` is its part identifier.
fn part(read: &Part<'_>, id: String) -> MessagePart {
    part_with(read, id, &|leaf| body(&leaf.text()))
}

/// Converts a part and its nested parts. `data` returns the body of a part without nested ones.
fn part_with(read: &Part<'_>, id: String, data: &impl Fn(&Part<'_>) -> MessagePartBody) -> MessagePart {
    let below = |at: usize| if id.is_empty() { at.to_string() } else { format!("{id}.{at}") };
    let parts: Vec<MessagePart> =
        read.parts.iter().enumerate().map(|(at, one)| part_with(one, below(at), data)).collect();
    let body = match &read.filename {
        Some(_) => MessagePartBody::default()
            .with_attachment_id(format!("{ATTACHMENT_PREFIX}{id}"))
            .with_size(count(decoded_length(read))),
        None if read.parts.is_empty() => data(read),
        None => MessagePartBody::default().with_size(0),
    };
    MessagePart::default()
        .with_mime_type(read.media_type.as_str())
        .with_filename(read.filename.clone().unwrap_or_default())
        .with_headers(headers(read))
        .with_body(body)
        .with_parts(parts)
        .with_part_id(id)
}

/// Converts the headers of a part.
fn headers(read: &Part<'_>) -> Vec<MessagePartHeader> {
    let header = |field: &super::fields::Field<'_>| {
        let name = field.name();
        let value = decode_header(&name, &field.value());
        MessagePartHeader::default().with_name(name).with_value(value)
    };
    read.fields.iter().map(header).collect()
}

/// Returns a body with its size and its content.
fn body(data: &[u8]) -> MessagePartBody {
    let body = MessagePartBody::default().with_size(count(data.len() as u64));
    // Empty data is omitted, as in the public API.
    if data.is_empty() { body } else { body.with_data(data.to_vec()) }
}
