//! Names that are declared, as far as one rules out another.

use std::collections::HashSet;

use super::token::{Sure, Unsure};

/// More names in one scope may be more than the engine takes.
const NAMES: usize = 10_000;

/// More names in one file may be more than the engine takes in a function.
const ALL_NAMES: usize = 50_000;

/// So many names are compared one by one, which takes less time than hashing.
const FEW: usize = 8;

/// Names without duplicates.
#[derive(Debug, Default)]
struct Names<'s> {
    /// The first ones.
    few: Vec<&'s str>,
    /// All, once there are more than a few.
    all: HashSet<&'s str>,
}

impl<'s> Names<'s> {
    fn len(&self) -> usize {
        self.few.len().max(self.all.len())
    }

    fn contains(&self, name: &str) -> bool {
        if self.all.is_empty() { self.few.contains(&name) } else { self.all.contains(name) }
    }

    /// Adds a name; returns whether it is a new one.
    fn insert(&mut self, name: &'s str) -> bool {
        if !self.all.is_empty() {
            return self.all.insert(name);
        }
        if self.few.contains(&name) {
            return false;
        }
        if self.few.len() == FEW {
            self.all.extend(self.few.iter().copied().chain([name]));
        } else {
            self.few.push(name);
        }
        true
    }

    /// Forgets the names, and keeps the room of a few.
    fn clear(&mut self) {
        self.few.clear();
        if !self.all.is_empty() {
            self.all = HashSet::new();
        }
    }

    fn iter(&self) -> impl Iterator<Item = &'s str> + '_ {
        let few = if self.all.is_empty() { self.few.as_slice() } else { &[] };
        few.iter().chain(&self.all).copied()
    }
}

/// A block, or the body of a function with its parameters.
#[derive(Debug, Default)]
pub(super) struct Scope<'s> {
    /// Whether `var` declares here.
    function: bool,
    parameters: Names<'s>,
    lexical: Names<'s>,
    /// Names of `var` here and in blocks within.
    variables: Names<'s>,
}

impl Scope<'_> {
    fn clear(&mut self, function: bool) {
        self.function = function;
        self.parameters.clear();
        self.lexical.clear();
        self.variables.clear();
    }
}

/// The scopes around a place, the innermost last.
#[derive(Debug)]
pub(super) struct Scopes<'s> {
    /// Those that are open, and behind them those that were, whose room is used again.
    all: Vec<Scope<'s>>,
    open: usize,
    /// How many names were declared.
    declared: usize,
}

fn add<'s>(names: &mut Names<'s>, name: &'s str) -> bool {
    names.insert(name) && names.len() < NAMES
}

impl<'s> Scopes<'s> {
    pub(super) fn new() -> Self {
        Self { all: vec![Scope { function: true, ..Scope::default() }], open: 1, declared: 0 }
    }

    pub(super) const fn depth(&self) -> usize {
        self.open
    }

    fn last(&self) -> Option<&Scope<'s>> {
        self.all.get(self.open.checked_sub(1)?)
    }

    fn last_mut(&mut self) -> Option<&mut Scope<'s>> {
        self.all.get_mut(self.open.checked_sub(1)?)
    }

    pub(super) fn open(&mut self, function: bool) {
        self.open += 1;
        match self.last_mut() {
            Some(scope) => scope.clear(function),
            None => self.all.push(Scope { function, ..Scope::default() }),
        }
    }

    /// Leaves the scopes beyond a depth.
    pub(super) fn close(&mut self, depth: usize) {
        self.open = self.open.min(depth);
    }

    fn count(&mut self) -> Sure<()> {
        self.declared += 1;
        if self.declared < ALL_NAMES { Ok(()) } else { Err(Unsure) }
    }

    /// Names that are given twice are left to the engine.
    pub(super) fn parameter(&mut self, name: &'s str) -> Sure<()> {
        self.count()?;
        let scope = self.last_mut().ok_or(Unsure)?;
        if add(&mut scope.parameters, name) { Ok(()) } else { Err(Unsure) }
    }

    /// Declares a name of `let`, `const`, or of a function in a block.
    pub(super) fn lexical(&mut self, name: &'s str) -> Sure<()> {
        self.count()?;
        let scope = self.last_mut().ok_or(Unsure)?;
        let known = scope.parameters.contains(name) || scope.variables.contains(name);
        if !known && add(&mut scope.lexical, name) { Ok(()) } else { Err(Unsure) }
    }

    /// Declares a name of `var`.
    pub(super) fn variable(&mut self, name: &'s str) -> Sure<()> {
        self.count()?;
        self.variable_above(name, 0)
    }

    /// Declares a name of `var` that does not concern so many of the innermost blocks.
    fn variable_above(&mut self, name: &'s str, skipped: usize) -> Sure<()> {
        for (level, scope) in self.all.iter_mut().take(self.open).enumerate().rev().skip(skipped) {
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
        if self.last().is_some_and(|scope| scope.function) {
            return self.variable(name);
        }
        self.lexical(name)?;
        self.variable_above(name, 1)
    }

    /// Returns all names of the innermost scope.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> + '_ {
        self.last().into_iter().flat_map(|scope| scope.variables.iter().chain(scope.lexical.iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_names_are_told_apart() {
        let all: Vec<String> = (0..3 * FEW).map(|number| format!("name{number}")).collect();
        let mut names = Names::default();
        for (count, name) in all.iter().enumerate() {
            assert!(!names.contains(name) && names.insert(name), "{name} is new");
            assert!(names.contains(name) && !names.insert(name), "{name} is known");
            assert_eq!(names.len(), count + 1);
            let mut listed: Vec<&str> = names.iter().collect();
            listed.sort_by_key(|name| (name.len(), *name));
            assert_eq!(listed, all[..=count], "each is listed once");
        }
    }
}
