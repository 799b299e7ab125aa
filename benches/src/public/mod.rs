//! Cost of well-known public APIs: their generation compared with progenitor's, the largest of them, and all of them.

pub mod compile;

mod all;
mod progenitor;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use wireform_rounds::{Rounds, Side};

use crate::discovery::documents;
use crate::place;
use crate::tool::Tool;

/// Documents that are measured individually.
const KNOWN: [&str; 3] = ["calendar.v3", "gmail.v1", "script.v1"];

/// Number of rounds, and the documents.
#[derive(clap::Args)]
pub struct Settings {
    /// Folder with Google's public Discovery documents, including calendar.v3.json, gmail.v1.json and script.v1.json.
    /// `pip download --no-deps google-api-python-client` downloads all of them, in the folder
    /// googleapiclient/discovery_cache/documents of the archive.
    #[arg(long, value_name = "DIR")]
    documents: PathBuf,
    /// Number of interleaved measurements of every side.
    #[arg(long, default_value_t = 9)]
    pairs: usize,
    /// Import and generate all documents as well, once, one after the other.
    #[arg(long)]
    all: bool,
}

/// Measures and prints.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let documents = documents::read(&settings.documents)?;
    let scratch = place::memory(None, "public")?;
    let tool = Tool::build()?;
    progenitor::run(&tool, &settings.documents, &scratch, settings.pairs)?;
    largest(&tool, documents::largest(&documents)?, &scratch, settings.pairs)?;
    if settings.all {
        all::run(&tool, &documents, &scratch)?;
    }
    place::remove(&scratch)
}

/// Returns the schemas of the known documents, imported into a folder.
fn import_known(tool: &Tool, documents: &Path, into: &Path) -> anyhow::Result<()> {
    let known = KNOWN.map(|name| documents.join(format!("{name}.json")));
    tool.import(&known, into).map(drop).context("the documents of calendars, mail and script projects are needed")
}

/// Returns the API name of a known document.
fn api(document: &str) -> String {
    document.replace('.', "-")
}

/// Measures importing and generating one document from nothing.
fn largest(tool: &Tool, document: &PathBuf, scratch: &Path, pairs: usize) -> anyhow::Result<()> {
    let (schemas, out) = (scratch.join("largest"), scratch.join("largest-out"));
    let mut peaks = (0, 0);
    let last = std::cell::Cell::new(0.0);
    let sides = vec![
        Side::new("import and generate", || {
            place::remove(&schemas)?;
            place::remove(&out)?;
            let imported = tool.import(std::slice::from_ref(document), &schemas)?;
            let generated = tool.generate(&schemas, &out)?;
            peaks = (imported.peak.max(peaks.0), generated.peak.max(peaks.1));
            last.set(imported.wall);
            Ok(imported.wall + generated.wall)
        }),
        Side::new("  of which importing", || Ok(last.get())),
    ];
    let rounds = Rounds::measure(pairs, sides)?;
    let name = document.file_name().unwrap_or_default().to_string_lossy();
    let size = documents::size(std::slice::from_ref(document))? as f64 / 1e6;
    rounds.print(&format!("the largest document, {name}, {size:.1} MB"));
    println!("  peak of memory: importing {} MiB, generating {} MiB\n", peaks.0 >> 20, peaks.1 >> 20);
    place::remove(&schemas)?;
    place::remove(&out)
}
