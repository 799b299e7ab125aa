//! Import and export of events as iCalendar.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use wireform_calendar::ics::{Losses, MAX_FILE_BYTES};
use wireform_calendar::{CalendarService, IcsReport};
use wireform_server::tokens::TokenSealer;
use wireform_store::{Clock, Store, User};

use super::progress::create_progress;
use crate::accounts;
use crate::cli::{CalendarOf, Export, ImportEvents};
use crate::output;

/// Maximum number of files in a folder.
const MAX_FILES: usize = 1_000_000;
/// Maximum depth of nested folders.
const MAX_DEPTH: usize = 16;
/// Maximum number of losses that are listed individually.
const MAX_SHOWN: usize = 20;

/// Imports iCalendar files.
pub async fn import<S: Store>(store: &S, clock: &Clock, command: ImportEvents) -> anyhow::Result<()> {
    let files = files(&command.path)?;
    let (service, user, calendar) = open_calendar(store, clock, &command.into).await?;
    let mut importer = service.ics_importer(&user, &calendar).await.map_err(to_anyhow)?;
    let (progress, bar) = create_progress("file");
    progress.set_total(files.iter().map(|(_, bytes)| *bytes).sum());
    let mut done = Ok(());
    for (file, bytes) in &files {
        done = match read(file).context("a file cannot be read") {
            Ok(content) => importer.add(&file.display().to_string(), &content).await.map_err(to_anyhow),
            Err(error) => Err(error),
        };
        if done.is_err() {
            break;
        }
        progress.advance(*bytes, 1);
    }
    let report = importer.finish().await.map_err(to_anyhow);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let early = "the import was interrupted; help: run the same command again to continue";
    let report = done.and(report).context(early)?;
    print_losses(&report.losses);
    output::write_line(&summary(&report, &calendar))
}

/// Exports a calendar to a file.
pub async fn export<S: Store>(store: &S, clock: &Clock, command: Export) -> anyhow::Result<()> {
    let Export::Ics { file, from } = command;
    let is_standard = file.as_os_str() == "-";
    ensure!(is_standard || !file.exists(), "{} already exists and is not overwritten", file.display());
    let (service, user, calendar) = open_calendar(store, clock, &from).await?;
    let (text, count) = service.export_ics(&user, &calendar).await.map_err(to_anyhow)?;
    if is_standard {
        return output::write_text(&text);
    }
    let mut out = fs_err::OpenOptions::new().write(true).create_new(true).open(&file)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()?;
    output::write_line(&format!("{calendar}: {} written to {}", output::count(count, "event"), file.display()))
}

pub(super) async fn open_calendar<S: Store>(
    store: &S,
    clock: &Clock,
    of: &CalendarOf,
) -> anyhow::Result<(CalendarService<S>, User, String)> {
    let user = accounts::user(store, &of.user).await?;
    let service = service(store, clock).await?;
    let calendar = of.calendar.clone().unwrap_or_else(|| user.address.clone());
    Ok((service, user, calendar))
}

/// Creates the calendar service for a command.
pub(super) async fn service<S: Store>(store: &S, clock: &Clock) -> anyhow::Result<CalendarService<S>> {
    let key = store.sealing_key().await.context("the key for page tokens cannot be read")?;
    Ok(CalendarService::new(store.clone(), TokenSealer::new(key), clock.clone()))
}

pub(super) fn to_anyhow(error: wireform_server::Error) -> anyhow::Error {
    anyhow!("{}", error.message())
}

/// Returns the files to import with their lengths: the file itself, or those of a folder that end with `.ics`.
fn files(path: &Path) -> anyhow::Result<Vec<(PathBuf, u64)>> {
    let metadata = fs_err::metadata(path).context("nothing to import")?;
    if !metadata.is_dir() {
        return Ok(vec![(path.to_owned(), metadata.len())]);
    }
    let mut found = BTreeSet::new();
    let mut open = vec![(path.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        for entry in fs_err::read_dir(&folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let path = entry.path();
            if kind.is_dir() && depth < MAX_DEPTH {
                open.push((path, depth + 1));
            } else if kind.is_file() && path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ics")) {
                found.insert((path, entry.metadata()?.len()));
                ensure!(found.len() <= MAX_FILES, "the folder has more than {MAX_FILES} files");
            }
        }
    }
    ensure!(!found.is_empty(), "`{}` has no files that end with `.ics`", path.display());
    Ok(found.into_iter().collect())
}

/// Reads a file; of one that is too long, only as much as shows that.
pub(super) fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    fs_err::File::open(file)?.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut content)?;
    Ok(content)
}

/// Prints losses to the standard error: the first ones with their locations, then the counts of each kind.
pub(super) fn print_losses(losses: &Losses) {
    for loss in losses.listed().iter().take(MAX_SHOWN) {
        eprintln!("{loss}");
    }
    if losses.total() > MAX_SHOWN as u64 {
        let counts: Vec<String> = losses.counts().iter().map(|(name, count)| format!("{name} {count}")).collect();
        eprintln!("{} in all: {}", losses.total(), counts.join(", "));
    }
}

/// Returns the line that reports an import: numbers of events by what was done with them.
fn summary(report: &IcsReport, calendar: &str) -> String {
    let IcsReport { stored, replaced, known, omitted: left_out, losses, .. } = report;
    let stored = output::count(*stored, "event");
    let mut text = format!("{calendar}: {stored} stored, {replaced} replaced, {known} already present");
    if *left_out > 0 {
        text.push_str(&format!("; {left_out} skipped"));
    }
    if losses.total() > 0 {
        text.push_str(&format!("; {} losses", losses.total()));
    }
    text
}
