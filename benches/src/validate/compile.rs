//! Build time of a validation crate, in addition to the types crate that it depends on.

use std::path::Path;

use crate::place;
use crate::project::{Goal, Project};
use wireform_rounds::{Rounds, Seconds};

const APIS: [&str; 3] = ["calendar", "mailbox", "script"];

/// Number of rounds.
#[derive(clap::Args)]
pub struct Settings {
    /// Number of interleaved checks of both crates of an API with their dependencies ready.
    #[arg(long, default_value_t = 9)]
    pairs: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { pairs: 9 }
    }
}

/// Measures and prints.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let scratch = place::scratch("validate-compile")?;
    println!("validate-compile: cargo check, incremental off, dependencies ready\n");
    for api in APIS {
        measure(api, "validation", &scratch.join(api), settings.pairs)?;
    }
    Ok(())
}

/// Measures a generated crate of an API, compared with the types crate that it depends on.
pub fn measure(api: &str, kind: &str, scratch: &Path, pairs: usize) -> anyhow::Result<()> {
    let (rules, types) = (format!("{api}-{kind}"), format!("{api}-types"));
    let folder = place::root().join("generated").join(&types).display().to_string();
    let requests = format!("{types} = {{ path = {folder:?}, features = [\"requests\"] }}\n");
    let ours =
        Project::new(&scratch.join("rules"), &Project::generated(&[&rules]), &[&rules])?.with_lock_file()?.fetch()?;
    let base = Project::new(&scratch.join("types"), &requests, &[&types])?.with_lock_file()?.fetch()?;
    let sides = vec![ours.side_again(&rules, Goal::Check)?, base.side_again(&types, Goal::Check)?];
    Rounds::measure(pairs, sides)?.print(&format!("{api}, the types with requests"));
    println!("  of which cargo itself: about {}\n", Seconds(ours.nothing(Goal::Check)?));
    Ok(())
}
