//! `corpus`: imports a folder of third-party documents, generates their crates, checks these, and prints a table of the
//! results. A document that cannot be read is a row of the table and does not end the run.

mod check;
mod counts;
mod coverage;
mod documents;
mod inspection;
mod names;
mod progress;
mod state;
mod table;
mod terminal;
mod work;

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;

use crate::home::CommandContext;
use crate::options::CorpusOptions;
use crate::parallel::{in_parallel, processors};
use counts::Counts;
use documents::Document;
use inspection::Inspection;
use progress::Progress;
use work::WorkFolder;

/// Result of processing a document.
struct Row {
    /// Path below the folder.
    document: String,
    /// Name of the described API, once the document is imported.
    api: Option<String>,
    /// True if the name of the API is derived from the file name, because other documents have the same title.
    is_named_by_file: bool,
    /// Contents, counted in the document itself.
    counts: Option<Counts>,
    /// True if it describes an API; other JSON or YAML files are not shown in the table.
    is_document: bool,
    /// Losses of the import with their locations.
    losses: Vec<String>,
    /// Warnings about the schema with their locations.
    warnings: Vec<String>,
    /// Number of operations in its crates; zero if these do not compile without a warning.
    generated_operations: usize,
    /// Number of generated lines of Rust.
    lines: usize,
    /// Duration of importing and generating.
    time: Duration,
    /// True if the result comes from an earlier run.
    unchanged: bool,
    /// Problems with their locations.
    problems: Vec<String>,
}

/// Runs the command and returns false if any of the documents has a problem.
pub fn run(home: &CommandContext, options: &CorpusOptions) -> anyhow::Result<bool> {
    let documents = documents::find(options)?;
    let manifest = counts::manifest(options)?;
    let work = WorkFolder::open(home, options)?;
    let jobs = options.jobs.map_or_else(processors, usize::from);
    let checks = !options.no_check || options.check;

    // All documents are inspected first, because the name of each depends on the names of all.
    let mut inspection = in_parallel(jobs, &documents, |_, document| catch_panic(|| work.inspect(document)));
    omit_parts(&documents, &mut inspection);
    let own = |inspection: &anyhow::Result<Inspection>| {
        inspection.as_ref().ok().and_then(|inspection| inspection.name.clone())
    };
    let named: Vec<_> =
        documents.iter().map(|document| document.name.as_str()).zip(inspection.iter().map(own)).collect();
    let names = names::unique_names(&named);
    let progress = Progress::new("imported and generated", documents.len());
    let mut rows = in_parallel(jobs, &documents, |index, document| {
        let row = process_document(document, inspection.get(index), names.get(index).cloned().flatten(), &work);
        progress.advance(&document.name);
        row
    });
    drop(progress);
    let files = rows.len();
    rows.retain(|row| row.is_document);
    let others = files - rows.len();
    if rows.is_empty() {
        bail!("no Discovery or OpenAPI document found in `{}`", options.dir.display());
    }
    for row in &mut rows {
        row.problems.extend(row.counts.and_then(|counts| manifest.difference(&row.document, &counts)));
    }
    let checked = if checks { Some(check::run(&work, &mut rows, jobs)?) } else { None };
    print!("{}", table::render(&rows, checked, others, options.losses));
    work.close()?;
    Ok(rows.iter().all(|row| row.problems.is_empty()))
}

/// Turns documents without operations that are only parts of others into files that describe no API.
fn omit_parts(documents: &[Document], inspections: &mut [anyhow::Result<Inspection>]) {
    let own: Vec<Option<PathBuf>> = documents.iter().map(|document| document.path.canonicalize().ok()).collect();
    let mut parts: BTreeSet<PathBuf> = BTreeSet::new();
    for (own, inspection) in own.iter().zip(inspections.iter()) {
        let (Some(own), Ok(inspection)) = (own, inspection) else { continue };
        let others = inspection.files.iter().filter_map(|file| own.with_file_name(file).canonicalize().ok());
        parts.extend(others.filter(|other| other != own));
    }
    for (own, inspection) in own.iter().zip(inspections) {
        let is_part = own.as_ref().is_some_and(|own| parts.contains(own));
        if let Ok(inspection) = inspection
            && is_part
            && inspection.operations == 0
        {
            (inspection.kind, inspection.name, inspection.counts) = (None, None, None);
        }
    }
}

/// Imports a document and generates its crates; problems are recorded in the row.
fn process_document(
    document: &Document,
    inspection: Option<&anyhow::Result<Inspection>>,
    name: Option<String>,
    work: &WorkFolder,
) -> Row {
    let start = Instant::now();
    let mut row = Row {
        document: document.name.clone(),
        api: None,
        is_named_by_file: false,
        counts: None,
        is_document: true,
        losses: Vec::new(),
        warnings: Vec::new(),
        generated_operations: 0,
        lines: 0,
        time: Duration::ZERO,
        unchanged: false,
        problems: Vec::new(),
    };
    match inspection {
        Some(Ok(inspection)) => {
            row.is_document = inspection.kind.is_some();
            row.counts = inspection.counts;
            row.is_named_by_file = name != inspection.name;
            let generated = catch_panic(|| {
                let imported = work.import(document, inspection, name.as_deref(), &mut row)?;
                work.generate(imported, &mut row)
            });
            row.problems.extend(generated.err().map(|problem| format!("{problem:#}")));
        }
        Some(Err(problem)) => row.problems.push(format!("{problem:#}")),
        None => {}
    }
    row.time = start.elapsed()
        + inspection.and_then(|inspection| inspection.as_ref().ok()).map_or(Duration::ZERO, |it| it.time);
    row
}

/// Runs the work and turns a panic into an error, so that a bug that one document reveals does not affect the others.
fn catch_panic<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    std::panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| bail!("the command panicked; this is a bug in Wireform"))
}
