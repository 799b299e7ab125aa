//! Many concurrent clients that read and write.
//!
//! Each client has its own events on the calendar of one of the users. It inserts, renames, reads, lists, synchronizes
//! and deletes; at the end every calendar and every copy must equal the result of the acknowledged writes. With several
//! servers over one database each client starts with one of them and switches to the next when a server is gone.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use calendar_client::Client;
use calendar_client::runtime::wire::DateTime;
use tokio::task::JoinSet;
use wireform_store::{
    Accounts as _, AnyStore, Clock, Maintenance as _, NewToken, Postgres, PostgresOptions, Secret, Sqlite,
    SqliteOptions, TokenKind,
};

use super::calendar_copy::{self, CalendarCopy, Titles};
use super::writer::KnownState;
use crate::paths;
use crate::server::{self, Server};

/// Settings of the load.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of concurrent clients.
    #[arg(long, default_value_t = 200)]
    clients: usize,
    /// Number of users, whose calendars the clients share.
    #[arg(long, default_value_t = 20)]
    users: usize,
    /// Seconds of load.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Number of servers on the database that WIREFORM_TEST_POSTGRES names; without it there is one on files.
    #[arg(long, default_value_t = 1)]
    servers: usize,
    /// Number of times that a server is killed and replaced during the load.
    #[arg(long, default_value_t = 0)]
    kills: u32,
}

/// Maximum memory of a server, in bytes.
const MAX_MEMORY: u64 = 200 << 20;

/// Addresses of the servers, which change when one is replaced.
type Addresses = Arc<std::sync::RwLock<Vec<String>>>;

/// Client with its known state and its access to the servers.
struct Worker {
    token: String,
    addresses: Addresses,
    server: usize,
    client: Client,
    known: KnownState,
    copy: CalendarCopy,
    calls: Arc<AtomicU64>,
    switches: Arc<AtomicUsize>,
}

/// Runs the measurement.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let database = std::env::var("WIREFORM_TEST_POSTGRES").ok();
    ensure!(settings.servers == 1 || database.is_some(), "several servers need WIREFORM_TEST_POSTGRES=postgres://…");
    ensure!(settings.servers > 1 || settings.kills == 0, "clients of a single server have nowhere to go after a kill");
    let folder = paths::scratch("calendar-load")?;
    let tokens = accounts(&folder, database.as_deref(), settings.users).await?;
    let start = |number: usize| start(&folder, database.as_deref(), number);
    let mut servers = (0..settings.servers).map(start).collect::<anyhow::Result<Vec<_>>>()?;
    let addresses = Addresses::new(servers.iter().map(|server| server.base.clone()).collect::<Vec<_>>().into());
    let (calls, moved) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicUsize::new(0)));

    let until = Instant::now() + Duration::from_secs(settings.seconds);
    let mut tasks = JoinSet::new();
    for number in 0..settings.clients {
        let token = tokens.get(number % tokens.len().max(1)).cloned().context("no users")?;
        let (addresses, calls, moved) = (Arc::clone(&addresses), Arc::clone(&calls), Arc::clone(&moved));
        let client = calendar(&addresses, number % settings.servers, &token)?;
        let server = number % settings.servers;
        let (known, copy) = (KnownState::default(), CalendarCopy::default());
        tasks.spawn(work(Worker { token, addresses, server, client, known, copy, calls, switches: moved }, until));
    }
    for kill in 0..settings.kills {
        tokio::time::sleep(Duration::from_secs(settings.seconds) / (settings.kills + 1)).await;
        let number = kill as usize % settings.servers;
        let Some(server) = servers.get_mut(number) else { continue };
        server.kill()?;
        *server = start(number)?;
        let mut addresses = addresses.write().map_err(|_| anyhow::anyhow!("a client has panicked"))?;
        addresses.get_mut(number).context("no such server")?.clone_from(&server.base);
    }
    let workers = join_workers(tasks).await?;
    let writes: usize = workers.iter().map(|worker| worker.known.acknowledged).sum();
    compare_all(&tokens, workers, settings.servers).await?;
    let peaks = servers.iter().map(Server::peak).collect::<anyhow::Result<Vec<_>>>()?;
    let max = peaks.into_iter().max().unwrap_or(0);
    println!(
        "{} clients of {} servers, {} calls ({:.0} a second), {writes} acknowledged writes, no error, none lost; {} times \
         a client switched to another server; at most {} MiB a server",
        settings.clients,
        settings.servers,
        calls.load(Ordering::Relaxed),
        calls.load(Ordering::Relaxed) as f64 / settings.seconds as f64,
        moved.load(Ordering::Relaxed),
        max >> 20
    );
    ensure!(max < MAX_MEMORY, "a server held {} MiB", max >> 20);
    servers.into_iter().try_for_each(Server::stop)
}

