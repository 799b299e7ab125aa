//! Trivial function over HTTP, with idle processes.

use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::json;
use tokio::task::JoinSet;

use super::project::{call, create, measure_time, median_and_range};
use crate::paths;
use crate::server::Server;

/// Settings of the measurement.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of consecutive calls of one client.
    #[arg(long, default_value_t = 400)]
    calls: usize,
    /// Milliseconds between two of them.
    #[arg(long, default_value_t = 20)]
    pause: u64,
    /// Number of clients that then call concurrently.
    #[arg(long, default_value_t = 8)]
    clients: usize,
    /// Seconds for which they call.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Maximum milliseconds of the median call; the run fails otherwise.
    #[arg(long, default_value_t = 5.0)]
    max: f64,
    /// Minimum number of calls per second; the run fails otherwise.
    #[arg(long, default_value_t = 300.0)]
    min: f64,
}

/// Runs the measurement.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let server = Server::start(&paths::scratch("scripts-run")?, &[])?;
    let client = server.scripts()?;
    let id = create(&client, "function f() { return 6 * 7; }").await?;
    let mut times = Vec::with_capacity(settings.calls);
    for _ in 0..settings.calls {
        let (result, time) = measure_time(call(&client, &id, "f")).await?;
        ensure!(result == Ok(Some(json!(42))), "{result:?}");
        times.push(time);
        // The pool starts another process in the meantime.
        tokio::time::sleep(Duration::from_millis(settings.pause)).await;
    }
    let (median, first, last) = median_and_range(&mut times);
    let until = Instant::now() + Duration::from_secs(settings.seconds);
    let mut tasks = JoinSet::new();
    for _ in 0..settings.clients {
        let (client, id) = (server.scripts()?, id.clone());
        tasks.spawn(async move {
            let mut calls = 0_u32;
            while Instant::now() < until {
                let result = call(&client, &id, "f").await?;
                ensure!(result == Ok(Some(json!(42))), "{result:?}");
                calls += 1;
            }
            anyhow::Ok(calls)
        });
    }
    let mut calls = 0;
    while let Some(ended) = tasks.join_next().await {
        calls += ended??;
    }
    let rate = f64::from(calls) / settings.seconds as f64;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "a run over HTTP: median {:.2} ms ({:.2} to {:.2}, {} calls); {} clients: {rate:.0} runs a second",
        milliseconds(median),
        milliseconds(first),
        milliseconds(last),
        settings.calls,
        settings.clients,
    );
    server.stop()?;
    ensure!(milliseconds(median) <= settings.max, "the median is over {} ms", settings.max);
    ensure!(rate >= settings.min, "fewer than {} runs a second", settings.min);
    Ok(())
}
