//! Honest clients: small reads, inserts, and pages of the history, with a pause between calls.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::ensure;
use mailbox_client::Client;
use mailbox_client::types::Message;
use rand::RngExt as _;
use tokio::task::JoinSet;

use super::store::Account;
use crate::{mail, server};

/// Pause between two calls, in milliseconds.
const PAUSE: std::ops::Range<u64> = 50..150;

/// Number of calls after which a client opens a new connection.
const CALLS_PER_CONNECTION: u32 = 20;

/// Timeout of a call.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Observations of honest clients.
#[derive(Debug, Default)]
pub struct CallStats {
    /// Durations of the calls, in seconds, by call.
    pub times: BTreeMap<&'static str, Vec<f64>>,
    /// Number of calls that wrote something.
    pub writes: u64,
    /// Number of failed calls by failure.
    pub failures: BTreeMap<String, u64>,
}

impl CallStats {
    /// Returns the number of calls.
    pub fn calls(&self) -> usize {
        self.times.values().map(Vec::len).sum()
    }

    /// Returns a quantile of the durations, in seconds.
    pub fn quantile(&self, part: f64) -> f64 {
        quantile(self.times.values().flatten().copied().collect(), part)
    }

    /// Returns a quantile of the durations of each call, in seconds.
    pub fn quantiles(&self, part: f64) -> impl Iterator<Item = (&'static str, f64)> {
        self.times.iter().map(move |(name, times)| (*name, quantile(times.clone(), part)))
    }

    /// Adds the observations of another client.
    fn add(&mut self, other: Self) {
        for (name, times) in other.times {
            self.times.entry(name).or_default().extend(times);
        }
        self.writes += other.writes;
        for (failure, count) in other.failures {
            *self.failures.entry(failure).or_default() += count;
        }
    }
}

/// Returns the quantile `part`, from 0 to 1, of the values; `NaN` without values.
fn quantile(mut times: Vec<f64>, part: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    let last = times.len().saturating_sub(1);
    times.get((last as f64 * part).ceil() as usize).copied().unwrap_or(f64::NAN)
}

/// Honest clients of one server.
pub struct HonestClients(Vec<HonestClient>);

impl HonestClients {
    /// Creates one client for each account.
    pub async fn create(base: &str, accounts: &[Account]) -> anyhow::Result<Self> {
        let mut clients = Vec::new();
        for account in accounts {
            clients.push(HonestClient::create(base, account).await?);
        }
        Ok(Self(clients))
    }

    /// Makes calls for some time.
    pub async fn work(&mut self, time: Duration) -> anyhow::Result<CallStats> {
        let until = Instant::now() + time;
        let mut tasks = JoinSet::new();
        for client in self.0.drain(..) {
            tasks.spawn(client.work(until));
        }
        let mut all = CallStats::default();
        while let Some(ended) = tasks.join_next().await {
            let (client, figures) = ended??;
            all.add(figures);
            self.0.push(client);
        }
        Ok(all)
    }
}

/// Honest client.
struct HonestClient {
    base: String,
    token: String,
    client: Client,
    /// History ID at which its reading of the history starts.
    start: u64,
    messages: Vec<String>,
    calls: u32,
}

impl HonestClient {
    /// Creates the client, and lists the messages that it will read.
    async fn create(base: &str, Account { token, start }: &Account) -> anyhow::Result<Self> {
        let client = server::client(base, token, TIMEOUT)?;
        let page = client.users().messages().list("me").max_results(500).send().await?;
        let messages: Vec<String> = page.messages.into_iter().filter_map(|message| message.id).collect();
        ensure!(!messages.is_empty(), "an honest client has no mail");
        Ok(Self { base: base.to_owned(), token: token.to_owned(), client, start: *start, messages, calls: 0 })
    }

    /// Makes calls with pauses until a time; returns the client for another period, and the observations.
    async fn work(mut self, until: Instant) -> anyhow::Result<(Self, CallStats)> {
        let mut figures = CallStats::default();
        while Instant::now() < until {
            self.calls += 1;
            if self.calls.is_multiple_of(CALLS_PER_CONNECTION) {
                self.client = server::client(&self.base, &self.token, TIMEOUT)?;
            }
            let begun = Instant::now();
            let (name, result) = self.call().await;
            figures.times.entry(name).or_default().push(begun.elapsed().as_secs_f64());
            figures.writes += u64::from(name == "insert");
            if let Err(error) = result {
                *figures.failures.entry(format!("{name}: {}", cause(&error))).or_default() += 1;
            }
            let pause = Duration::from_millis(rand::rng().random_range(PAUSE));
            tokio::time::sleep(pause).await;
        }
        Ok((self, figures))
    }

    /// Makes one call of the mix.
    async fn call(&self) -> (&'static str, Result<(), mailbox_client::Error>) {
        let users = self.client.users();
        let (dice, any) = (rand::rng().random_range(0..10), rand::rng().random_range(0..self.messages.len().max(1)));
        let id = self.messages.get(any).map_or("", String::as_str);
        match dice {
            0..3 => ("get", users.messages().get("me", id).send().await.map(drop)),
            3..5 => ("list", users.messages().list("me").max_results(50).send().await.map(drop)),
            5 => ("label", users.labels().get("me", "INBOX").send().await.map(drop)),
            6..8 => ("history", users.history().list("me", self.start).max_results(100).send().await.map(drop)),
            _ => {
                let raw = mail::message(rand::rng().random_range(0..1_000_000), 2_000).into_bytes();
                let new = Message::default().with_raw(raw).with_label_ids(["INBOX", "UNREAD"]);
                ("insert", users.messages().insert("me", new).send().await.map(drop))
            }
        }
    }
}

/// Returns the status, or another description of an error.
pub fn cause(error: &mailbox_client::Error) -> String {
    match error.status() {
        Some(status) => status.to_string(),
        None => error.to_string().chars().take(120).collect(),
    }
}
