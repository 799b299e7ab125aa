//! Performance and reliability tests of the services.
//!
//! `cargo run --release -p wireform-stress -- PART`; every part creates its data below the target folder. Times depend
//! on the machine, so each baseline is measured in the same run, in turns.

mod attack;
mod baseline;
mod build;
mod calendar;
mod crash;
mod disk;
mod history;
mod import;
mod insert;
mod mail;
mod memory;
mod paths;
mod scripts;
mod searches;
mod server;
mod start;

use clap::{Parser, Subcommand};

/// Measures the services and runs stress tests.
#[derive(Parser)]
#[command(name = "wireform-stress", version)]
struct Cli {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// Create the large store that `history`, `start` and `memory` read, replacing an existing one.
    Build(build::Settings),
    /// Measure a page of 100 records of the history, of the large mailbox and of a small one.
    History(history::Settings),
    /// Measure the durable insert of a message, compared with writing the same rows directly in one transaction.
    Insert(insert::Settings),
    /// Test the calendar: durable inserts, many clients, kills.
    #[command(subcommand)]
    Calendar(calendar::Part),
    /// Test script projects: runs, content, lists of processes, hostile functions, kills.
    #[command(subcommand)]
    Scripts(scripts::Part),
    /// Measure the import of an mbox by the command line.
    Import(import::Settings),
    /// Measure the start of the program on the large store, up to its first response.
    Start(start::Settings),
    /// Measure the peak memory of the server while many connections read and write.
    Memory(memory::Settings),
    /// Measure the delay of other requests while some users search much mail.
    Searches(searches::Settings),
    /// Kill the server under load repeatedly; everything acknowledged must survive.
    Crash(crash::Settings),
    /// Make the disk full, and read-only, under load (requires root: it mounts a file system in memory).
    Disk(disk::Settings),
    /// Run attacks by hostile clients, one kind after the other and together, while honest clients work.
    Attack(attack::Settings),
    /// Run the attackers of one attack, as a process that `attack` starts.
    #[command(hide = true)]
    Attackers,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    match Cli::parse().part {
        Part::Build(settings) => build::run(&settings).await,
        Part::History(settings) => history::run(&settings).await,
        Part::Insert(settings) => insert::run(&settings).await,
        Part::Calendar(part) => calendar::run(&part).await,
        Part::Scripts(part) => scripts::run(&part).await,
        Part::Import(settings) => import::run(&settings),
        Part::Start(settings) => start::run(&settings),
        Part::Memory(settings) => memory::run(&settings).await,
        Part::Searches(settings) => searches::run(&settings).await,
        Part::Crash(settings) => crash::run(&settings).await,
        Part::Disk(settings) => disk::run(&settings).await,
        Part::Attack(settings) => attack::run(&settings).await,
        Part::Attackers => attack::attackers::run().await,
    }
}
