//! Ordering of violations by their position in a text.

use super::ReadOptions;
use super::prune::{Found, find, rename_members};
use super::tree::Tree;
use crate::path::PathRoot;
use crate::shapes;
use crate::violation::{TextPosition, Violation};

/// Locates violations in a text that was decoded, and so is valid JSON.
#[cold]
pub fn locate(violations: &mut Vec<Violation>, bytes: &[u8], options: &ReadOptions<'_>) {
    match Tree::read(bytes, options.limits.max_values) {
        Ok(tree) => locate_in(violations, &tree, options),
        // Without a tree the order of the schema is the best available.
        Err(_) => shapes::sort_and_annotate(violations, options.context.operation, options.shape, options.sources),
    }
}

/// Locates violations in a tree.
pub fn locate_in(violations: &mut Vec<Violation>, tree: &Tree<'_>, options: &ReadOptions<'_>) {
    // Missing fields remain in the order of the schema, at the object in which they are missing.
    shapes::sort_and_annotate(violations, options.context.operation, options.shape, options.sources);
    let mut keyed: Vec<(SortKey, Violation)> =
        violations.drain(..).map(|v| (SortKey::of(&v, tree, options), v)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    let mut lines = LineCounter::new(tree.text().as_bytes());
    violations.extend(keyed.into_iter().map(|(key, mut violation)| {
        let place = key.at.map(|at| lines.locate(at));
        violation.position = violation.position.or(place);
        if violation.path.root() == PathRoot::Body {
            violation.resolve_source();
            rename_members(tree, options.shape, &mut violation.path, violation.offset);
        }
        violation
    }));
}

/// Sort key of a violation: parameters first, then by position, missing fields after present ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SortKey {
    at: Option<usize>,
    missing: bool,
}

impl SortKey {
    fn of(violation: &Violation, tree: &Tree<'_>, options: &ReadOptions<'_>) -> Self {
        if violation.path.root() != PathRoot::Body {
            return Self { at: None, missing: false };
        }
        if violation.offset.is_some() {
            return Self { at: violation.offset, missing: false };
        }
        let start = |node: usize| tree.node(node).map_or(0, |node| node.range.start);
        match find(tree, options.shape, &violation.path, usize::MAX) {
            Found::Exact(node, _) => Self { at: Some(start(node)), missing: false },
            Found::Missing(node) => Self { at: Some(start(node)), missing: true },
            Found::Unknown => Self { at: Some(0), missing: true },
        }
    }
}

/// Line counter that moves forward.
struct LineCounter<'t> {
    bytes: &'t [u8],
    line: usize,
    start: usize,
    at: usize,
}

impl<'t> LineCounter<'t> {
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
pub fn text_position(bytes: &[u8], at: usize) -> TextPosition {
    LineCounter::new(bytes).locate(at)
}
