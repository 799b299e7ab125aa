//! Shapes: the names that a selection of a resource can contain, as generated code states them.

use crate::Object;

/// Fields of a resource, and their contents.
#[derive(Debug)]
pub struct Shape {
    /// Name of the resource in the schema.
    pub name: &'static str,
    /// Wire names of the fields.
    pub members: &'static [&'static str],
    /// Contents of fields that are not leaves: the index of a field in [`members`](Self::members), and its content.
    /// Lists do not appear: a path goes through them to their elements. An entry with the index after the last field
    /// describes additional fields, if the resource can have any.
    pub inner: &'static [(usize, Inner)],
    /// Aliases of fields, each with the name in [`members`](Self::members).
    pub aliases: &'static [(&'static str, &'static str)],
    /// Fields that a server drops from the body of a request: the index of each in [`members`](Self::members), and the
    /// ids of the operations that accept it.
    pub dropped: &'static [(usize, &'static [&'static str])],
}

/// Content of a field, an element of a list or a value of a map.
#[derive(Clone, Copy, Debug)]
pub enum Inner {
    /// Value without fields.
    Leaf,
    /// Resource. Use the static itself rather than [`Selectable::SHAPE`]: constants of recursive shapes do not compile,
    /// statics do.
    Shape(&'static Shape),
    /// Map with any keys.
    Map(&'static Inner),
    /// Any JSON: every path below it is valid.
    Any,
}

impl Shape {
    /// Creates a shape from the name of a resource and the wire names of its fields, which are leaves.
    #[must_use]
    pub const fn new(name: &'static str, members: &'static [&'static str]) -> Self {
        Self { name, members, inner: &[], aliases: &[], dropped: &[] }
    }

    /// Creates the shape of a type that is an object on the wire, with fields that are leaves.
    #[must_use]
    pub const fn of<T: Object>() -> Self {
        Self { aliases: T::ALIASES, ..Self::new(T::NAME, T::MEMBERS) }
    }

    /// Sets the contents of fields that are not leaves, by their indices.
    #[must_use]
    pub const fn holding(self, inner: &'static [(usize, Inner)]) -> Self {
        Self { inner, ..self }
    }

    /// Sets the fields that a server drops from requests, by their indices, each with the operations that accept it.
    #[must_use]
    pub const fn dropping(self, dropped: &'static [(usize, &'static [&'static str])]) -> Self {
        Self { dropped, ..self }
    }

    /// Returns the wire name of the field with this name or alias.
    #[must_use]
    pub fn canonical(&self, name: &str) -> Option<&'static str> {
        let alias = || self.aliases.iter().find(|(alias, _)| *alias == name).map(|(_, member)| *member);
        self.members.iter().find(|member| **member == name).copied().or_else(alias)
    }

    /// Returns whether a server drops the field with this wire name from the body of a request to the operation.
    #[must_use]
    pub fn is_dropped(&self, member: &str, operation: &str) -> bool {
        let is = |(at, accepted_by): &&(usize, &[&str])| {
            self.members.get(*at).is_some_and(|name| *name == member) && !accepted_by.contains(&operation)
        };
        self.dropped.iter().any(|dropped| is(&dropped))
    }

    /// Returns the content of the field at an index.
    pub(super) fn inner(&self, index: usize) -> Inner {
        self.inner.iter().find(|(at, _)| *at == index).map_or(Inner::Leaf, |(_, inner)| *inner)
    }

    /// Returns the content of the field with this name, or of additional fields if there may be any.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Inner> {
        match self.members.iter().position(|member| *member == name) {
            Some(index) => Some(self.inner(index)),
            None => self.rest(),
        }
    }

    /// Returns the content of additional fields, if there may be any.
    pub(super) fn rest(&self) -> Option<Inner> {
        let rest_index = self.members.len();
        self.inner.iter().find(|(at, _)| *at == rest_index).map(|(_, inner)| *inner)
    }

    /// Returns whether a named field is a leaf.
    pub(super) fn has_leaf(&self) -> bool {
        self.inner.iter().filter(|(at, _)| *at < self.members.len()).count() < self.members.len()
    }
}

/// Resource whose fields can be selected. Generated code implements it.
pub trait Selectable {
    /// Shape of the resource.
    const SHAPE: &'static Shape;
}
