//! Pages of script projects: files, versions, deployments, metrics and executions.

mod cancel;
mod execution;
mod executions;
mod highlight;
mod list;
mod log;
mod plot;
mod project;
mod run;

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use http::{StatusCode, header};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use script_types::runtime::DateTime;
use serde_json::{Value, json};

use crate::browse::{BrowsePages, Failure};
use crate::html::Escaped;
use crate::link::Link;
use crate::parameters::Parameters;
use crate::services::Services;

/// Maximum length of a request of a page's script, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Returns the routes of the pages.
pub(crate) fn router<O: Services>() -> Router<Arc<BrowsePages<O>>> {
    Router::new()
        .route("/scripts", get(list::show::<O>))
        .route("/scripts/project", get(project::show::<O>))
        .route("/scripts/execution", get(execution::show::<O>))
        .route("/scripts/execution/details", get(execution::update::<O>))
        .route("/scripts/executions", get(executions::show::<O>))
        .route("/scripts/executions/rows", get(executions::rows::<O>))
        .route("/scripts/run", post(run::run::<O>))
        .route("/scripts/cancel", post(cancel::cancel::<O>))
}

/// Returns JSON for the script of a page, or the error.
fn json_response(result: Result<(StatusCode, Vec<u8>), Failure>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json; charset=UTF-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    let (status, body) = result.unwrap_or_else(|failure| {
        let (status, message) = failure.status_and_message();
        (status, json!({ "error": { "code": status.as_u16(), "message": message } }).to_string().into_bytes())
    });
    (status, headers, body).into_response()
}

/// Reads the JSON of a request that the script of a page sends.
async fn read_json<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Value, Failure> {
    let (head, body) = request.into_parts();
    // The body is not read before the sender is checked.
    pages.admit_page(Request::from_parts(head, Body::empty()))?;
    let too_long = |_| Failure::BadRequest("The request is too long.".to_owned());
    let body = to_bytes(body, MAX_BYTES).await.map_err(too_long)?;
    serde_json::from_slice(&body).map_err(|error| Failure::BadRequest(format!("This is not JSON: {error}.")))
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

/// Formats the value of an enum: `TIMED_OUT` becomes `timed out`.
fn enum_label(name: &str) -> String {
    // The pages spell it as the documentation does.
    name.to_lowercase().replace('_', " ").replace("canceled", "cancelled")
}
