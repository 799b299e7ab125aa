//! Events come from files of iCalendar, and go there.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use wireform_calendar::ics::{Losses, MAX_FILE_BYTES};
use wireform_calendar::{CalendarService, IcsReport};
use wireform_server::tokens::TokenSealer;
use wireform_store::{Clock, Store, User};

use super::progress::progress;
use crate::accounts;
use crate::cli::{CalendarOf, Export, ImportEvents};
use crate::output;

/// The most files of a folder.
const FILES: usize = 1_000_000;
/// How deep folders lie within others.
const DEPTH: usize = 16;
/// How many losses are shown one by one.
const SHOWN: usize = 20;

/// Takes files in.
pub async fn import<S: Store>(store: &S, clock: &Clock, command: ImportEvents) -> anyhow::Result<()> {
    let files = files(&command.path)?;
    let (service, user, calendar) = opened(store, clock, &command.into).await?;
    let mut importer = service.ics_importer(&user, &calendar).await.map_err(told)?;
    let (progress, bar) = progress("events");
    progress.total(files.iter().map(|(_, bytes)| *bytes).sum());
    let mut done = Ok(());
    let mut seen = 0;
    for (file, bytes) in &files {
        done = match read(file).context("a file cannot be read") {
            Ok(content) => importer.add(&file.display().to_string(), &content).await.map_err(told),
            Err(error) => Err(error),
        };
        if done.is_err() {
            break;
        }
        progress.advanced(*bytes, importer.count() - seen);
        seen = importer.count();
    }
    let report = importer.finish().await.map_err(told);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let early = "the import ended early; what was stored stays, and the same command goes on from there";
    let report = done.and(report).context(early)?;
    show(&report.losses);
    output::line(&said(&report, &calendar))
}

/// Writes a calendar to a file.
pub async fn export<S: Store>(store: &S, clock: &Clock, command: Export) -> anyhow::Result<()> {
    let Export::Ics { file, from } = command;
    let is_standard = file.as_os_str() == "-";
    ensure!(is_standard || !file.exists(), "{} is there already, and is not overwritten", file.display());
    let (service, user, calendar) = opened(store, clock, &from).await?;
    let (text, count) = service.export_ics(&user, &calendar).await.map_err(told)?;
    if is_standard {
        return output::text(&text);
    }
    let mut out = fs_err::OpenOptions::new().write(true).create_new(true).open(&file)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()?;
    output::line(&format!("{calendar}: {count} events written to {}", file.display()))
}

pub(super) async fn opened<S: Store>(
    store: &S,
    clock: &Clock,
    of: &CalendarOf,
) -> anyhow::Result<(CalendarService<S>, User, String)> {
    let user = accounts::user(store, &of.user).await?;
    let service = service(store, clock).await?;
    let calendar = of.calendar.clone().unwrap_or_else(|| user.address.clone());
    Ok((service, user, calendar))
}

/// Returns the service on a store, as a command uses it.
pub(super) async fn service<S: Store>(store: &S, clock: &Clock) -> anyhow::Result<CalendarService<S>> {
    let key = store.sealing_key().await.context("the key for page tokens cannot be read")?;
    Ok(CalendarService::new(store.clone(), TokenSealer::new(key), clock.clone()))
}

pub(super) fn told(error: wireform_server::Error) -> anyhow::Error {
    anyhow!("{}", error.message())
}

/// Returns the files that are named, with their lengths: the file, or those of a folder that end with `.ics`.
fn files(path: &Path) -> anyhow::Result<Vec<(PathBuf, u64)>> {
    let metadata = fs_err::metadata(path).context("there is nothing to import")?;
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
            if kind.is_dir() && depth < DEPTH {
                open.push((path, depth + 1));
            } else if kind.is_file() && path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ics")) {
                found.insert((path, entry.metadata()?.len()));
                ensure!(found.len() <= FILES, "the folder has more than {FILES} files");
            }
        }
    }
    ensure!(!found.is_empty(), "`{}` has no files that end with `.ics`", path.display());
    Ok(found.into_iter().collect())
}

/// Reads a file; of one that is too long, as much as shows that it is.
pub(super) fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    fs_err::File::open(file)?.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut content)?;
    Ok(content)
}

/// Shows what could not be kept: the first places, and how much there is of each kind.
pub(super) fn show(losses: &Losses) {
    for loss in losses.listed().iter().take(SHOWN) {
        eprintln!("{loss}");
    }
    if losses.total() > SHOWN as u64 {
        let counts: Vec<String> = losses.counts().iter().map(|(name, count)| format!("{name} {count}")).collect();
        eprintln!("{} in all: {}", losses.total(), counts.join(", "));
    }
}

fn said(report: &IcsReport, calendar: &str) -> String {
    let IcsReport { stored, replaced, known, left_out, losses, .. } = report;
    let mut said = format!("{calendar}: {stored} events stored, {replaced} replaced, {known} were there already");
    if *left_out > 0 {
        said.push_str(&format!("; {left_out} were left out"));
    }
    if losses.total() > 0 {
        said.push_str(&format!("; {} times something could not be kept", losses.total()));
    }
    said
}
