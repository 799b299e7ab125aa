//! Untyped selection, compiled to filter responses.

use std::fmt;

use serde::Serialize;

use super::error::SelectionError;
use super::shape::{Selectable, Shape};
use super::{Selection, check, compile, filter, parse};
use crate::json::EncodeError;

/// Selection of the fields of a resource in a response: a [`Selection`] without its type, compiled once against the
/// shape of the resource.
///
/// Fields that are not selected are never serialized, and no intermediate tree of values is built. An object of which
/// nothing is selected is omitted where its type alone determines that, and empty where that depends on the value, as
/// `attendees(email)` makes `{}` of an attendee without an email address. In a field that holds any JSON, a value
/// without fields is omitted if fields of it are selected.
pub struct AnySelection {
    shape: &'static Shape,
    node: compile::Node,
}

impl AnySelection {
    /// Parses a selection of the fields of `shape`.
    ///
    /// # Errors
    /// Returns the errors of [`Selection::parse`], or an error if it selects more fields than
    /// [`MAX_SELECTED_FIELDS`](super::MAX_SELECTED_FIELDS) of a resource: nested `*` can stand for a great many.
    pub fn parse(text: &str, shape: &'static Shape) -> Result<Self, SelectionError> {
        let mut tree = parse::parse(text)?;
        check::check(&tree, shape)?;
        tree.normalize();
        Ok(Self { shape, node: compile::compile(&tree, shape)? })
    }

    /// Returns the shape of the resource.
    #[must_use]
    pub const fn shape(&self) -> &'static Shape {
        self.shape
    }

    /// Returns whether the field at this path is selected, completely or in part. The names of the path are separated
    /// by slashes; lists do not appear in it. So a caller can skip fields that are expensive to compute.
    #[must_use]
    pub fn selects(&self, path: &str) -> bool {
        let mut node = &self.node;
        for name in path.split('/') {
            if node.is_whole() {
                return true;
            }
            let Some(member) = node.field(name) else { return false };
            node = member;
        }
        true
    }

    /// Serializes the selected fields of a value as compact JSON text. Unless everything is selected, a scalar becomes
    /// `null`, and scalars in a list are omitted.
    ///
    /// # Errors
    /// Returns the errors of [`json::to_vec`](crate::json::to_vec), or an error if the value serializes as an enum
    /// variant with fields, which no type of a schema does.
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

    /// Removes the type.
    ///
    /// # Errors
    /// Returns an error if it selects too many fields; see [`AnySelection::parse`].
    fn try_from(selection: &Selection<T>) -> Result<Self, SelectionError> {
        Ok(Self { shape: T::SHAPE, node: compile::compile(&selection.tree, T::SHAPE)? })
    }
}
