//! What the generated crates cost a user's build, beside the crates of google-apis-rs for the same APIs.

mod project;

use crate::place;
use crate::rounds::{Rounds, Seconds, Side};
use project::Project;

/// How often, and beside which features of the peers.
#[derive(clap::Args)]
pub struct Settings {
    /// How often both sides are checked with their dependencies ready, in turns.
    #[arg(long, default_value_t = 9)]
    pairs: usize,
    /// How often both sides are checked from nothing, in turns; 0 leaves this out.
    #[arg(long, default_value_t = 3)]
    cold_pairs: usize,
    /// Build the google crates with their default features; otherwise without any, which is less to build.
    #[arg(long)]
    google_defaults: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { pairs: 9, cold_pairs: 3, google_defaults: false }
    }
}

/// Measures and prints.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let scratch = place::scratch("compile")?;
    let ours = Project::ours(&scratch.join("ours"))?;
    let google = Project::google(&scratch.join("google"), settings.google_defaults)?;
    let features = if settings.google_defaults { "default features" } else { "no features" };
    println!("compile: cargo check of script and calendar, incremental off; google crates with {features}");
    println!("ours are the types crates, the google crates hold types and a client\n");
    if settings.cold_pairs > 0 {
        cold(&ours, &google, settings.cold_pairs)?;
    }
    warm(&ours, &google, settings.pairs)
}

/// From nothing, with what the crates depend on.
fn cold(ours: &Project, google: &Project, pairs: usize) -> anyhow::Result<()> {
    let side = |name, project| Side::new(name, move || Project::check_all(project));
    let sides = vec![side("ours with the runtime", ours), side("google-script1, google-calendar3", google)];
    Rounds::measure(pairs, sides)?.print("cold, everything from nothing");
    println!("  crates compiled: ours {}, google {}\n", ours.compiled(), google.compiled());
    Ok(())
}

/// The two crates alone.
fn warm(ours: &Project, google: &Project, pairs: usize) -> anyhow::Result<()> {
    ours.check_all()?;
    google.check_all()?;
    let side = |name, project| Side::new(name, move || Project::check_again(project));
    let sides = vec![side("script-types, calendar-types", ours), side("google-script1, google-calendar3", google)];
    let rounds = Rounds::measure(pairs, sides)?;
    rounds.print("dependencies ready, the two crates alone");
    let nothing = ours.check_nothing()?;
    println!("  of which cargo itself: about {}", Seconds(nothing));
    println!("  crates compiled: ours {}, google {}\n", ours.compiled(), google.compiled());
    Ok(())
}
