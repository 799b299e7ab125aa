//! Names that are declared, as far as one rules out another.

use std::collections::HashSet;

use super::token::{Sure, Unsure};

/// More names in one scope may be more than the engine takes.
const NAMES: usize = 10_000;

/// A block, or the body of a function with its parameters.
#[derive(Debug, Default)]
pub(super) struct Scope<'s> {
    /// Whether `var` declares here.
    function: bool,
    parameters: HashSet<&'s str>,
    lexical: HashSet<&'s str>,
    /// Names of `var` here and in blocks within.
    variables: HashSet<&'s str>,
}

/// The scopes around a place, the innermost last.
#[derive(Debug)]
pub(super) struct Scopes<'s>(Vec<Scope<'s>>);

fn add<'s>(names: &mut HashSet<&'s str>, name: &'s str) -> bool {
    names.insert(name) && names.len() < NAMES
}

impl<'s> Scopes<'s> {
    pub(super) fn new() -> Self {
        Self(vec![Scope { function: true, ..Scope::default() }])
    }

    pub(super) fn depth(&self) -> usize {
        self.0.len()
    }

    pub(super) fn open(&mut self, function: bool) {
        self.0.push(Scope { function, ..Scope::default() });
    }

    /// Leaves the scopes beyond a depth.
    pub(super) fn close(&mut self, depth: usize) {
        self.0.truncate(depth);
    }

    /// Names that are given twice are left to the engine.
    pub(super) fn parameter(&mut self, name: &'s str) -> Sure<()> {
        let scope = self.0.last_mut().ok_or(Unsure)?;
        if add(&mut scope.parameters, name) { Ok(()) } else { Err(Unsure) }
    }

    /// Declares a name of `let`, `const`, or of a function in a block.
    pub(super) fn lexical(&mut self, name: &'s str) -> Sure<()> {
        let scope = self.0.last_mut().ok_or(Unsure)?;
        let known = scope.parameters.contains(name) || scope.variables.contains(name);
        if !known && add(&mut scope.lexical, name) { Ok(()) } else { Err(Unsure) }
    }

    /// Declares a name of `var`.
    pub(super) fn variable(&mut self, name: &'s str) -> Sure<()> {
        self.variable_above(name, 0)
    }

    /// Declares a name of `var` that does not concern so many of the innermost blocks.
    fn variable_above(&mut self, name: &'s str, skipped: usize) -> Sure<()> {
        for (level, scope) in self.0.iter_mut().enumerate().rev().skip(skipped) {
            // The order of functions in the list of the engine depends on names that are declared twice.
            let again = !add(&mut scope.variables, name) && (level == 0 || scope.variables.len() >= NAMES);
            if again || scope.lexical.contains(name) {
                return Err(Unsure);
            }
            if scope.function {
                break;
            }
        }
        Ok(())
    }

    /// Declares a function: at the top of a function it is like a variable; in a block like a name of `let`, and a
    /// variable around it.
    pub(super) fn function(&mut self, name: &'s str) -> Sure<()> {
        if self.0.last().is_some_and(|scope| scope.function) {
            return self.variable(name);
        }
        self.lexical(name)?;
        self.variable_above(name, 1)
    }

    /// Returns all names of the innermost scope.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> + '_ {
        self.0.last().into_iter().flat_map(|scope| scope.variables.iter().chain(&scope.lexical).copied())
    }
}
