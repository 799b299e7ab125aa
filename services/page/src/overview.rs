//! Overview of the store, in tables.

use std::fmt::{Display, Write as _};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;

use crate::access::access;
use crate::html::{AllowedResources, Escaped, Section, page};
use crate::link::Link;
use crate::overview_contents::{Contents, Listing, Overview};
use crate::settings::PageSettings;
use crate::{assets, docs};

/// `GET /`.
pub(crate) async fn show<O: Overview>(State(settings): State<Arc<PageSettings<O>>>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    let admitted = settings.guard.admit_visit(&request);
    let is_here = admitted.is_ok();
    if let (false, Err(refusal)) = (settings.overview_public, admitted) {
        return message(StatusCode::FORBIDDEN, &format!("This page is not shown: {}.", Escaped(refusal)));
    }
    match settings.source.overview().await {
        Ok(contents) => {
            let main = format!(
                "<h1>Overview</h1>\n{}{}<h2>References</h2>\n{}",
                tables(&contents, is_here && settings.browse),
                access(&settings, is_here),
                docs::links(&settings.apis)
            );
            let loads = AllowedResources::Browse { style: "", frames: false };
            page(StatusCode::OK, Some(Section::Overview), "Overview", loads, &assets::common_head(), &main)
        }
        Err(cause) => {
            tracing::error!(target: "wireform_page", cause = &*cause, "the overview cannot be read");
            let text = "The data cannot be read at the moment; see the log of the server. Load the page again later.";
            message(StatusCode::SERVICE_UNAVAILABLE, text)
        }
    }
}

/// Returns the page with a message in place of the contents. The text is already HTML.
fn message(status: StatusCode, text: &str) -> Response {
    let main = format!("<h1>Overview</h1>\n<p role=\"alert\">{text}</p>\n");
    page(status, Some(Section::Overview), "Overview", AllowedResources::Style, &assets::common_style(), &main)
}

/// Returns the tables of the contents, with links to the pages of the items if these are shown.
fn tables(contents: &Contents, linked: bool) -> String {
    let mut html = String::new();
    let named = |link: Link, text: &str| if linked { linked_cell(&link, text) } else { cell(text) };
    let columns = ["Address", "Messages", "Threads", "Latest history id"];
    write_table(&mut html, "Mailboxes", &columns, &contents.mailboxes, |item| {
        let link = Link::new("/mail").with("user", &item.address);
        let numbers = [item.messages, item.threads, item.history_id].map(number_cell).concat();
        named(link, &item.address) + &numbers
    });
    write_table(&mut html, "Calendars", &["Summary", "Id", "Owner"], &contents.calendars, |item| {
        let link = Link::new("/calendar").with_some("user", some(&item.owner)).with("calendar", &item.id);
        [named(link, label(&item.summary, &item.id)), cell(&item.id), cell(&item.owner)].concat()
    });
    write_table(&mut html, "Script projects", &["Title", "Id", "Owner"], &contents.projects, |item| {
        let link = Link::new("/scripts/project").with_some("user", some(&item.owner)).with("id", &item.id);
        [named(link, label(&item.title, &item.id)), cell(&item.id), cell(&item.owner)].concat()
    });
    html
}

/// Returns a text unless it is empty.
fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Returns the title of an item, or its identifier if it has none, so that a link has a text.
fn label<'a>(title: &'a str, id: &'a str) -> &'a str {
    if title.trim().is_empty() { id } else { title }
}

/// Writes a table with a row for each item, and the number of items that the listing omits.
fn write_table<T>(html: &mut String, title: &str, columns: &[&str], listing: &Listing<T>, row: impl Fn(&T) -> String) {
    // Writing to a string does not fail.
    let _ = writeln!(html, "<h2>{title} ({})</h2>", listing.total);
    if listing.items.is_empty() {
        html.push_str("<p>There are none.</p>\n");
        return;
    }
    html.push_str("<div class=\"wide\"><table>\n<thead><tr>");
    for column in columns {
        let _ = write!(html, "<th scope=\"col\">{column}</th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for item in &listing.items {
        let _ = writeln!(html, "<tr>{}</tr>", row(item));
    }
    html.push_str("</tbody>\n</table></div>\n");
    let shown = u64::try_from(listing.items.len()).unwrap_or(u64::MAX);
    if shown < listing.total {
        let _ = writeln!(html, "<p>And {} more.</p>", listing.total - shown);
    }
}

/// Returns a cell with a text in its own direction.
fn cell(text: impl Display) -> String {
    format!("<td><bdi>{}</bdi></td>", Escaped(text))
}

/// Returns a cell with a link.
fn linked_cell(link: &Link, text: &str) -> String {
    format!("<td><a href=\"{link}\"><bdi>{}</bdi></a></td>", Escaped(text))
}

/// Returns the cell of a number.
fn number_cell(value: u64) -> String {
    format!("<td class=\"number\">{value}</td>")
}
