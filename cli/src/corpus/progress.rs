//! Progress of a run: a bar on a terminal, and occasional lines in a log.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

/// Progress of a phase with a known number of items.
pub struct Progress {
    bar: ProgressBar,
    what: &'static str,
    length: usize,
    done: AtomicUsize,
    in_lines: bool,
}

/// Number of log lines of a phase.
const LINES: usize = 10;

impl Progress {
    /// Starts a phase.
    pub fn new(what: &'static str, length: usize) -> Self {
        let bar = ProgressBar::new(length as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {prefix} {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(what);
        // Short phases need no lines.
        let in_lines = length > 2 * LINES && !std::io::stderr().is_terminal();
        Self { bar, what, length, done: AtomicUsize::new(0), in_lines }
    }

    /// Records that one more item is done.
    pub fn advance(&self, name: &str) {
        self.bar.set_message(super::terminal::sanitize(name));
        self.bar.inc(1);
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.in_lines && (done * LINES) / self.length > ((done - 1) * LINES) / self.length {
            eprintln!("{done} of {} {}", self.length, self.what);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
