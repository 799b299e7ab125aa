//! How far a run is: a bar for who looks at a terminal, and a line now and then in a log.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

/// A part of the run, of a known length.
pub struct Progress {
    bar: ProgressBar,
    what: &'static str,
    length: usize,
    done: AtomicUsize,
    in_lines: bool,
}

/// How many lines a log has of a part.
const LINES: usize = 10;

impl Progress {
    /// Begins a part.
    pub fn new(what: &'static str, length: usize) -> Self {
        let bar = ProgressBar::new(length as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {prefix} {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(what);
        // What is done in a moment needs no lines.
        let in_lines = length > 2 * LINES && !std::io::stderr().is_terminal();
        Self { bar, what, length, done: AtomicUsize::new(0), in_lines }
    }

    /// One more is done.
    pub fn advance(&self, name: &str) {
        self.bar.set_message(super::terminal::plain(name));
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
