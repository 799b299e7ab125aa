//! Texts that match several patterns.

use std::collections::BTreeSet;

use super::automaton::{self, Part};
use super::graph::{ALIVE, DEAD};
use super::{PatternError, lookaround};

/// Maximum number of characters of a text that is searched for.
const MAX_LENGTH: u64 = 256;

/// Texts that match a pattern of a whole text.
#[derive(Clone, Debug)]
pub struct Language(Vec<Part>);

impl Language {
    /// Creates the language of a pattern.
    ///
    /// # Errors
    /// Returns an error if the pattern cannot be parsed, or becomes too large.
    pub fn parse(pattern: &str) -> Result<Self, PatternError> {
        automaton::parts(lookaround::parse(pattern)?).map(Self)
    }
}

/// Returns a shortest text that all languages contain and whose number of characters is in the range. `steps` is the number
/// of transitions that can still be followed: none is found without any.
#[must_use]
pub fn common_text(languages: &[&Language], (min, max): (u64, Option<u64>), steps: &mut usize) -> Option<String> {
    let parts: Vec<&Part> = languages.iter().flat_map(|language| &language.0).collect();
    let search = Search { parts: &parts, min, max: max.unwrap_or(MAX_LENGTH).min(MAX_LENGTH) };
    search.text(&representatives(&parts), steps)
}

/// Returns an ASCII character of each class that the automata distinguish, letters first.
fn representatives(parts: &[&Part]) -> Vec<u8> {
    let all = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z').chain(b' '..=b'~');
    let mut seen = BTreeSet::new();
    all.filter(|byte| seen.insert(parts.iter().map(|part| part.table.class_of(*byte)).collect::<Vec<u8>>())).collect()
}

/// Maximum number of beginnings that are kept: each takes some dozens of bytes.
const MAX_FOUND: usize = 200_000;

/// Search for a text.
struct Search<'p> {
    parts: &'p [&'p Part],
    min: u64,
    max: u64,
}

/// Beginning of a text: the states after it, the beginning without its last byte, and this byte.
type Beginning = (Vec<u16>, usize, u8);

impl Search<'_> {
    /// Returns the first text of these bytes.
    fn text(&self, bytes: &[u8], steps: &mut usize) -> Option<String> {
        let mut found: Vec<Beginning> = vec![(self.parts.iter().map(|part| part.table.start).collect(), 0, 0)];
        let (mut layer, mut seen) = (0..1, BTreeSet::new());
        for length in 0..=self.max {
            let is_long_enough = length >= self.min;
            if let Some(at) = layer.clone().find(|at| is_long_enough && self.is_accepted(&found[*at].0)) {
                return Some(spell(&found, at));
            }
            // Shorter texts do not end, so that a state may be met again.
            if !is_long_enough {
                seen.clear();
            }
            let start = found.len();
            for at in layer {
                *steps = steps.checked_sub(bytes.len() * self.parts.len())?;
                if found.len() > MAX_FOUND {
                    return None;
                }
                for byte in bytes {
                    let next = |(part, state): (&&Part, &u16)| part.table.next(*state, *byte);
                    let states: Vec<u16> = self.parts.iter().zip(&found[at].0).map(next).collect();
                    if self.is_possible(&states) && seen.insert(states.clone()) {
                        found.push((states, at, *byte));
                    }
                }
            }
            layer = start..found.len();
        }
        None
    }

    fn is_accepted(&self, states: &[u16]) -> bool {
        self.parts.iter().zip(states).all(|(part, state)| part.table.accepts(*state) == part.is_match)
    }

    /// Returns whether some continuation may be accepted.
    fn is_possible(&self, states: &[u16]) -> bool {
        let hopeless = |part: &Part| if part.is_match { DEAD } else { ALIVE };
        self.parts.iter().zip(states).all(|(part, state)| usize::from(*state) != hopeless(part))
    }
}

/// Returns the text of a beginning.
fn spell(found: &[Beginning], mut at: usize) -> String {
    let mut text = Vec::new();
    while let Some((_, before, byte)) = found.get(at).filter(|_| at > 0) {
        text.push(char::from(*byte));
        at = *before;
    }
    text.into_iter().rev().collect()
}
