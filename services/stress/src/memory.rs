//! Memory of the server while many connections read and write, or few read large mails.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::ensure;
use mailbox_client::Client;
use mailbox_client::types::{Message, MessageFormat, ModifyMessageRequest};
use tokio::task::JoinSet;

use crate::server::Server;
use crate::{build, mail, paths};

/// Settings of the load.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of concurrent connections.
    #[arg(long, default_value_t = 200)]
    connections: usize,
    /// Seconds of load.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Number of bytes of each message that is inserted and read back.
    #[arg(long, default_value_t = 4_000)]
    bytes: usize,
    /// Read mails of 6 to 33 MB by six clients instead, in the formats `full` and `raw`.
    #[arg(long)]
    mails: bool,
}

/// Sizes of the large mails in MB.
const MEGABYTES: [usize; 6] = [6, 11, 17, 22, 28, 33];

/// Time between the load and the second measurement of the memory.
const SETTLE_TIME: Duration = Duration::from_secs(10);

/// Converts bytes to mebibytes.
const fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / (1 << 20) as f64
}

/// Runs the measurement.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    if settings.mails { mails(settings).await } else { many(settings).await }
}

/// Measures the memory that remains after large mails.
async fn mails(settings: &Settings) -> anyhow::Result<()> {
    let server = Server::start(&paths::scratch("mails")?, &[])?;
    let client = server.client()?;
    let mut ids = Vec::new();
    for (number, megabytes) in (0..).zip(MEGABYTES) {
        let new = Message::default().with_raw(mail::large(number, megabytes * 1_000_000).into_bytes());
        let stored = client.users().messages().insert("me", new.with_label_ids(["INBOX"])).send().await?;
        ids.push(stored.id.unwrap_or_default());
    }
    let (ready, inserted) = (server.resident()?, server.peak()?);
    let (until, busy) = (Instant::now() + Duration::from_secs(settings.seconds), Arc::new(AtomicU64::new(0)));
    let mut tasks = JoinSet::new();
    for id in ids {
        let (client, busy) = (server.client()?, Arc::clone(&busy));
        tasks.spawn(async move { read_repeatedly(&client, &id, until, &busy).await });
    }
    let mut read = 0;
    while let Some(ended) = tasks.join_next().await {
        read += ended??;
    }
    let (peak, after) = (server.peak()?, server.resident()?);
    tokio::time::sleep(SETTLE_TIME).await;
    println!(
        "{} clients read {read} mails of {} to {} MB in {} s, {} rejected with 503: at most {:.0} MiB ({:.0} MiB while \
         they were stored), {:.0} MiB at the end and {:.0} MiB {} s later ({:.0} MiB before)",
        MEGABYTES.len(),
        MEGABYTES.first().unwrap_or(&0),
        MEGABYTES.last().unwrap_or(&0),
        settings.seconds,
        busy.load(Ordering::Relaxed),
        mebibytes(peak),
        mebibytes(inserted),
        mebibytes(after),
        mebibytes(server.resident()?),
        SETTLE_TIME.as_secs(),
        mebibytes(ready),
    );
    ensure!(read > 0, "nothing was read");
    server.stop()
}

/// Reads a mail until a point in time. Returns how often it was read; `busy` counts the rejected requests.
async fn read_repeatedly(client: &Client, id: &str, until: Instant, busy: &AtomicU64) -> anyhow::Result<u64> {
    let mut read = 0_u64;
    while Instant::now() < until {
        let format = if read.is_multiple_of(2) { MessageFormat::Full } else { MessageFormat::Raw };
        match client.users().messages().get("me", id).format(format).send().await {
            Ok(_) => read += 1,
            Err(error) if error.to_string().contains("503") => _ = busy.fetch_add(1, Ordering::Relaxed),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(read)
}

/// Measures many connections.
async fn many(settings: &Settings) -> anyhow::Result<()> {
    let server = Server::start(&build::existing()?, &[])?;
    let before = server.peak()?;
    let start = server.client()?.users().get_profile("me").send().await?.history_id.unwrap_or_default().0;
    let until = Instant::now() + Duration::from_secs(settings.seconds);
    let (calls_made, busy) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let mut tasks = JoinSet::new();
    for one in 0..settings.connections {
        let (client, calls_made, busy) = (server.client()?, Arc::clone(&calls_made), Arc::clone(&busy));
        let (start, bytes) = (start, settings.bytes);
        tasks.spawn(async move {
            while Instant::now() < until {
                match round(&client, start, one as u64, bytes).await {
                    Ok(calls) => calls_made.fetch_add(calls, Ordering::Relaxed),
                    Err(error) if error.to_string().contains("503") => busy.fetch_add(1, Ordering::Relaxed),
                    Err(error) => return Err(error),
                };
            }
            anyhow::Ok(())
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    println!(
        "{} connections, {} calls and {} rejected with 503 in {} s: at most {:.0} MiB ({:.0} MiB when it was ready)",
        settings.connections,
        calls_made.load(Ordering::Relaxed),
        busy.load(Ordering::Relaxed),
        settings.seconds,
        mebibytes(server.peak()?),
        mebibytes(before)
    );
    ensure!(calls_made.load(Ordering::Relaxed) > 0, "no response was received");
    server.stop()
}

/// Makes the calls of a client: write, read, list, change, and read the history.
async fn round(client: &Client, start: u64, number: u64, bytes: usize) -> anyhow::Result<u64> {
    let messages = client.users().messages();
    let new = Message::default().with_raw(mail::message(number, bytes).into_bytes()).with_label_ids(["INBOX"]);
    let id = messages.insert("me", new).send().await?.id.unwrap_or_default();
    messages.get("me", &*id).send().await?;
    messages.list("me").max_results(100).send().await?;
    messages.modify("me", &*id, ModifyMessageRequest::default().with_add_label_ids(["STARRED"])).send().await?;
    client.users().history().list("me", start).max_results(100).send().await?;
    client.users().labels().get("me", "INBOX").send().await?;
    Ok(6)
}
