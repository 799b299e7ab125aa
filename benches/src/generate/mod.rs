//! Generation as a whole process: the repository's three APIs, the same again without changes, and a hundred copies.

pub mod quote_limit;
mod synthetic;

use std::cell::Cell;
use std::path::{Path, PathBuf};

use crate::place;
use crate::tool::Tool;
use wireform_rounds::{Rounds, Seconds, Side};

/// Number of copies of the schemas in the synthetic ones.
const COPIES: usize = 100;

/// Run of the generator that is measured again and again.
struct Run {
    schemas: PathBuf,
    out: PathBuf,
    /// True if the output is removed before each run.
    fresh: bool,
    peak: Cell<u64>,
    cpu: Cell<f64>,
}

impl Run {
    fn new(schemas: &Path, out: PathBuf, fresh: bool) -> Self {
        Self { schemas: schemas.to_owned(), out, fresh, peak: Cell::new(0), cpu: Cell::new(0.0) }
    }

    fn seconds(&self, tool: &Tool) -> anyhow::Result<f64> {
        if self.fresh {
            place::remove(&self.out)?;
        }
        let cost = tool.generate(&self.schemas, &self.out)?;
        // Of the first run only: the memory of this process counts for the child until it has started.
        if self.peak.get() == 0 {
            self.peak.set(cost.peak);
        }
        self.cpu.set(self.cpu.get() + cost.cpu);
        Ok(cost.wall)
    }

    /// Prints a line about memory and the amount of code generated per second.
    fn print(&self, name: &str, median: f64, pairs: usize) -> anyhow::Result<()> {
        let bytes: usize = quote_limit::read(&self.out)?.iter().map(String::len).sum();
        let megabytes = bytes as f64 / 1e6;
        let cpu = self.cpu.get() / pairs as f64;
        println!(
            "  {name:<34} {megabytes:>6.2} MB of Rust, {:>5.1} MB/s, {:>5.1} MB a processor second, peak {} MiB",
            megabytes / median,
            megabytes / cpu,
            self.peak.get() >> 20
        );
        Ok(())
    }
}

/// Number of rounds, and the output folder.
#[derive(clap::Args)]
pub struct Settings {
    /// Number of interleaved measurements of every side.
    #[arg(long, default_value_t = 9)]
    pairs: usize,
    /// Folder in which to generate [default: the memory file system if there is one]. File systems such as ext4 are
    /// slow to create files after many have been removed, so that a disk would be measured instead of the generator.
    #[arg(long, value_name = "DIR")]
    within: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { pairs: 9, within: None }
    }
}

/// Measures and prints.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let pairs = settings.pairs;
    let tool = Tool::build()?;
    let scratch = place::memory(settings.within.as_deref(), "gen")?;
    let schemas = place::root().join("schemas");
    let (apis, whole) = (scratch.join("schemas-apis"), scratch.join("schemas-whole"));
    let known = synthetic::read(&schemas)?;
    synthetic::write_apis(&known, COPIES, &apis)?;
    synthetic::write_one_api(&known, COPIES, &whole)?;
    let runs = [
        ("three APIs, empty folder", Run::new(&schemas, scratch.join("three"), true)),
        ("the same, nothing changed", Run::new(&schemas, scratch.join("three-again"), false)),
        ("100 x three APIs", Run::new(&apis, scratch.join("apis"), true)),
        ("one API, 100 x as large", Run::new(&whole, scratch.join("whole"), true)),
    ];
    for (_, run) in &runs {
        // The first run warms the caches and creates the output that does not change later.
        run.seconds(&tool)?;
        run.cpu.set(0.0);
    }
    let texts = quote_limit::read(&scratch.join("three"))?;
    let mut sides: Vec<Side<'_>> = runs.iter().map(|(name, run)| Side::new(name, || run.seconds(&tool))).collect();
    sides.push(Side::new("quote limit", || quote_limit::seconds(&texts)));
    report(&Rounds::measure(pairs, sides)?, &runs, pairs, &texts)?;
    place::remove(&scratch)
}

fn report(rounds: &Rounds, runs: &[(&str, Run)], pairs: usize, texts: &[String]) -> anyhow::Result<()> {
    println!("gen: whole processes");
    for (side, (name, _)) in runs.iter().enumerate() {
        let time = Seconds(rounds.side(side).median);
        println!("  {name:<34} {time:>10}   {} x the first", rounds.ratio(side, 0));
    }
    for (side, (name, run)) in runs.iter().enumerate() {
        run.print(name, rounds.side(side).median, pairs)?;
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    let limit = rounds.side(runs.len()).median;
    println!(
        "  {:<34} {:>10}   {:.1} MB/s on one core, tokens -> syn -> text of the first's output",
        "quote limit",
        Seconds(limit),
        bytes as f64 / 1e6 / limit
    );
    println!("  first run / quote limit            {}\n", rounds.ratio(0, runs.len()));
    Ok(())
}
