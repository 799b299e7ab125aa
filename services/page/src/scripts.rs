//! Pages of script projects: files, versions, deployments, metrics and executions.

mod executions;
mod highlight;
mod list;
mod log;
mod plot;
mod project;
mod run;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use script_types::runtime::DateTime;

use crate::browse::{BrowsePages, Failure};
use crate::html::Escaped;
use crate::link::Link;
use crate::parameters::Parameters;
use crate::services::Services;

/// Returns the routes of the pages.
pub(crate) fn router<O: Services>() -> Router<Arc<BrowsePages<O>>> {
    Router::new()
        .route("/scripts", get(list::show::<O>))
        .route("/scripts/project", get(project::show::<O>))
        .route("/scripts/executions", get(executions::show::<O>))
        .route("/scripts/executions/rows", get(executions::rows::<O>))
        .route("/scripts/run", post(run::run::<O>))
}

/// Returns the link to a project in the API.
fn operation(id: &str) -> Link {
    Link::new("/v1/projects").segment(id)
}

/// Returns the project identifier of the parameters.
fn project_parameter(parameters: &Parameters) -> Result<&str, Failure> {
    parameters.get("id").ok_or_else(|| Failure::BadRequest("The URL contains no project.".to_owned()))
}

/// Returns an element with the local time in a zone, or nothing without a time.
fn local_time(time: Option<&DateTime>, zone: &TimeZone) -> String {
    time.and_then(|time| time.to_timestamp()).map(|at| instant(at, zone)).unwrap_or_default()
}

/// Returns an element with an instant as the local time in a zone.
fn instant(at: Timestamp, zone: &TimeZone) -> String {
    let shown = at.to_zoned(zone.clone()).strftime("%-d %b %Y, %H:%M:%S").to_string();
    format!("<time datetime=\"{}\">{}</time>", Escaped(at), Escaped(shown))
}
