//! Declared names, as far as they exclude each other.

use std::collections::HashSet;

use super::token::{ParseResult, Unsupported};

/// Maximum number of names in a scope; the engine may not accept more.
const MAX_NAMES: usize = 10_000;

/// Maximum number of names in a file; the engine may not accept more in a function.
const MAX_ALL_NAMES: usize = 50_000;

/// Number of names that are compared one by one, which is faster than hashing.
const MAX_LINEAR: usize = 8;

/// Set of names.
#[derive(Debug, Default)]
struct NameSet<'s> {
    /// Names, while there are few.
    few: Vec<&'s str>,
    /// All names, once there are more.
    all: HashSet<&'s str>,
}

impl<'s> NameSet<'s> {
    fn len(&self) -> usize {
        self.few.len().max(self.all.len())
    }

    fn contains(&self, name: &str) -> bool {
        if self.all.is_empty() { self.few.contains(&name) } else { self.all.contains(name) }
    }

    /// Adds a name; returns whether it is new.
    fn insert(&mut self, name: &'s str) -> bool {
        if !self.all.is_empty() {
            return self.all.insert(name);
        }
        if self.few.contains(&name) {
            return false;
        }
        if self.few.len() == MAX_LINEAR {
            self.all.extend(self.few.iter().copied().chain([name]));
        } else {
            self.few.push(name);
        }
        true
    }

    /// Removes the names and keeps the capacity for a few.
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

/// Block, or body of a function with its parameters.
#[derive(Debug, Default)]
pub(super) struct Scope<'s> {
    /// True if `var` declares in this scope.
    function: bool,
    parameters: NameSet<'s>,
    lexical: NameSet<'s>,
    /// Names of `var` in this scope and nested blocks.
    variables: NameSet<'s>,
}

impl Scope<'_> {
    /// Empties a closed scope for reuse; `function` is set if the new scope is of a function.
    fn clear(&mut self, function: bool) {
        self.function = function;
        self.parameters.clear();
        self.lexical.clear();
        self.variables.clear();
    }
}

/// Enclosing scopes, innermost last.
#[derive(Debug)]
pub(super) struct Scopes<'s> {
    /// Open scopes, followed by closed ones whose memory is reused.
    all: Vec<Scope<'s>>,
    open: usize,
    /// Number of declared names.
    declared: usize,
}

/// Adds a name; returns false if it is a duplicate, or the scope has too many names.
fn add<'s>(names: &mut NameSet<'s>, name: &'s str) -> bool {
    names.insert(name) && names.len() < MAX_NAMES
}

impl<'s> Scopes<'s> {
    pub(super) fn new() -> Self {
        Self { all: vec![Scope { function: true, ..Scope::default() }], open: 1, declared: 0 }
    }

    /// Returns the number of open scopes, to which [`close`](Self::close) returns.
    pub(super) const fn depth(&self) -> usize {
        self.open
    }

    /// Returns the innermost open scope.
    fn last(&self) -> Option<&Scope<'s>> {
        self.all.get(self.open.checked_sub(1)?)
    }

    fn last_mut(&mut self) -> Option<&mut Scope<'s>> {
        self.all.get_mut(self.open.checked_sub(1)?)
    }

    /// Opens an inner scope: of a function, where `var` declares, or of a block.
    pub(super) fn open(&mut self, function: bool) {
        self.open += 1;
        match self.last_mut() {
            Some(scope) => scope.clear(function),
            None => self.all.push(Scope { function, ..Scope::default() }),
        }
    }

    /// Closes the scopes beyond a depth.
    pub(super) fn close(&mut self, depth: usize) {
        self.open = self.open.min(depth);
    }

    /// Counts a declaration; fails beyond [`MAX_ALL_NAMES`].
    fn count(&mut self) -> ParseResult<()> {
        self.declared += 1;
        if self.declared < MAX_ALL_NAMES { Ok(()) } else { Err(Unsupported) }
    }

    /// Declares a parameter. Duplicate names are left to the engine.
    pub(super) fn parameter(&mut self, name: &'s str) -> ParseResult<()> {
        self.count()?;
        let scope = self.last_mut().ok_or(Unsupported)?;
        if add(&mut scope.parameters, name) { Ok(()) } else { Err(Unsupported) }
    }

    /// Declares a name of `let`, `const`, or of a function in a block.
    pub(super) fn lexical(&mut self, name: &'s str) -> ParseResult<()> {
        self.count()?;
        let scope = self.last_mut().ok_or(Unsupported)?;
        let known = scope.parameters.contains(name) || scope.variables.contains(name);
        if !known && add(&mut scope.lexical, name) { Ok(()) } else { Err(Unsupported) }
    }

    /// Declares a name of `var`.
    pub(super) fn variable(&mut self, name: &'s str) -> ParseResult<()> {
        self.count()?;
        self.variable_above(name, 0)
    }

    /// Declares a name of `var`, skipping some of the innermost blocks.
    fn variable_above(&mut self, name: &'s str, skipped: usize) -> ParseResult<()> {
        for (level, scope) in self.all.iter_mut().take(self.open).enumerate().rev().skip(skipped) {
            // The order of functions in the engine's list depends on names that are declared twice.
            let again = !add(&mut scope.variables, name) && (level == 0 || scope.variables.len() >= MAX_NAMES);
            if again || scope.lexical.contains(name) {
                return Err(Unsupported);
            }
            if scope.function {
                break;
            }
        }
        Ok(())
    }

    /// Declares a function: at the top of a function it is like a variable; in a block it is like a name of `let`, and
    /// a variable around it.
    pub(super) fn function(&mut self, name: &'s str) -> ParseResult<()> {
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
    fn few_and_many_names_are_distinguished() {
        let all: Vec<String> = (0..3 * MAX_LINEAR).map(|number| format!("name{number}")).collect();
        let mut names = NameSet::default();
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
