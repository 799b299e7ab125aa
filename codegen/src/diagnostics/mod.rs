//! Where a mistake is, what it is, and what to do about it.
//!
//! Every stage reports into a [`Sink`] and goes on, so that one run shows every mistake of its
//! stage; [`Sink::gate`] stands between the stages, so that no stage sees the broken output of
//! the one before and no mistake is reported twice under another name.

mod codes;
mod render;
mod suggest;

pub use codes::{Code, Severity};
pub use suggest::nearest;

use std::sync::Arc;

/// One schema file: a name for messages and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name shown in diagnostics; also what files are ordered by.
    pub path: String,
    /// The YAML text.
    pub text: Arc<str>,
    /// The first byte that is not UTF-8; the text ends before it.
    pub damaged_at: Option<u32>,
}

impl Source {
    /// A source of the given name and text.
    pub fn new(path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self { path: path.into(), text: text.into(), damaged_at: None }
    }

    /// A source from the bytes of a file. Bytes that are not UTF-8 become a diagnostic when the
    /// source is read.
    pub fn from_bytes(path: impl Into<String>, bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::new(path, text),
            Err(error) => {
                let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
                let at = u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX);
                Self { damaged_at: Some(at), ..Self::new(path, valid) }
            }
        }
    }
}

/// A range of bytes in one of the sources of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The index of the file among the sources.
    pub file: u32,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `length` bytes that starts `offset` bytes into this one.
    #[must_use]
    pub fn within(self, offset: usize, length: usize) -> Self {
        let start = self.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)).min(self.end);
        let end = start.saturating_add(u32::try_from(length).unwrap_or(u32::MAX)).min(self.end);
        Self { file: self.file, start, end }
    }
}

/// A mistake, or a doubt, at a place in a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The stable code: what kind of mistake this is.
    pub code: Code,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// A few words beside the caret.
    pub label: Option<String>,
    /// Other places that matter: the first of two definitions, for example.
    pub related: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Vec<String>,
    /// Whether so many came before it that looking for suggestions would cost more than it helps.
    crowded: bool,
}

impl Diagnostic {
    /// Adds a few words beside the caret.
    pub fn label(&mut self, text: impl Into<String>) -> &mut Self {
        self.label = Some(text.into());
        self
    }

    /// Adds advice.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help.push(text.into());
        self
    }

    /// Points at another place.
    pub fn related(&mut self, span: Span, text: impl Into<String>) -> &mut Self {
        self.related.push((span, text.into()));
        self
    }

    /// Adds `did you mean …` when one of the candidates is close to what was written, and a list of
    /// the candidates when none is and they are few.
    pub fn suggest<'a>(&mut self, written: &str, candidates: impl IntoIterator<Item = &'a str>) -> &mut Self {
        const MOST: usize = 30;
        if self.crowded {
            return self;
        }
        let candidates: std::collections::BTreeSet<&str> = candidates.into_iter().collect();
        if let Some(near) = nearest(written, candidates.iter().copied()) {
            self.help(format!("did you mean `{near}`?"));
        } else if (1..=MOST).contains(&candidates.len()) {
            let list: Vec<String> = candidates.iter().map(|one| format!("`{}`", one.escape_debug())).collect();
            self.help(format!("what can stand here: {}", list.join(", ")));
        }
        self
    }
}

/// How many diagnostics of a stage come with suggestions.
const SUGGESTED: usize = 100;

/// Collects the diagnostics of a stage.
#[derive(Debug, Default)]
pub struct Sink {
    list: Vec<Diagnostic>,
}

/// The mark that a stage ended with errors; they are in the sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl Sink {
    /// An empty sink.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports something; the answer takes labels, help and related places.
    pub fn report(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.list.push(Diagnostic {
            code,
            message: message.into(),
            span,
            label: None,
            related: Vec::new(),
            help: Vec::new(),
            crowded: self.is_crowded(),
        });
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// Whether so much was reported that looking for suggestions would cost more than it helps.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        self.list.len() >= SUGGESTED
    }

    /// Keeps the diagnostics for which a function returns true.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Takes over what another sink collected.
    pub fn absorb(&mut self, other: Sink) {
        self.list.extend(other.list);
    }

    /// Whether an error, and not only warnings, was reported.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.code.severity() == Severity::Error)
    }

    /// Lets a stage's result through when no error was reported so far.
    ///
    /// # Errors
    /// [`Stopped`] when the next stage must not run.
    pub fn gate<T>(&self, value: T) -> Result<T, Stopped> {
        if self.has_errors() { Err(Stopped) } else { Ok(value) }
    }

    /// Everything reported, in the order of the files and of the places in them.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by(|a, b| (a.span, a.code, &a.message).cmp(&(b.span, b.code, &b.message)));
        self.list.dedup();
        self.list
    }
}
