//! `corpus`: a folder of documents of others → schemas → crates → checked crates, and a table that tells
//! how far each of them came. A document that cannot be read is a row of the table, not the end of the run.

mod arrivals;
mod check;
mod counts;
mod documents;
mod names;
mod progress;
mod state;
mod table;
mod terminal;
mod work;

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use anyhow::bail;

use crate::home::Home;
use crate::options::CorpusOptions;
use crate::parallel::{in_parallel, processors};
use counts::Counts;
use documents::Document;
use progress::Progress;
use work::{Looked, Work};

/// What became of a document.
struct Row {
    /// Its path below the folder.
    document: String,
    /// The API that it describes, once it was imported.
    api: Option<String>,
    /// Whether the name of the API is made of the file's, because other documents say the same name.
    is_named_by_file: bool,
    /// What is in it, counted in the document itself.
    counts: Option<Counts>,
    /// Whether it describes an API; another file of JSON or YAML is no row of the table.
    is_document: bool,
    /// What it says and its schema does not, with the places.
    losses: Vec<String>,
    /// The operations in its crates; none where these do not compile without a warning.
    arrived: usize,
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
pub fn run(home: &Home, options: &CorpusOptions) -> anyhow::Result<bool> {
    let documents = documents::find(options)?;
    let manifest = counts::manifest(options)?;
    let work = Work::open(home, options)?;
    let jobs = options.jobs.map_or_else(processors, usize::from);
    let checks = !options.no_check || options.check;

    // What is in the documents comes first: the names of all tell what each is called.
    let looked = in_parallel(jobs, &documents, |_, document| guarded(|| work.look(document)));
    let own = |looked: &anyhow::Result<Looked>| looked.as_ref().ok().and_then(|looked| looked.name.clone());
    let named: Vec<_> = documents.iter().map(|document| document.name.as_str()).zip(looked.iter().map(own)).collect();
    let names = names::of(&named);
    let progress = Progress::new("imported and generated", documents.len());
    let mut rows = in_parallel(jobs, &documents, |index, document| {
        let row = become_crates(document, looked.get(index), names.get(index).cloned().flatten(), &work);
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
fn become_crates(
    document: &Document,
    looked: Option<&anyhow::Result<Looked>>,
    name: Option<String>,
    work: &Work,
) -> Row {
    let start = Instant::now();
    let mut row = Row {
        document: document.name.clone(),
        api: None,
        is_named_by_file: false,
        counts: None,
        is_document: true,
        losses: Vec::new(),
        arrived: 0,
        lines: 0,
        time: Duration::ZERO,
        unchanged: false,
        problems: Vec::new(),
    };
    match looked {
        Some(Ok(looked)) => {
            row.is_document = looked.kind.is_some();
            row.counts = looked.counts;
            row.is_named_by_file = name != looked.name;
            let generated = guarded(|| {
                let imported = work.import(document, looked, name.as_deref(), &mut row)?;
                work.generate(imported, &mut row)
            });
            row.problems.extend(generated.err().map(|problem| format!("{problem:#}")));
        }
        Some(Err(problem)) => row.problems.push(format!("{problem:#}")),
        None => {}
    }
    row.time = start.elapsed() + looked.and_then(|looked| looked.as_ref().ok()).map_or(Duration::ZERO, |it| it.time);
    row
}

/// A mistake of ours in one document does not keep the others from their rows.
fn guarded<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    std::panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| bail!("this command panicked: it is a mistake in it"))
}
