//! Fields of messages and conversations that lists show.

use mailbox_types::{Message, Thread};

use super::operation;
use super::parts::header;
use crate::browse::{BrowsePages, Failure};
use crate::link::Link;
use crate::services::Services;

/// Reads the fields of a message that the list shows.
pub(super) async fn read_summary<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    id: &str,
) -> Result<Message, Failure> {
    pages.get(user, &with_summary_headers(operation("messages").segment(id))).await
}

/// Reads the fields of a conversation's messages that lists show.
pub(super) async fn read_conversation<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    id: &str,
) -> Result<Thread, Failure> {
    pages.get(user, &with_summary_headers(operation("threads").segment(id))).await
}

/// Selects the headers that lists show.
fn with_summary_headers(link: Link) -> Link {
    let link = link.with("format", "metadata").with("metadataHeaders", "From");
    link.with("metadataHeaders", "To").with("metadataHeaders", "Subject")
}

/// Returns the subject of a message, or a placeholder.
pub(super) fn subject_or_placeholder(message: &Message) -> String {
    let subject = message.payload.as_ref().and_then(|payload| header(payload, "Subject"));
    subject.filter(|subject| !subject.trim().is_empty()).unwrap_or("Without a subject").to_owned()
}

/// Returns the display name of an address, or the address if it has none.
pub(super) fn short_name(address: &str) -> &str {
    let name = address.split('<').next().unwrap_or_default().trim().trim_matches('"');
    if name.is_empty() { address } else { name }
}

/// Parses a history ID of a URL.
pub(super) fn parse_history_id(text: &str) -> Result<u64, Failure> {
    text.parse().map_err(|_| Failure::BadRequest(format!("`{text}` is not a history number.")))
}
