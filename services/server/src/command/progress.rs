//! Progress of a command, on the standard error.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use wireform_mailbox::import::Progress;

use crate::output;

/// Creates a progress bar on a terminal, or lines of progress otherwise.
pub fn create_progress(what: &'static str) -> (Arc<dyn Progress>, Option<ProgressBar>) {
    if !std::io::stderr().is_terminal() {
        return (Arc::new(Lines { what, ..Lines::default() }), None);
    }
    let bar = ProgressBar::new(0);
    let template = "{bar:40} {binary_bytes}/{binary_total_bytes}, {msg}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    (Arc::new(Bar { bar: bar.clone(), what, items: AtomicU64::new(0) }), Some(bar))
}

/// Progress bar on a terminal; `what` names an item.
struct Bar {
    bar: ProgressBar,
    what: &'static str,
    items: AtomicU64,
}

impl Progress for Bar {
    fn set_total(&self, bytes: u64) {
        self.bar.set_length(bytes);
    }

    fn advance(&self, bytes: u64, items: u64) {
        let items = self.items.fetch_add(items, Ordering::Relaxed) + items;
        self.bar.set_message(output::count(items, self.what));
        self.bar.inc(bytes);
    }
}

/// Lines of progress, for output that is not a terminal.
#[derive(Default)]
struct Lines {
    total: AtomicU64,
    bytes: AtomicU64,
    what: &'static str,
    items: AtomicU64,
}

impl Progress for Lines {
    fn set_total(&self, bytes: u64) {
        self.total.store(bytes, Ordering::Relaxed);
    }

    /// Prints a line for every tenth.
    fn advance(&self, bytes: u64, items: u64) {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let items = self.items.fetch_add(items, Ordering::Relaxed) + items;
        let total = self.total.load(Ordering::Relaxed).max(1);
        let (before, tenths) = (before * 10 / total, (before + bytes) * 10 / total);
        if tenths > before {
            eprintln!("{} %, {}", tenths * 10, output::count(items, self.what));
        }
    }
}
