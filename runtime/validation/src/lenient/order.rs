//! Ordering of violations by their position in a text.

use super::Reading;
use super::cut::{Found, find, rename_members};
use super::tree::Tree;
use crate::path::Within;
use crate::shapes;
use crate::violation::{TextPosition, Violation};

/// Locates violations in a text that was decoded, and so is valid JSON.
#[cold]
pub fn locate(violations: &mut Vec<Violation>, bytes: &[u8], reading: &Reading<'_>) {
    match Tree::read(bytes, reading.limits.max_values) {
        Ok(tree) => locate_in(violations, &tree, reading),
        // Without a tree the order of the schema is the best available.
        Err(_) => shapes::sort_and_annotate(violations, reading.context.operation, reading.shape, reading.sources),
    }
}

/// Locates violations in a tree.
pub fn locate_in(violations: &mut Vec<Violation>, tree: &Tree<'_>, reading: &Reading<'_>) {
    // Missing fields remain in the order of the schema, at the object in which they are missing.
    shapes::sort_and_annotate(violations, reading.context.operation, reading.shape, reading.sources);
    let mut keyed: Vec<(Key, Violation)> = violations.drain(..).map(|v| (Key::of(&v, tree, reading), v)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    let mut lines = Lines::new(tree.text().as_bytes());
    violations.extend(keyed.into_iter().map(|(key, mut violation)| {
        let place = key.at.map(|at| lines.locate(at));
        violation.place = violation.place.or(place);
        if violation.path.within() == Within::Body {
            rename_members(tree, reading.shape, &mut violation.path, violation.offset);
        }
        violation
    }));
}

/// Sort key of a violation: parameters first, then by position, missing fields after present ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    at: Option<usize>,
    missing: bool,
}

impl Key {
    fn of(violation: &Violation, tree: &Tree<'_>, reading: &Reading<'_>) -> Self {
        if violation.path.within() != Within::Body {
            return Self { at: None, missing: false };
        }
        if violation.offset.is_some() {
            return Self { at: violation.offset, missing: false };
        }
        let start = |node: usize| tree.node(node).map_or(0, |node| node.range.start);
        match find(tree, reading.shape, &violation.path, usize::MAX) {
            Found::Exact(node, _) => Self { at: Some(start(node)), missing: false },
            Found::Beyond(node) => Self { at: Some(start(node)), missing: true },
            Found::Unknown => Self { at: Some(0), missing: true },
        }
    }
}

/// Line counter that moves forward.
struct Lines<'t> {
    bytes: &'t [u8],
    line: usize,
    start: usize,
    at: usize,
}

impl<'t> Lines<'t> {
    const fn new(bytes: &'t [u8]) -> Self {
        Self { bytes, line: 1, start: 0, at: 0 }
    }

    /// Returns the position of a byte, which must not be before the previous one.
    fn locate(&mut self, at: usize) -> TextPosition {
        for (place, byte) in self.bytes.iter().enumerate().take(at).skip(self.at) {
            if *byte == b'\n' {
                self.line += 1;
                self.start = place + 1;
            }
        }
        self.at = self.at.max(at);
        TextPosition { line: self.line, column: at.saturating_sub(self.start) + 1 }
    }
}

/// Returns the position of a byte.
pub fn text_place(bytes: &[u8], at: usize) -> TextPosition {
    Lines::new(bytes).locate(at)
}
