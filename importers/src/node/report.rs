//! Report of an import: losses, notes, guesses, errors, and which values were read.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Display;

use crate::nesting_limits::MAX_MERGES;
use crate::node::patterns::Patterns;
use crate::value::Value;
use crate::{ImportError, Loss, Overlay};

/// Error of a reference to another document, which is reported once.
pub const IN_OTHER_DOCUMENT: &str = "is in another document; bundle the documents into one first";

/// Messages by kind and location.
type MessagesByKind = BTreeMap<String, BTreeMap<String, String>>;

/// Report of an import.
#[derive(Default)]
pub struct Report {
    /// Losses.
    pub(super) losses: RefCell<Vec<Loss>>,
    /// Notes.
    notes: RefCell<Vec<Loss>>,
    /// Guesses, each with the overlay that confirms or rejects it.
    pub(super) guesses: RefCell<Vec<(Loss, String)>>,
    pub(super) errors: RefCell<Vec<Loss>>,
    /// Locations whose whole value is already reported.
    pub(super) covered: RefCell<HashSet<String>>,
    /// Locations of losses by key that are reported once.
    omitted_keys: RefCell<BTreeMap<String, BTreeSet<String>>>,
    /// Notes that are reported once per kind, by location.
    notes_once: RefCell<MessagesByKind>,
    /// Losses that are reported once per kind, by location.
    losses_once: RefCell<MessagesByKind>,
    /// True if members that start with `x-` are extensions.
    pub(super) has_extensions: bool,
    /// Base URL of links in descriptions; `None` if descriptions come from a schema.
    pub(super) base_url: Option<String>,
    /// Values that were read, by memory address.
    pub(super) read: RefCell<HashSet<*const Value>>,
    /// Schemas whose keywords were visited, by memory address.
    pub(super) visited: RefCell<HashSet<*const Value>>,
    /// Values that were used as a whole.
    pub(super) whole: RefCell<HashSet<*const Value>>,
    /// Locations of the written definitions, by name.
    pub(super) origins: RefCell<BTreeMap<String, String>>,
    /// Number of schemas that were merged into others.
    merges: Cell<usize>,
    /// Compiled patterns.
    pub(super) patterns: Patterns,
}

impl Report {
    /// Creates a report for documents in which members that start with `x-` are extensions.
    pub fn with_extensions() -> Self {
        Self { has_extensions: true, ..Self::default() }
    }

    /// Sets the base URL of links, which may be empty, in a third-party document, whose descriptions are Markdown with
    /// HTML.
    pub fn with_base_url(self, base_url: String) -> Self {
        Self { base_url: Some(base_url), ..self }
    }

    /// Reports that the value of a key is omitted, once for all locations.
    pub fn omitted_key(&self, key: &str, at: &str) {
        self.omitted_keys.borrow_mut().entry(key.escape_debug().to_string()).or_default().insert(at.to_owned());
    }

    /// Reports a note once for all locations that have the same `kind`, with the first message for each location.
    pub(super) fn note_once(&self, kind: &str, at: &str, what: String) {
        self.notes_once.borrow_mut().entry(kind.to_owned()).or_default().entry(at.to_owned()).or_insert(what);
    }

    /// Reports a loss once for all locations that have the same `kind`, with the first message for each location.
    pub(super) fn loss_once(&self, kind: &str, at: &str, what: String) {
        self.losses_once.borrow_mut().entry(kind.to_owned()).or_default().entry(at.to_owned()).or_insert(what);
    }

    /// Returns the locations whose whole value is already reported.
    pub fn covered(&self) -> HashSet<String> {
        self.covered.borrow().clone()
    }

    /// Returns the guesses that an overlay does not decide, sorted by location.
    pub fn guesses(&self, overlay: Option<&Overlay>) -> Vec<Loss> {
        let mut all: Vec<Loss> = self
            .guesses
            .borrow()
            .iter()
            .filter(|(_, line)| !overlay.is_some_and(|overlay| overlay.decides(line)))
            .map(|(guess, _)| guess.clone())
            .collect();
        all.sort();
        all
    }

