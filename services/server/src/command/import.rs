//! Import of existing mail.

use anyhow::{Context as _, bail};
use wireform_mailbox::import::{ImportError, ImportReport, Importer, MailSource};
use wireform_mailbox::mail::MAX_MESSAGE_BYTES;
use wireform_store::{Clock, Store};

use super::progress::create_progress;
use crate::accounts;
use crate::calendar_mail::CalendarInbox;
use crate::cli::{CalendarOf, Import};
use crate::output;

/// Runs an import.
pub async fn run<S: Store>(store: &S, clock: &Clock, command: Import) -> anyhow::Result<()> {
    let (from, source) = match command {
        Import::Maildir(from) => (from.clone(), MailSource::Maildir(from.path)),
        Import::Mbox(from) => (from.clone(), MailSource::Mbox(from.path)),
        Import::Ics(from) => return super::events::import(store, clock, from).await,
    };
    check_source(&source)?;
    let user = accounts::user(store, &from.user).await?;
    let mut importer = Importer::new(store.clone(), user.mailbox, clock.clone());
    if let Some(label) = from.label {
        importer = importer.with_label(label);
    }
    if from.process_for_calendar {
        let into = CalendarOf { user: from.user, calendar: None };
        let (calendars, ..) = super::events::open_calendar(store, clock, &into).await?;
        importer = importer.with_calendars(CalendarInbox(calendars));
    }
    let (progress, bar) = create_progress("mail");
    let done = importer.run(source, progress).await;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let report = done.map_err(|error| match error {
        // Nothing was started: the command itself is wrong.
        ImportError::WrongKind { .. } => error.into(),
        _ => anyhow::Error::new(error)
            .context("the import was interrupted; help: run the same command again to continue"),
    })?;
    output::write_line(&summary(&report, &user.address))
}

/// Checks that the source exists and is of the right kind before anything starts.
fn check_source(source: &MailSource) -> anyhow::Result<()> {
    let (path, folder) = match source {
        MailSource::Maildir(path) => (path, true),
        MailSource::Mbox(path) => (path, false),
    };
    let metadata = fs_err::metadata(path).context("nothing to import")?;
    match (metadata.is_dir(), folder) {
        (true, false) => bail!("`{}` is a folder; help: use `import maildir`", path.display()),
        (false, true) => bail!("`{}` is not a folder; help: use `import mbox` for files", path.display()),
        _ => Ok(()),
    }
}

/// Returns the line that reports an import: numbers of mails by what was done with them.
fn summary(report: &ImportReport, address: &str) -> String {
    let stored = output::count(report.stored, "mail");
    let mut text = format!("{address}: {stored} stored, {} already present", report.known);
    if report.labels > 0 {
        text.push_str(&format!(", {} created", output::count(report.labels, "label")));
    }
    if report.renamed_labels > 0 {
        text.push_str(&format!(" ({} of them renamed to a valid name)", report.renamed_labels));
    }
    if report.unreadable > 0 {
        text.push_str(&format!("; {} of them without a readable header, stored unchanged", report.unreadable));
    }
    if report.too_long > 0 {
        let max = MAX_MESSAGE_BYTES >> 20;
        text.push_str(&format!("; {} longer than {max} MiB were skipped", report.too_long));
    }
    text
}
