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
    /// The shape of a type that is an object on the wire, and whose members are leaves.
    #[must_use]
    pub const fn of<T: Object>() -> Self {
        Self { name: T::NAME, members: T::MEMBERS, inner: &[] }
    }

    /// The same with these members that are no leaves, by their places among all.
    #[must_use]
    pub const fn holding(self, inner: &'static [(usize, Inner)]) -> Self {
        Self { inner, ..self }
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

    /// Whether a named member has nothing below it.
    pub(super) fn has_leaf(&self) -> bool {
        self.inner.iter().filter(|(at, _)| *at < self.members.len()).count() < self.members.len()
    }
}

/// A resource whose members can be selected. Generated code implements it.
pub trait Selectable {
    /// Its members.
    const SHAPE: &'static Shape;
}
