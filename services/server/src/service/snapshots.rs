//! `POST /-/snapshot` and `POST /-/reset`: keep and restore the contents of the store for tests, if the program was
//! started with `--allow-reset`.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use serde::de::DeserializeOwned;
use serde_derive::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use wireform_server::axum::Router;
use wireform_server::axum::extract::{Path, Request, State};
use wireform_server::axum::http::StatusCode;
use wireform_server::axum::response::Response;
use wireform_server::axum::routing::{delete, post};
use wireform_store::{Error, Maintenance as _, Millis, Snapshot};

use super::ServerState;
use super::control::{admit_change, invalid, refusal};
use super::health::{error_response, json_response};
use crate::settings::value;

/// Maximum memory of all snapshots.
const MAX_BYTES: usize = 64 << 20;
/// Maximum number of snapshots.
const MAX_SNAPSHOTS: usize = 100;
/// Maximum length of a name.
const MAX_NAME: usize = 64;
/// Name of the snapshot that is taken when the server starts.
const START: &str = "start";

/// Snapshot with its time.
#[derive(Debug, Clone)]
struct TakenSnapshot {
    contents: Arc<Snapshot>,
    /// Time of the services' clock.
    time: Millis,
}

/// Snapshots by name.
type Snapshots = BTreeMap<String, TakenSnapshot>;

/// State of the routes.
#[derive(Clone)]
struct ResetState {
    shared: ServerState,
    /// True if the clock can be moved.
    has_clock: bool,
    /// Locked while a snapshot is taken or restored.
    snapshots: Arc<Mutex<Snapshots>>,
}

/// Body of `POST /-/snapshot`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Take {
    name: String,
}

/// Body of `POST /-/reset`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Reset {
    snapshot: Option<String>,
}

/// Returns the routes, which explain the flag if it is missing.
pub async fn router(shared: &ServerState, enabled: bool, has_clock: bool) -> anyhow::Result<Router> {
    if !enabled {
        let routes = Router::new().route("/-/reset", post(disabled)).route("/-/snapshot", post(disabled).get(disabled));
        return Ok(routes.route("/-/snapshot/{name}", delete(disabled)));
    }
    let start = take(shared, MAX_BYTES).await.context("`allow-reset` keeps the contents of the store in memory")?;
    let snapshots = Arc::new(Mutex::new(BTreeMap::from([(START.to_owned(), start)])));
    let state = ResetState { shared: shared.clone(), has_clock, snapshots };
    Ok(Router::new()
        .route("/-/reset", post(reset))
        .route("/-/snapshot", post(add).get(list))
        .route("/-/snapshot/{name}", delete(remove))
        .with_state(state))
}

async fn disabled() -> Response {
    let message = "this server does not keep snapshots; help: start it with --allow-reset";
    error_response(StatusCode::NOT_FOUND, "NOT_FOUND", message)
}

/// Handles `GET /-/snapshot`: lists the snapshots.
async fn list(State(state): State<ResetState>, request: Request) -> Response {
    if let Some(refusal) = refusal(request) {
        return refusal;
    }
    let snapshots = state.snapshots.lock().await;
    let snapshots: Vec<Value> = snapshots.iter().map(|(name, taken)| describe(name, taken)).collect();
    json_response(StatusCode::OK, &json!({ "snapshots": snapshots }))
}

/// Handles `POST /-/snapshot`: takes a snapshot, which replaces one of the same name.
async fn add(State(state): State<ResetState>, request: Request) -> Response {
    let Take { name } = match read(request, r#"{"name": "two-users"}"#).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    if let Err(message) = check_name(&name) {
        return invalid(&message);
    }
    let mut snapshots = state.snapshots.lock().await;
    if snapshots.len() >= MAX_SNAPSHOTS && !snapshots.contains_key(&name) {
        return invalid(&format!("there are {MAX_SNAPSHOTS} snapshots already; help: delete some of them"));
    }
    let others = snapshots.iter().filter(|(other, _)| **other != name);
    let used: usize = others.map(|(_, taken)| taken.contents.bytes()).sum();
    match take(&state.shared, MAX_BYTES.saturating_sub(used)).await {
        Ok(taken) => {
            let response = describe(&name, &taken);
            snapshots.insert(name, taken);
            json_response(StatusCode::OK, &response)
        }
        Err(Error::Refused(_)) => {
            let max = MAX_BYTES >> 20;
            let message = format!("all snapshots together would take more than {max} MiB; help: delete some of them");
            error_response(StatusCode::PAYLOAD_TOO_LARGE, "RESOURCE_EXHAUSTED", &message)
        }
        Err(error) => unavailable(&error),
    }
}

