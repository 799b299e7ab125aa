//! Repeated kills of the server under load.
//!
//! Writers insert, rename and delete events; each knows its acknowledged writes and its pending request when the server
//! died. A reader keeps a copy of the calendar and synchronizes it only when a notification arrives. After every kill
//! the listing is compared with both: no acknowledged write is missing, there is nothing that was never requested, and
//! the copy becomes equal to the listing, which a lost notification would prevent. Notifications arrive in order; one
//! may be repeated after a kill.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use calendar_client::Client;
use rand::RngExt as _;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::calendar_copy::{self, CalendarCopy, Titles};
use super::hook::Hook;
use super::writer::KnownState;
use crate::crash::check_integrity;
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

/// Maximum time until the copy is up to date: a notification that was in flight when the server was killed is sent
/// again after 20 s.
const TIMEOUT: Duration = Duration::from_secs(90);

/// Totals of all rounds.
#[derive(Default)]
struct Totals {
    uncertain: usize,
    slowest: Duration,
}

/// Runs the kills.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = paths::scratch("calendar-crash")?;
    let start = || Server::start(&folder, &["--allow-loopback-callbacks"]);
    let mut server = start()?;
    let hook = Hook::open().await?;
    hook.watch(&server.calendar()?).await?;
    let (clients, current) = watch::channel(server.calendar()?);
    let (copies, mut copied) = watch::channel(Titles::new());
    let reader = tokio::spawn(follow(hook.clone(), current, copies));
    let mut writers: Vec<KnownState> = (0..settings.writers).map(|_| KnownState::default()).collect();
    let mut totals = Totals::default();
    for round in 1..=settings.times {
        writers = load(&mut server, writers).await?;
        server = start()?;
        clients.send_replace(server.calendar()?);
        totals.slowest = totals.slowest.max(server.started);
        check(&server.calendar()?, &hook, &mut writers, &mut copied, &mut totals)
            .await
            .with_context(|| format!("after kill {round}"))?;
        ensure!(!reader.is_finished(), "the reader has ended: {:?}", reader.await);
        if round % 25 == 0 {
            println!("{round} kills: {} acknowledged writes", acknowledged(&writers));
        }
    }
    reader.abort();
    server.stop()?;
    check_integrity(&folder)?;
    let received = hook.notifications();
    println!(
        "{} kills, {} acknowledged writes, none lost; {} in doubt, each done whole or not at all; {} notifications, none \
         lost, in order, {} of them twice; ready again after {:.0} ms at the most",
        settings.times,
        acknowledged(&writers),
        totals.uncertain,
        received.last,
        received.repeated,
        totals.slowest.as_secs_f64() * 1e3
    );
    Ok(())
}

/// Returns the number of acknowledged writes of all writers.
fn acknowledged(writers: &[KnownState]) -> usize {
    writers.iter().map(|writer| writer.acknowledged).sum()
}

/// Lets the writers write until a random moment, when the server is killed.
async fn load(server: &mut Server, writers: Vec<KnownState>) -> anyhow::Result<Vec<KnownState>> {
    let mut tasks = JoinSet::new();
    for writer in writers {
        tasks.spawn(write(server.calendar()?, writer));
    }
    // Notifications are sent twice a second: some kills fall between two of them, and some on one.
    tokio::time::sleep(Duration::from_millis(rand::rng().random_range(20..1_100))).await;
    server.kill()?;
    let mut writers = Vec::new();
    while let Some(ended) = tasks.join_next().await {
        writers.push(ended??);
    }
    Ok(writers)
}

/// Writes until a call fails because the server has died. A refusal is a bug of the server.
async fn write(client: Client, mut known: KnownState) -> anyhow::Result<KnownState> {
    loop {
        match known.apply_change(&client, known.next()).await {
            Ok(()) => {}
            Err(error) if calendar_copy::is_gone(&error) => return Ok(known),
            Err(error) => return Err(error),
        }
    }
}

/// Synchronizes when a notification arrives, and again if the server died in the meantime.
async fn follow(hook: Hook, mut current: watch::Receiver<Client>, copies: watch::Sender<Titles>) -> anyhow::Result<()> {
    let mut copy = CalendarCopy::default();
    loop {
        hook.due.notified().await;
        loop {
            let client = current.borrow_and_update().clone();
            match copy.synchronize(&client).await {
                Ok(()) => break,
                Err(error) if calendar_copy::is_gone(&error) => current.changed().await?,
                Err(error) => return Err(error),
            }
        }
        copies.send_replace(copy.titles().clone());
    }
}

/// Compares the server's listing with the known state, and waits for the copy to become equal.
async fn check(
    client: &Client,
    hook: &Hook,
    writers: &mut [KnownState],
    copied: &mut watch::Receiver<Titles>,
    totals: &mut Totals,
) -> anyhow::Result<()> {
    let listed = calendar_copy::list(client).await?;
    let mut left = listed.clone();
    for writer in writers {
        totals.uncertain += usize::from(writer.settle(&mut left)?);
    }
    ensure!(left.is_empty(), "{left:?} was never requested");
    let same = tokio::time::timeout(TIMEOUT, copied.wait_for(|titles| *titles == listed)).await;
    ensure!(
        same.is_ok(),
        "a notification was lost: the copy is not what the calendar is, after {:?}",
        hook.notifications()
    );
    ensure!(hook.notifications().disorder.is_none(), "notifications are out of order: {:?}", hook.notifications());
    Ok(())
}
