//! Selections as trees of names, independent of a shape.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Name that stands for every field.
pub const EVERY: &str = "*";

/// Selection of a value. Trees are at most [`MAX_DEPTH`](super::MAX_DEPTH) deep, so functions may recurse.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Position of the name in the parsed text, in bytes.
    pub position: usize,
    /// True if the whole value is selected. Before [`normalize`](Self::normalize) there may be fields as well.
    pub whole: bool,
    /// Selections of the fields, sorted by name. [`EVERY`] holds the selection of each field, in addition to that by
    /// its name.
    pub members: BTreeMap<Cow<'static, str>, Tree>,
}

/// The position in a text does not affect the selection.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.whole == other.whole && self.members == other.members
    }
}

impl Tree {
    pub const fn new(whole: bool) -> Self {
        Self { position: 0, whole, members: BTreeMap::new() }
    }

    /// Returns the tree of a field, which is inserted without a selection if it is missing.
    pub fn member(&mut self, name: Cow<'static, str>, position: usize) -> &mut Self {
        self.members.entry(name).or_insert_with(|| Self { position, ..Self::default() })
    }

    /// Adds the selection of `other`.
    pub fn merge(&mut self, other: Self) {
        self.whole |= other.whole;
        for (name, tree) in other.members {
            self.member(name, tree.position).merge(tree);
        }
    }

    /// Removes redundant names: those that another name already includes.
    pub fn normalize(&mut self) {
        self.members.values_mut().for_each(Self::normalize);
        self.whole |= self.members.get(EVERY).is_some_and(|every| every.whole);
        if self.whole {
            self.members.clear();
        }
    }

    /// Writes the fields: `a,b/c,d(e,f)`.
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
