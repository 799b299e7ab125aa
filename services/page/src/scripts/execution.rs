//! Page of an execution: its log, and the error with its stack, updated while it runs.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::log::write_lines;
use super::{enum_label, instant, json_response};
use crate::assets;
use crate::browse::{BrowsePages, Failure, primary_time_zone};
use crate::html::{AllowedResources, Escaped, Section, code, page};
use crate::link::Link;
use crate::parameters::Parameters;
use crate::services::{ExecutionDetails, ExecutionSummary, LogLine, Services};

/// Maximum number of log lines of an execution that are shown.
pub(super) const MAX_LINES: u32 = 2_000;
/// Statuses of executions that have ended with an error.
const FAILED: [&str; 2] = ["FAILED", "TIMED_OUT"];

/// `GET /scripts/execution`.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match render(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Scripts, "Execution"),
    }
}

/// Renders an execution that the user of the page can see.
async fn render<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let (user, ExecutionDetails { summary, log }, zone) = read(pages, &parameters).await?;
    let all = Link::new("/scripts/executions").with("user", &user);
    let all = all.with_some("id", Some(summary.project.as_str()).filter(|id| !id.is_empty()));
    let function = if summary.function.is_empty() { "Execution" } else { &summary.function };
    let feed = Link::new("/scripts/execution/details").with("user", &user).with("number", summary.number);
    let feed = if summary.ended.is_none() { format!(" data-feed=\"{feed}\"") } else { String::new() };
    let html = format!(
        "<p class=\"back\"><a href=\"{all}\">‹ The executions</a></p>\n<h1><bdi>{}</bdi></h1>\n\
         <div id=\"execution\"{feed}>\n{}</div>\n",
        Escaped(function),
        details(&user, &summary, &log, &zone)
    );
    let loads = AllowedResources::Browse { style: "", frames: false };
    let head = assets::head(assets::SCRIPTS_STYLE, assets::SCRIPTS_SCRIPT);
    Ok(page(StatusCode::OK, Some(Section::Scripts), function, loads, &head, &html))
}

/// `GET /scripts/execution/details`: the current status and log, which the open page of a running execution requests.
pub(super) async fn update<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    let details = current_details(&pages, request).await;
    json_response(details.map(|body| (StatusCode::OK, body.to_string().into_bytes())))
}

/// Returns the details of an execution, and whether it has ended, for an open page.
async fn current_details<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Value, Failure> {
    let parameters = pages.admit_page(request)?;
    let _place = pages.feed_permit().ok_or_else(Failure::too_many_feeds)?;
    let (user, ExecutionDetails { summary, log }, zone) = read(pages, &parameters).await?;
    Ok(json!({ "details": details(&user, &summary, &log, &zone), "ended": summary.ended.is_some() }))
}

/// Reads the execution of a URL. Returns the user of the page and the user's time zone too.
async fn read<O: Services>(
    pages: &BrowsePages<O>,
    parameters: &Parameters,
) -> Result<(String, ExecutionDetails, TimeZone), Failure> {
    let number = execution_number(parameters.get("number").unwrap_or_default())?;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let found = pages.page.source.execution(user, number, MAX_LINES).await.map_err(Failure::Unavailable)?;
    let missing = || Failure::NotFound(format!("There is no execution {number} that this user can see."));
    let found = found.ok_or_else(missing)?;
    Ok((user.to_owned(), found, primary_time_zone(pages, user).await?))
}

/// Returns the properties of an execution with its error and its log.
fn details(user: &str, summary: &ExecutionSummary, log: &[LogLine], zone: &TimeZone) -> String {
    let mut html = format!(
        "<dl>\n<dt>Execution</dt><dd>{}</dd>\n<dt>Status</dt>{}\n<dt>Project</dt><dd>{}</dd>\n\
         <dt>Kind</dt><dd>{}</dd>\n<dt>User</dt><dd><bdi>{}</bdi></dd>\n<dt>Started</dt><dd>{}</dd>\n\
         <dt>Duration</dt><dd>{}</dd>\n</dl>\n",
        summary.number,
        status_cell("dd", &summary.status),
        project_link(user, summary),
        Escaped(enum_label(&summary.kind)),
        Escaped(&summary.user),
        instant(summary.started, zone),
        if summary.ended.is_some() { duration(summary) } else { "has not ended".to_owned() }
    );
    if FAILED.contains(&summary.status.as_str()) {
        let error = log.last().filter(|line| line.severity == "error").map(|line| code(&line.text));
        let error = error.unwrap_or_else(|| "<p role=\"note\">The error is not logged.</p>".to_owned());
        let _ = writeln!(html, "<section class=\"error\"><h2>Error</h2>\n{error}</section>");
    }
    html.push_str("<section><h2>Log</h2>\n");
    if log.is_empty() {
        html.push_str("<p class=\"nothing\">Nothing is logged.</p>\n");
    } else {
        html.push_str("<div id=\"log\">\n");
        write_lines(&mut html, log);
        html.push_str("</div>\n");
    }
    if log.len() >= usize::try_from(MAX_LINES).unwrap_or(usize::MAX) {
        html.push_str("<p role=\"note\">Later lines are not shown: <code>wireform-services scripts logs</code>.</p>\n");
    }
    html.push_str("</section>\n");
    html
}

/// Returns the title of the project, with a link if the user can see the project.
fn project_link(user: &str, execution: &ExecutionSummary) -> String {
    let title = Escaped(&execution.title);
    if execution.project.is_empty() {
        return format!("<bdi>{title}</bdi>");
    }
    let link = Link::new("/scripts/project").with("user", user).with("id", &execution.project);
    format!("<a href=\"{link}\"><bdi>{title}</bdi></a>")
}

/// Parses the number of an execution of a URL.
pub(super) fn execution_number(text: &str) -> Result<i64, Failure> {
    text.parse().map_err(|_| Failure::BadRequest(format!("`{text}` is not the number of an execution.")))
}

/// Returns a table cell or another element with a status.
pub(super) fn status_cell(element: &str, status: &str) -> String {
    let (value, label) = (Escaped(status), Escaped(enum_label(status)));
    format!("<{element} class=\"status\" data-status=\"{value}\">{label}</{element}>")
}

/// Returns the duration of an execution in seconds; empty if it has not ended.
pub(super) fn duration(execution: &ExecutionSummary) -> String {
    let Some(ended) = execution.ended else { return String::new() };
    let milliseconds = ended.duration_since(execution.started).as_millis().max(0);
    format!("{}.{:03} s", milliseconds / 1_000, milliseconds % 1_000)
}
