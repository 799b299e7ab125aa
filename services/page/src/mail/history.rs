//! History of a mailbox: its last records, and new ones while the page is open.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use mailbox_types::{History, ListHistoryResponse, Message};
use serde_json::json;

use super::labels::Labels;
use super::operation;
use super::summary::{parse_history_id, read_summary, subject_or_placeholder};
use crate::assets;
use crate::browse::{BrowsePages, Failure, json_response, user_select};
use crate::html::{AllowedResources, Escaped, Section, page};
use crate::link::Link;
use crate::services::{Person, Services};

/// Number of records on a page, and of new records in a response.
const PAGE_SIZE: u32 = 50;
/// Maximum number of changes listed of a record.
const MAX_MESSAGES: usize = 5;
/// Maximum number of subjects looked up for a page.
const MAX_SUBJECTS: usize = 60;

/// Rendered records.
struct Records {
    /// Rows, newest first.
    rows: String,
    count: usize,
    /// History ID after which newer records follow.
    next: u64,
    /// True if there are newer records already.
    more: bool,
}

/// `GET /mail/history`.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match render(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Mail, "History"),
    }
}

/// Renders a page of a mailbox's history, latest record first.
async fn render<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let until = parameters.get("until").map(parse_history_id).transpose()?;
    let source = &pages.page.source;
    let start = source.history_start(user, until, PAGE_SIZE).await.map_err(Failure::Unavailable)?;
    let older = source.history_start(user, Some(start), PAGE_SIZE).await.map_err(Failure::Unavailable)?;
    let labels = Labels::read(pages, user).await?;
    let records = render_records(pages, user, &labels, start, until).await?;
    let mut html = toolbar(&people, person, user);
    let feed = Link::new("/mail/history/records").with("user", user);
    // An older page does not change any more.
    let live =
        if until.is_none() { format!(" data-feed=\"{feed}\" data-next=\"{}\"", records.next) } else { String::new() };
    let note =
        if until.is_none() { "New records appear here when the page is loaded again." } else { "Older records." };
    let _ = writeln!(
        html,
        "<p id=\"said\" role=\"status\">{note}</p>\n<ol class=\"records\" id=\"records\" tabindex=\"-1\"{live}>\n{}</ol>",
        records.rows
    );
    if records.count == 0 {
        html.push_str("<p class=\"nothing\" id=\"nothing\">The history is empty.</p>\n");
    }
    html.push_str("<nav class=\"steps\" aria-label=\"Pages\">");
    let history = Link::new("/mail/history").with("user", user);
    if until.is_some() {
        let _ = write!(html, "<a href=\"{history}\">Newest</a> ");
    }
    if older != start {
        let _ = write!(html, "<a href=\"{}\" rel=\"next\">Older ›</a>", history.with("until", start));
    }
    html.push_str("</nav>\n");
    let sheet = labels.sheet();
    let loads = AllowedResources::Browse { style: sheet.as_str(), frames: false };
    Ok(page(
        StatusCode::OK,
        Some(Section::Mail),
        &format!("History – {user}"),
        loads,
        &assets::head(assets::MAIL_STYLE, assets::MAIL_SCRIPT),
        &html,
    ))
}

/// `GET /mail/history/records`: records after the history ID `start`, which the open page requests.
pub(super) async fn records<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    let body = |Records { rows, count, next, more }| json!({ "rows": rows, "count": count, "next": next.to_string(), "more": more });
    json_response(new_records(&pages, request).await.map(body))
}

/// Renders the records after the requested history ID, for an open page.
async fn new_records<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Records, Failure> {
    let parameters = pages.admit_page(request)?;
    let _place = pages.feed_permit().ok_or_else(Failure::too_many_feeds)?;
    let start = parse_history_id(parameters.get("start").unwrap_or_default())?;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let list = list_history(pages, user, start).await?;
    if list.history.is_empty() {
        return Ok(Records { rows: String::new(), count: 0, next: start, more: false });
    }
    let labels = Labels::read(pages, user).await?;
    rows(pages, user, &labels, list, start, None).await
}

/// Reads the first records after a history ID.
async fn list_history<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    start: u64,
) -> Result<ListHistoryResponse, Failure> {
    pages.get(user, &operation("history").with("startHistoryId", start).with("maxResults", PAGE_SIZE)).await
}

/// Renders the records after a history ID, up to another one.
async fn render_records<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    labels: &Labels,
    start: u64,
    until: Option<u64>,
) -> Result<Records, Failure> {
    let list = list_history(pages, user, start).await?;
    rows(pages, user, labels, list, start, until).await
}

