//! Build time of the generated types crates, compared with the crates of google-apis-rs for the same APIs.

use crate::google;
use crate::place;
use crate::project::{Goal, Project};
use wireform_rounds::{Rounds, Seconds};

/// Our crates for the APIs that the google crates are about.
const OURS: [&str; 2] = ["script-types", "calendar-types"];
const GOOGLE: [&str; 2] = [google::SCRIPT, google::CALENDAR];

/// Numbers of rounds, and the features of the peers.
#[derive(clap::Args)]
pub struct Settings {
    /// Number of interleaved checks of both sides with their dependencies ready.
    #[arg(long, default_value_t = 9)]
    pairs: usize,
    /// Number of interleaved checks of both sides from nothing; 0 leaves this out.
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
    let ours = Project::new(&scratch.join("ours"), &Project::generated(&OURS), &OURS)?.with_lock_file()?.fetch()?;
    let features = if settings.google_defaults { google::Features::Default } else { google::Features::None };
    let google = GOOGLE.map(|name| google::dependency(name, features)).concat();
    let google = Project::new(&scratch.join("google"), &google, &GOOGLE)?.fetch()?;
    println!("compile: cargo check of script and calendar, incremental off; google crates with {features}");
    println!("ours are the types crates, the google crates hold types and a client\n");
    if settings.cold_pairs > 0 {
        cold(&ours, &google, settings.cold_pairs)?;
    }
    warm(&ours, &google, settings.pairs)
}

/// Measures builds from nothing, including dependencies.
fn cold(ours: &Project, google: &Project, pairs: usize) -> anyhow::Result<()> {
    let sides = vec![
        ours.side_cold("ours with the runtime", Goal::Check),
        google.side_cold("google-script1, google-calendar3", Goal::Check),
    ];
    Rounds::measure(pairs, sides)?.print("cold, everything from nothing");
    println!("  crates compiled: ours {}, google {}\n", ours.compiled(), google.compiled());
    Ok(())
}

/// Measures the two crates alone.
fn warm(ours: &Project, google: &Project, pairs: usize) -> anyhow::Result<()> {
    let sides = vec![
        ours.side_again("script-types, calendar-types", Goal::Check)?,
        google.side_again("google-script1, google-calendar3", Goal::Check)?,
    ];
    let rounds = Rounds::measure(pairs, sides)?;
    rounds.print("dependencies ready, the two crates alone");
    let nothing = ours.nothing(Goal::Check)?;
    println!("  of which cargo itself: about {}", Seconds(nothing));
    println!("  crates compiled: ours {}, google {}\n", ours.compiled(), google.compiled());
    Ok(())
}
