//! Attacks by hostile clients while honest clients work.
//!
//! Each attack has its own server and copy of the store. Honest clients work first alone and then next to the
//! attackers; their observations, and the memory and descriptors of the server during the attack and ten seconds after
//! it, are judged. The attackers are a separate process with the lowest priority, so that they take no time from the
//! honest clients: the server is measured, not the load generator. Everything stays on loopback and ends by itself.

pub mod attackers;
mod auth;
mod batches;
mod bodies;
mod connection;
mod heads;
mod health;
mod honest;
mod idle;
mod kind;
mod large;
mod lengths;
mod mail;
mod prepare;
mod report;
mod resets;
mod restore;
mod runner;
mod scene;
mod searches;
mod slow;
mod store;
mod trial;
mod unread;

use anyhow::bail;
use tokio::signal::unix::{SignalKind, signal};

pub use self::kind::Attack;

/// Settings of the attacks.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Seconds of each attack.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Seconds for which the honest clients are measured alone, before each attack.
    #[arg(long, default_value_t = 10)]
    idle_seconds: u64,
    /// Run only these attacks, separated by commas.
    #[arg(long, value_delimiter = ',', value_enum)]
    only: Vec<Attack>,
    /// Number of connections of each attack that uses slow connections.
    #[arg(long, default_value_t = 2_000)]
    connections: usize,
    /// Number of loopback addresses of the attackers; 0 uses the address of the honest clients, as behind a proxy.
    #[arg(long, default_value_t = 0)]
    peers: u8,
    /// Messages of the searched mailbox; the mailboxes of the other searchers have a tenth each.
    #[arg(long, default_value_t = 30_000)]
    messages: u64,
    /// Number of timelines that `restore` loses and replays.
    #[arg(long, default_value_t = 1_000)]
    restores: usize,
    /// Soft limit of open descriptors of the server; the default is that of most shells.
    #[arg(long, default_value_t = 1_024)]
    descriptors: u64,
}

impl Settings {
    /// Returns the selected attacks; all if none is selected.
    fn attacks(&self) -> Vec<Attack> {
        if self.only.is_empty() { Attack::EVERY.to_vec() } else { self.only.clone() }
    }
}

/// Runs the attacks, prints a row for each, and fails if the server has not held.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    // Dropping the run ends the server and the attackers, which a signal to this process alone would not.
    tokio::select! {
        done = run_all(settings) => done,
        _ = interrupt.recv() => bail!("interrupted"),
        _ = terminate.recv() => bail!("terminated"),
    }
}

async fn run_all(settings: &Settings) -> anyhow::Result<()> {
    limit_descriptors(settings.descriptors)?;
    let mut violations = Vec::new();
    report::print_header(settings);
    for attack in settings.attacks() {
        match attack {
            Attack::Restore => violations.extend(restore::run(settings.restores).await?),
            _ => {
                let row = trial::run(attack, settings).await?;
                row.print();
                violations.extend(row.violations());
            }
        }
    }
    if violations.is_empty() {
        println!("every attack was held");
        return Ok(());
    }
    bail!("{} verdicts failed:\n  {}", violations.len(), violations.join("\n  "))
}

/// Sets the soft limit of this process, which the server inherits. The attackers raise their own.
fn limit_descriptors(soft: u64) -> anyhow::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let hard = getrlimit(Resource::Nofile).maximum;
    let soft = hard.map_or(soft, |hard| hard.min(soft));
    setrlimit(Resource::Nofile, Rlimit { current: Some(soft), maximum: hard })?;
    Ok(())
}
