//! Overhead of a call of the generated client, compared with reqwest and handwritten types.
//!
//! Both sides have their own connection to the same service on the loopback interface, with the same settings and
//! keep-alive; both send a token, check the status, and decode and drop the response.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::ensure;
use calendar_client::Client;
use calendar_client::runtime::Credentials;
use reqwest::redirect::Policy;
use serde::de::DeserializeOwned;
use tokio::runtime::Runtime;

use super::server::Server;
use wireform_fixtures::{EVENT, ID, PAGE, hand, page};
use wireform_rounds::{Rounds, Side};

const TOKEN: &str = "token";

/// Numbers of rounds and of calls per round.
#[derive(clap::Args)]
pub struct Settings {
    /// Number of interleaved measurements of every side.
    #[arg(long, default_value_t = 25)]
    pairs: usize,
    /// Number of events a side reads each time, one after the other.
    #[arg(long, default_value_t = 500)]
    calls: u32,
    /// Number of pages of 250 events a side reads each time, one after the other.
    #[arg(long, default_value_t = 20)]
    pages: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { pairs: 25, calls: 500, pages: 20 }
    }
}

/// Measures and prints.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let event = EVENT.trim_end();
    // The service may run until the process ends.
    let page: &'static str = page(event).leak();
    let server = Server::start(event, page)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ours: Client = Client::builder().base_url(server.url()).credentials(Credentials::token(TOKEN)).build()?;
    let by_hand = ByHand::new(&server)?;
    runtime.block_on(ensure_same(&ours, &by_hand))?;
    println!("client-call: one after the other on a connection kept alive, HTTP/1.1 on the loopback interface\n");
    let sides = vec![
        side(&runtime, "calendar-client", settings.calls, async || Ok(ours.events().get("primary", ID).send().await?)),
        side(&runtime, "reqwest, serde by hand", settings.calls, async || by_hand.event("primary", ID).await),
    ];
    Rounds::measure(settings.pairs, sides)?.print(&format!("an event of {} bytes", event.len()));
    println!();
    let sides = vec![
        side(&runtime, "calendar-client", settings.pages, async || {
            Ok(ours.events().list("primary").max_results(250).send().await?)
        }),
        side(&runtime, "reqwest, serde by hand", settings.pages, async || by_hand.events("primary", 250).await),
    ];
    Rounds::measure(settings.pairs, sides)?.print(&format!("a page of {PAGE} events, {} bytes", page.len()));
    println!();
    Ok(())
}

/// Creates a side whose figure is the duration of one call in seconds.
fn side<'a, T>(
    runtime: &'a Runtime,
    name: &'a str,
    count: u32,
    call: impl AsyncFn() -> anyhow::Result<T> + 'a,
) -> Side<'a> {
    Side::new(name, move || {
        runtime.block_on(async {
            // One untimed run first: the previous side has left the caches and the heap in its own state.
            black_box(call().await?);
            let start = Instant::now();
            for _ in 0..count {
                black_box(call().await?);
            }
            Ok(start.elapsed().as_secs_f64() / f64::from(count))
        })
    })
}

/// Checks that both sides return the same data, since otherwise they would not do the same work.
async fn ensure_same(ours: &Client, by_hand: &ByHand) -> anyhow::Result<()> {
    let event = (ours.events().get("primary", ID).send().await?.id, by_hand.event("primary", ID).await?.id);
    ensure!(event == (Some(ID.to_owned()), Some(ID.to_owned())), "the sides read {event:?}");
    let ours = ours.events().list("primary").max_results(250).send().await?;
    let page = (ours.items.map_or(0, |items| items.len()), by_hand.events("primary", 250).await?.items.len());
    ensure!(page == (PAGE, PAGE), "the sides read {page:?} events");
    Ok(())
}

/// Handwritten client on reqwest.
struct ByHand {
    client: reqwest::Client,
    url: String,
}

impl ByHand {
    /// Creates a client with the settings of the generated client's transport.
    fn new(server: &Server) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .build()?;
        Ok(Self { client, url: format!("{}/calendar/v3", server.url()) })
    }

    async fn event(&self, calendar: &str, event: &str) -> anyhow::Result<hand::Event> {
        self.get(format!("{}/calendars/{calendar}/events/{event}", self.url)).await
    }

    async fn events(&self, calendar: &str, max_results: u32) -> anyhow::Result<hand::Events> {
        self.get(format!("{}/calendars/{calendar}/events?maxResults={max_results}", self.url)).await
    }

    async fn get<T: DeserializeOwned>(&self, url: String) -> anyhow::Result<T> {
        let response = self.client.get(url).bearer_auth(TOKEN).send().await?.error_for_status()?;
        Ok(serde_json::from_slice(&response.bytes().await?)?)
    }
}
