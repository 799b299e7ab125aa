//! Generated server compared with a handwritten one.
//!
//! Both have one worker on its own thread, and serve wrk on the loopback interface over keep-alive connections.

pub mod compile;

mod stages;
mod wrk;

use std::net::{Ipv4Addr, SocketAddr};
use std::thread;

use anyhow::Context as _;
use axum::serve::ListenerExt as _;
use calendar_server::runtime::serve;
use tokio::net::TcpListener;
use wireform_fixtures::generated::TOKEN;
use wireform_fixtures::{EVENT, EVENT_PATH, EVENTS_PATH, SENT, by_hand, generated};
use wireform_rounds::{Rounds, Side};
use wrk::Load;

/// Numbers of rounds, seconds and connections.
#[derive(clap::Args)]
pub struct Settings {
    /// Number of interleaved measurements of every side.
    #[arg(long, default_value_t = 9)]
    pairs: usize,
    /// Duration of a measurement of a side, in seconds.
    #[arg(long, default_value_t = 2)]
    seconds: u32,
    /// Number of connections.
    #[arg(long, default_value_t = 16)]
    connections: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { pairs: 9, seconds: 2, connections: 16 }
    }
}

/// Measures and prints.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (ours, hand) = (start_generated()?, start_by_hand()?);
    let side = |name: &'static str, address: SocketAddr, load: Load<'static>| {
        let folder = folder.path().to_owned();
        let (seconds, connections) = (settings.seconds, settings.connections);
        // The figure of a side is the time per request, so that ratios have the usual direction.
        Side::new(name, move || Ok(1.0 / wrk::run(&folder, address, &load, seconds, connections)?))
    };
    let token = Some(TOKEN);
    println!(
        "server: one worker, {} connections kept alive, HTTP/1.1 on the loopback interface\n",
        settings.connections
    );
    let read = |token| Load { method: "GET", path: EVENT_PATH, token, body: None };
    let sides = vec![side("calendar-server", ours, read(token)), side("axum, serde by hand", hand, read(None))];
    Rounds::measure(settings.pairs, sides)?.print("the time of a GET of an event");
    println!();
    let sent = SENT.trim_end();
    let send = |path, token| Load { method: "POST", path, token, body: Some(sent) };
    let sides = vec![
        side("calendar-server, validated", ours, send(EVENTS_PATH, token)),
        side("axum, bytes, serde by hand", hand, send(EVENTS_PATH, None)),
        side("axum, Json, serde by hand", hand, send("/json/calendars/primary/events", None)),
    ];
    Rounds::measure(settings.pairs, sides)?.print("the time of a POST of an event, which is returned");
    println!();
    stages::run(settings.pairs)
}

/// Starts the generated server.
fn start_generated() -> anyhow::Result<SocketAddr> {
    let router = generated::router(EVENT)?;
    BackgroundServer::start("generated", async move |listener: TcpListener| serve(listener, router).await)
}

/// Starts the handwritten server.
fn start_by_hand() -> anyhow::Result<SocketAddr> {
    let app = by_hand::router(EVENT)?;
    BackgroundServer::start("by hand", async move |listener: TcpListener| {
        // Otherwise the end of a long response would be delayed until its beginning is acknowledged.
        let listener = listener.tap_io(|connection| _ = connection.set_nodelay(true));
        _ = axum::serve(listener, app).await;
    })
}

/// Server on its own thread, which runs until the process exits.
struct BackgroundServer;

impl BackgroundServer {
    fn start<F: Future<Output = ()>>(
        name: &str,
        serve: impl FnOnce(TcpListener) -> F + Send + 'static,
    ) -> anyhow::Result<SocketAddr> {
        let (sender, receiver) = std::sync::mpsc::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            runtime.block_on(async move {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
                let address = listener
                    .as_ref()
                    .map_err(ToString::to_string)
                    .and_then(|it| it.local_addr().map_err(|error| error.to_string()));
                _ = sender.send(address);
                if let Ok(listener) = listener {
                    serve(listener).await;
                }
            });
        })?;
        receiver.recv()?.map_err(anyhow::Error::msg).context("a port cannot be bound")
    }
}
