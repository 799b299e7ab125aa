//! Selections as trees of names, independent of a shape.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Name that stands for every field.
pub const WILDCARD: &str = "*";

/// Selection of a value. Trees are at most [`MAX_DEPTH`](super::MAX_DEPTH) deep, so functions may recurse.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Position of the name in the parsed text, in bytes.
    pub position: usize,
    /// True if the whole value is selected. Before [`normalize`](Self::normalize) there may be fields as well.
    pub is_whole: bool,
    /// Selections of the fields, sorted by name. [`WILDCARD`] holds the selection of each field, in addition to that by
    /// its name.
    pub fields: BTreeMap<Cow<'static, str>, Tree>,
}

impl Tree {
    /// Returns whether the field at a path, such as `meta/total`, is selected, or some of its fields.
    pub fn contains(&self, path: &str) -> bool {
        let Some((outer, inner)) = path.split_once('/').filter(|_| !self.fields.contains_key(path)) else {
            return self.is_whole || self.fields.contains_key(path);
        };
        self.is_whole || self.fields.get(outer).is_some_and(|field| field.contains(inner))
    }
}

/// The position in a text does not affect the selection.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.is_whole == other.is_whole && self.fields == other.fields
    }
}

impl Tree {
    pub const fn new(whole: bool) -> Self {
        Self { position: 0, is_whole: whole, fields: BTreeMap::new() }
    }

    /// Returns the tree of a field, which is inserted without a selection if it is missing.
    pub fn field(&mut self, name: Cow<'static, str>, position: usize) -> &mut Self {
        self.fields.entry(name).or_insert_with(|| Self { position, ..Self::default() })
    }

    /// Adds the selection of `other`.
    pub fn merge(&mut self, other: Self) {
        self.is_whole |= other.is_whole;
        for (name, tree) in other.fields {
            self.field(name, tree.position).merge(tree);
        }
    }

    /// Removes redundant names: those that another name already includes.
    pub fn normalize(&mut self) {
        self.fields.values_mut().for_each(Self::normalize);
        self.is_whole |= self.fields.get(WILDCARD).is_some_and(|every| every.is_whole);
        if self.is_whole {
            self.fields.clear();
        }
    }

    /// Writes the fields: `a,b/c,d(e,f)`.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, tree)) in self.fields.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "," })?;
            f.write_str(name)?;
            let (open, close) = match tree.fields.len() {
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
        if self.is_whole { f.write_str(WILDCARD) } else { self.write(f) }
    }
}
