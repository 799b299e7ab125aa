//! Repeated kills of the server under load.
//!
//! Writers insert, star and delete; each knows its acknowledged writes and its pending request when the server died. A
//! reader follows the history across all processes of the server. After every kill the listing is compared with both:
//! no acknowledged write is missing, there is nothing that was never requested, the reader's state equals the listing,
//! and the number of each acknowledged change was read exactly once, in order.

mod follow;
mod known;
mod writer;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use mailbox_client::Client;
use rand::RngExt as _;
use tokio::task::JoinSet;

use self::follow::Follower;
use self::known::{KnownState, Listing};
use crate::paths;
use crate::server::Server;

/// Settings of the kills.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of kills.
    #[arg(long, default_value_t = 300)]
    times: u32,
    /// Number of concurrent writers.
    #[arg(long, default_value_t = 8)]
    writers: usize,
}

/// Totals of all rounds.
#[derive(Default)]
struct Totals {
    writes: usize,
    unknown: usize,
    slowest: Duration,
}

/// Runs the kills.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = paths::scratch("crash")?;
    let mut known = KnownState::default();
    let mut totals = Totals::default();
    let mut server = Server::start(&folder, &[])?;
    let mut follower = Follower::begin(&server.client()?).await?;
    for round in 1..=settings.times {
        (known, follower) = load(&mut server, known, follower, settings.writers).await?;
        server = Server::start(&folder, &[])?;
        totals.slowest = totals.slowest.max(server.started);
        check(&server.client()?, &mut known, &mut follower, &mut totals)
            .await
            .with_context(|| format!("after kill {round}"))?;
        if round % 25 == 0 {
            println!("{round} kills: {} acknowledged writes, {} in doubt", totals.writes, totals.unknown);
        }
    }
    server.stop()?;
    check_integrity(&folder)?;
    println!(
        "{} kills, {} acknowledged writes, none lost; {} in doubt, each done whole or not at all; {} records, each read \
         once and in order; ready again after {:.0} ms at the most",
        settings.times,
        totals.writes,
        totals.unknown,
        follower.records(),
        totals.slowest.as_secs_f64() * 1e3
    );
    ensure!(totals.slowest < Duration::from_secs(1), "a start took {:?}", totals.slowest);
    Ok(())
}

/// Lets the writers write and the reader read until a random moment, when the server is killed.
async fn load(
    server: &mut Server,
    known: KnownState,
    follower: Follower,
    writers: usize,
) -> anyhow::Result<(KnownState, Follower)> {
    let mut tasks = JoinSet::new();
    for part in known.split(writers) {
        tasks.spawn(writer::write(server.client()?, part));
    }
    let client = server.client()?;
    let reader = tokio::spawn(follower.follow(client));
    tokio::time::sleep(Duration::from_millis(rand::rng().random_range(20..250))).await;
    server.kill()?;
    let mut parts = Vec::new();
    while let Some(ended) = tasks.join_next().await {
        parts.push(ended??);
    }
    Ok((KnownState::join(parts), reader.await??))
}

/// Compares the server's listing with the known state and with the history.
async fn check(
    client: &Client,
    known: &mut KnownState,
    follower: &mut Follower,
    totals: &mut Totals,
) -> anyhow::Result<()> {
    let listing = Listing::of(client).await?;
    let (acknowledged, unknown) = known.settle(&listing)?;
    follower.catch_up(client).await?;
    follower.compare(&listing)?;
    totals.writes += acknowledged.len();
    totals.unknown += unknown;
    for number in acknowledged {
        ensure!(follower.has_seen(number), "the history does not contain the acknowledged change {number}");
    }
    Ok(())
}

/// Checks that the files of the database are intact.
pub fn check_integrity(folder: &Path) -> anyhow::Result<()> {
    let database = rusqlite::Connection::open(folder.join("store.sqlite3"))?;
    let report: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    ensure!(report == "ok", "the database is damaged: {report}");
    Ok(())
}
