//! Repeated kills of the server during runs.
//!
//! Endless functions run while a writer saves content. After every kill no process outlives the server, and the content
//! is either the last acknowledged one or the one that was being saved. Once the server counts as dead, no record says
//! that one of its runs is still running.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use rand::RngExt as _;
use script_client::Client;
use script_client::types::ProcessStatus;
use tokio::task::JoinSet;

use super::project::{call, create, file, save};
use crate::crash::check_integrity;
use crate::paths;
use crate::server::Server;

/// Settings of the kills.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of kills.
    #[arg(long, default_value_t = 100)]
    times: u32,
    /// Number of concurrent endless functions.
    #[arg(long, default_value_t = 6)]
    runs: usize,
}

/// Maximum time until the records are settled: a dead server counts as alive for 12 s, and another one checks every few
/// seconds.
const TIMEOUT: Duration = Duration::from_secs(40);

/// Runs the kills.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = paths::scratch("scripts-crash")?;
    let mut server = Server::start(&folder, &[])?;
    let endless = create(&server.scripts()?, "function f() { while (true) {} }").await?;
    let written = create(&server.scripts()?, "// 0").await?;
    let (mut acknowledged, mut processes, mut slowest) = (0_u64, 0_usize, Duration::ZERO);
    for round in 1..=settings.times {
        let mut runs = JoinSet::new();
        for _ in 0..settings.runs {
            let (client, id) = (server.scripts()?, endless.clone());
            runs.spawn(async move { call(&client, &id, "f").await });
        }
        let writer = tokio::spawn(write(server.scripts()?, written.clone(), acknowledged));
        tokio::time::sleep(Duration::from_millis(rand::rng().random_range(50..600))).await;
        let children = server.children()?;
        processes += children.len();
        server.kill()?;
        acknowledged = writer.await?;
        while let Some(ended) = runs.join_next().await {
            ensure!(ended?.is_err(), "a function without end has ended");
        }
        wait_until_gone(&children).await.with_context(|| format!("after kill {round}"))?;
        server = Server::start(&folder, &[])?;
        slowest = slowest.max(server.started);
        let saved = saved_number(&server.scripts()?, &written).await?;
        ensure!(
            saved == acknowledged || saved == acknowledged + 1,
            "{acknowledged} was acknowledged and {saved} is there, after kill {round}"
        );
        acknowledged = saved;
        if round % 25 == 0 || round == settings.times {
            wait_until_settled(&server.scripts()?).await.with_context(|| format!("after kill {round}"))?;
            println!("{round} kills: {acknowledged} contents saved, {processes} processes gone");
        }
    }
    server.stop()?;
    check_integrity(&folder)?;
    println!(
        "{} kills among runs: none of {processes} processes outlived its server, no record says that a run goes on, \
         {acknowledged} contents saved and none lost; ready again after {:.0} ms at the most",
        settings.times,
        slowest.as_secs_f64() * 1e3
    );
    Ok(())
}

/// Saves increasing numbers until the server is gone; returns the last acknowledged one.
async fn write(client: Client, id: String, mut last: u64) -> u64 {
    while save(&client, &id, vec![file("Code", &format!("// {}", last + 1))]).await.is_ok() {
        last += 1;
    }
    last
}

/// Returns the saved number.
async fn saved_number(client: &Client, id: &str) -> anyhow::Result<u64> {
    let content = client.projects().get_content(id).send().await?;
    let code = content.files.iter().find(|file| file.name.as_deref() == Some("Code"));
    let source = code.and_then(|file| file.source.as_deref()).context("the file is gone")?;
    Ok(source.trim_start_matches("// ").parse()?)
}

/// Waits until none of these processes exists.
async fn wait_until_gone(processes: &[u32]) -> anyhow::Result<()> {
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        // A process that has ended but was not reaped has no memory any more.
        let is_there = |process: &&u32| {
            std::fs::read_link(Path::new("/proc").join(process.to_string()).join("exe"))
                .is_ok_and(|program| program.to_string_lossy().contains("wireform"))
        };
        let left: Vec<&u32> = processes.iter().filter(is_there).collect();
        if left.is_empty() {
            return Ok(());
        }
        ensure!(Instant::now() < until, "processes have outlived the server: {left:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until no record says that a run is still running.
async fn wait_until_settled(client: &Client) -> anyhow::Result<()> {
    let until = Instant::now() + TIMEOUT;
    loop {
        let running = client.processes().list().statuses([ProcessStatus::Running]).send().await?;
        if running.processes.is_empty() {
            return Ok(());
        }
        ensure!(Instant::now() < until, "{} runs still go on, as the records say", running.processes.len());
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
