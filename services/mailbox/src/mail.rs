//! Parsing of mail, for the store and for API responses.
//!
//! Mail is stored byte by byte as received, whatever it contains. `mail-parser` parses addresses, dates, identifiers
//! and encoded words. The structure is parsed here, with limits: a mail of a few megabytes can have millions of nested
//! parts.

mod decode;
mod fields;
mod outgoing;
mod payload;
mod structure;
mod text;
mod threading;
mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};

use wireform_store::{Label, MessageDate, Millis, NewMessage, SearchableText, ThreadId, Threading};

pub(crate) use self::decode::Decoder;
use self::fields::Fields;
pub(crate) use self::outgoing::{SendError, prepare_outgoing};
pub use self::payload::payload;
pub(crate) use self::payload::{PartData, attachment, headers_end_within, headers_of, payload_with, text_length};
use self::structure::Part;
pub use self::threading::identifier_hash;

/// Maximum size of a mail in bytes, before base64.
pub const MAX_MESSAGE_BYTES: usize = 36 << 20;

/// Properties of a new mail other than its content.
#[derive(Debug, Clone, Default)]
pub struct Arrival {
    /// Labels of the mail.
    pub labels: Vec<Label>,
    /// Conversation named by the request, if any.
    pub thread: Option<ThreadId>,
    /// Source of the mail's date.
    pub dated: DateSource,
    /// True if the mail is permanently deleted on arrival: only the history records it.
    pub deleted: bool,
}

/// Source of a mail's date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DateSource {
    /// Time of storing.
    #[default]
    ByReceipt,
    /// Header `Date`; the time of storing if it is missing or invalid.
    ByHeader,
    /// Header `Date`; this time if it is missing or invalid.
    ByHeaderOr(Millis),
}

/// Mail that is ready to be stored.
#[derive(Debug, Clone)]
pub struct PreparedMail {
    /// Message to store.
    pub message: NewMessage,
    /// True if the mail has headers, as every valid mail has. Others are stored as well.
    pub readable: bool,
}

/// Parses a mail for the store: beginning of the text, searchable texts, conversation.
#[must_use]
pub fn prepare(raw: Vec<u8>, arrival: Arrival) -> PreparedMail {
    // The input is untrusted and the parser is large: if it panics, the mail is stored unparsed.
    let read = catch_unwind(AssertUnwindSafe(|| parse(&raw))).unwrap_or_else(|_| {
        tracing::warn!(bytes = raw.len(), "cannot parse a mail; it is stored unparsed");
        ParsedMail::default()
    });
    let date = match (arrival.dated, read.date) {
        (DateSource::ByReceipt, _) | (DateSource::ByHeader, None) => MessageDate::Received,
        (DateSource::ByHeader | DateSource::ByHeaderOr(_), Some(date)) => MessageDate::At(date),
        (DateSource::ByHeaderOr(date), None) => MessageDate::At(date),
    };
    let own = Some(read.own.unwrap_or_else(|| threading::content_hash(&raw)));
    let message = NewMessage {
        date,
        labels: arrival.labels,
        snippet: read.snippet,
        threading: Threading { thread: arrival.thread, message_id: own, references: read.references },
        search: read.search,
        deleted: arrival.deleted,
        raw,
    };
    PreparedMail { message, readable: read.readable }
}

/// Parsed mail.
#[derive(Default)]
struct ParsedMail {
    snippet: String,
    search: SearchableText,
    date: Option<Millis>,
    own: Option<i64>,
    references: Vec<i64>,
    readable: bool,
}

/// Extracts what the store needs for lists, searches and conversations.
fn parse(raw: &[u8]) -> ParsedMail {
    let mail = Part::of_message(raw);
    let fields = &mail.fields;
    let body = text::extract(&mail);
    ParsedMail {
        snippet: text::snippet(&body),
        search: searchable_text(&mail, &body),
        date: fields.date(),
        own: fields.identifiers("message-id").first().map(|id| identifier_hash(id)),
        references: threading::references(fields),
        readable: !fields.is_empty(),
    }
}

/// Maximum number of characters of addresses and of a subject that are searchable.
const MAX_SEARCHABLE: usize = 16 << 10;

/// Returns the normalized texts for searches. `body` is the text of the mail.
fn searchable_text(mail: &Part<'_>, body: &str) -> SearchableText {
    let fields = &mail.fields;
    SearchableText {
        from: searchable_addresses(fields, &["from", "sender"]),
        to: searchable_addresses(fields, &["to", "cc", "bcc"]),
        subject: normalize(&fields.text("subject").unwrap_or_default(), MAX_SEARCHABLE),
        text: normalize(body, text::MAX_SEARCHABLE),
        attachment: mail.has_attachment(),
    }
}

/// Returns the names and addresses in some headers, normalized for searches.
fn searchable_addresses(fields: &Fields<'_>, names: &[&str]) -> String {
    let all: Vec<String> = names.iter().flat_map(|name| fields.addresses(name)).collect();
    normalize(&all.join(" "), MAX_SEARCHABLE)
}

/// Normalizes a text, or a search word, for searches: the first `max` characters, in lower case, with single spaces for
/// any white space, because lines are broken anywhere, and without NUL, which databases do not store.
pub(crate) fn normalize(text: &str, max: usize) -> String {
    let mut found = String::new();
    for one in text.chars().take(max).filter(|one| *one != '\0') {
        match one {
            one if !one.is_whitespace() => found.extend(one.to_lowercase().map(fold_sigma)),
            _ if found.is_empty() || found.ends_with(' ') => {}
            _ => found.push(' '),
        }
    }
    found.truncate(found.trim_end().len());
    found
}

/// Maps the final sigma to the other one, because capital letters do not distinguish them.
fn fold_sigma(one: char) -> char {
    if one == 'ς' { 'σ' } else { one }
}

/// Returns the author's address and the parts of the type `text/calendar`. `None` if there is no such part, or not
/// exactly one author.
pub(crate) fn calendar_parts(raw: &[u8]) -> Option<(String, Vec<Vec<u8>>)> {
    let word = b"text/calendar";
    if !raw.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word)) {
        return None;
    }
    let read = || {
        let mail = Part::of_message(raw);
        let mut authors = mail.fields.mailboxes("from");
        let leaves = mail.leaves().into_iter().filter(|part| part.media_type == "text/calendar");
        let parts: Vec<Vec<u8>> = leaves.map(|part| part.data().into_owned()).collect();
        let author = authors.pop().filter(|_| authors.is_empty() && !parts.is_empty())?;
        Some((author, parts))
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_default()
}

/// Parses a time in the format of the header `Date`.
pub(crate) fn date(text: &str) -> Option<Millis> {
    fields::read_date(format!("{text}\n").as_bytes())
}

/// Returns the decoded text of the first header of each name; `None` if parsing panics, as in [`prepare`].
pub(crate) fn texts<const N: usize>(raw: &[u8], names: [&str; N]) -> [Option<String>; N] {
    let read = || {
        let mut room = structure::MAX_FIELDS;
        let (fields, _) = Fields::read(raw, &mut room);
        names.map(|name| fields.text(name))
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| names.map(|_| None))
}
