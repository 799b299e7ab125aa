//! `cargo xtask corpus`: a folder of documents of others → schemas → crates → checked crates, and a table that tells
//! how far each of them came. A document that cannot be read is a row of the table, not the end of the run.

mod check;
mod counts;
mod documents;
mod progress;
mod state;
mod table;
mod work;

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::bail;

use crate::cli::CorpusOptions;
use crate::parallel::{in_parallel, processors};
use counts::Counts;
use documents::Document;
use progress::Progress;
use work::Work;

/// What became of a document.
struct Row {
    /// Its path below the folder.
    document: String,
    /// The API that it describes, once it was imported.
    api: Option<String>,
    /// What is in it, counted in the document itself.
    counts: Option<Counts>,
    /// Whether it describes an API; another file of JSON or YAML is no row of the table.
    is_document: bool,
    /// What it says and its schema does not, with the places.
    losses: Vec<String>,
    /// The lines of Rust that were generated.
    lines: usize,
    /// What importing and generating took.
    time: Duration,
    /// Whether it was done by an earlier run.
    unchanged: bool,
    /// Everything that went wrong, with its place.
    problems: Vec<String>,
}

/// Runs the command; false when something went wrong with any of the documents.
pub fn run(options: &CorpusOptions) -> anyhow::Result<bool> {
    let documents = documents::find(options)?;
    let manifest = counts::manifest(options)?;
    let work = Work::open(options.keep.as_deref())?;
    let jobs = options.jobs.map_or_else(processors, usize::from);
    let checks = !options.no_check || options.check;

    let progress = Progress::new("imported and generated", documents.len());
    let owners = Owners::default();
    let mut rows = in_parallel(jobs, &documents, |index, document| {
        let row = become_crates(index, document, &work, &owners);
        progress.advance(&document.name);
        row
    });
    drop(progress);
    let files = rows.len();
    rows.retain(|row| row.is_document);
    let others = files - rows.len();
    if rows.is_empty() {
        bail!("`{}` has neither Discovery documents nor OpenAPI documents in it", options.dir.display());
    }
    for row in &mut rows {
        row.problems.extend(row.counts.and_then(|counts| manifest.difference(&row.document, &counts)));
    }
    let checked = if checks { Some(check::run(&work, &mut rows, jobs)?) } else { None };
    print!("{}", table::render(&rows, checked, others, options.losses));
    work.close()?;
    Ok(rows.iter().all(|row| row.problems.is_empty()))
}

/// Imports a document and generates its crates; whatever goes wrong is in the row.
fn become_crates(index: usize, document: &Document, work: &Work, owners: &Owners) -> Row {
    let start = Instant::now();
    let mut row = Row {
        document: document.name.clone(),
        api: None,
        counts: None,
        is_document: true,
        losses: Vec::new(),
        lines: 0,
        time: Duration::ZERO,
        unchanged: false,
        problems: Vec::new(),
    };
    let imported = guarded(|| work.import(document, &mut row));
    let claimed = owners.claim(index, row.api.as_deref(), &document.name);
    let generated = imported.and_then(|imported| {
        claimed?;
        guarded(|| work.generate(imported, &mut row))
    });
    row.problems.extend(generated.err().map(|problem| format!("{problem:#}")));
    row.time = start.elapsed();
    row
}

/// A mistake of ours in one document does not keep the others from their rows.
fn guarded<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    std::panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| bail!("this command panicked: it is a mistake in it"))
}

/// The document that each API comes from. Two documents of one API would write the same crates, so the second one, in
/// the order of their names, is told of the first.
#[derive(Default)]
struct Owners {
    claims: Mutex<Claims>,
    next: Condvar,
}

#[derive(Default)]
struct Claims {
    /// The number of the document that is waited for.
    turn: usize,
    owners: BTreeMap<String, String>,
}

impl Owners {
    /// Waits for the documents before, and takes the API, if there is one. Every document comes here once.
    fn claim(&self, index: usize, api: Option<&str>, name: &str) -> anyhow::Result<()> {
        let claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        let mut claims =
            self.next.wait_while(claims, |claims| claims.turn != index).unwrap_or_else(PoisonError::into_inner);
        claims.turn += 1;
        self.next.notify_all();
        let Some(api) = api else { return Ok(()) };
        if let Some(first) = claims.owners.get(api) {
            bail!("it describes the same API as `{first}`, `{api}`");
        }
        claims.owners.insert(api.to_owned(), name.to_owned());
        Ok(())
    }
}
