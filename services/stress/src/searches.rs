//! Expensive searches, and the delay of other requests.
//!
//! Some honest users read and write a little; other users search for a term that occurs nowhere, in mailboxes full of
//! mail: all in one mailbox, or each in one of their own. A searcher that gets a 503 or 429 retries after 20 ms.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use mailbox_client::Client;
use mailbox_client::runtime::{Credentials, RetryPolicy};
use mailbox_client::types::{Message, ModifyMessageRequest};
use tokio::task::JoinSet;
use wireform_store::{
    Accounts as _, Clock, Mailboxes as _, Maintenance as _, NewMessage, SearchableText, Sqlite, SqliteOptions,
};

use crate::server::Server;
use crate::{mail, paths};

/// Settings of the load.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of searchers, and of honest users.
    #[arg(long, default_value_t = 20)]
    users: usize,
    /// Number of messages of each searched mailbox.
    #[arg(long, default_value_t = 2_000)]
    messages: usize,
    /// Number of bytes of the text of each message.
    #[arg(long, default_value_t = 8_000)]
    bytes: usize,
    /// Seconds of each load.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
}

/// Users who search.
#[derive(Clone, Copy)]
enum Searchers {
    Nobody,
    One,
    Each,
}

/// Runs the measurement.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = paths::scratch("searches")?;
    fill(&folder, settings).await?;
    let server = Server::start(&folder, &[])?;
    let names =
        |kind: &str| (0..settings.users).map(|number| format!("{kind}{number}@example.org")).collect::<Vec<_>>();
    let honest = names("honest").iter().map(|name| client(&server, &folder, name)).collect::<Result<Vec<_>, _>>()?;
    let heavy = names("heavy").iter().map(|name| client(&server, &folder, name)).collect::<Result<Vec<_>, _>>()?;
    load("nobody searches", &honest, &heavy, Searchers::Nobody, settings.seconds).await?;
    load("one user searches", &honest, &heavy, Searchers::One, settings.seconds).await?;
    load("each of many users searches", &honest, &heavy, Searchers::Each, settings.seconds).await?;
    load("nobody searches", &honest, &heavy, Searchers::Nobody, settings.seconds).await?;
    server.stop()
}

/// Creates the users and their mail.
async fn fill(folder: &Path, settings: &Settings) -> anyhow::Result<()> {
    let store = Sqlite::open(folder, SqliteOptions::default())?;
    let now = Clock::system().now();
    let text = mail::words(settings.bytes / 6);
    for number in 0..settings.users {
        store.add_user(&format!("honest{number}@example.org"), "Honest", now).await?;
        let heavy = store.add_user(&format!("heavy{number}@example.org"), "Heavy", now).await?.mailbox;
        for _ in 0..settings.messages.div_ceil(500) {
            let search = SearchableText { text: text.clone(), ..SearchableText::default() };
            let message = NewMessage { raw: b"Subject: a\r\n\r\n".to_vec(), search, ..NewMessage::default() };
            store.insert_messages(heavy, vec![message; 500.min(settings.messages)], now).await?;
        }
    }
    store.close().await;
    Ok(())
}

/// Returns a client of a user, with a token of its own.
fn client(server: &Server, folder: &Path, user: &str) -> anyhow::Result<Client> {
    let mut command = Command::new(paths::program()?);
    command.args(["tokens", "create", "--scope", "all", "--user", user, "--data"]).arg(folder);
    let output = command.output().context("no token")?;
    ensure!(output.status.success(), "no token: {}", String::from_utf8_lossy(&output.stderr));
    let token = String::from_utf8(output.stdout)?.trim().to_owned();
    let client = Client::builder().base_url(&server.base).credentials(Credentials::token(token));
    Ok(client.retry(RetryPolicy::off()).timeout(Duration::from_secs(120)).build()?)
}

/// Outcomes of searches.
#[derive(Default)]
struct SearchTotals {
    completed: AtomicU64,
    rejected: AtomicU64,
    slowest: AtomicU64,
}

/// Measures the honest users while others search, and prints the results under `name`.
async fn load(
    name: &str,
    honest: &[Client],
    heavy: &[Client],
    searchers: Searchers,
    seconds: u64,
) -> anyhow::Result<()> {
    let until = Instant::now() + Duration::from_secs(seconds);
    let found = Arc::new(SearchTotals::default());
    let mut searching = JoinSet::new();
    for number in 0..heavy.len() {
        let client = match searchers {
            Searchers::Nobody => continue,
            Searchers::One => heavy.first(),
            Searchers::Each => heavy.get(number),
        };
        searching.spawn(search(client.context("a searcher")?.clone(), until, Arc::clone(&found)));
    }
    let mut working = JoinSet::new();
    for (number, client) in honest.iter().enumerate() {
        working.spawn(work(client.clone(), number as u64, until));
    }
    let mut times = Vec::new();
    for ended in working.join_all().await {
        times.extend(ended?);
    }
    searching.join_all().await.into_iter().collect::<anyhow::Result<()>>()?;
    times.sort_unstable();
    let at = |share: usize| times.get((times.len() * share / 1000).min(times.len().saturating_sub(1))).copied();
    println!(
        "{name}: {} calls, median {:.1?}, p99 {:.1?}, slowest {:.1?}; {} pages searched, {} rejected with \
         503, slowest page {} ms",
        times.len(),
        at(500).unwrap_or_default(),
        at(990).unwrap_or_default(),
        times.last().copied().unwrap_or_default(),
        found.completed.load(Ordering::Relaxed),
        found.rejected.load(Ordering::Relaxed),
        found.slowest.load(Ordering::Relaxed),
    );
    Ok(())
}

/// Searches for a term that occurs nowhere.
async fn search(client: Client, until: Instant, found: Arc<SearchTotals>) -> anyhow::Result<()> {
    while Instant::now() < until {
        let begun = Instant::now();
        match client.users().messages().list("me").q("nowhere to be found").send().await {
            Ok(_) => {
                found.completed.fetch_add(1, Ordering::Relaxed);
                let time = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                found.slowest.fetch_max(time, Ordering::Relaxed);
            }
            Err(error) if error.status().is_some_and(|status| [429, 503].contains(&status)) => {
                found.rejected.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Reads and writes a little, repeatedly; every call must succeed. Returns the duration of each.
async fn work(client: Client, number: u64, until: Instant) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::new();
    let messages = client.users().messages();
    while Instant::now() < until {
        let new = Message::default().with_raw(mail::message(number, 2_000).into_bytes()).with_label_ids(["INBOX"]);
        let made = measure_time(&mut times, messages.insert("me", new).send()).await?;
        let id = made.id.unwrap_or_default();
        measure_time(&mut times, messages.get("me", &*id).send()).await?;
        measure_time(&mut times, messages.list("me").max_results(20).send()).await?;
        let change = ModifyMessageRequest::default().with_add_label_ids(["STARRED"]);
        measure_time(&mut times, messages.modify("me", &*id, change).send()).await?;
        measure_time(&mut times, client.users().get_profile("me").send()).await?;
    }
    Ok(times)
}

/// Records the duration of a call and pauses briefly after it, as people do.
async fn measure_time<T, E>(times: &mut Vec<Duration>, call: impl Future<Output = Result<T, E>>) -> anyhow::Result<T>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let begun = Instant::now();
    let response = call.await?;
    times.push(begun.elapsed());
    tokio::time::sleep(Duration::from_millis(50)).await;
    Ok(response)
}
