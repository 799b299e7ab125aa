//! A mail as the API answers it, taken apart.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mailbox_server::types::{MessagePart, MessagePartBody, MessagePartHeader};

use super::structure::Part;
use crate::service::count;

/// The mail taken apart. Data stands in it, that of attachments as well, because there is no operation that would
/// answer them by themselves; a mail within the mail is told by its parts alone, so that nothing is told twice.
///
/// Names of parts are their places: none for the mail, `0`, `1`, … for its parts, `0.1` for a part of a part.
pub(crate) fn payload(raw: &[u8]) -> MessagePart {
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
    catch_unwind(AssertUnwindSafe(|| read(&Part::of_message(raw)))).unwrap_or_else(|_| {
        tracing::warn!(bytes = raw.len(), "a mail could not be read and is told as data");
        MessagePart::default().with_part_id("").with_mime_type("application/octet-stream").with_body(body(raw))
    })
}

fn part(read: &Part<'_>, id: String) -> MessagePart {
    let below = |at: usize| if id.is_empty() { at.to_string() } else { format!("{id}.{at}") };
    let parts: Vec<MessagePart> = read.parts.iter().enumerate().map(|(at, one)| part(one, below(at))).collect();
    let body = if read.parts.is_empty() { body(&read.data()) } else { MessagePartBody::default().with_size(0) };
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
