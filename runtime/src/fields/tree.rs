//! A selection as a tree of names, without regard to what they name.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The name that stands for every member.
pub const EVERY: &str = "*";

/// What is selected of one value. No tree is deeper than [`MAX_DEPTH`](super::MAX_DEPTH), so what goes through one
/// recurses.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Where its name stands in the text that it was read from, in bytes.
    pub position: usize,
    /// Whether all of the value is selected. Until [`settle`](Self::settle) there may be members as well.
    pub whole: bool,
    /// What is selected of the members, in the order of their names. [`EVERY`] holds what is selected of each
    /// member, beside what is selected of it by its name.
    pub members: BTreeMap<Cow<'static, str>, Tree>,
}

/// Where a text was read from does not change what it selects.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.whole == other.whole && self.members == other.members
    }
}

impl Tree {
    pub const fn new(whole: bool) -> Self {
        Self { position: 0, whole, members: BTreeMap::new() }
    }

    /// Returns the tree of a member; without a selection at first.
    pub fn member(&mut self, name: Cow<'static, str>, position: usize) -> &mut Self {
        self.members.entry(name).or_insert_with(|| Self { position, ..Self::default() })
    }

    /// Selects what `other` selects as well.
    pub fn merge(&mut self, other: Self) {
        self.whole |= other.whole;
        for (name, tree) in other.members {
            self.member(name, tree.position).merge(tree);
        }
    }

    /// Drops the names that select nothing beside what others select.
    pub fn settle(&mut self) {
        self.members.values_mut().for_each(Self::settle);
        self.whole |= self.members.get(EVERY).is_some_and(|every| every.whole);
        if self.whole {
            self.members.clear();
        }
    }

    /// Writes the members: `a,b/c,d(e,f)`.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, tree)) in self.members.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "," })?;
            f.write_str(name)?;
            let (open, close) = match tree.members.len() {
                0 => continue,
                1 => ("/", ""),
                _ => ("(", ")"),
            };
            f.write_str(open)?;
            tree.write(f)?;
            f.write_str(close)?;
        }
        Ok(())
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.whole { f.write_str(EVERY) } else { self.write(f) }
    }
}
