//! A selection whose resource is known by its members alone, ready to filter what is written.

use std::fmt;

use serde::Serialize;

use super::error::SelectionError;
use super::shape::{Selectable, Shape};
use super::{Selection, check, filter, parse, settle};
use crate::json::EncodeError;

/// Which members of a resource an answer has: a [`Selection`] without its type, held against the members of the
/// resource once and ready to be used again and again.
///
/// What is not selected is not looked at: neither is it written and taken out again, nor is a tree of values made of
/// what is written. An object of which nothing is selected is left out where its type says so beforehand, and empty
/// where that depends on the value, as `attendees(email)` makes `{}` of an attendee without an address. In a member
/// that holds any JSON, a value that has no members is left out where members of it are selected.
pub struct AnySelection {
    shape: &'static Shape,
    node: settle::Node,
}

impl AnySelection {
    /// Reads a selection of these members.
    ///
    /// # Errors
    /// Returns the errors of [`Selection::parse`], and when it selects more members than
    /// [`MAX_MEMBERS`](super::MAX_MEMBERS) of a resource: `*` below `*` can stand for a great many.
    pub fn parse(text: &str, shape: &'static Shape) -> Result<Self, SelectionError> {
        let mut tree = parse::parse(text)?;
        check::check(&tree, shape)?;
        tree.settle();
        Ok(Self { shape, node: settle::settle(&tree, shape)? })
    }

    /// Returns the resource.
    #[must_use]
    pub const fn shape(&self) -> &'static Shape {
        self.shape
    }

    /// Returns whether something of the member at the end of that path is selected: all of it, or members of it. The
    /// names of the path stand apart by slashes; lists do not show. So a caller finds out whether what is expensive to
    /// get is wanted at all.
    #[must_use]
    pub fn selects(&self, path: &str) -> bool {
        let mut node = &self.node;
        for name in path.split('/') {
            if node.is_whole() {
                return true;
            }
            let Some(member) = node.member(name) else { return false };
            node = member;
        }
        true
    }

    /// Writes the selected members of a value as compact JSON text. A value that is no object and no list of them
    /// becomes `null`.
    ///
    /// # Errors
    /// Returns the errors of [`json::to_vec`](crate::json::to_vec); and when the value is written as an enum's variant
    /// with members, which no type of a schema is.
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, EncodeError> {
        filter::to_vec(&self.node, value)
    }
}

impl fmt::Debug for AnySelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnySelection({}: {:?})", self.shape.name, self.node)
    }
}

impl<T: Selectable> TryFrom<&Selection<T>> for AnySelection {
    type Error = SelectionError;

    /// Forgets the type.
    ///
    /// # Errors
    /// Returns an error if it selects too many members; see [`AnySelection::parse`].
    fn try_from(selection: &Selection<T>) -> Result<Self, SelectionError> {
        Ok(Self { shape: T::SHAPE, node: settle::settle(&selection.tree, T::SHAPE)? })
    }
}
