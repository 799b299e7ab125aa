//! Clients with bad intentions, while honest clients work.
//!
//! Each attack has a server and a copy of the store of its own. Honest clients work first alone and then beside the
//! attackers; what they see, and what the server holds during the attack and ten seconds after it, is judged. The
//! attackers are a process of their own with the lowest priority, so that they take no time from the honest clients:
//! the server is measured, not the load generator. Everything stays on loopback and ends by itself.

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
mod report;
mod resets;
mod restore;
mod scene;
mod searches;
mod slow;
mod store;
mod trial;

use anyhow::bail;
use tokio::signal::unix::{SignalKind, signal};

pub use self::kind::Attack;

/// What is attacked, and for how long.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Seconds of each attack.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Seconds for which the honest clients are measured alone, before each attack.
    #[arg(long, default_value_t = 10)]
    idle_seconds: u64,
    /// These attacks only, separated by commas.
    #[arg(long, value_delimiter = ',', value_enum)]
    only: Vec<Attack>,
    /// Connections of each attack that is made of slow connections.
    #[arg(long, default_value_t = 2_000)]
    connections: usize,
    /// Loopback addresses that attackers come from. 0: the address of the honest clients, as behind a proxy.
    #[arg(long, default_value_t = 0)]
    peers: u8,
    /// Messages of the mailbox that is searched; the mailboxes of the other searchers have a tenth each.
    #[arg(long, default_value_t = 30_000)]
    messages: u64,
    /// Timelines that `restore` loses and replays.
    #[arg(long, default_value_t = 1_000)]
    restores: usize,
    /// The soft limit of open descriptors that the server is started with, which is what a shell usually gives.
    #[arg(long, default_value_t = 1_024)]
    descriptors: u64,
}

impl Settings {
    fn attacks(&self) -> Vec<Attack> {
        if self.only.is_empty() { Attack::EVERY.to_vec() } else { self.only.clone() }
    }
}

/// Attacks, prints a row for each attack, and fails if the server has not held.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    // Dropping the run ends the server and the attackers, which a signal to this process alone would leave.
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
