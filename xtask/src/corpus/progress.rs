//! How far a run is: a bar for who looks at a terminal, and silence for others, who read the table.

use indicatif::{ProgressBar, ProgressStyle};

/// A part of the run, of a known length.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Begins a part.
    pub fn new(what: &'static str, length: usize) -> Self {
        let bar = ProgressBar::new(length as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {prefix} {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(what);
        Self { bar }
    }

    /// One more is done.
    pub fn advance(&self, name: &str) {
        self.bar.set_message(name.to_owned());
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
