//! Partial responses: selections of the fields of a resource.
//!
//! A selection is a list of names separated by commas. `a/b` selects the field `b` of the field `a`, `a(b,c)` several
//! of its fields, `*` every field. Lists are transparent: names below a list are fields of its elements. Names below
//! a map are its keys, or `*` for all of them. Spaces are accepted at the ends only, as public services reject them
//! elsewhere.
//!
//! A [`Selection`] is built from the constants that generated code has for each field, or parsed from a text; either
//! way it contains only fields that the resource has. An [`AnySelection`] knows its resource by its [`Shape`] alone:
//! it filters the response of a server.

mod any;
mod check;
mod compile;
mod error;
mod filter;
mod mask;
mod parse;
mod shape;
mod suggest;
mod tree;

pub use any::AnySelection;
pub use error::{SelectionError, SelectionErrorKind};
pub use shape::{FieldContent, Selectable, Shape};
pub use suggest::suggest_similar;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use tree::{Tree, WILDCARD};

/// Maximum number of nested names in a selection of fields.
pub const MAX_DEPTH: usize = 32;

/// Maximum length, in bytes, of the text of a selection.
pub const MAX_SELECTION_LENGTH: usize = 8192;

/// Maximum number of selected fields of a resource, including the fields that contain them.
pub const MAX_SELECTED_FIELDS: usize = 10_000;

/// Field of `T` that a selection includes.
pub struct Field<T> {
    name: &'static str,
    tree: Tree,
    /// Number of nested names, including this one.
    depth: usize,
    of: PhantomData<fn() -> T>,
}

impl<T> Field<T> {
    /// Creates a selection of the field with this wire name and all of its content.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, tree: Tree::new(true), depth: 1, of: PhantomData }
    }
}

impl<T> Clone for Field<T> {
    fn clone(&self) -> Self {
        Self { name: self.name, tree: self.tree.clone(), depth: self.depth, of: PhantomData }
    }
}

impl<T> fmt::Debug for Field<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Field({}({}))", self.name, self.tree)
    }
}

/// Field of `T` that holds a `U`, or a list or a map of them.
pub struct NestedField<T, U> {
    name: &'static str,
    of: PhantomData<fn() -> (T, U)>,
}

impl<T, U> NestedField<T, U> {
    /// Creates the field with this wire name.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, of: PhantomData }
    }

    /// Selects fields of the value, or of each value of a list or a map. Without any `fields` the whole field is
    /// selected; so is one with more than [`MAX_DEPTH`] nested names.
    #[must_use]
    pub fn select(self, fields: impl IntoIterator<Item = Field<U>>) -> Field<T> {
        let (mut tree, mut depth) = (Tree::default(), 0);
        for field in fields {
            depth = depth.max(field.depth);
            tree.field(Cow::Borrowed(field.name), 0).merge(field.tree);
        }
        if depth == 0 || depth >= MAX_DEPTH {
            return self.all();
        }
        Field { name: self.name, tree, depth: depth + 1, of: PhantomData }
    }

    /// Selects the field with all fields of its value.
    #[must_use]
    pub const fn all(self) -> Field<T> {
        Field::new(self.name)
    }
}

impl<T, U> Clone for NestedField<T, U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, U> Copy for NestedField<T, U> {}

impl<T, U> fmt::Debug for NestedField<T, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Nested({})", self.name)
    }
}

impl<T, U> From<NestedField<T, U>> for Field<T> {
    fn from(nested: NestedField<T, U>) -> Self {
        nested.all()
    }
}

/// Selection of the fields of a `T` in a response.
///
/// It displays as the text for the wire. The text is canonical: names are in alphabetical order, without duplicates and
/// without names that another name includes.
pub struct Selection<T> {
    tree: Tree,
    of: PhantomData<fn() -> T>,
}

impl<T> Selection<T> {
    /// Selects every field.
    #[must_use]
    pub const fn all() -> Self {
        Self { tree: Tree::new(true), of: PhantomData }
    }

    /// Creates a selection without redundant names.
    fn from_tree(mut tree: Tree) -> Self {
        tree.normalize();
        Self { tree, of: PhantomData }
    }
}

