//! Counts the instructions of hot paths under Callgrind and compares them with the recorded figures.
//!
//! Instructions do not depend on how busy the machine is, so a few percent are enough of a tolerance. Data that has to
//! come into the cache costs time and no instructions, so that misses of a simulated cache are counted beside them. Each
//! side of each path is a process of its own: this program starts itself under Valgrind, so that no path finds the heap
//! that another one left.
//!
//! Valgrind is called as a program. Hardware counters are missing on most virtual machines. `gungraun` needs a runner of
//! its very version, which every machine would have to install, and keeps its baselines in the target folder instead of
//! the repository. The crates with Valgrind's client requests need libclang; a function that Callgrind finds by its name
//! does as well.

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

/// Function of the benches that checks an event by hand. It is written for the generated types that have the limits of
/// an event and no other rule; those of the calendar have the same fields.
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

/// Counts both sides of every path, as many at a time as there are cores.
fn count_all(folder: &Path) -> anyhow::Result<All> {
    let count = |path: &HotPath| -> anyhow::Result<(String, Figures)> {
        let side = |side| valgrind::count(path, side, folder);
        let (ours, by_hand) = rayon::join(|| side(Side::Ours), || side(Side::ByHand));
        Ok((path.name.to_owned(), Figures { ours: ours?, by_hand: by_hand? }))
    };
    PATHS.par_iter().map(count).collect()
}
