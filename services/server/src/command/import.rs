//! Mail that exists is brought in.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use wireform_mailbox::import::{ImportError, Importer, Progress, Report, Source};
use wireform_mailbox::mail::MAX_MESSAGE_BYTES;
use wireform_store::{Clock, Store};

use crate::cli::Import;
use crate::output;

/// Imports.
pub async fn run<S: Store>(store: &S, clock: &Clock, command: Import) -> anyhow::Result<()> {
    let (from, source) = match command {
        Import::Maildir(from) => (from.clone(), Source::Maildir(from.path)),
        Import::Mbox(from) => (from.clone(), Source::Mbox(from.path)),
    };
    fits(&source)?;
    let user = super::user(store, &from.user).await?;
    let mut importer = Importer::new(store.clone(), user.mailbox, clock.clone());
    if let Some(label) = from.label {
        importer = importer.with_label(label);
    }
    let (progress, bar) = progress();
    let done = importer.run(source, progress).await;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let report = done.map_err(|error| match error {
        // Nothing was begun: the command itself is to be changed.
        ImportError::NotA { .. } => error.into(),
        _ => anyhow::Error::new(error)
            .context("the import ended early; what was stored stays, and the same command goes on from there"),
    })?;
    output::line(&told(&report, &user.address))
}

/// That there is something of the right kind, before anything is begun.
fn fits(source: &Source) -> anyhow::Result<()> {
    let (path, folder) = match source {
        Source::Maildir(path) => (path, true),
        Source::Mbox(path) => (path, false),
    };
    let metadata = fs_err::metadata(path).context("there is nothing to import")?;
    match (metadata.is_dir(), folder) {
        (true, false) => bail!("`{}` is a folder: `import maildir` takes those", path.display()),
        (false, true) => bail!("`{}` is no folder: `import mbox` takes files", path.display()),
        _ => Ok(()),
    }
}

fn told(report: &Report, address: &str) -> String {
    let mut said = format!("{address}: {} mails stored, {} were there already", report.stored, report.known);
    if report.labels > 0 {
        said.push_str(&format!(", {} labels made", report.labels));
    }
    if report.renamed_labels > 0 {
        said.push_str(&format!(" ({} of them with a name that a label can have)", report.renamed_labels));
    }
    if report.unreadable > 0 {
        said.push_str(&format!(
            "; {} of them without a header that can be read, stored as they came",
            report.unreadable
        ));
    }
    if report.too_long > 0 {
        let most = MAX_MESSAGE_BYTES >> 20;
        said.push_str(&format!("; {} longer than {most} MiB were left out", report.too_long));
    }
    said
}

/// A bar for who looks at a terminal, and a line now and then for others.
fn progress() -> (Arc<dyn Progress>, Option<ProgressBar>) {
    if !std::io::stderr().is_terminal() {
        return (Arc::new(Lines::default()), None);
    }
    let bar = ProgressBar::new(0);
    let template = "{bar:40} {binary_bytes}/{binary_total_bytes}, {msg}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    (Arc::new(Bar { bar: bar.clone(), mails: AtomicU64::new(0) }), Some(bar))
}

struct Bar {
    bar: ProgressBar,
    mails: AtomicU64,
}

impl Progress for Bar {
    fn total(&self, bytes: u64) {
        self.bar.set_length(bytes);
    }

    fn advanced(&self, bytes: u64, mails: u64) {
        let mails = self.mails.fetch_add(mails, Ordering::Relaxed) + mails;
        self.bar.set_message(format!("{mails} mails"));
        self.bar.inc(bytes);
    }
}

#[derive(Default)]
struct Lines {
    total: AtomicU64,
    bytes: AtomicU64,
    mails: AtomicU64,
}

impl Progress for Lines {
    fn total(&self, bytes: u64) {
        self.total.store(bytes, Ordering::Relaxed);
    }

    /// A line for every tenth.
    fn advanced(&self, bytes: u64, mails: u64) {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let mails = self.mails.fetch_add(mails, Ordering::Relaxed) + mails;
        let total = self.total.load(Ordering::Relaxed).max(1);
        let (before, tenths) = (before * 10 / total, (before + bytes) * 10 / total);
        if tenths > before {
            eprintln!("{} %, {mails} mails", tenths * 10);
        }
    }
}
