//! Namings of an API. A schema may define aliases of a path, a parameter, a scope or a value; the first alias is the
//! name that the public service uses.

use std::cell::Cell;

/// Naming that is written. Both are always accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Names {
    /// Names of the specification, and so of the schema.
    #[default]
    Specification,
    /// Names of the public service: the first alias, if there is one.
    Public,
}

/// Name that may have aliases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// Name in the schema.
    pub name: &'static str,
    /// Aliases, starting with the name of the public service.
    pub aliases: &'static [&'static str],
}

impl Spelling {
    /// Creates a name without aliases.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, aliases: &[] }
    }

    /// Returns the name in a naming.
    #[must_use]
    pub fn spelled(&self, names: Names) -> &'static str {
        match (names, self.aliases) {
            (Names::Public, [public, ..]) => public,
            _ => self.name,
        }
    }

    /// Returns whether the text is the name or an alias.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.name == text || self.aliases.contains(&text)
    }
}

thread_local! {
    static CURRENT: Cell<Names> = const { Cell::new(Names::Specification) };
}

/// Calls `write`, during which values are encoded on this thread with `names`.
///
/// serde does not pass a context to the implementations of `Serialize`, and a separate serializer would double the code
/// of every type. So the naming is thread-local.
pub fn spelled<T>(names: Names, write: impl FnOnce() -> T) -> T {
    struct Restore(Names);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(names));
    write()
}

/// Returns the current naming of this thread.
#[must_use]
pub fn spoken() -> Names {
    CURRENT.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_ends_with_its_scope() {
        let name = Spelling { name: "maxAttendee", aliases: &["maxAttendees", "other"] };
        assert_eq!(name.spelled(spoken()), "maxAttendee");
        let inside = spelled(Names::Public, || {
            spelled(Names::Specification, || assert_eq!(name.spelled(spoken()), "maxAttendee"));
            name.spelled(spoken())
        });
        assert_eq!(inside, "maxAttendees");
        assert_eq!(spoken(), Names::Specification);
        assert_eq!(Spelling::new("q").spelled(Names::Public), "q");
        assert!(name.is("other") && name.is("maxAttendee") && !name.is("q"));
    }
}
