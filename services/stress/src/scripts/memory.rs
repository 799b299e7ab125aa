//! Memory of a server with many projects, and of its idle processes.

use std::time::Duration;

use anyhow::ensure;

use super::project::{call, create};
use crate::paths;
use crate::server::Server;

/// Settings of the measurement.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of projects.
    #[arg(long, default_value_t = 1_000)]
    projects: usize,
    /// Number of idle processes, and of concurrent runs before the measurement.
    #[arg(long, default_value_t = 8)]
    ready: usize,
    /// Maximum memory of all processes together in MiB; the run fails otherwise.
    #[arg(long, default_value_t = 200)]
    max: u64,
}

/// Runs the measurement.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let server = Server::start(&paths::scratch("scripts-memory")?, &["--ready-runs", &settings.ready.to_string()])?;
    let client = server.scripts()?;
    let mut last = String::new();
    for number in 0..settings.projects {
        last = create(&client, &format!("function f() {{ return {number}; }}")).await?;
    }
    let runs = (0..settings.ready).map(|_| call(&client, &last, "f"));
    for result in futures_util::future::join_all(runs).await {
        ensure!(result?.is_ok(), "a run failed");
    }
    // The pool replaces the processes that have run.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (server_alone, children) = (server.proportional()?, server.children()?);
    ensure!(children.len() == settings.ready, "{} processes wait for runs", children.len());
    let mut all = server_alone;
    for child in &children {
        all += crate::server::proportional(*child).unwrap_or_default();
    }
    let mebibytes = |bytes: u64| bytes >> 20;
    println!(
        "{} projects: {} MiB, and {} processes that wait for runs: {} MiB in all",
        settings.projects,
        mebibytes(server_alone),
        children.len(),
        mebibytes(all),
    );
    server.stop()?;
    ensure!(mebibytes(all) <= settings.max, "it is more than {} MiB", settings.max);
    Ok(())
}
