//! Diagnostics: location, message and advice.
//!
//! Every stage reports into a [`Sink`] and continues, so that one run shows all errors of a stage. [`Sink::gate`]
//! stops between the stages, so that no stage sees broken output of an earlier one and no error is reported twice.

mod codes;
mod render;
mod suggest;

pub use codes::{Code, Severity};
pub use suggest::{nearest, nearest_key};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Schema file: a name for diagnostics, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name shown in diagnostics, by which the files are sorted.
    pub path: String,
    /// YAML text.
    pub text: Arc<str>,
    /// Offset of the first byte that is not UTF-8; the text ends before it.
    pub invalid_utf8_at: Option<u32>,
}

impl Source {
    /// Creates a source from a name and a text.
    pub fn new(path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self { path: path.into(), text: text.into(), invalid_utf8_at: None }
    }

    /// Creates a source from the bytes of a file. Invalid UTF-8 becomes a diagnostic when the source is parsed.
    pub fn from_bytes(path: impl Into<String>, bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::new(path, text),
            Err(error) => {
                let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
                let at = u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX);
                Self { invalid_utf8_at: Some(at), ..Self::new(path, valid) }
            }
        }
    }
}

/// Range of bytes in one of the sources of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Index of the file among the sources.
    pub file: u32,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span of `length` bytes that starts `offset` bytes into this one.
    #[must_use]
    pub fn subspan(self, offset: usize, length: usize) -> Self {
        let start = self.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)).min(self.end);
        let end = start.saturating_add(u32::try_from(length).unwrap_or(u32::MAX)).min(self.end);
        Self { file: self.file, start, end }
    }
}

/// Error or warning at a location in a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Stable code.
    pub code: Code,
    /// Message: one sentence without a full stop.
    pub message: String,
    /// Location.
    pub span: Span,
    /// Label next to the caret.
    pub label: Option<String>,
    /// Related locations, such as the first of two definitions.
    pub related: Vec<(Span, String)>,
    /// Advice.
    pub help: Vec<String>,
    /// True if so many diagnostics precede it that suggestions would cost more than they help.
    skips_suggestions: bool,
}

impl Diagnostic {
    /// Sets the label next to the caret.
    pub fn label(&mut self, text: impl Into<String>) -> &mut Self {
        self.label = Some(text.into());
        self
    }

    /// Adds advice.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help.push(text.into());
        self
    }

    /// Adds a related location.
    pub fn related(&mut self, span: Span, text: impl Into<String>) -> &mut Self {
        self.related.push((span, text.into()));
        self
    }

    /// Adds `did you mean …` if one of the candidates is similar to the written text; otherwise lists the candidates
    /// if they are few.
    pub fn suggest<'a>(&mut self, written: &str, candidates: impl IntoIterator<Item = &'a str>) -> &mut Self {
        if self.skips_suggestions {
            return self;
        }
        let candidates: BTreeSet<&str> = candidates.into_iter().collect();
        match nearest(written, candidates.iter().copied()) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self.list_expected(candidates),
        }
    }

    /// Adds a suggestion for an unknown key of a mapping, like [`suggest`](Self::suggest), but does not suggest keys
    /// that the mapping has: they would be duplicates. If such a key is the nearest, advises to remove the unknown one.
    ///
    /// A dotted key is compared by one of its parts: `written` is the whole key and this part, and each candidate is
    /// such a part with the whole key that is suggested.
    pub fn suggest_key<'a>(
        &mut self,
        written: (&str, &str),
        candidates: impl IntoIterator<Item = (&'a str, String)>,
        is_present: impl Fn(&str) -> bool,
    ) -> &mut Self {
        if self.skips_suggestions {
            return self;
        }
        let keys: BTreeMap<&str, String> = candidates.into_iter().collect();
        let has = |part: &str| keys.get(part).is_some_and(|key| is_present(key));
        let near = nearest_key(written.1, keys.keys().copied(), has);
        match near.and_then(|part| keys.get(part)) {
            Some(key) if is_present(key) => self.help(already_there(key, written.0)),
            Some(key) => self.help(format!("did you mean `{key}`?")),
            None => self.list_expected(keys.values().map(String::as_str).filter(|key| !is_present(key)).collect()),
        }
    }

    /// Adds the list of what can be written, unless it is long.
    fn list_expected(&mut self, candidates: BTreeSet<&str>) -> &mut Self {
        const MAX_LISTED: usize = 30;
        if (1..=MAX_LISTED).contains(&candidates.len()) {
            let list: Vec<String> = candidates.iter().map(|one| format!("`{}`", one.escape_debug())).collect();
            let one_of = if list.len() == 1 { "" } else { "one of " };
            self.help(format!("expected {one_of}{}", list.join(", ")));
        }
        self
    }
}

/// Returns the advice to remove an unknown key that stands for one that the mapping has.
pub(crate) fn already_there(key: &str, written: &str) -> String {
    format!("`{key}` is already there; remove `{}`", written.escape_debug())
}

/// Maximum number of diagnostics of a stage with suggestions.
const MAX_SUGGESTED: usize = 100;

/// Collector of the diagnostics of a stage.
#[derive(Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
}

/// Marker that a stage ended with errors, which are in the sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl Sink {
    /// Creates an empty sink.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports a diagnostic and returns it, so that labels, help and related locations can be added.
    pub fn report(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic {
            code,
            message: message.into(),
            span,
            label: None,
            related: Vec::new(),
            help: Vec::new(),
            skips_suggestions: self.skips_suggestions(),
        });
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }

    /// Returns whether so many diagnostics were reported that suggestions would cost more than they help.
    #[must_use]
    pub fn skips_suggestions(&self) -> bool {
        self.diagnostics.len() >= MAX_SUGGESTED
    }

    /// Keeps the diagnostics for which a function returns true.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.diagnostics.retain(keep);
    }

    /// Adds the diagnostics of another sink.
    pub fn extend(&mut self, other: Sink) {
        self.diagnostics.extend(other.diagnostics);
    }

    /// Returns whether an error was reported, not only warnings.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.code.severity() == Severity::Error)
    }

    /// Returns the result of a stage if no error has been reported so far.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there are errors, so that the next stage does not run.
    pub fn gate<T>(&self, value: T) -> Result<T, Stopped> {
        if self.has_errors() { Err(Stopped) } else { Ok(value) }
    }

    /// Returns all diagnostics without duplicates, sorted by file and location.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by(|a, b| (a.span, a.code, &a.message).cmp(&(b.span, b.code, &b.message)));
        self.diagnostics.dedup();
        self.diagnostics
    }
}
