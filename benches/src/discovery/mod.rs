//! Import and generation of many Discovery documents at once, as whole processes.

pub mod documents;

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};

use fs_err as fs;
use wireform_rounds::{Rounds, Seconds, Side};

use crate::child::Cost;
use crate::generate::quote_limit;
use crate::place;
use crate::tool::Tool;

/// Number of rounds, and the documents.
#[derive(clap::Args)]
pub struct Settings {
    /// Folder with the documents [default: ../shared/corpora/discovery/docs, if it exists].
    #[arg(long, value_name = "DIR")]
    documents: Option<PathBuf>,
    /// Number of interleaved measurements of every side.
    #[arg(long, default_value_t = 9)]
    pairs: usize,
    /// Folder in which to import and generate [default: the memory file system if there is one].
    #[arg(long, value_name = "DIR")]
    within: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { documents: None, pairs: 9, within: None }
    }
}

/// Measures and prints; prints a note if there are no documents.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = settings.documents.clone().unwrap_or_else(|| place::root().join(documents::SAMPLE));
    if settings.documents.is_none() && !folder.is_dir() {
        println!("discovery: skipped, `{}` does not exist; specify a folder with `--documents`\n", folder.display());
        return Ok(());
    }
    let documents = documents::read(&folder)?;
    let scratch = place::memory(settings.within.as_deref(), "discovery")?;
    let tool = Tool::build()?;
    let cold = Folders::new(&tool, &documents, scratch.join("cold"));
    let kept = Folders::new(&tool, &documents, scratch.join("kept"));
    cold.all_from_scratch()?;
    // Measured now, since the memory of this process counts as its child's until that has started.
    let peaks = [&cold.imported, &cold.generated].map(|cost| cost.borrow().peak >> 20);
    kept.all_from_scratch()?;
    let texts = quote_limit::read(&cold.out)?;
    let change = Change::new(&kept, &scratch)?;
    let sides = vec![
        Side::new("everything, from nothing", || cold.all_from_scratch()),
        Side::new("  of which importing", || Ok(cold.imported.borrow().wall)),
        Side::new("  of which generating", || Ok(cold.generated.borrow().wall)),
        Side::new("  its processor time", || Ok(cold.generated.borrow().cpu)),
        Side::new("one document changed", || change.seconds()),
        Side::new("nothing changed", || kept.all()),
        Side::new("copying the output", || copy(&cold.out, &scratch.join("copy"))),
        Side::new("quote limit, on one core", || quote_limit::seconds(&texts)),
    ];
    let rounds = Rounds::measure(settings.pairs, sides)?;
    println!("discovery: {} documents, {:.2} MB", documents.len(), documents::size(&documents)? as f64 / 1e6);
    report(&rounds, &texts, peaks, &change);
    place::remove(&scratch)
}

/// Indices of the sides that [`report`] compares.
const GENERATING: usize = 2;
const PROCESSOR: usize = 3;
const COPY: usize = 6;
const LIMIT: usize = 7;

fn report(rounds: &Rounds, texts: &[String], peaks: [u64; 2], change: &Change<'_>) {
    rounds.print("whole processes, all documents at a time; changed is the largest document");
    let megabytes = texts.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    let rate = |side: usize| megabytes / rounds.side(side).median;
    println!("  {:.1} MB of Rust in {} files", megabytes, texts.len());
    println!(
        "  {:.1} MB/s, {:.1} MB a processor second; the quote limit is {:.1} MB/s on one core",
        rate(GENERATING),
        rate(PROCESSOR),
        rate(LIMIT)
    );
    println!("  of the quote limit, on a core       {}", rounds.ratio(LIMIT, PROCESSOR));
    println!("  cores that are used                 {}", rounds.ratio(PROCESSOR, GENERATING));
    println!("  generating / copying the output     {}", rounds.ratio(GENERATING, COPY));
    let [importing, generating] = peaks;
    println!("  peak of memory: importing {importing} MiB, generating {generating} MiB");
    let (imported, generated) = change.last.get();
    println!("  the last change: imported in {}, generated in {}\n", Seconds(imported), Seconds(generated));
}

/// Schemas and crates of some documents.
struct Folders<'a> {
    tool: &'a Tool,
    documents: &'a [PathBuf],
    schemas: PathBuf,
    out: PathBuf,
    imported: RefCell<Cost>,
    generated: RefCell<Cost>,
}

impl<'a> Folders<'a> {
    fn new(tool: &'a Tool, documents: &'a [PathBuf], folder: PathBuf) -> Self {
        let (schemas, out) = (folder.join("schemas"), folder.join("generated"));
        Self { tool, documents, schemas, out, imported: RefCell::default(), generated: RefCell::default() }
    }

    /// Imports and generates all documents, and returns the seconds.
    fn all(&self) -> anyhow::Result<f64> {
        self.some(self.documents)
    }

    /// Imports and generates all documents into empty folders, and returns the seconds.
    fn all_from_scratch(&self) -> anyhow::Result<f64> {
        place::remove(&self.schemas)?;
        place::remove(&self.out)?;
        self.all()
    }

    /// Imports these documents and generates everything.
    fn some(&self, documents: &[PathBuf]) -> anyhow::Result<f64> {
        self.imported.replace(self.tool.import(documents, &self.schemas)?);
        self.generated.replace(self.tool.generate(&self.schemas, &self.out)?);
        Ok(self.imported.borrow().wall + self.generated.borrow().wall)
    }
}

/// Largest document, changed again and again.
struct Change<'a> {
    folders: &'a Folders<'a>,
    text: String,
    file: PathBuf,
    times: Cell<usize>,
    /// Seconds of both steps of the last time.
    last: Cell<(f64, f64)>,
}

impl<'a> Change<'a> {
    fn new(folders: &'a Folders<'a>, scratch: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(documents::largest(folders.documents)?)?;
        Ok(Self { folders, text, file: scratch.join("changed.json"), times: Cell::new(0), last: Cell::default() })
    }

    fn seconds(&self) -> anyhow::Result<f64> {
        self.times.set(self.times.get() + 1);
        fs::write(&self.file, documents::changed(&self.text, self.times.get())?)?;
        let seconds = self.folders.some(std::slice::from_ref(&self.file))?;
        self.last.set((self.folders.imported.borrow().wall, self.folders.generated.borrow().wall));
        // Restores the original state untimed, so that the next side has nothing to do.
        self.folders.all()?;
        Ok(seconds)
    }
}

/// Returns the seconds of copying all files of a folder, on one thread.
fn copy(from: &Path, to: &Path) -> anyhow::Result<f64> {
    place::remove(to)?;
    let start = std::time::Instant::now();
    copy_all(from, to)?;
    Ok(start.elapsed().as_secs_f64())
}

fn copy_all(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_all(&from, &to)?;
        } else {
            fs::write(to, fs::read(from)?)?;
        }
    }
    Ok(())
}
