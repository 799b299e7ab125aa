//! Mail becomes something to store, and something to answer.
//!
//! Whatever the bytes are, they are kept as they came. What can be read of them is read by `mail-parser`: addresses,
//! dates, identifiers, words in other alphabets. How a mail is put together is read here, because there has to be an
//! end to it: a mail of a few megabytes can have millions of parts within parts.

mod decode;
mod fields;
mod payload;
mod structure;
mod text;
mod threading;

use std::panic::{AssertUnwindSafe, catch_unwind};

use wireform_store::{Label, MessageDate, Millis, NewMessage, Searchable, ThreadId, Threading};

pub(crate) use self::decode::Decoder;
use self::fields::Fields;
pub use self::payload::payload;
pub(crate) use self::payload::{PartData, headers_end_within, headers_of, payload_with, text_length};
use self::structure::Part;
pub use self::threading::identifier_hash;

/// The most bytes of a mail, as they are before base64.
pub const MAX_MESSAGE_BYTES: usize = 36 << 20;

/// What is decided about a mail beside its text.
#[derive(Debug, Clone, Default)]
pub struct Arrival {
    /// The labels that it has.
    pub labels: Vec<Label>,
    /// The conversation that it belongs to, where somebody says so.
    pub thread: Option<ThreadId>,
    /// Where the time of the mail comes from.
    pub dated: Dated,
    /// It counts as deleted for good at once: only the history tells of it.
    pub deleted: bool,
}

/// Where the time of a mail comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dated {
    /// From when it is stored.
    #[default]
    ByReceipt,
    /// From its header `Date`; from when it is stored where there is none that can be read.
    ByHeader,
    /// From its header `Date`; this where there is none that can be read.
    ByHeaderOr(Millis),
}

/// A mail that is ready to be stored.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// What is stored.
    pub message: NewMessage,
    /// Whether it has headers, as every mail has. What has none is stored as it came all the same.
    pub readable: bool,
}

/// Reads a mail for the store: how its text begins, what searches look at, which conversation it belongs to.
#[must_use]
pub fn prepare(raw: Vec<u8>, arrival: Arrival) -> Prepared {
    // The bytes are anybody's, and a parser is a large thing: should it fail, the mail is stored unread.
    let read = catch_unwind(AssertUnwindSafe(|| read(&raw))).unwrap_or_else(|_| {
        tracing::warn!(bytes = raw.len(), "a mail could not be read and is stored as it came");
        Read::default()
    });
    let date = match (arrival.dated, read.date) {
        (Dated::ByReceipt, _) | (Dated::ByHeader, None) => MessageDate::Received,
        (Dated::ByHeader | Dated::ByHeaderOr(_), Some(date)) => MessageDate::At(date),
        (Dated::ByHeaderOr(date), None) => MessageDate::At(date),
    };
    let own = Some(read.own.unwrap_or_else(|| threading::content_hash(&raw)));
    let message = NewMessage {
        date,
        labels: arrival.labels,
        snippet: read.snippet,
        threading: Threading { thread: arrival.thread, own, references: read.references },
        search: read.search,
        deleted: arrival.deleted,
        raw,
    };
    Prepared { message, readable: read.readable }
}

/// What can be read of a mail.
#[derive(Default)]
struct Read {
    snippet: String,
    search: Searchable,
    date: Option<Millis>,
    own: Option<i64>,
    references: Vec<i64>,
    readable: bool,
}

fn read(raw: &[u8]) -> Read {
    let mail = Part::of_message(raw);
    let fields = &mail.fields;
    let body = text::of(&mail);
    Read {
        snippet: text::snippet(&body),
        search: searchable(&mail, &body),
        date: fields.date(),
        own: fields.identifiers("message-id").first().map(|id| identifier_hash(id)),
        references: threading::references(fields),
        readable: !fields.is_empty(),
    }
}

/// The most characters of addresses and of a subject that searches look at.
const SEARCHED: usize = 16 << 10;

fn searchable(mail: &Part<'_>, body: &str) -> Searchable {
    let fields = &mail.fields;
    Searchable {
        from: addresses(fields, &["from", "sender"]),
        to: addresses(fields, &["to", "cc", "bcc"]),
        subject: searched(&fields.text("subject").unwrap_or_default(), SEARCHED),
        text: searched(body, text::SEARCHED),
        attachment: mail.has_attachment(),
    }
}

fn addresses(fields: &Fields<'_>, names: &[&str]) -> String {
    let all: Vec<String> = names.iter().flat_map(|name| fields.addresses(name)).collect();
    searched(&all.join(" "), SEARCHED)
}

/// The form in which texts are searched and words are looked for: of the first so many characters, in lower case, with
/// one space where there is any, because lines are broken anywhere, and without NUL, which databases do not keep.
pub(crate) fn searched(text: &str, most: usize) -> String {
    let mut found = String::new();
    for one in text.chars().take(most).filter(|one| *one != '\0') {
        match one {
            one if !one.is_whitespace() => found.extend(one.to_lowercase().map(same_letter)),
            _ if found.is_empty() || found.ends_with(' ') => {}
            _ => found.push(' '),
        }
    }
    found.truncate(found.trim_end().len());
    found
}

/// A sigma is written in another way where its word ends, and capital letters do not tell which of the two they are.
fn same_letter(one: char) -> char {
    if one == 'ς' { 'σ' } else { one }
}

/// What a mail says of calendars: the address that it is from, and its parts of the type `text/calendar`. None where there
/// is no such part, or not one author.
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

/// A time that is written as in the header `Date`.
pub(crate) fn date(text: &str) -> Option<Millis> {
    fields::read_date(format!("{text}\n").as_bytes())
}

/// The words of headers, each the first of its name, decoded; none where the parser fails, as [`prepare`] has it.
pub(crate) fn texts<const N: usize>(raw: &[u8], names: [&str; N]) -> [Option<String>; N] {
    let read = || {
        let mut room = structure::MAX_FIELDS;
        let (fields, _) = Fields::read(raw, &mut room);
        names.map(|name| fields.text(name))
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| names.map(|_| None))
}
