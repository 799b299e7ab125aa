//! Compilation of a selection against the shape of a resource, for fast lookups by name.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use super::MAX_SELECTED_FIELDS;
use super::error::{SelectionError, SelectionErrorKind as Kind};
use super::shape::{FieldContent, Shape};
use super::tree::{Tree, WILDCARD};

/// Selection of a value. It is no deeper than its tree, so functions may recurse.
pub enum Node {
    /// The whole value.
    Whole,
    /// Some fields.
    Partial {
        /// Named fields, sorted by name. Each of them includes what `*` selects.
        named: Box<[(Cow<'static, str>, Node)]>,
        /// All other fields, if there may be any.
        every: Option<Box<Node>>,
    },
}

impl Node {
    /// Returns whether the whole value is selected.
    pub const fn is_whole(&self) -> bool {
        matches!(self, Self::Whole)
    }

    /// Returns the selection of the field with this name, if anything of it is selected.
    pub fn field(&self, name: &str) -> Option<&Self> {
        let Self::Partial { named, every } = self else { return Some(self) };
        match named.binary_search_by(|(known, _)| (**known).cmp(name)) {
            Ok(at) => named.get(at).map(|(_, node)| node),
            Err(_) => every.as_deref(),
        }
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("*"),
            Self::Partial { named, every } => {
                let every = every.iter().map(|node| (WILDCARD, &**node));
                f.debug_map().entries(named.iter().map(|(name, node)| (&**name, node)).chain(every)).finish()
            }
        }
    }
}

/// Compiles a tree that was checked against the shape.
///
/// # Errors
/// Returns an error if compilation visits more than [`MAX_SELECTED_FIELDS`] fields.
pub fn compile(tree: &Tree, shape: &'static Shape) -> Result<Node, SelectionError> {
    let mut compiler = Compiler { remaining: MAX_SELECTED_FIELDS };
    let nothing = Node::Partial { named: Box::default(), every: None };
    Ok(compiler.compile_node(&[tree], FieldContent::Shape(shape))?.unwrap_or(nothing))
}

/// Compilation in progress, with the number of fields that it may still visit.
struct Compiler {
    remaining: usize,
}

impl Compiler {
    /// Returns the combined selection of these trees in a content; `None` if it has nothing that can be selected.
    fn compile_node(&mut self, trees: &[&Tree], content: FieldContent) -> Result<Option<Node>, SelectionError> {
        if trees.iter().any(|tree| tree.is_whole) {
            return Ok(Some(Node::Whole));
        }
        match content {
            FieldContent::Leaf => Ok(None),
            FieldContent::Shape(shape) => self.compile_object(shape, trees),
            FieldContent::Any => Ok(to_node(self.compile_map(FieldContent::Any, trees, &[])?)),
            FieldContent::Map(inner) => Ok(to_node(self.compile_map(*inner, trees, &[])?)),
        }
    }

    /// Compiles the selection of a field.
    fn compile_field(&mut self, trees: &[&Tree], content: FieldContent) -> Result<Option<Node>, SelectionError> {
        self.count(trees.len(), trees.first().map_or(0, |tree| tree.position))?;
        self.compile_node(trees, content)
    }

    /// Counts selected fields, of which there is a maximum.
    fn count(&mut self, trees: usize, position: usize) -> Result<(), SelectionError> {
        self.remaining =
            self.remaining.checked_sub(trees).ok_or_else(|| SelectionError::new(position, Kind::TooManyFields))?;
        Ok(())
    }

    /// Compiles a selection of a resource, whose names are all known, so that `*` is expanded. It iterates over the
    /// fields of the resource, not over the names of the trees: because of `*`, a tree can contain thousands of names
    /// that only other resources have.
    fn compile_object(&mut self, shape: &'static Shape, trees: &[&Tree]) -> Result<Option<Node>, SelectionError> {
        // Additional members are treated like those of a map.
        let (mut named, every_other) = match shape.additional_content {
            Some(inner) => self.compile_map(inner, trees, shape.fields)?,
            None => (Vec::new(), None),
        };
        for name in shape.fields {
            let of_name: Vec<&Tree> = wildcard_trees(trees).chain(below(trees, name)).collect();
            if of_name.is_empty() {
                continue;
            }
            let node = self.compile_field(&of_name, shape.content_at(name))?;
            // Nothing of it is selected, although something of every other member is.
            let node =
                node.or_else(|| every_other.is_some().then(|| Node::Partial { named: Box::default(), every: None }));
            named.extend(node.map(|node| (Cow::Borrowed(*name), node)));
        }
        named.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(to_node((named, every_other)))
    }

    /// Compiles a selection of a map, whose names are known only when it is serialized. Names in `except` are skipped.
    fn compile_map(
        &mut self,
        inner: FieldContent,
        trees: &[&Tree],
        except: &[&str],
    ) -> Result<PartialSelection, SelectionError> {
        let every: Vec<&Tree> = wildcard_trees(trees).collect();
        let mut of_name: BTreeMap<&Cow<'static, str>, Vec<&Tree>> = BTreeMap::new();
        let names = trees.iter().flat_map(|tree| &tree.fields);
        for (name, tree) in names.filter(|(name, _)| *name != WILDCARD && !except.contains(&&***name)) {
            // Where names and `*` overlap repeatedly there are many trees for a name.
            let trees = match of_name.entry(name) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    self.count(every.len(), tree.position)?;
                    entry.insert(every.clone())
                }
            };
            trees.push(tree);
        }
        let mut named = Vec::with_capacity(of_name.len());
        for (name, trees) in &of_name {
            named.extend(self.compile_field(trees, inner)?.map(|node| ((*name).clone(), node)));
        }
        let every = if every.is_empty() { None } else { self.compile_field(&every, inner)?.map(Box::new) };
        Ok((named, every))
    }
}

/// Selections of named fields, and the selection of every other field.
type PartialSelection = (Vec<(Cow<'static, str>, Node)>, Option<Box<Node>>);

/// Creates the selection of some fields; `None` if nothing is selected.
fn to_node((named, every): PartialSelection) -> Option<Node> {
    (!named.is_empty() || every.is_some()).then(|| Node::Partial { named: named.into(), every })
}

/// Returns the selections of every field.
fn wildcard_trees<'t>(trees: &[&'t Tree]) -> impl Iterator<Item = &'t Tree> {
    below(trees, WILDCARD)
}

/// Returns the selections of the field with this name.
fn below<'t>(trees: &[&'t Tree], name: &str) -> impl Iterator<Item = &'t Tree> {
    trees.iter().filter_map(move |tree| tree.fields.get(name))
}
