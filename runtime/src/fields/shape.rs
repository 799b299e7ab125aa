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
    /// it holds. Lists do not show: a path goes through them to their elements.
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

    /// What the member of that name holds, if there is one.
    pub(super) fn member(&self, name: &str) -> Option<Inner> {
        let index = self.members.iter().position(|member| *member == name)?;
        Some(self.inner(index))
    }
}

/// A resource whose members can be selected. Generated code implements it.
pub trait Selectable {
    /// Its members.
    const SHAPE: &'static Shape;
}
