//! List of messages or conversations by label and search, with pages, and their arrival while the page is open.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use mailbox_types::{ListHistoryResponse, Profile};
use serde_json::{Value, json};

use super::labels::{Labels, name_of};
use super::operation;
use super::rows::{self, Rows};
use super::selection::{ALL_LABELS, Selection};
use super::summary::parse_history_id;
use crate::assets;
use crate::browse::{BrowsePages, Failure, json_response, user_select};
use crate::html::{AllowedResources, Escaped, Section, page};
use crate::link::Link;
use crate::services::Services;

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
    let selection = Selection::read(pages, &parameters).await?;
    // What arrives while the page is rendered is new for the page.
    let state = history_id(pages, selection.user()).await?;
    let labels = Labels::with_counts(pages, selection.user()).await?;
    let title = if selection.label == ALL_LABELS { "All mail".to_owned() } else { labels.name(&selection.label) };
    let mut html = toolbar(&selection, &title);
    let _ = writeln!(
        html,
        "<div class=\"mailbox\">\n<nav class=\"side\" aria-label=\"Labels\"><ul id=\"labels\">\n{}</ul></nav>",
        label_links(&selection, &labels)
    );
    let status = match rows::render(pages, &selection, &labels).await {
        Ok(rows) => {
            write_rows(&mut html, &selection, &rows, state);
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
    let head = assets::head(assets::MAIL_STYLE, assets::MAIL_SCRIPT);
    Ok(page(status, Some(Section::Mail), &format!("{title} – {}", selection.user()), loads, &head, &html))
}

/// Returns the current history ID of a mailbox.
async fn history_id<O: Services>(pages: &BrowsePages<O>, user: &str) -> Result<u64, Failure> {
    let profile: Profile = pages.get(user, &operation("profile")).await?;
    Ok(profile.history_id.map(|id| id.0).unwrap_or_default())
}

/// Writes the rows with the links to other pages. The first page is updated while it is open.
fn write_rows(html: &mut String, selection: &Selection, rows: &Rows, state: u64) {
    html.push_str("<div id=\"messages\" tabindex=\"-1\">\n");
    let feed = match selection.token {
        None => format!(" data-feed=\"{}\" data-next=\"{state}\" data-whole", selection.feed_link()),
        Some(_) => String::new(),
    };
    if selection.token.is_none() {
        html.push_str("<p id=\"said\" role=\"status\">New messages appear here when the page is loaded again.</p>\n");
    }
    let hidden = if rows.count == 0 { "" } else { " hidden" };
    let _ = writeln!(
        html,
        "<p class=\"nothing\" id=\"nothing\"{hidden}>There are no messages.</p>\n<ol class=\"messages\"{feed}>\n{}</ol>",
        rows.html
    );
    html.push_str("<nav class=\"steps\" aria-label=\"Pages\">");
    if selection.token.is_some() {
        let _ = write!(html, "<a href=\"{}\">Newest</a> ", selection.page_link(None));
    }
    if let Some(next) = rows.next.as_deref() {
        let _ = write!(html, "<a href=\"{}\" rel=\"next\">Older ›</a>", selection.page_link(Some(next)));
    }
    html.push_str("</nav>\n</div>\n");
}

/// `GET /mail/rows`: the newest rows of a list, if the mailbox has changed since the history ID `start`, for an open page.
pub(super) async fn rows<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    json_response(changed_rows(&pages, request).await)
}

/// Returns the rows and the labels of a list, or no rows if nothing has changed.
async fn changed_rows<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Value, Failure> {
    let parameters = pages.admit_page(request)?;
    let _place = pages.feed_permit().ok_or_else(Failure::too_many_feeds)?;
    let selection = Selection::read(pages, &parameters).await?;
    let start = parse_history_id(parameters.get("start").unwrap_or_default())?;
    let link = operation("history").with("startHistoryId", start).with("maxResults", 1);
    match pages.get::<ListHistoryResponse>(selection.user(), &link).await {
        Ok(list) if list.history.is_empty() => return Ok(json!({ "count": 0, "next": start.to_string() })),
        // A history ID that is too old does not say what has changed.
        Ok(_) | Err(Failure::Api { status: StatusCode::NOT_FOUND, .. }) => {}
        Err(failure) => return Err(failure),
    }
    let next = history_id(pages, selection.user()).await?;
    let labels = Labels::with_counts(pages, selection.user()).await?;
    let rows = rows::render(pages, &selection, &labels).await?;
    let side = label_links(&selection, &labels);
    // The page shows the rows even if there are none any more.
    Ok(json!({ "rows": rows.html, "count": 1, "labels": side, "next": next.to_string(), "more": false }))
}

/// Returns the title of the page, the links to other views, the choice of a user, and the search.
fn toolbar(selection: &Selection, title: &str) -> String {
    let history = Link::new("/mail/history").with("user", selection.user());
    let view = |conversations: bool, name: &str| {
        let current = if conversations == selection.conversations { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"{}\"{current}>{name}</a>", selection.view_link(conversations))
    };
    let kept =
        if selection.conversations { "<input type=\"hidden\" name=\"view\" value=\"conversations\">\n" } else { "" };
    format!(
        "<a class=\"skip\" href=\"#messages\">To the messages</a>\n<div class=\"bar\">\n<h1><bdi>{}</bdi></h1>\n\
         <nav class=\"views\" aria-label=\"Views\">{} {} <a href=\"{history}\">History</a></nav>\n</div>\n\
         <form class=\"choice\" action=\"/mail\" role=\"search\">\n{}\n<input type=\"hidden\" name=\"label\" value=\"{}\">\n\
         {kept}<label class=\"search\">Search <input type=\"search\" name=\"q\" value=\"{}\" placeholder=\"from:charles is:unread\">\
         </label>\n<button>Show</button>\n</form>\n",
        Escaped(title),
        view(false, "Messages"),
        view(true, "Conversations"),
        user_select(&selection.people, selection.person),
        Escaped(&selection.label),
        Escaped(&selection.search),
    )
}

/// Returns links to the labels, with their unread counts.
fn label_links(selection: &Selection, labels: &Labels) -> String {
    let mut html = String::new();
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
            selection.label_link(id),
            Escaped(name)
        );
    };
    for (place, label) in labels.all().iter().enumerate() {
        let unread = label.messages_unread.unwrap_or_default();
        line(label.id.as_deref().unwrap_or_default(), &name_of(label), unread, &format!(" l{place}"));
    }
    line(ALL_LABELS, "All mail", 0, "");
    html
}
