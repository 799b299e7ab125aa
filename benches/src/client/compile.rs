//! Build time of a generated client, compared with google-script1, and with progenitor's client of the same operations.

use std::path::Path;

use super::progenitor;
use crate::google::{self, Features};
use crate::place;
use crate::project::{CONSUMER, Goal, Project};
use wireform_rounds::{Rounds, Seconds};

/// Crates of the script API.
const SCRIPT: [&str; 2] = ["script-types", "script-client"];
/// Crates of the calendar API.
const CALENDAR: [&str; 2] = ["calendar-types", "calendar-client"];

/// Numbers of rounds, and the features of the peer.
#[derive(clap::Args)]
pub struct Settings {
    /// Number of interleaved builds of the sides with their dependencies ready.
    #[arg(long, default_value_t = 9)]
    pairs: usize,
    /// Number of interleaved checks of the sides from nothing; 0 leaves this out.
    #[arg(long, default_value_t = 3)]
    cold_pairs: usize,
    /// Build google-script1 with its default features; otherwise with the TLS provider that ours have alone.
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
    let scratch = place::scratch("client-compile")?;
    let features = if settings.google_defaults { Features::Default } else { Features::Tls };
    println!("client-compile: types and client, incremental off; google-script1 with {features}\n");
    libraries(&scratch, features, settings)?;
    programs(&scratch, features, settings.pairs)?;
    progenitor(&scratch, settings.pairs)
}

/// Measures the crates alone: `cargo check`, from nothing and with their dependencies ready.
fn libraries(scratch: &Path, features: Features, settings: &Settings) -> anyhow::Result<()> {
    let ours = super::ours(&scratch.join("ours"), &SCRIPT)?;
    let google = google::dependency(google::SCRIPT, features);
    let google = Project::new(&scratch.join("google"), &google, &[google::SCRIPT])?.fetch()?;
    if settings.cold_pairs > 0 {
        let sides = vec![
            ours.side_cold("script-client, all it depends on", Goal::Check),
            google.side_cold("google-script1, all it depends on", Goal::Check),
        ];
        Rounds::measure(settings.cold_pairs, sides)?.print("cargo check, everything from nothing");
        let line =
            |project: &Project| format!("{} in {} of processor time", project.compiled(), Seconds(project.cpu()));
        println!("  crates compiled: ours {}; google {}\n", line(&ours), line(&google));
    }
    let sides = vec![
        ours.side_again("script-types, script-client", Goal::Check)?,
        google.side_again("google-script1", Goal::Check)?,
    ];
    Rounds::measure(settings.pairs, sides)?.print("cargo check, dependencies ready");
    println!("  of which cargo itself: about {}\n", Seconds(ours.nothing(Goal::Check)?));
    Ok(())
}

/// Measures the crates and a program that makes one call: a debug build, including linking.
fn programs(scratch: &Path, features: Features, pairs: usize) -> anyhow::Result<()> {
    let ours = super::our_program(&scratch.join("our-program"), &[SCRIPT.as_slice(), &[CONSUMER]].concat())?;
    let dependencies = google::dependency(google::SCRIPT, features) + super::TOKIO;
    let measured = [google::SCRIPT, CONSUMER];
    let main = include_str!("programs/google.rs");
    let google = Project::program(&scratch.join("google-program"), &dependencies, &measured, main)?.fetch()?;
    let sides = vec![
        ours.side_again("script-types, script-client", Goal::Build)?,
        google.side_again("google-script1", Goal::Build)?,
    ];
    Rounds::measure(pairs, sides)?.print("debug build with a program of one call, dependencies ready");
    println!("  of which cargo itself: about {}\n", Seconds(ours.nothing(Goal::Build)?));
    Ok(())
}

/// Measures `cargo check`, compared with progenitor's output for the same API; its types and client are one crate.
fn progenitor(scratch: &Path, pairs: usize) -> anyhow::Result<()> {
    let peers = progenitor::generate("calendar", &scratch.join("progenitor"))?;
    let ours = super::ours(&scratch.join("calendar"), &CALENDAR)?;
    let both = Project::new(&scratch.join("peers"), &peers.dependencies(), &[])?.fetch()?;
    let (positional, builder) = (both.measuring(&[progenitor::POSITIONAL]), both.measuring(&[progenitor::BUILDER]));
    let sides = vec![
        ours.side_again("calendar-types, calendar-client", Goal::Check)?,
        positional.side_again("progenitor, positional", Goal::Check)?,
        builder.side_again("progenitor, builders", Goal::Check)?,
    ];
    Rounds::measure(pairs, sides)?.print("cargo check of the 11 operations on events, dependencies ready");
    println!("  progenitor's Rust: positional {} bytes, builders {} bytes", peers.positional, peers.builder);
    println!("  of which cargo itself: about {}\n", Seconds(ours.nothing(Goal::Check)?));
    Ok(())
}