impl<T: Selectable> Selection<T> {
    /// Selects these fields. Without any, every field is selected, as in a request without a selection.
    #[must_use]
    pub fn from_fields(fields: impl IntoIterator<Item = Field<T>>) -> Self {
        let mut tree = Tree::default();
        for field in fields {
            tree.field(Cow::Borrowed(field.name), 0).merge(field.tree);
        }
        tree.is_whole = tree.fields.is_empty();
        insert_map_wildcards(&mut tree, FieldContent::Shape(T::SHAPE), 1);
        Self::from_tree(tree)
    }

    /// Parses a selection.
    ///
    /// # Errors
    /// Returns an error if the text does not follow the grammar, names an unknown field, or has more than
    /// [`MAX_DEPTH`] nested names or more than [`MAX_SELECTION_LENGTH`] bytes.
    pub fn parse(text: &str) -> Result<Self, SelectionError> {
        let tree = parse::parse(text)?;
        check::check(&tree, T::SHAPE)?;
        Ok(Self::from_tree(tree))
    }
}

/// Inserts `*` where typed fields go through a map: they name fields of its values, while a text names its keys.
fn insert_map_wildcards(tree: &mut Tree, place: FieldContent, depth: usize) {
    if depth > MAX_DEPTH {
        *tree = Tree::new(true);
    }
    if tree.is_whole {
        return;
    }
    match place {
        FieldContent::Leaf | FieldContent::Any => {}
        FieldContent::Shape(shape) => {
            for (name, member) in &mut tree.fields {
                insert_map_wildcards(member, shape.field(name).unwrap_or(FieldContent::Leaf), depth + 1);
            }
        }
        FieldContent::Map(inner) => {
            let mut values = std::mem::take(tree);
            insert_map_wildcards(&mut values, *inner, depth + 1);
            tree.fields.insert(Cow::Borrowed(WILDCARD), values);
        }
    }
}

/// Adds a field, such as the next page token or `meta/total`, to a selection that does not select it already. A selection of
/// some of its fields is enough. Nothing is added to an empty selection, since the response then has every field.
///
/// The name is also added to a text that does not follow the grammar: the server may reject it, and a server that does
/// not must return the field that the caller needs.
#[must_use]
pub fn include_field(selection: &str, member: &str) -> String {
    let selection = selection.trim_ascii();
    let selected = parse::parse_any_length(selection).is_ok_and(|mut tree| {
        tree.normalize();
        tree.contains(member)
    });
    if selected || selection.is_empty() { selection.to_owned() } else { format!("{selection},{member}") }
}

impl<T> Clone for Selection<T> {
    fn clone(&self) -> Self {
        Self { tree: self.tree.clone(), of: PhantomData }
    }
}

impl<T> fmt::Debug for Selection<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Selection({})", self.tree)
    }
}

impl<T> PartialEq for Selection<T> {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree
    }
}

impl<T> Eq for Selection<T> {}

impl<T> fmt::Display for Selection<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.tree, f)
    }
}

impl<T: Selectable> FromStr for Selection<T> {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Self, SelectionError> {
        Self::parse(text)
    }
}

impl<T: Selectable, const N: usize> From<[Field<T>; N]> for Selection<T> {
    fn from(fields: [Field<T>; N]) -> Self {
        Self::from_fields(fields)
    }
}

impl<T: Selectable> From<Vec<Field<T>>> for Selection<T> {
    fn from(fields: Vec<Field<T>>) -> Self {
        Self::from_fields(fields)
    }
}

impl<T: Selectable> From<Field<T>> for Selection<T> {
    fn from(field: Field<T>) -> Self {
        Self::from_fields([field])
    }
}

impl<T: Selectable, U> From<NestedField<T, U>> for Selection<T> {
    fn from(nested: NestedField<T, U>) -> Self {
        Self::from_fields([nested.all()])
    }
}

impl<T: Selectable, U, const N: usize> From<[NestedField<T, U>; N]> for Selection<T> {
    fn from(nested: [NestedField<T, U>; N]) -> Self {
        Self::from_fields(nested.map(NestedField::all))
    }
}