/// Writes records, up to a history ID.
async fn rows<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    labels: &Labels,
    list: ListHistoryResponse,
    start: u64,
    until: Option<u64>,
) -> Result<Records, Failure> {
    let mut subjects = Subjects { pages, user, known: HashMap::new() };
    let mut records = Records { rows: String::new(), count: 0, next: start, more: list.next_page_token.is_some() };
    let mut rows = Vec::new();
    for record in &list.history {
        let id = record.id.map(|id| id.0).unwrap_or_default();
        if until.is_some_and(|until| id > until) {
            break;
        }
        rows.push(row(record, id, labels, &mut subjects).await?);
        records.next = id;
    }
    records.count = rows.len();
    rows.reverse();
    records.rows = rows.concat();
    Ok(records)
}

/// Subjects of messages, each looked up once.
struct Subjects<'a, O> {
    pages: &'a BrowsePages<O>,
    user: &'a str,
    known: HashMap<String, Option<String>>,
}

impl<O: Services> Subjects<'_, O> {
    /// Returns a link to a message with its subject, or with its identifier after [`MAX_SUBJECTS`] messages; a deleted
    /// message is its identifier, without a link.
    async fn link(&mut self, message: Option<&Message>) -> Result<String, Failure> {
        let id = message.and_then(|message| message.id.as_deref()).unwrap_or_default();
        if !self.known.contains_key(id) && self.known.len() < MAX_SUBJECTS {
            let found = match read_summary(self.pages, self.user, id).await {
                Ok(message) => Some(subject_or_placeholder(&message)),
                Err(Failure::Api { status: StatusCode::NOT_FOUND, .. }) => None,
                Err(failure) => return Err(failure),
            };
            self.known.insert(id.to_owned(), found);
        }
        Ok(match self.known.get(id) {
            Some(None) => format!("<code>{}</code> <small>deleted since</small>", Escaped(id)),
            found => {
                let subject = found.and_then(Option::as_deref).unwrap_or(id);
                let link = Link::new("/mail/message").with("user", self.user).with("id", id);
                format!("<a href=\"{link}\"><bdi>{}</bdi></a>", Escaped(subject))
            }
        })
    }
}

/// Writes a record.
async fn row<O: Services>(
    record: &History,
    id: u64,
    labels: &Labels,
    subjects: &mut Subjects<'_, O>,
) -> Result<String, Failure> {
    let mut changes: Vec<(&str, &str, Option<&Message>, &[String])> = Vec::new();
    changes.extend(record.messages_added.iter().map(|one| ("added", "Added", one.message.as_ref(), &[][..])));
    changes.extend(record.messages_deleted.iter().map(|one| ("deleted", "Deleted", one.message.as_ref(), &[][..])));
    let given = record.labels_added.iter();
    changes.extend(given.map(|one| ("given", "Labelled", one.message.as_ref(), &one.label_ids[..])));
    let taken = record.labels_removed.iter();
    changes.extend(taken.map(|one| ("taken", "Label removed", one.message.as_ref(), &one.label_ids[..])));
    let mut html = format!("<li id=\"record-{id}\"><span class=\"number\">{id}</span><ul>");
    for (class, what, message, ids) in changes.iter().take(MAX_MESSAGES) {
        let link = subjects.link(*message).await?;
        // Writing to a string does not fail.
        let _ = write!(
            html,
            "<li><span class=\"change {class}\">{what}</span> {link} <span class=\"labels\">{}</span></li>",
            labels.chips(ids)
        );
    }
    if changes.len() > MAX_MESSAGES {
        let _ = write!(html, "<li>and {} more changes</li>", changes.len() - MAX_MESSAGES);
    }
    html.push_str("</ul></li>\n");
    Ok(html)
}

/// Returns the title of the page, the links to other views, and the choice of a user.
fn toolbar(people: &[Person], person: usize, user: &str) -> String {
    let (mail, history) = (Link::new("/mail").with("user", user), Link::new("/mail/history").with("user", user));
    let conversations = mail.clone().with("view", "conversations");
    format!(
        "<a class=\"skip\" href=\"#records\">To the records</a>\n<div class=\"bar\">\n<h1>History</h1>\n\
         <nav class=\"views\" aria-label=\"Views\"><a href=\"{mail}\">Messages</a> \
         <a href=\"{conversations}\">Conversations</a> \
         <a href=\"{history}\" aria-current=\"page\">History</a></nav>\n</div>\n\
         <form class=\"choice\" action=\"/mail/history\">\n{}\n<button>Show</button>\n</form>\n",
        user_select(people, person)
    )
}