/// Starts the server with this number, on the database or otherwise on the folder.
fn start(folder: &Path, database: Option<&str>, number: usize) -> anyhow::Result<Server> {
    match database {
        Some(database) => Server::start_on(&["--store", database], &folder.join(format!("{number}.ready")), &[]),
        None => Server::start(folder, &[]),
    }
}

/// Creates the users, and a token for each.
async fn accounts(folder: &Path, database: Option<&str>, users: usize) -> anyhow::Result<Vec<String>> {
    let store = match database {
        Some(database) => AnyStore::Postgres(Postgres::open(database, PostgresOptions::default()).await?),
        None => AnyStore::Sqlite(Sqlite::open(folder, SqliteOptions::default())?),
    };
    let now = Clock::system().now();
    let run = rand::random::<u32>();
    let mut tokens = Vec::new();
    for number in 0..users {
        let user = store.add_user(&format!("user-{number}-{run}@example.org"), "", now).await?;
        let secret = Secret::random();
        let scopes = vec!["https://www.googleapis.com/auth/calendar".to_owned()];
        let note = "stress".to_owned();
        store
            .add_token(NewToken {
                user: user.mailbox,
                hash: secret.hash(),
                kind: TokenKind::User,
                scopes,
                expires: None,
                note,
                now,
            })
            .await?;
        tokens.push(secret.reveal().to_owned());
    }
    store.close().await;
    Ok(tokens)
}

/// Returns a client of the calendar on the server with this number.
fn calendar(addresses: &Addresses, number: usize, token: &str) -> anyhow::Result<Client> {
    let addresses = addresses.read().map_err(|_| anyhow::anyhow!("a client has panicked"))?;
    server::calendar(addresses.get(number).context("no such server")?, token, Duration::from_secs(30))
}

/// Waits for the workers, until the first error.
async fn join_workers(mut tasks: JoinSet<anyhow::Result<Worker>>) -> anyhow::Result<Vec<Worker>> {
    let mut workers = Vec::new();
    while let Some(ended) = tasks.join_next().await {
        workers.push(ended??);
    }
    Ok(workers)
}

/// Makes calls until the time is up.
async fn work(mut worker: Worker, until: Instant) -> anyhow::Result<Worker> {
    while Instant::now() < until {
        let change = worker.known.next();
        loop {
            match worker.known.apply_change(&worker.client, change.clone()).await {
                Ok(()) => break,
                Err(error) => worker.switch_server(error)?,
            }
        }
        while let Err(error) = worker.read(&change.0).await {
            worker.switch_server(error)?;
        }
    }
    Ok(worker)
}

impl Worker {
    /// Switches to the next server if the current one is gone.
    fn switch_server(&mut self, error: anyhow::Error) -> anyhow::Result<()> {
        let servers = self.addresses.read().map_or(0, |addresses| addresses.len());
        if !calendar_copy::is_gone(&error) || servers < 2 {
            return Err(error);
        }
        self.switches.fetch_add(1, Ordering::Relaxed);
        self.server = (self.server + 1) % servers;
        self.client = calendar(&self.addresses, self.server, &self.token)?;
        Ok(())
    }

    /// Reads the written event, a week of the calendar, and the changes.
    async fn read(&mut self, id: &str) -> anyhow::Result<()> {
        let events = self.client.events();
        let read = events.get("primary", id).send().await;
        if let Err(error) = read
            && !matches!(error.status(), Some(404 | 410))
        {
            return Err(error.into());
        }
        let time = |text: &str| DateTime::parse(text).context("a time");
        let (from, to) = (time("2026-03-02T00:00:00Z")?, time("2026-03-09T00:00:00Z")?);
        events.list("primary").single_events(true).time_min(from).time_max(to).send().await?;
        self.copy.synchronize(&self.client).await?;
        // One call is the change itself, three are made here.
        self.calls.fetch_add(4, Ordering::Relaxed);
        Ok(())
    }
}

/// Compares every calendar and every copy of it with the acknowledged writes.
async fn compare_all(tokens: &[String], workers: Vec<Worker>, servers: usize) -> anyhow::Result<()> {
    let mut workers = workers;
    for token in tokens {
        let mut calendar: Option<Titles> = None;
        for worker in workers.iter_mut().filter(|worker| worker.token == *token) {
            worker.client = self::calendar(&worker.addresses, worker.server % servers, token)?;
            worker.copy.synchronize(&worker.client).await?;
            let listed = calendar_copy::list(&worker.client).await?;
            ensure!(*worker.copy.titles() == listed, "a copy is not what its calendar is");
            worker.known.settle(calendar.get_or_insert(listed))?;
        }
        let left = calendar.unwrap_or_default();
        ensure!(left.is_empty(), "{left:?} was never requested");
    }
    Ok(())
}
