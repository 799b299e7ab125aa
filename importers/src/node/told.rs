//! What is told of a document while it is read: losses, notes, mistakes, and what somebody has looked at.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::value::Value;
use crate::{Loss, Mistake};

/// What is told of a reference to another document, which is one mistake however many there are.
pub const ELSEWHERE: &str = "is in another document; bundle all of them into one first";

/// What there is to say of each place, by its kind.
type Alike = BTreeMap<String, BTreeMap<String, String>>;

/// What there is to say of a document.
#[derive(Default)]
pub struct Told {
    /// What it says and the schema does not.
    pub(super) losses: RefCell<Vec<Loss>>,
    /// What the schema says in other words.
    notes: RefCell<Vec<Loss>>,
    pub(super) mistakes: RefCell<Vec<Loss>>,
    /// The places of which it has been told that all that is there is left out, or is something else.
    pub(super) covered: RefCell<HashSet<String>>,
    /// The places of what is told once, however often it stands somewhere.
    often: RefCell<BTreeMap<String, BTreeSet<String>>>,
    /// The places of what is told once for all that is of the same kind, with what there is to say of each.
    alike: RefCell<Alike>,
    /// The same of losses.
    lost_alike: RefCell<Alike>,
    /// Whether members that begin with `x-` are those of a publisher's tools.
    pub(super) has_extensions: bool,
    /// The address that links in descriptions are relative to; nothing where descriptions are those of schemas.
    pub(super) address: Option<String>,
    /// The values that somebody has looked at, by where they lie in memory.
    pub(super) read: RefCell<HashSet<*const Value>>,
    /// Those of which all that is in them has been taken.
    pub(super) whole: RefCell<HashSet<*const Value>>,
}

impl Told {
    /// What there is to say of a document in which members that begin with `x-` are those of a publisher's tools.
    pub fn with_extensions() -> Self {
        Self { has_extensions: true, ..Self::default() }
    }

    /// The same for a document of others, whose descriptions are Markdown with HTML in it and links relative to an
    /// address, which may be empty.
    pub fn with_descriptions_at(self, address: String) -> Self {
        Self { address: Some(address), ..self }
    }

    /// Takes down that what stands under a key is left out; it is told once for all places.
    pub fn often(&self, key: &str, at: &str) {
        self.often.borrow_mut().entry(key.escape_debug().to_string()).or_default().insert(at.to_owned());
    }

    pub(super) fn alike(&self, kind: &str, at: &str, what: String) {
        self.alike.borrow_mut().entry(kind.to_owned()).or_default().entry(at.to_owned()).or_insert(what);
    }

    pub(super) fn lost_alike(&self, kind: &str, at: &str, what: String) {
        self.lost_alike.borrow_mut().entry(kind.to_owned()).or_default().entry(at.to_owned()).or_insert(what);
    }

    /// The places of which it has been said that all that is there is left out, or is something else.
    pub fn covered(&self) -> HashSet<String> {
        self.covered.borrow().clone()
    }

    /// Takes down that something at a place is lost.
    pub fn loss(&self, at: &str, what: impl Into<String>) {
        self.losses.borrow_mut().push(Loss { at: at.to_owned(), what: what.into() });
    }

    /// Reports a note about a place.
    pub fn note(&self, at: &str, what: impl Into<String>) {
        self.notes.borrow_mut().push(Loss { at: at.to_owned(), what: what.into() });
    }

    /// Takes back the losses and notes within some places, of which nothing is left.
    pub fn forget_below(&self, places: &BTreeSet<String>) {
        let is_below =
            |at: &str| at.match_indices('/').any(|(end, _)| at.get(..end).is_some_and(|at| places.contains(at)));
        self.losses.borrow_mut().retain(|loss| !is_below(&loss.at));
        self.notes.borrow_mut().retain(|note| !is_below(&note.at));
    }

    /// The first mistake for which the document cannot be imported.
    pub fn mistake(&self) -> Option<Mistake> {
        let all = self.mistakes.borrow();
        let first = all.first().cloned()?;
        let Some(reference) = first.what.strip_suffix(ELSEWHERE) else {
            return Some(Mistake::Document { at: first.at, problem: first.what });
        };
        let elsewhere = all.iter().filter(|one| one.what.ends_with(ELSEWHERE)).map(|one| one.at.as_str());
        let problem = match elsewhere.collect::<BTreeSet<_>>().len() {
            0 | 1 => first.what,
            count => {
                let others = if count == 2 { "is one more".to_owned() } else { format!("are {} more", count - 1) };
                format!("{reference}is in another document, as {others}; bundle all of them into one first")
            }
        };
        Some(Mistake::Document { at: first.at, problem })
    }

    /// All losses and all notes by their places, each once.
    pub fn into_sorted(self) -> (Vec<Loss>, Vec<Loss>) {
        for (name, places) in self.often.take() {
            if let Some(first) = places.first() {
                let often = places.len();
                let places = if often == 1 { "place" } else { "places" };
                self.note(first, format!("left out here and wherever it stands, in {often} {places}: `{name}`"));
            }
        }
        once(self.alike.take()).for_each(|(at, what)| self.note(&at, what));
        once(self.lost_alike.take()).for_each(|(at, what)| self.loss(&at, what));
        let sorted = |mut all: Vec<Loss>| {
            all.sort();
            all.dedup();
            all
        };
        (sorted(self.losses.into_inner()), sorted(self.notes.into_inner()))
    }
}

/// What there is to say of each kind, at the first of its places.
fn once(alike: Alike) -> impl Iterator<Item = (String, String)> {
    alike.into_values().filter_map(|places| {
        let more = places.len().saturating_sub(1);
        let (at, what) = places.into_iter().next()?;
        let elsewhere = if more == 1 { "place" } else { "places" };
        let more = if more == 0 { String::new() } else { format!("; so it is in {more} more {elsewhere}") };
        Some((at, format!("{what}{more}")))
    })
}
