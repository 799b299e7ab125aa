//! Calendar under load and kills, and compared with a baseline.

mod calendar_copy;
mod crash;
mod event;
mod hook;
mod insert;
mod load;
mod writer;

/// Measurement or stress test.
#[derive(Debug, clap::Subcommand)]
pub enum Part {
    /// Durable insert of an event, compared with writing the same rows directly in one transaction.
    Insert(insert::Settings),
    /// Many concurrent clients that read and write, also on several servers over one PostgreSQL database.
    Load(load::Settings),
    /// Repeated kills of the server under load: every acknowledged write must survive, and a client that reads only
    /// when it is notified must see it.
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