/// Handles `DELETE /-/snapshot/{name}`.
async fn remove(State(state): State<ResetState>, Path(name): Path<String>, request: Request) -> Response {
    if let Some(refusal) = refusal(request) {
        return refusal;
    }
    if let Err(message) = check_name(&name) {
        return invalid(&message);
    }
    match state.snapshots.lock().await.remove(&name) {
        Some(taken) => json_response(StatusCode::OK, &describe(&name, &taken)),
        None => not_found(&name),
    }
}

/// Handles `POST /-/reset`: restores a snapshot, by default that of the start.
async fn reset(State(state): State<ResetState>, request: Request) -> Response {
    let Reset { snapshot: name } = match read(request, r#"{"snapshot": "two-users"} or {}"#).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let name = name.unwrap_or_else(|| START.to_owned());
    let snapshots = state.snapshots.lock().await;
    let Some(taken) = snapshots.get(&name) else { return not_found(&name) };
    match restore(&state, taken).await {
        Ok(()) => json_response(StatusCode::OK, &describe(&name, taken)),
        Err(error) => unavailable(&error),
    }
}

async fn take(shared: &ServerState, max_bytes: usize) -> Result<TakenSnapshot, Error> {
    let contents = Arc::new(shared.store.take_snapshot(max_bytes).await?);
    Ok(TakenSnapshot { contents, time: shared.clock.now() })
}

/// Restores the contents of the store and the time of a clock that can be moved. Scripts that run are cancelled before,
/// because they would continue on the restored contents.
async fn restore(state: &ResetState, taken: &TakenSnapshot) -> Result<(), Error> {
    let ServerState { store, clock, token, scripts, .. } = &state.shared;
    let _pause = scripts.service.pause_executions().await?;
    let before = clock.now();
    if state.has_clock {
        clock.set(taken.time);
    }
    let new = token.as_ref().map(|token| token.to_store(clock));
    match store.restore_snapshot(taken.contents.clone(), new).await {
        Ok(stored) => {
            if let (Some(token), Some(stored)) = (token, stored) {
                token.set_number(stored.number);
            }
            Ok(())
        }
        Err(error) => {
            if state.has_clock {
                clock.set(before);
            }
            Err(error)
        }
    }
}

/// Reads the body of a request; an empty one is an empty object.
async fn read<T: DeserializeOwned>(request: Request, example: &str) -> Result<T, Response> {
    let body = admit_change(request).await?;
    let body = if body.is_empty() { &b"{}"[..] } else { &body };
    serde_json::from_slice(body).map_err(|error| invalid(&format!("the body must be {example}: {error}")))
}

fn check_name(name: &str) -> Result<(), String> {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name == START {
        return Err(format!("`{START}` is the snapshot of the start, which is kept"));
    }
    if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(is_valid) {
        return Err(format!("the name must have 1 to {MAX_NAME} letters, digits, `-`, `_` and `.`"));
    }
    Ok(())
}

fn describe(name: &str, taken: &TakenSnapshot) -> Value {
    json!({ "snapshot": name, "time": value::format_instant(taken.time), "bytes": taken.contents.bytes() })
}

fn not_found(name: &str) -> Response {
    let name: String = name.chars().take(MAX_NAME).collect();
    error_response(
        StatusCode::NOT_FOUND,
        "NOT_FOUND",
        &format!("no snapshot `{name}`; help: GET /-/snapshot lists them"),
    )
}

fn unavailable(error: &Error) -> Response {
    tracing::warn!(cause = %error, "a snapshot could not be taken or restored");
    error_response(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", &format!("the store is not available: {error}"))
}
