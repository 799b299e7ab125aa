//! Executions of a user or a project, updated while the page is open.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::cancel::running_list;
use super::execution::{duration, execution_number, status_cell};
use super::log::log;
use super::{enum_label, instant, json_response};
use crate::assets;
use crate::browse::{BrowsePages, Failure, primary_time_zone, user_select};
use crate::html::{AllowedResources, Escaped, Section, page};
use crate::link::Link;
use crate::services::{ExecutionList, Services};

/// Number of executions on a page.
const PAGE_SIZE: u32 = 50;

/// `GET /scripts/executions`: executions of a user, or of all users of a project.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match render(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Scripts, "Executions"),
    }
}

/// Renders the executions of a project with its log, or those of all projects of a user.
async fn render<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let id = parameters.get("id");
    let token = parameters.get("page").map(execution_number).transpose()?;
    let list = read_executions(pages, user, id, token).await?;
    let zone = primary_time_zone(pages, user).await?;
    let rows = table_rows(user, &list, &zone);
    let (back, name) = match id {
        Some(id) => (Link::new("/scripts/project").with("user", user).with("id", id), "The project"),
        None => (Link::new("/scripts").with("user", user), "The projects"),
    };
    let feed = Link::new("/scripts/executions/rows").with("user", user).with_some("id", id);
    let feed = if token.is_none() { format!(" data-feed=\"{feed}\"") } else { String::new() };
    let choice = match id {
        Some(_) => String::new(),
        None => {
            let users = user_select(&people, person);
            let submit = "<noscript><button>Show</button></noscript>";
            format!("<form class=\"choice\" action=\"/scripts/executions\">{users}{submit}</form>\n")
        }
    };
    let running = match token {
        Some(_) => String::new(),
        // It is shown by the script of the page, which its buttons need.
        None => format!("<ul id=\"running\" hidden>\n{}</ul>\n", running_list(pages, user, id, &zone).await?),
    };
    let mut html = format!(
        "<p class=\"back\"><a href=\"{back}\">‹ {name}</a></p>\n<h1>Executions</h1>\n{choice}{running}<table class=\"executions\">\n\
         <thead><tr><th>Started</th><th>Function</th><th>Project</th><th>Kind</th><th>Status</th><th>Duration</th></tr>\
         </thead>\n<tbody id=\"executions\"{feed}>\n{rows}</tbody></table>\n"
    );
    if list.items.is_empty() {
        html.push_str("<p class=\"nothing\">Nothing has run yet.</p>\n");
    }
    if let (Some(id), None) = (id, token) {
        let log = log(pages, user, id, &zone).await?;
        let _ = writeln!(html, "<section><h2>Log</h2>\n<div id=\"log\">\n{log}</div></section>");
    }
    if let Some(next) = list.next {
        let link = Link::new("/scripts/executions").with("user", user).with_some("id", id).with("page", next);
        let _ = writeln!(html, "<nav class=\"steps\"><a href=\"{link}\" rel=\"next\">Older ›</a></nav>");
    }
    let loads = AllowedResources::Browse { style: "", frames: false };
    Ok(page(
        StatusCode::OK,
        Some(Section::Scripts),
        "Executions",
        loads,
        &assets::head(assets::SCRIPTS_STYLE, assets::SCRIPTS_SCRIPT),
        &html,
    ))
}

/// `GET /scripts/executions/rows`: the latest executions with their log and those that run, which the open page requests.
pub(super) async fn rows<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    json_response(latest_rows(&pages, request).await.map(|body| (StatusCode::OK, body.to_string().into_bytes())))
}

/// Returns the rows of the latest executions, those that run, and the log, for an open page.
async fn latest_rows<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Value, Failure> {
    let parameters = pages.admit_page(request)?;
    let _place = pages.feed_permit().ok_or_else(Failure::too_many_feeds)?;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let id = parameters.get("id");
    let list = read_executions(pages, user, id, None).await?;
    let zone = primary_time_zone(pages, user).await?;
    let log = match id {
        Some(id) => log(pages, user, id, &zone).await?,
        None => String::new(),
    };
    let running = running_list(pages, user, id, &zone).await?;
    Ok(json!({ "rows": table_rows(user, &list, &zone), "running": running, "log": log }))
}

/// Reads a page of executions, of a project or of all projects of a user.
async fn read_executions<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    project: Option<&str>,
    before: Option<i64>,
) -> Result<ExecutionList, Failure> {
    let list = pages.page.source.executions(user, project, before, PAGE_SIZE).await.map_err(Failure::Unavailable)?;
    list.ok_or_else(|| {
        Failure::NotFound(format!("Project `{}` not found, or not visible to {user}.", project.unwrap_or_default()))
    })
}

/// Returns the table rows of executions.
fn table_rows(user: &str, list: &ExecutionList, zone: &TimeZone) -> String {
    let mut html = String::new();
    for execution in &list.items {
        let link = Link::new("/scripts/execution").with("user", user).with("number", execution.number);
        // Writing to a string does not fail.
        let _ = writeln!(
            html,
            "<tr><td><a href=\"{link}\">{}</a></td><td><bdi>{}</bdi></td><td><bdi>{}</bdi></td><td>{}</td>{}<td>{}</td></tr>",
            instant(execution.started, zone),
            Escaped(&execution.function),
            Escaped(&execution.title),
            Escaped(enum_label(&execution.kind)),
            status_cell("td", &execution.status),
            duration(execution)
        );
    }
    html
}
