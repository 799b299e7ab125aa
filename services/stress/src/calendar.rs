//! The calendar under load, under kills, and beside rows that are written by hand.

mod copy;
mod crash;
mod event;
mod hook;
mod insert;
mod load;
mod writer;

/// What is measured or put under stress.
#[derive(Debug, clap::Subcommand)]
pub enum Part {
    /// An event that is on disk when it is answered, beside the same rows written by hand in one transaction.
    Insert(insert::Settings),
    /// Many clients read and write at once, also on several servers over one PostgreSQL database.
    Load(load::Settings),
    /// The server is killed under load, again and again: what it had acknowledged is there, and a client that reads only
    /// when it is notified knows of it.
    Crash(crash::Settings),
}

/// Runs a part.
pub async fn run(part: &Part) -> anyhow::Result<()> {
    match part {
        Part::Insert(settings) => insert::run(settings).await,
        Part::Load(settings) => load::run(settings).await,
        Part::Crash(settings) => crash::run(settings).await,
    }
}
