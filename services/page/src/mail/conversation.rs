//! The other messages of a conversation, on the page of a message.

use std::fmt::Write as _;

use jiff::tz::TimeZone;
use mailbox_types::Message;

use super::parts::header;
use super::summary::{read_conversation, short_name};
use super::time_at;
use crate::browse::{BrowsePages, Failure};
use crate::html::Escaped;
use crate::link::Link;
use crate::services::Services;

/// Maximum number of messages listed of a conversation: the newest ones.
const MAX_MESSAGES: usize = 100;

/// Returns links to the messages of the conversation of a message, oldest first; empty if there are no others.
pub(super) async fn links<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    shown: &Message,
    zone: &TimeZone,
) -> Result<String, Failure> {
    let Some(thread) = shown.thread_id.as_deref() else { return Ok(String::new()) };
    let messages = read_conversation(pages, user, thread).await?.messages;
    if messages.len() < 2 {
        return Ok(String::new());
    }
    let mut html =
        format!("<nav class=\"thread\" aria-label=\"Conversation\"><h2>Conversation ({})</h2>\n<ol>\n", messages.len());
    for message in messages.iter().skip(messages.len().saturating_sub(MAX_MESSAGES)) {
        let link = Link::new("/mail/message").with("user", user).with_some("id", message.id.as_deref());
        let current = if message.id == shown.id { " aria-current=\"page\"" } else { "" };
        let from = message.payload.as_ref().and_then(|payload| header(payload, "From")).unwrap_or_default();
        let at = message.internal_date.and_then(|date| time_at(date.0, zone));
        let at = at.map(|at| at.strftime("%-d %b %Y, %H:%M").to_string()).unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(
            html,
            "<li><a href=\"{link}\"{current}><bdi>{}</bdi></a> <small>{at}</small></li>",
            Escaped(short_name(from))
        );
    }
    html.push_str("</ol></nav>\n");
    Ok(html)
}
