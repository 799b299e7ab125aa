//! Which of two vocabularies is spoken. A schema may know a second spelling of a path, a parameter, a scope or a
//! value; the first of those is the one that the public service uses.

use std::cell::Cell;

/// Which spelling is written. Both are always read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Names {
    /// As the specification, and so the schema, spells it.
    #[default]
    Specification,
    /// As the public service spells it: the first alias, where there is one.
    Public,
}

/// A name that may have further spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// As the schema spells it.
    pub name: &'static str,
    /// The other spellings, that of the public service first.
    pub aliases: &'static [&'static str],
}

impl Spelling {
    /// Creates a name without another spelling.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, aliases: &[] }
    }

    /// Returns the spelling to write.
    #[must_use]
    pub fn spelled(&self, names: Names) -> &'static str {
        match (names, self.aliases) {
            (Names::Public, [public, ..]) => public,
            _ => self.name,
        }
    }

    /// Returns whether the text is one of the spellings.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.name == text || self.aliases.contains(&text)
    }
}

thread_local! {
    static SPOKEN: Cell<Names> = const { Cell::new(Names::Specification) };
}

/// Runs `write` so that everything it encodes on this thread is spelled as `names` says.
///
/// Encoding is far from where a client or a server knows what its peer speaks, and serde passes nothing through;
/// a serializer of its own would double the code of every type. So the choice stands beside the stack.
pub fn spelled<T>(names: Names, write: impl FnOnce() -> T) -> T {
    struct Restore(Names);
    impl Drop for Restore {
        fn drop(&mut self) {
            SPOKEN.set(self.0);
        }
    }
    let _restore = Restore(SPOKEN.replace(names));
    write()
}

/// What is spoken on this thread now.
#[must_use]
pub fn spoken() -> Names {
    SPOKEN.get()
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
