//! A mail as the API answers it, taken apart.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mailbox_server::runtime::wireform_runtime::Bytes;
use mailbox_server::types::{MessagePart, MessagePartBody, MessagePartHeader};

use super::decode::Decoder;
use super::fields::Fields;
use super::structure::{MAX_FIELDS, Part};
use crate::service::count;

/// Parts up to this size are text of the response at once: reading them once more would not be worth it.
const SMALL_PART: usize = 2 << 10;

/// Whether the headers of a mail end within its beginning.
pub(crate) fn headers_end_within(beginning: &[u8]) -> bool {
    let mut room = MAX_FIELDS;
    // A line that was cut off does not show what it is.
    catch_unwind(AssertUnwindSafe(|| Fields::read(beginning, &mut room).1.contains(&b'\n'))).unwrap_or_default()
}

/// The mail taken apart. Data stands in it, that of attachments as well, because there is no operation that would
/// answer them by themselves; a mail within the mail is told by its parts alone, so that nothing is told twice.
///
/// Names of parts are their places: none for the mail, `0`, `1`, … for its parts, `0.1` for a part of a part.
#[must_use]
pub fn payload(raw: &[u8]) -> MessagePart {
    guarded(raw, |mail| part(mail, String::new()))
}

/// The mail without what its parts hold: its type and its headers, or those of its headers that are named.
pub(crate) fn headers_of(raw: &[u8], names: &[String]) -> MessagePart {
    guarded(raw, |mail| {
        let wanted = |name: &str| names.is_empty() || names.iter().any(|one| one.eq_ignore_ascii_case(name));
        let headers = headers(mail).into_iter().filter(|header| header.name.as_deref().is_some_and(wanted));
        MessagePart::default().with_mime_type(mail.media_type.as_str()).with_headers(headers)
    })
}

/// A mail that cannot be read is a piece of data.
fn guarded(raw: &[u8], read: impl Fn(&Part<'_>) -> MessagePart) -> MessagePart {
    catch_unwind(AssertUnwindSafe(|| read(&Part::of_message(raw)))).unwrap_or_else(|_| unreadable(raw.len(), body(raw)))
}

fn unreadable(bytes: usize, body: MessagePartBody) -> MessagePart {
    tracing::warn!(bytes, "a mail could not be read and is told as data");
    MessagePart::default().with_part_id("").with_mime_type("application/octet-stream").with_body(body)
}

/// What a part holds, where it is read while it is sent.
#[derive(Debug)]
pub(crate) struct PartData {
    /// The first of its bytes in the mail, and the first behind it.
    pub(crate) range: std::ops::Range<u64>,
    /// What decodes them.
    pub(crate) decoder: Decoder,
    /// How many bytes that are.
    pub(crate) length: u64,
}

/// How much of a mail becomes text of the response: headers, and parts that are not worth being read once more.
pub(crate) fn text_length(raw: &[u8]) -> u64 {
    catch_unwind(AssertUnwindSafe(|| {
        let mail = Part::of_message(raw);
        let streamed = mail.leaves().iter().map(|leaf| leaf.body.len()).filter(|length| *length > SMALL_PART).sum();
        raw.len().saturating_sub(streamed) as u64
    }))
    .unwrap_or_default()
}

/// The mail taken apart as by [`payload`]. For the data of large parts `data` is asked, which is told where they are.
pub(crate) fn payload_with(raw: &[u8], data: impl Fn(PartData) -> Bytes) -> MessagePart {
    let whole = || PartData { range: 0..raw.len() as u64, decoder: Decoder::None, length: raw.len() as u64 };
    catch_unwind(AssertUnwindSafe(|| {
        part_with(&Part::of_message(raw), String::new(), &|leaf| {
            // Both are slices of the mail.
            let start = leaf.body.as_ptr().addr().saturating_sub(raw.as_ptr().addr()) as u64;
            let range = start..start + leaf.body.len() as u64;
            if leaf.body.len() <= SMALL_PART {
                return body(&leaf.data());
            }
            let (decoder, length) = (leaf.decoder(), decoded_length(leaf));
            streamed(PartData { range, decoder, length }, &data)
        })
    }))
    .unwrap_or_else(|_| unreadable(raw.len(), streamed(whole(), &data)))
}

fn streamed(part: PartData, data: &impl Fn(PartData) -> Bytes) -> MessagePartBody {
    let body = MessagePartBody::default().with_size(count(part.length));
    if part.length == 0 { body } else { body.with_data(data(part)) }
}

fn decoded_length(leaf: &Part<'_>) -> u64 {
    let mut decoder = leaf.decoder();
    let length: usize = leaf.body.chunks(64 << 10).map(|piece| decoder.push(piece, false).len()).sum();
    (length + decoder.push(&[], true).len()) as u64
}

fn part(read: &Part<'_>, id: String) -> MessagePart {
    part_with(read, id, &|leaf| body(&leaf.data()))
}

fn part_with(read: &Part<'_>, id: String, data: &impl Fn(&Part<'_>) -> MessagePartBody) -> MessagePart {
    let below = |at: usize| if id.is_empty() { at.to_string() } else { format!("{id}.{at}") };
    let parts: Vec<MessagePart> =
        read.parts.iter().enumerate().map(|(at, one)| part_with(one, below(at), data)).collect();
    let body = if read.parts.is_empty() { data(read) } else { MessagePartBody::default().with_size(0) };
    MessagePart::default()
        .with_mime_type(read.media_type.as_str())
        .with_filename(read.filename.clone().unwrap_or_default())
        .with_headers(headers(read))
        .with_body(body)
        .with_parts(parts)
        .with_part_id(id)
}

fn headers(read: &Part<'_>) -> Vec<MessagePartHeader> {
    let header = |field: &super::fields::Field<'_>| {
        MessagePartHeader::default().with_name(field.name()).with_value(field.value())
    };
    read.fields.iter().map(header).collect()
}

fn body(data: &[u8]) -> MessagePartBody {
    let body = MessagePartBody::default().with_size(count(data.len() as u64));
    // Nothing is not data: the member is left out, as the public API does.
    if data.is_empty() { body } else { body.with_data(data.to_vec()) }
}
