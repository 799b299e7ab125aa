//! `POST /-/clock`: moves the clock for tests, if the program was started with a clock of its own.

use serde_derive::Deserialize;
use serde_json::json;
use wireform_server::axum::Router;
use wireform_server::axum::extract::{Request, State};
use wireform_server::axum::http::StatusCode;
use wireform_server::axum::response::Response;
use wireform_server::axum::routing::post;
use wireform_store::{Clock, Maintenance as _, Millis, Retention};

use super::control::{admit_change, invalid, refusal};
use super::health::{error_response, json_response};
use super::{ServerState, cleanup};
use crate::settings::value;

/// Body of `POST /-/clock`: either a time or a duration, as text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockChange {
    now: Option<String>,
    advance: Option<String>,
}

impl ClockChange {
    /// Parses a body and returns the time to set; the error is the message of the response.
    fn read(bytes: &[u8], clock: &Clock) -> Result<Millis, String> {
        let example = r#"{"now": "2026-01-05T09:00:00Z"} or {"advance": "PT1H"}"#;
        let request: Self =
            serde_json::from_slice(bytes).map_err(|error| format!("the body must be {example}: {error}"))?;
        match (request.now, request.advance) {
            (Some(now), None) => value::instant(&now).map_err(|error| format!("`now` {error}")),
            (None, Some(time)) => {
                let time = value::duration(&time).map_err(|error| format!("`advance` {error}"))?;
                Ok(clock.now().saturating_add(time))
            }
            _ => Err(format!("the body must be {example}")),
        }
    }
}

/// Returns the routes of the clock.
pub fn router(shared: &ServerState, movable: bool) -> Router {
    if movable {
        Router::new().route("/-/clock", post(set).get(show)).with_state(shared.clone())
    } else {
        Router::new().route("/-/clock", post(clock_is_fixed).get(clock_is_fixed))
    }
}

async fn clock_is_fixed() -> Response {
    let message = "this server uses the machine's clock; help: start it with --clock TIME to move the clock";
    error_response(StatusCode::NOT_FOUND, "NOT_FOUND", message)
}

/// Handles `GET /-/clock`: returns the time of the clock.
async fn show(State(shared): State<ServerState>, request: Request) -> Response {
    refusal(request).unwrap_or_else(|| respond(&shared, None))
}

/// Handles `POST /-/clock`: moves the clock.
async fn set(State(shared): State<ServerState>, request: Request) -> Response {
    let body = match admit_change(request).await {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    match ClockChange::read(&body, &shared.clock) {
        Ok(now) => move_clock(&shared, now).await,
        Err(message) => invalid(&message),
    }
}

/// Moves the clock. Expired data is removed before the response, so that tests need not wait for that; jobs,
/// notifications and triggers that are due then run in the background.
async fn move_clock(shared: &ServerState, now: Millis) -> Response {
    let before = shared.clock.now();
    shared.clock.set(now);
    if let Some(token) = &shared.token
        && let Err(error) = token.renew(&shared.store, &shared.clock).await
    {
        tracing::error!(cause = %error, "the ready token could not be renewed");
    }
    cleanup::remove_expired(&shared.store, &shared.clock).await;
    let warning = match shared.store.retention().await {
        Ok(Retention::For(kept)) if before.saturating_add(kept) < now => {
            let kept = value::format_retention(Retention::For(kept));
            Some(format!(
                "the clock was moved by more than the retention of history, {kept}: earlier history is removed"
            ))
        }
        _ => None,
    };
    if let Some(warning) = &warning {
        tracing::warn!("{warning}");
    }
    respond(shared, warning)
}

/// Returns the response with the time of the clock, and a warning if there is one.
fn respond(shared: &ServerState, warning: Option<String>) -> Response {
    let mut response = json!({ "now": value::format_instant(shared.clock.now()) });
    if let Some(warning) = warning {
        response["warning"] = warning.into();
    }
    json_response(StatusCode::OK, &response)
}