    /// Reports a guess about what the document does not say, with the overlay that turns it on or off.
    pub fn guess(&self, at: &str, what: impl Display, state: &str, overlay: &str) {
        let what = format!("{what}; to turn it {state}, write `{overlay}` in the overlay");
        self.guesses.borrow_mut().push((Loss { file: None, at: at.to_owned(), what }, overlay.to_owned()));
    }

    /// Returns the locations of the written definitions, by name.
    pub fn origins(&self) -> BTreeMap<String, String> {
        self.origins.borrow().clone()
    }

    /// Reports a loss at a location.
    pub fn loss(&self, at: &str, what: impl Into<String>) {
        self.losses.borrow_mut().push(Loss { file: None, at: at.to_owned(), what: what.into() });
    }

    /// Reports a note at a location.
    pub fn note(&self, at: &str, what: impl Into<String>) {
        self.notes.borrow_mut().push(Loss { file: None, at: at.to_owned(), what: what.into() });
    }

    /// Returns the number of merges so far.
    #[cfg(test)]
    pub const fn merges(&self) -> usize {
        self.merges.get()
    }

    /// Counts a merge of a schema into others; returns whether the import may go on with it.
    pub(super) fn count_merge(&self) -> bool {
        let merges = self.merges.get();
        self.merges.set(merges.saturating_add(1));
        merges < MAX_MERGES
    }

    /// Removes the losses and notes below some locations, whose values were omitted.
    pub fn remove_below(&self, places: &BTreeSet<String>) {
        let is_below =
            |at: &str| at.match_indices('/').any(|(end, _)| at.get(..end).is_some_and(|at| places.contains(at)));
        self.losses.borrow_mut().retain(|loss| !is_below(&loss.at));
        self.notes.borrow_mut().retain(|note| !is_below(&note.at));
    }

    /// Returns the first error that prevents the import.
    pub fn first_error(&self) -> Option<ImportError> {
        let all = self.errors.borrow();
        let first = all.first().cloned()?;
        let Some(reference) = first.what.strip_suffix(IN_OTHER_DOCUMENT) else {
            return Some(ImportError::Document { at: first.at, problem: first.what });
        };
        let elsewhere = all.iter().filter(|one| one.what.ends_with(IN_OTHER_DOCUMENT)).map(|one| one.at.as_str());
        let problem = match elsewhere.collect::<BTreeSet<_>>().len() {
            0 | 1 => first.what,
            count => {
                let more = count - 1;
                let references = if more == 1 { "reference" } else { "references" };
                format!("{reference}{IN_OTHER_DOCUMENT} ({more} more {references} to other documents)")
            }
        };
        Some(ImportError::Document { at: first.at, problem })
    }

    /// Returns the losses and the notes, sorted by location and without duplicates.
    pub fn into_sorted(self) -> (Vec<Loss>, Vec<Loss>) {
        for (name, places) in self.omitted_keys.take() {
            if let Some(first) = places.first() {
                let more = elsewhere(places.len() - 1);
                self.note(first, format!("`{name}` is left out: it does not affect the wire format{more}"));
            }
        }
        once(self.notes_once.take()).for_each(|(at, what)| self.note(&at, what));
        once(self.losses_once.take()).for_each(|(at, what)| self.loss(&at, what));
        let sorted = |mut all: Vec<Loss>| {
            all.sort();
            all.dedup();
            all
        };
        (sorted(self.losses.into_inner()), sorted(self.notes.into_inner()))
    }
}

/// Returns each kind of message at its first location.
fn once(messages: MessagesByKind) -> impl Iterator<Item = (String, String)> {
    messages.into_values().filter_map(|places| {
        let more = elsewhere(places.len().saturating_sub(1));
        let (at, what) = places.into_iter().next()?;
        Some((at, format!("{what}{more}")))
    })
}

/// Returns the end of a message that applies to more locations.
fn elsewhere(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => " (and in 1 more place)".to_owned(),
        more => format!(" (and in {more} more places)"),
    }
}
