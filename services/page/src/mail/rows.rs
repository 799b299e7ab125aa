//! Rows of a list of mail: messages, or conversations with their newest message.

use std::fmt::Write as _;

use http::StatusCode;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use mailbox_types::{ListMessagesResponse, ListThreadsResponse, Message};

use super::labels::Labels;
use super::parts::header;
use super::selection::Selection;
use super::summary::{read_conversation, read_summary, short_name, subject_or_placeholder};
use super::{operation, time_at};
use crate::browse::{BrowsePages, Failure, primary_time_zone};
use crate::html::Escaped;
use crate::link::Link;
use crate::services::Services;

/// Number of messages or conversations on a page.
const PAGE_SIZE: u32 = 25;
/// Maximum number of senders listed of a conversation.
const MAX_SENDERS: usize = 3;

/// Row of the list.
struct Row {
    /// The message, or the newest one of the conversation.
    message: Message,
    /// Earlier messages of the conversation.
    earlier: Vec<Message>,
}

/// Rendered rows, and the token of the next page.
pub(super) struct Rows {
    pub(super) html: String,
    pub(super) count: usize,
    pub(super) next: Option<String>,
}

/// Reads and renders a page of the list.
pub(super) async fn render<O: Services>(
    pages: &BrowsePages<O>,
    selection: &Selection,
    labels: &Labels,
) -> Result<Rows, Failure> {
    let (rows, next) = match selection.conversations {
        false => list_messages(pages, selection).await?,
        true => list_conversations(pages, selection).await?,
    };
    let zone = primary_time_zone(pages, selection.user()).await?;
    let today = pages.page.source.now().to_zoned(zone.clone()).date();
    let mut html = String::new();
    for row in &rows {
        write_row(&mut html, selection, labels, row, (&zone, today));
    }
    Ok(Rows { html, count: rows.len(), next })
}

/// Reads a page of messages, with the fields that the list shows.
async fn list_messages<O: Services>(
    pages: &BrowsePages<O>,
    selection: &Selection,
) -> Result<(Vec<Row>, Option<String>), Failure> {
    let link = selection.narrow(operation("messages").with("maxResults", PAGE_SIZE));
    let list: ListMessagesResponse = pages.get(selection.user(), &link).await?;
    let mut rows = Vec::with_capacity(list.messages.len());
    for named in list.messages {
        let message = read_summary(pages, selection.user(), &named.id.unwrap_or_default()).await;
        rows.extend(unless_deleted(message)?.map(|message| Row { message, earlier: Vec::new() }));
    }
    Ok((rows, list.next_page_token))
}

/// Reads a page of conversations, each with all of its messages.
async fn list_conversations<O: Services>(
    pages: &BrowsePages<O>,
    selection: &Selection,
) -> Result<(Vec<Row>, Option<String>), Failure> {
    let link = selection.narrow(operation("threads").with("maxResults", PAGE_SIZE));
    let list: ListThreadsResponse = pages.get(selection.user(), &link).await?;
    let mut rows = Vec::with_capacity(list.threads.len());
    for named in list.threads {
        let thread = read_conversation(pages, selection.user(), &named.id.unwrap_or_default()).await;
        let Some(mut earlier) = unless_deleted(thread)?.map(|thread| thread.messages) else { continue };
        rows.extend(earlier.pop().map(|message| Row { message, earlier }));
    }
    Ok((rows, list.next_page_token))
}

/// Returns nothing for an item that has been deleted since it was listed.
fn unless_deleted<T>(read: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match read {
        Ok(found) => Ok(Some(found)),
        Err(Failure::Api { status: StatusCode::NOT_FOUND, .. }) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Writes a row.
fn write_row(html: &mut String, selection: &Selection, labels: &Labels, row: &Row, (zone, today): (&TimeZone, Date)) {
    let Row { message, earlier } = row;
    let id = message.id.as_deref().unwrap_or_default();
    let link = Link::new("/mail/message").with("user", selection.user()).with("id", id);
    let unread = earlier.iter().chain([message]).any(is_unread);
    let (class, mark) = if unread { (" class=\"unread\"", "<span class=\"sr\">Unread. </span>") } else { ("", "") };
    let shown = |label: &&String| **label != selection.label && *label != "UNREAD";
    let others: Vec<String> = message.label_ids.iter().filter(shown).cloned().collect();
    let count = match earlier.len() {
        0 => String::new(),
        earlier => format!(" <small>{}<span class=\"sr\"> messages</span></small>", earlier + 1),
    };
    // Writing to a string does not fail.
    let _ = writeln!(
        html,
        "<li{class} data-id=\"{}\"><a href=\"{link}\">{mark}<span class=\"who\"><span>{}</span>{count}</span> \
         <span class=\"subject\"><bdi>{}</bdi></span> <span class=\"snippet\"><bdi>{}</bdi></span></a> \
         <span class=\"labels\">{}</span> {}</li>",
        Escaped(id),
        people(selection, row),
        Escaped(subject_or_placeholder(message)),
        Escaped(unescape(message.snippet.as_deref().unwrap_or_default())),
        labels.chips(&others),
        time(message, zone, today)
    );
}

fn is_unread(message: &Message) -> bool {
    message.label_ids.iter().any(|label| label == "UNREAD")
}

/// Returns the names of the senders, or of the recipients of what the user has sent.
fn people(selection: &Selection, row: &Row) -> String {
    let named = |message: &Message, name: &str| {
        let value = message.payload.as_ref().and_then(|payload| header(payload, name)).unwrap_or_default();
        short_name(value).to_owned()
    };
    if selection.label == "SENT" {
        return format!("to <bdi>{}</bdi>", Escaped(named(&row.message, "To")));
    }
    let mut names: Vec<String> = Vec::new();
    for message in row.earlier.iter().chain([&row.message]) {
        let name = named(message, "From");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let first = names.len().saturating_sub(MAX_SENDERS);
    let shown: Vec<String> = names.iter().skip(first).map(|name| format!("<bdi>{}</bdi>", Escaped(name))).collect();
    shown.join(", ")
}

/// Returns the time of arrival, of today as a time, otherwise as a date; empty if it is unknown.
fn time(message: &Message, zone: &TimeZone, today: Date) -> String {
    let Some(at) = message.internal_date.and_then(|date| time_at(date.0, zone)) else { return String::new() };
    let shown = match at.date() {
        day if day == today => at.strftime("%H:%M"),
        day if day.year() == today.year() => at.strftime("%-d %b"),
        _ => at.strftime("%-d %b %Y"),
    };
    format!("<time datetime=\"{}\" title=\"{}\">{shown}</time>", at.timestamp(), at.strftime("%-d %B %Y, %H:%M %Z"))
}

/// Returns a snippet without the escapes of the API.
fn unescape(snippet: &str) -> String {
    let text = snippet.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#39;", "'").replace("&amp;", "&")
}
