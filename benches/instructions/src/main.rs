//! Counts the instructions of hot paths under Callgrind and compares them with the recorded figures.
//!
//! Instructions do not depend on the load of the machine, so a tolerance of a few percent is enough. Cache misses cost
//! time but no instructions, so those of a simulated cache are counted too. Each side of each path runs in a process of
//! its own, which this program starts under Valgrind, so that no path inherits the heap of another one.
//!
//! Valgrind runs as an external program. Most virtual machines have no hardware counters. `gungraun` requires a runner
//! of exactly its version on every machine, and stores its baselines in the target folder instead of the repository.
//! The crates with Valgrind's client requests need libclang; here Callgrind finds a function by its name instead.

mod figures;
mod meter;
mod paths;
mod valgrind;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser;
use rayon::prelude::*;

use crate::figures::{All, Figures};
use crate::paths::{HotPath, PATHS, Side};

/// Handwritten validation of the benches. It is written for generated types with the limits of an event and no other
/// rules; those of the calendar have the same fields.
#[allow(dead_code, deprecated)]
#[path = "../../src/validate/program/by_hand.rs"]
mod checks_by_hand;
extern crate calendar_types as limits_types;

/// Exit code of a step with a missing prerequisite.
const UNAVAILABLE: u8 = 69;

/// Counts the instructions of hot paths and compares them with the recorded figures.
#[derive(Parser)]
#[command(name = "cargo instructions", version)]
struct Cli {
    /// Record the counted figures instead of comparing them.
    #[arg(long)]
    record: bool,
    /// Keep the profiles in this folder, for `callgrind_annotate`.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Run one side of one path, uncounted: this is what runs under Valgrind.
    #[arg(long, num_args = 2, value_names = ["PATH", "SIDE"], hide = true)]
    run: Option<Vec<String>>,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<ExitCode> {
    if let Some([path, side]) = cli.run.as_deref() {
        let path = PATHS.iter().find(|known| known.name == path).with_context(|| format!("no path `{path}`"))?;
        path.run(Side::parse(side)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if !valgrind::is_installed() {
        eprintln!("error: `valgrind` cannot be started\n  help: install it: `apt-get install valgrind`");
        return Ok(ExitCode::from(UNAVAILABLE));
    }
    let temporary = tempfile::tempdir()?;
    let folder = cli.keep.as_deref().unwrap_or(temporary.path());
    fs_err::create_dir_all(folder)?;
    let counted = count_all(folder)?;
    print!("{}", figures::table(&counted));
    if cli.record {
        figures::record(&counted)?;
        return Ok(ExitCode::SUCCESS);
    }
    let report = figures::compare(&figures::recorded()?, &counted);
    eprint!("{report}");
    Ok(if report.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Counts both sides of every path, one per core at a time.
fn count_all(folder: &Path) -> anyhow::Result<All> {
    let count = |path: &HotPath| -> anyhow::Result<(String, Figures)> {
        let side = |side| valgrind::count(path, side, folder);
        let (ours, by_hand) = rayon::join(|| side(Side::Ours), || side(Side::ByHand));
        Ok((path.name.to_owned(), Figures { ours: ours?, by_hand: by_hand? }))
    };
    PATHS.par_iter().map(count).collect()
}
