//! The overview: what is stored, in a few tables.

use std::fmt::{Display, Write as _};
use std::future::Future;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;

use crate::docs;
use crate::html::{Escaped, Loads, page};
use crate::page::Page;

/// What the overview failed for. It goes to the log, and not into the page.
pub type OverviewError = Box<dyn std::error::Error + Send + Sync>;

/// Where the overview is read from. Implementors write `async fn overview`.
pub trait Overview: Send + Sync + 'static {
    /// What is stored at the moment.
    ///
    /// # Errors
    /// When it cannot be read.
    fn overview(&self) -> impl Future<Output = Result<Contents, OverviewError>> + Send;
}

/// What is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The mailboxes.
    pub mailboxes: Listing<Mailbox>,
    /// The calendars.
    pub calendars: Listing<Calendar>,
    /// The script projects.
    pub projects: Listing<Project>,
}

/// The first of some things, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    /// Those that are shown.
    pub items: Vec<T>,
    /// How many there are, shown or not.
    pub total: u64,
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self { items: Vec::new(), total: 0 }
    }
}

impl<T> From<Vec<T>> for Listing<T> {
    /// All that there are.
    fn from(items: Vec<T>) -> Self {
        let total = u64::try_from(items.len()).unwrap_or(u64::MAX);
        Self { items, total }
    }
}

/// A mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// The mail address of its user.
    pub address: String,
    /// How many messages it holds.
    pub messages: u64,
    /// How many conversations these belong to.
    pub threads: u64,
    /// The number of its latest change.
    pub history_id: u64,
}

/// A calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// What it is asked for by.
    pub id: String,
    /// Its title.
    pub summary: String,
    /// The mail address of its owner.
    pub owner: String,
}

/// A script project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// What it is asked for by.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The mail address of its owner.
    pub owner: String,
}

/// `GET /`.
pub(crate) async fn show<O: Overview>(State(settings): State<Arc<Page<O>>>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    if !settings.overview_public
        && let Err(refusal) = settings.guard.admit_visit(&request)
    {
        let main = format!("<h1>Overview</h1>\n<p>This is not shown: {}.</p>\n", Escaped(refusal));
        return page(StatusCode::FORBIDDEN, "Overview", Loads::Style, "", &main);
    }
    match settings.source.overview().await {
        Ok(contents) => {
            let main = format!("{}<h2>References</h2>\n{}", tables(&contents), docs::links(&settings.apis));
            page(StatusCode::OK, "Overview", Loads::Style, "", &main)
        }
        Err(cause) => {
            tracing::error!(target: "wireform_page", cause = &*cause, "the overview cannot be read");
            let main = "<h1>Overview</h1>\n<p>What is stored cannot be read at the moment; the log of the server says why. \
                        Load the page again later.</p>\n";
            page(StatusCode::SERVICE_UNAVAILABLE, "Overview", Loads::Style, "", main)
        }
    }
}

/// The tables of all that is stored.
fn tables(contents: &Contents) -> String {
    let mut html = String::from("<h1>Overview</h1>\n");
    table(
        &mut html,
        "Mailboxes",
        &["Address", "Messages", "Threads", "Latest history id"],
        &contents.mailboxes,
        |item| [cell(&item.address), number(item.messages), number(item.threads), number(item.history_id)].concat(),
    );
    table(&mut html, "Calendars", &["Id", "Summary", "Owner"], &contents.calendars, |item| {
        [cell(&item.id), cell(&item.summary), cell(&item.owner)].concat()
    });
    table(&mut html, "Script projects", &["Id", "Title", "Owner"], &contents.projects, |item| {
        [cell(&item.id), cell(&item.title), cell(&item.owner)].concat()
    });
    html
}

fn table<T>(html: &mut String, title: &str, columns: &[&str], listing: &Listing<T>, row: impl Fn(&T) -> String) {
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

/// A text, whose direction is its own.
fn cell(text: impl Display) -> String {
    format!("<td><bdi>{}</bdi></td>", Escaped(text))
}

fn number(value: u64) -> String {
    format!("<td class=\"number\">{value}</td>")
}
