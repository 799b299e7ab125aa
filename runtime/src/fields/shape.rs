//! What a selection may name: facts about resources that generated code states.

use crate::Object;

/// The members of a resource, and what is below them.
#[derive(Debug)]
pub struct Shape {
    /// The name of the resource, as the schema gives it.
    pub name: &'static str,
    /// The wire names of its members.
    pub members: &'static [&'static str],
    /// What the members hold that are no leaves: the place of a member in [`members`](Self::members), and what
    /// it holds. Lists do not show: a path goes through them to their elements. At the place behind the last one
    /// stands what members beside the named ones hold, where there may be such.
    pub inner: &'static [(usize, Inner)],
    /// The further names under which members are read, each with the name in [`members`](Self::members).
    pub aliases: &'static [(&'static str, &'static str)],
    /// The members that a server drops from the body of a request: the place of each in [`members`](Self::members),
    /// and the ids of the operations that take it.
    pub dropped: &'static [(usize, &'static [&'static str])],
}

/// What a member, an element of a list or a value of a map holds.
#[derive(Clone, Copy, Debug)]
pub enum Inner {
    /// Nothing that has members.
    Leaf,
    /// A resource. Name the static itself rather than [`Selectable::SHAPE`]: where shapes lead back to
    /// themselves, constants that need each other do not compile, and statics do.
    Shape(&'static Shape),
    /// A map, with any keys.
    Map(&'static Inner),
    /// Any JSON: every path below it is fine.
    Any,
}

impl Shape {
    /// Creates a shape from the name of a resource and the wire names of its members, which are leaves.
    #[must_use]
    pub const fn new(name: &'static str, members: &'static [&'static str]) -> Self {
        Self { name, members, inner: &[], aliases: &[], dropped: &[] }
    }

    /// Creates the shape of a type that is an object on the wire, and whose members are leaves.
    #[must_use]
    pub const fn of<T: Object>() -> Self {
        Self { aliases: T::ALIASES, ..Self::new(T::NAME, T::MEMBERS) }
    }

    /// Returns the same with these members that are no leaves, by their places among all.
    #[must_use]
    pub const fn holding(self, inner: &'static [(usize, Inner)]) -> Self {
        Self { inner, ..self }
    }

    /// Returns the same with these members that a server drops from requests, by their places among all, each with the
    /// operations that take it.
    #[must_use]
    pub const fn dropping(self, dropped: &'static [(usize, &'static [&'static str])]) -> Self {
        Self { dropped, ..self }
    }

    /// Returns the wire name of the member that is read under a name.
    #[must_use]
    pub fn canonical(&self, name: &str) -> Option<&'static str> {
        let alias = || self.aliases.iter().find(|(alias, _)| *alias == name).map(|(_, member)| *member);
        self.members.iter().find(|member| **member == name).copied().or_else(alias)
    }

    /// Returns whether a server drops the member of that wire name from the body of a request to the operation.
    #[must_use]
    pub fn is_dropped(&self, member: &str, operation: &str) -> bool {
        let is = |(at, taken): &&(usize, &[&str])| {
            self.members.get(*at).is_some_and(|name| *name == member) && !taken.contains(&operation)
        };
        self.dropped.iter().any(|dropped| is(&dropped))
    }

    /// What the member at that place holds.
    pub(super) fn inner(&self, index: usize) -> Inner {
        self.inner.iter().find(|(at, _)| *at == index).map_or(Inner::Leaf, |(_, inner)| *inner)
    }

    /// What the member of that name holds, if there is one or may be one.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Inner> {
        match self.members.iter().position(|member| *member == name) {
            Some(index) => Some(self.inner(index)),
            None => self.rest(),
        }
    }

    /// What members beside the named ones hold, where there may be such.
    pub(super) fn rest(&self) -> Option<Inner> {
        let behind = self.members.len();
        self.inner.iter().find(|(at, _)| *at == behind).map(|(_, inner)| *inner)
    }

    /// Returns whether a named member has nothing below it.
    pub(super) fn has_leaf(&self) -> bool {
        self.inner.iter().filter(|(at, _)| *at < self.members.len()).count() < self.members.len()
    }
}

/// A resource whose members can be selected. Generated code implements it.
pub trait Selectable {
    /// Its members.
    const SHAPE: &'static Shape;
}
