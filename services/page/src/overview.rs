//! Overview of the store, in tables.

use std::fmt::{Display, Write as _};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;

use crate::docs;
use crate::html::{AllowedResources, Escaped, page};
use crate::overview_contents::{Contents, Listing, Overview};
use crate::settings::PageSettings;

/// `GET /`.
pub(crate) async fn show<O: Overview>(State(settings): State<Arc<PageSettings<O>>>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    if !settings.overview_public
        && let Err(refusal) = settings.guard.admit_visit(&request)
    {
        let main = format!("<h1>Overview</h1>\n<p>This page is not shown: {}.</p>\n", Escaped(refusal));
        return page(StatusCode::FORBIDDEN, "Overview", AllowedResources::Style, "", &main);
    }
    match settings.source.overview().await {
        Ok(contents) => {
            let main = format!("{}<h2>References</h2>\n{}", tables(&contents), docs::links(&settings.apis));
            page(StatusCode::OK, "Overview", AllowedResources::Style, "", &main)
        }
        Err(cause) => {
            tracing::error!(target: "wireform_page", cause = &*cause, "the overview cannot be read");
            let main = "<h1>Overview</h1>\n<p>The data cannot be read at the moment; see the log of the server. \
                        Load the page again later.</p>\n";
            page(StatusCode::SERVICE_UNAVAILABLE, "Overview", AllowedResources::Style, "", main)
        }
    }
}

/// Returns the tables of the contents.
fn tables(contents: &Contents) -> String {
    let mut html = String::from("<h1>Overview</h1>\n");
    write_table(
        &mut html,
        "Mailboxes",
        &["Address", "Messages", "Threads", "Latest history id"],
        &contents.mailboxes,
        |item| {
            [cell(&item.address), number_cell(item.messages), number_cell(item.threads), number_cell(item.history_id)]
                .concat()
        },
    );
    write_table(&mut html, "Calendars", &["Id", "Summary", "Owner"], &contents.calendars, |item| {
        [cell(&item.id), cell(&item.summary), cell(&item.owner)].concat()
    });
    write_table(&mut html, "Script projects", &["Id", "Title", "Owner"], &contents.projects, |item| {
        [cell(&item.id), cell(&item.title), cell(&item.owner)].concat()
    });
    html
}

/// Writes a table with a row for each item, and the number of items that the listing omits.
fn write_table<T>(html: &mut String, title: &str, columns: &[&str], listing: &Listing<T>, row: impl Fn(&T) -> String) {
    // Writing to a string does not fail.
    let _ = writeln!(html, "<h2>{title} ({})</h2>", listing.total);
    if listing.items.is_empty() {
        html.push_str("<p>There are none.</p>\n");
        return;
    }
    html.push_str("<table>\n<thead><tr>");
    for column in columns {
        let _ = write!(html, "<th scope=\"col\">{column}</th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for item in &listing.items {
        let _ = writeln!(html, "<tr>{}</tr>", row(item));
    }
    html.push_str("</tbody>\n</table>\n");
    let shown = u64::try_from(listing.items.len()).unwrap_or(u64::MAX);
    if shown < listing.total {
        let _ = writeln!(html, "<p>And {} more.</p>", listing.total - shown);
    }
}

/// Returns a cell with a text in its own direction.
fn cell(text: impl Display) -> String {
    format!("<td><bdi>{}</bdi></td>", Escaped(text))
}

/// Returns the cell of a number.
fn number_cell(value: u64) -> String {
    format!("<td class=\"number\">{value}</td>")
}
