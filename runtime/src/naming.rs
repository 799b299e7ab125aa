//! Namings of an API. A schema may define aliases of a path, a parameter, a scope or a value; the first alias is the
//! name that the public service uses.

use std::cell::Cell;

use crate::scoped::with_value;

/// Naming that is written. Both are always accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Naming {
    /// Names of the specification, and so of the schema.
    #[default]
    Specification,
    /// Names of the public service: the first alias, if there is one.
    Public,
}

/// Name in the schema with its aliases, of which the first is the name of the public service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AliasedName {
    /// Name in the schema.
    pub name: &'static str,
    /// Aliases, starting with the name of the public service.
    pub aliases: &'static [&'static str],
}

impl AliasedName {
    /// Creates a name without aliases.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, aliases: &[] }
    }

    /// Returns the name in a naming.
    #[must_use]
    pub fn name_in(&self, naming: Naming) -> &'static str {
        match (naming, self.aliases) {
            (Naming::Public, [public, ..]) => public,
            _ => self.name,
        }
    }

    /// Returns the name and its aliases.
    pub fn spellings(self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Returns whether the text is the name or an alias.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        self.name == text || self.aliases.contains(&text)
    }
}

thread_local! {
    static CURRENT: Cell<Naming> = const { Cell::new(Naming::Specification) };
}

/// Calls `write`, during which values are encoded on this thread with `naming`.
///
/// serde does not pass a context to the implementations of `Serialize`, and a separate serializer would double the code
/// of every type. So the naming is thread-local.
pub fn with_naming<T>(naming: Naming, write: impl FnOnce() -> T) -> T {
    with_value(&CURRENT, naming, write)
}

/// Returns the naming in which this thread encodes values: the specification's or the public service's.
#[must_use]
pub fn current_naming() -> Naming {
    CURRENT.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn naming_is_restored_after_its_scope() {
        let name = AliasedName { name: "maxAttendee", aliases: &["maxAttendees", "other"] };
        assert_eq!(name.name_in(current_naming()), "maxAttendee");
        let inside = with_naming(Naming::Public, || {
            with_naming(Naming::Specification, || assert_eq!(name.name_in(current_naming()), "maxAttendee"));
            name.name_in(current_naming())
        });
        assert_eq!(inside, "maxAttendees");
        assert_eq!(current_naming(), Naming::Specification);
        assert_eq!(AliasedName::new("q").name_in(Naming::Public), "q");
        assert!(name.matches("other") && name.matches("maxAttendee") && !name.matches("q"));
    }
}
