//! The server that one writes by hand: axum, serde's derives, and nothing else. It asks for no token, holds no limits
//! and validates nothing.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt as _;
use axum::{Json, Router};
use tokio::net::TcpListener;

use super::Started;
use crate::json::hand::Event;

type Stored = State<Arc<Event>>;

/// Starts it.
pub fn start(event: &str) -> anyhow::Result<SocketAddr> {
    let event: Event = serde_json::from_str(event)?;
    let app = Router::new()
        .route("/calendar/v3/calendars/{calendar}/events/{event}", get(read))
        .route("/calendar/v3/calendars/{calendar}/events", post(insert))
        .route("/json/calendars/{calendar}/events", post(insert_json))
        .with_state(Arc::new(event));
    Started::start("by hand", async move |listener: TcpListener| {
        // Otherwise the end of a long answer would wait until its beginning is acknowledged.
        let listener = listener.tap_io(|connection| _ = connection.set_nodelay(true));
        _ = axum::serve(listener, app).await;
    })
}

async fn read(Path((_calendar, _event)): Path<(String, String)>, State(event): Stored) -> Json<Event> {
    Json(Event::clone(&event))
}

async fn insert(Path(_calendar): Path<String>, body: Bytes) -> Response {
    match serde_json::from_slice::<Event>(&body) {
        Ok(event) => Json(event).into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

async fn insert_json(Path(_calendar): Path<String>, Json(event): Json<Event>) -> Json<Event> {
    Json(event)
}
