//! List of messages by label and search, with pages.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use jiff::tz::TimeZone;
use mailbox_types::{ListMessagesResponse, Message};

use super::labels::{Labels, name_of};
use super::parts::header;
use super::{operation, time_at};
use crate::assets;
use crate::browse::{BrowsePages, Failure, primary_time_zone, user_select};
use crate::html::{AllowedResources, Escaped, Section, page};
use crate::link::Link;
use crate::parameters::Parameters;
use crate::services::{Person, Services};

/// Number of messages on a page.
const PAGE_SIZE: u32 = 25;
/// Value in URLs for messages with any label.
const ALL_LABELS: &str = "all";

/// Selection of the page.
struct Selection {
    people: Vec<Person>,
    person: usize,
    label: String,
    search: String,
    token: Option<String>,
}

impl Selection {
    /// Returns the address of the selected user; empty if there are no users.
    fn user(&self) -> &str {
        self.people.get(self.person).map_or("", |person| &person.address)
    }

    /// Returns the link to a label, or to the next page of one.
    fn link(&self, label: &str, token: Option<&str>) -> Link {
        let search = Some(self.search.as_str()).filter(|search| !search.is_empty() && token.is_some());
        let link = Link::new("/mail").with("user", self.user()).with("label", label);
        link.with_some("q", search).with_some("page", token)
    }
}

/// `GET /mail`.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match render(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Mail, "Mail"),
    }
}

/// Renders the list of messages with a label, or of those that a search finds.
async fn render<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let selection = read_selection(pages, &parameters).await?;
    let labels = Labels::with_counts(pages, selection.user()).await?;
    let title = if selection.label == ALL_LABELS { "All mail".to_owned() } else { labels.name(&selection.label) };
    let mut html = toolbar(&selection, &title);
    html.push_str("<div class=\"mailbox\">\n");
    write_labels(&mut html, &selection, &labels);
    let status = match messages(pages, &selection).await {
        Ok((list, next)) => {
            let zone = primary_time_zone(pages, selection.user()).await?;
            let now = pages.page.source.now().to_zoned(zone.clone()).date();
            write_messages(&mut html, &selection, &labels, &list, (&zone, now));
            write_page_links(&mut html, &selection, next.as_deref());
            StatusCode::OK
        }
        // An error of a search is shown instead of its messages.
        Err(failure) => {
            let (status, message) = failure.status_and_message();
            let _ = writeln!(html, "<div id=\"messages\"><p role=\"alert\"><bdi>{}</bdi></p></div>", Escaped(message));
            status
        }
    };
    html.push_str("</div>\n");
    let sheet = labels.sheet();
    let loads = AllowedResources::Browse { style: sheet.as_str(), frames: false };
    Ok(page(
        status,
        Some(Section::Mail),
        &format!("{title} – {}", selection.user()),
        loads,
        &assets::head(assets::MAIL_STYLE, assets::MAIL_SCRIPT),
        &html,
    ))
}

/// Reads the selection from the parameters. A search without a label is in all of them.
async fn read_selection<O: Services>(pages: &BrowsePages<O>, parameters: &Parameters) -> Result<Selection, Failure> {
    let (people, person) = pages.people(parameters.get("user")).await?;
    let search = parameters.get("q").unwrap_or_default().to_owned();
    let label = parameters.get("label").unwrap_or(if search.is_empty() { "INBOX" } else { ALL_LABELS }).to_owned();
    Ok(Selection { people, person, label, search, token: parameters.get("page").map(str::to_owned) })
}

