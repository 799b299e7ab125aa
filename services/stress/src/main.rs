//! Speed and reliability of the services, measured and put under stress.
//!
//! `cargo run --release -p wireform-stress -- PART`; every part makes what it needs below the target folder. Times are
//! those of this machine, so what they are compared with is measured in the same run, in turns.

mod attack;
mod build;
mod by_hand;
mod calendar;
mod crash;
mod disk;
mod history;
mod import;
mod insert;
mod mail;
mod memory;
mod place;
mod scripts;
mod searches;
mod server;
mod start;

use clap::{Parser, Subcommand};

/// Measures the services and puts them under stress.
#[derive(Parser)]
#[command(name = "wireform-stress", version)]
struct Cli {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// Makes the large store that `history`, `start` and `memory` read: again, if it is there.
    Build(build::Settings),
    /// A page of 100 records of the history, out of the large mailbox and out of a small one.
    History(history::Settings),
    /// A message that is on disk when it is answered, beside the same rows written by hand in one transaction.
    Insert(insert::Settings),
    /// The calendar: durable inserts, many clients, kills.
    #[command(subcommand)]
    Calendar(calendar::Part),
    /// Script projects: runs, content, lists of processes, hostile functions, kills.
    #[command(subcommand)]
    Scripts(scripts::Part),
    /// An mbox read in by the command line.
    Import(import::Settings),
    /// From the start of the program on the large store to its first answer.
    Start(start::Settings),
    /// The memory that the server holds at most while many connections read and write.
    Memory(memory::Settings),
    /// How long others wait while some search through much mail.
    Searches(searches::Settings),
    /// The server is killed under load, again and again; what it had acknowledged must be there.
    Crash(crash::Settings),
    /// The disk gets full, and read-only, under load (needs root: it mounts a file system in memory).
    Disk(disk::Settings),
    /// Clients with bad intentions, one kind after the other and together, while honest clients work.
    Attack(attack::Settings),
    /// The attackers of one attack, as a process of their own: `attack` starts it.
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
