//! Build time of the generated types and client of whole public APIs, compared with the crates of google-apis-rs for
//! the same APIs.

use std::path::{Path, PathBuf};

use wireform_rounds::{Rounds, Seconds};

use super::{KNOWN, api, import_known};
use crate::google::{self, Features};
use crate::place;
use crate::project::{Goal, Project};
use crate::tool::Tool;

/// Crates of google-apis-rs, in the order of the known documents.
const GOOGLE: [&str; 3] = [google::CALENDAR, google::GMAIL, google::SCRIPT];

/// Numbers of rounds, the documents, and the features of the peers.
#[derive(clap::Args)]
pub struct Settings {
    /// Folder with Google's public Discovery documents, as for the part `public`.
    #[arg(long, value_name = "DIR")]
    documents: PathBuf,
    /// Number of interleaved checks of all sides with their dependencies ready.
    #[arg(long, default_value_t = 9)]
    pairs: usize,
    /// Number of interleaved checks of both sides from nothing; 0 leaves this out.
    #[arg(long, default_value_t = 1)]
    cold_pairs: usize,
    /// Build the google crates with their default features; otherwise with the TLS provider that ours have alone.
    #[arg(long)]
    google_defaults: bool,
}

/// Measures and prints.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let scratch = place::scratch("public-compile")?;
    let features = if settings.google_defaults { Features::Default } else { Features::Tls };
    let (ours, names) = ours(&settings.documents, &scratch)?;
    let google = GOOGLE.map(|name| google::dependency(name, features)).concat();
    let google = Project::new(&scratch.join("google"), &google, &GOOGLE)?.fetch()?;
    println!("public-compile: cargo check of types and client, incremental off; google crates with {features}\n");
    if settings.cold_pairs > 0 {
        let sides = vec![
            ours.side_cold("ours, all they depend on", Goal::Check),
            google.side_cold("google crates, all they depend on", Goal::Check),
        ];
        Rounds::measure(settings.cold_pairs, sides)?.print("all three, everything from nothing");
        println!("  crates compiled: ours {}, google {}\n", ours.compiled(), google.compiled());
    }
    let all: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    warm(&ours.measuring(&all), &google, "all three", settings.pairs)?;
    for ((document, names), peer) in KNOWN.iter().zip(&names).zip(GOOGLE) {
        let names = names.each_ref().map(String::as_str);
        warm(&ours.measuring(&names), &google.measuring(&[peer]), document, settings.pairs)?;
    }
    println!("  of which cargo itself: about {}\n", Seconds(ours.nothing(Goal::Check)?));
    Ok(())
}

/// Returns a project with the types and the client of every known document, and the names of these crates.
fn ours(documents: &Path, scratch: &Path) -> anyhow::Result<(Project, [[String; 2]; 3])> {
    let tool = Tool::build()?;
    let (schemas, out) = (scratch.join("schemas"), scratch.join("generated"));
    import_known(&tool, documents, &schemas)?;
    tool.generate_here(&schemas, &out)?;
    let names = KNOWN.map(|document| ["types", "client"].map(|kind| format!("{}-{kind}", api(document))));
    let lines = names.iter().flatten().map(|name| Project::path_dependency(name, &out.join(name)));
    let project = Project::new(&scratch.join("ours"), &lines.collect::<String>(), &[])?;
    Ok((project.with_lock_file()?.fetch()?, names))
}

/// Measures the crates alone.
fn warm(ours: &Project, google: &Project, title: &str, pairs: usize) -> anyhow::Result<()> {
    let sides =
        vec![ours.side_again("types and client", Goal::Check)?, google.side_again("google crates", Goal::Check)?];
    Rounds::measure(pairs, sides)?.print(&format!("{title}, dependencies ready"));
    println!("  processor time of the last: ours {}, google {}\n", Seconds(ours.cpu()), Seconds(google.cpu()));
    Ok(())
}
