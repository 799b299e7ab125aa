//! The memory of the server while many connections read and write.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::ensure;
use mailbox_client::Client;
use mailbox_client::types::{Message, ModifyMessageRequest};
use tokio::task::JoinSet;

use crate::server::Server;
use crate::{build, mail};

/// The load.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Connections at a time.
    #[arg(long, default_value_t = 200)]
    connections: usize,
    /// Seconds of load.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Bytes of each message that is inserted and read back.
    #[arg(long, default_value_t = 4_000)]
    bytes: usize,
}

/// Measures.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let server = Server::start(&build::made()?, &[])?;
    let before = server.peak()?;
    let start = server.client()?.users().get_profile("me").send().await?.history_id.unwrap_or_default().0;
    let until = Instant::now() + Duration::from_secs(settings.seconds);
    let (asked, busy) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let mut tasks = JoinSet::new();
    for one in 0..settings.connections {
        let (client, asked, busy) = (server.client()?, Arc::clone(&asked), Arc::clone(&busy));
        let (start, bytes) = (start, settings.bytes);
        tasks.spawn(async move {
            while Instant::now() < until {
                match round(&client, start, one as u64, bytes).await {
                    Ok(calls) => asked.fetch_add(calls, Ordering::Relaxed),
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
    let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    println!(
        "{} connections, {} calls and {} told to come later in {} s: at most {:.0} MiB ({:.0} MiB when it was ready)",
        settings.connections,
        asked.load(Ordering::Relaxed),
        busy.load(Ordering::Relaxed),
        settings.seconds,
        mebibytes(server.peak()?),
        mebibytes(before)
    );
    ensure!(asked.load(Ordering::Relaxed) > 0, "nothing was answered");
    server.stop()
}

/// What a client does in its life: write, read, list, change, and ask what has changed.
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
