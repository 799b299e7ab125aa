//! Expansion of series, compared with the crate rrule and python-dateutil.
//!
//! The sides are in a separate program, so that the dependencies of the peer, such as chrono, do not affect the
//! repository. Python runs as one process, which times itself on request.

use std::process::Command;

use anyhow::ensure;

use crate::place;
use crate::project::{Goal, Project};

/// Pinned, so that figures of different days are comparable.
const PEERS: &str = "\
anyhow = \"1\"
rrule = \"=0.14.0\"
";
const PYTHON: &str = "python-dateutil==4.0.0";

/// Number of rounds.
#[derive(clap::Args)]
pub struct Settings {
    /// Number of interleaved measurements of every side.
    #[arg(long, default_value_t = 25)]
    pairs: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { pairs: 25 }
    }
}

/// Measures and prints.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let scratch = place::scratch("recurrence")?;
    let ours = place::root().join("services/recurrence");
    let dependencies = [Project::path_dependency("wireform-recurrence", &ours), PEERS.to_owned()].concat();
    let main = include_str!("program/main.rs");
    let project = Project::program(&scratch.join("program"), &dependencies, &[], main)?;
    project.write("src/rounds.rs", include_str!("../../../tests/rounds/src/lib.rs"))?;
    project.write("peer.py", include_str!("program/peer.py"))?;
    let project = project.with_lock_file()?.fetch()?;
    project.make(Goal::Release)?;
    let tools = scratch.join("python");
    let python = tools.join("bin/python");
    succeed(Command::new("python3").args(["-m", "venv"]).arg(&tools))?;
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet", PYTHON]))?;
    println!("recurrence: series from their text to all instances, release without LTO\n");
    let script = scratch.join("program/peer.py");
    succeed(Command::new(project.binary()).arg(settings.pairs.to_string()).arg(&python).arg(&script))
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status()?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