/// Reads a page of messages, with the fields that the list shows.
async fn messages<O: Services>(
    pages: &BrowsePages<O>,
    selection: &Selection,
) -> Result<(Vec<Message>, Option<String>), Failure> {
    let label = Some(selection.label.as_str()).filter(|label| *label != ALL_LABELS);
    let search = Some(selection.search.as_str()).filter(|search| !search.is_empty());
    let link = operation("messages").with("maxResults", PAGE_SIZE).with_some("labelIds", label);
    let link = link.with_some("q", search).with_some("pageToken", selection.token.as_deref());
    let list: ListMessagesResponse = pages.get(selection.user(), &link).await?;
    let mut messages = Vec::with_capacity(list.messages.len());
    for named in list.messages {
        let id = named.id.unwrap_or_default();
        match read_summary(pages, selection.user(), &id).await {
            Ok(message) => messages.push(message),
            // The message has been deleted in the meantime.
            Err(Failure::Api { status: StatusCode::NOT_FOUND, .. }) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok((messages, list.next_page_token))
}

/// Reads the fields of a message that the list shows.
pub(super) async fn read_summary<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    id: &str,
) -> Result<Message, Failure> {
    let link = operation("messages").segment(id).with("format", "metadata");
    let link = link.with("metadataHeaders", "From").with("metadataHeaders", "To").with("metadataHeaders", "Subject");
    pages.get(user, &link).await
}

/// Returns the title of the page, the links to other views, the choice of a user, and the search.
fn toolbar(selection: &Selection, title: &str) -> String {
    let history = Link::new("/mail/history").with("user", selection.user());
    format!(
        "<a class=\"skip\" href=\"#messages\">To the messages</a>\n<div class=\"bar\">\n<h1><bdi>{}</bdi></h1>\n\
         <nav class=\"views\" aria-label=\"Views\"><a href=\"{}\" aria-current=\"page\">Messages</a> \
         <a href=\"{history}\">History</a></nav>\n</div>\n\
         <form class=\"choice\" action=\"/mail\" role=\"search\">\n{}\n<input type=\"hidden\" name=\"label\" value=\"{}\">\n\
         <label class=\"search\">Search <input type=\"search\" name=\"q\" value=\"{}\" placeholder=\"from:charles is:unread\">\
         </label>\n<button>Show</button>\n</form>\n",
        Escaped(title),
        selection.link(&selection.label, None),
        user_select(&selection.people, selection.person),
        Escaped(&selection.label),
        Escaped(&selection.search),
    )
}

/// Writes the labels with their unread counts.
fn write_labels(html: &mut String, selection: &Selection, labels: &Labels) {
    html.push_str("<nav class=\"side\" aria-label=\"Labels\"><ul>\n");
    let mut line = |id: &str, name: &str, unread: i32, class: &str| {
        let current = if id == selection.label { " aria-current=\"page\"" } else { "" };
        let unread = if unread > 0 {
            format!(" <b class=\"count\">{unread}<span class=\"sr\"> unread</span></b>")
        } else {
            String::new()
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            html,
            "<li><a href=\"{}\"{current}><span class=\"dot{class}\"></span><bdi>{}</bdi>{unread}</a></li>",
            selection.link(id, None),
            Escaped(name)
        );
    };
    for (place, label) in labels.all().iter().enumerate() {
        let unread = label.messages_unread.unwrap_or_default();
        line(label.id.as_deref().unwrap_or_default(), &name_of(label), unread, &format!(" l{place}"));
    }
    line(ALL_LABELS, "All mail", 0, "");
    html.push_str("</ul></nav>\n");
}

/// Writes the list of messages.
fn write_messages(
    html: &mut String,
    selection: &Selection,
    labels: &Labels,
    list: &[Message],
    (zone, today): (&TimeZone, jiff::civil::Date),
) {
    html.push_str("<div id=\"messages\" tabindex=\"-1\">\n");
    if list.is_empty() {
        html.push_str("<p class=\"nothing\">There are no messages.</p>\n");
    }
    html.push_str("<ol class=\"messages\">\n");
    for message in list {
        let id = message.id.as_deref().unwrap_or_default();
        let link = Link::new("/mail/message").with("user", selection.user()).with("id", id);
        let named = |name: &str| message.payload.as_ref().and_then(|payload| header(payload, name)).unwrap_or_default();
        let (who, prefix) = if selection.label == "SENT" { (named("To"), "to ") } else { (named("From"), "") };
        let subject = subject_or_placeholder(message);
        let unread = message.label_ids.iter().any(|label| label == "UNREAD");
        let (class, label) =
            if unread { (" class=\"unread\"", "<span class=\"sr\">Unread. </span>") } else { ("", "") };
        let others: Vec<String> = message
            .label_ids
            .iter()
            .filter(|label| **label != selection.label && *label != "UNREAD")
            .cloned()
            .collect();
        let _ = writeln!(
            html,
            "<li{class}><a href=\"{link}\">{label}<span class=\"who\">{prefix}<bdi>{}</bdi></span> \
             <span class=\"subject\"><bdi>{}</bdi></span> <span class=\"snippet\"><bdi>{}</bdi></span></a> \
             <span class=\"labels\">{}</span> {}</li>",
            Escaped(short_name(who)),
            Escaped(subject),
            Escaped(unescape(message.snippet.as_deref().unwrap_or_default())),
            labels.chips(&others),
            time(message, zone, today)
        );
    }
    html.push_str("</ol>\n");
}

/// Writes the links to the first and to the next page.
fn write_page_links(html: &mut String, selection: &Selection, next: Option<&str>) {
    html.push_str("<nav class=\"steps\" aria-label=\"Pages\">");
    if selection.token.is_some() {
        let first = selection
            .link(&selection.label, None)
            .with_some("q", Some(selection.search.as_str()).filter(|q| !q.is_empty()));
        let _ = write!(html, "<a href=\"{first}\">Newest</a> ");
    }
    if let Some(next) = next {
        let _ = write!(html, "<a href=\"{}\" rel=\"next\">Older ›</a>", selection.link(&selection.label, Some(next)));
    }
    html.push_str("</nav>\n</div>\n");
}

/// Returns the time of arrival, of today as a time, otherwise as a date; empty if it is unknown.
fn time(message: &Message, zone: &TimeZone, today: jiff::civil::Date) -> String {
    let Some(at) = message.internal_date.and_then(|date| time_at(date.0, zone)) else { return String::new() };
    let shown = match at.date() {
        day if day == today => at.strftime("%H:%M"),
        day if day.year() == today.year() => at.strftime("%-d %b"),
        _ => at.strftime("%-d %b %Y"),
    };
    format!("<time datetime=\"{}\" title=\"{}\">{shown}</time>", at.timestamp(), at.strftime("%-d %B %Y, %H:%M %Z"))
}

/// Returns the subject of a message, or a placeholder.
pub(super) fn subject_or_placeholder(message: &Message) -> String {
    let subject = message.payload.as_ref().and_then(|payload| header(payload, "Subject"));
    subject.filter(|subject| !subject.trim().is_empty()).unwrap_or("Without a subject").to_owned()
}

/// Returns the display name of an address, or the address if it has none.
fn short_name(address: &str) -> &str {
    let name = address.split('<').next().unwrap_or_default().trim().trim_matches('"');
    if name.is_empty() { address } else { name }
}

/// Returns a snippet without the escapes of the API.
fn unescape(snippet: &str) -> String {
    let text = snippet.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#39;", "'").replace("&amp;", "&")
}
