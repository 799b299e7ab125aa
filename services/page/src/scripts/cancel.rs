//! Executions that run, and their cancellation.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use jiff::tz::TimeZone;

use super::{enum_label, instant, json_response, read_json};
use crate::browse::{BrowsePages, Failure};
use crate::html::Escaped;
use crate::services::{Cancellation, Services};

/// Returns the executions that run and that a user may cancel, of a project or those of the user, with a button for
/// each; empty if there are none.
pub(super) async fn running_list<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    project: Option<&str>,
    zone: &TimeZone,
) -> Result<String, Failure> {
    let running = pages.page.source.running_executions(user, project).await.map_err(Failure::Unavailable)?;
    let mut html = String::new();
    for execution in running {
        let _ = writeln!(
            html,
            "<li>{} <bdi>{}</bdi> <small><bdi>{}</bdi>, {}</small> <button type=\"button\" data-cancels=\"{}\" \
             data-user=\"{}\">Cancel</button></li>",
            execution.number,
            Escaped(&execution.function),
            Escaped(&execution.project),
            instant(execution.started, zone),
            execution.number,
            Escaped(user)
        );
    }
    Ok(html)
}

/// `POST /scripts/cancel`: cancels an execution as the user of the page.
pub(super) async fn cancel<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    let done = cancel_execution(&pages, request).await;
    json_response(done.map(|()| (StatusCode::OK, b"{}".to_vec())))
}

/// Cancels the execution that a request of a page names.
async fn cancel_execution<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<(), Failure> {
    let request = read_json(pages, request).await?;
    let invalid = |message: &str| Failure::BadRequest(message.to_owned());
    let user = request["user"].as_str().ok_or_else(|| invalid("`user` must be a text."))?;
    let number = request["execution"].as_i64().ok_or_else(|| invalid("`execution` must be a number."))?;
    let (people, person) = pages.people(Some(user)).await?;
    let user = people.get(person).map_or(user, |person| &person.address);
    match pages.page.source.cancel_execution(user, number).await.map_err(Failure::Unavailable)? {
        Cancellation::Done => Ok(()),
        Cancellation::Ended(status) => {
            Err(Failure::Conflict(format!("The execution {number} has ended: {}.", enum_label(&status))))
        }
        Cancellation::Forbidden => Err(Failure::Forbidden(format!("This user may not cancel the execution {number}."))),
        Cancellation::NotFound => {
            Err(Failure::NotFound(format!("There is no execution {number} that this user can see.")))
        }
    }
}
