//! Shapes: the names that a selection of a resource can contain, as generated code states them.

use crate::Object;

/// Fields of a resource, and their contents.
#[derive(Debug)]
pub struct Shape {
    /// Name of the resource in the schema.
    pub name: &'static str,
    /// Wire names of the fields.
    pub members: &'static [&'static str],
    /// Contents of members that are not leaves, by the names in [`members`](Self::members). Lists do not appear: a path
    /// goes through them to their elements.
    pub inner: &'static [(&'static str, Inner)],
    /// Content of additional members, if the resource can have any.
    pub rest: Option<Inner>,
    /// Aliases of members, each with the name in [`members`](Self::members).
    pub aliases: &'static [(&'static str, &'static str)],
    /// Members that a server drops from the body of a request, by the names in [`members`](Self::members), and the ids
    /// of the operations that accept each.
    pub dropped: &'static [(&'static str, &'static [&'static str])],
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
        Self { name, members, inner: &[], rest: None, aliases: &[], dropped: &[] }
    }

    /// Creates the shape of a type that is an object on the wire, with fields that are leaves.
    #[must_use]
    pub const fn of<T: Object>() -> Self {
        Self { aliases: T::ALIASES, ..Self::new(T::NAME, T::MEMBERS) }
    }

    /// Sets the contents of members that are not leaves, by their names.
    #[must_use]
    pub const fn holding(self, inner: &'static [(&'static str, Inner)]) -> Self {
        Self { inner, ..self }
    }

    /// Sets the content of additional members.
    #[must_use]
    pub const fn with_rest(self, rest: Inner) -> Self {
        Self { rest: Some(rest), ..self }
    }

    /// Sets the members that a server drops from requests, by their names, each with the operations that accept it.
    #[must_use]
    pub const fn dropping(self, dropped: &'static [(&'static str, &'static [&'static str])]) -> Self {
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
        self.dropped.iter().any(|(name, accepted_by)| *name == member && !accepted_by.contains(&operation))
    }

    /// Returns the content of a member by its name in [`members`](Self::members).
    pub(super) fn inner(&self, member: &str) -> Inner {
        self.inner.iter().find(|(name, _)| *name == member).map_or(Inner::Leaf, |(_, inner)| *inner)
    }

    /// Returns the content of the field with this name, or of additional fields if there may be any.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Inner> {
        if self.members.contains(&name) { Some(self.inner(name)) } else { self.rest }
    }

    /// Returns whether a named field is a leaf.
    pub(super) fn has_leaf(&self) -> bool {
        self.inner.len() < self.members.len()
    }
}

/// Resource whose fields can be selected. Generated code implements it.
pub trait Selectable {
    /// Shape of the resource.
    const SHAPE: &'static Shape;
}
