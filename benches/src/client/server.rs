//! Service on the loopback interface that sends fixed responses, in a thread of its own.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// Running server, which stops when it is dropped.
pub struct Server {
    address: SocketAddr,
    _runtime: Runtime,
}

impl Server {
    /// Starts a server that responds with one event and with a list of events.
    pub fn start(event: &'static str, page: &'static str) -> anyhow::Result<Self> {
        let app = Router::new()
            .route("/calendar/v3/calendars/{calendar}/events/{event}", get(move || async move { json(event) }))
            .route("/calendar/v3/calendars/{calendar}/events", get(move || async move { json(page) }));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let address = listener.local_addr()?;
        // Otherwise the end of a long response would be delayed until its beginning is acknowledged.
        let listener = listener.tap_io(|connection| _ = connection.set_nodelay(true));
        runtime.spawn(async move { axum::serve(listener, app).await });
        Ok(Self { address, _runtime: runtime })
    }

    /// Returns the URL of the server.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

fn json(text: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json; charset=UTF-8")], text)
}
