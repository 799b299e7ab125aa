//! Where the body of an error says what.

use super::Profile;

/// The members of an error body that say what went wrong. Those that are [`ErrorMember::NONE`] the body does not have.
///
/// A member below a list has a value for each violation. Without a list on the way there is one value: of several
/// violations the first, and of messages all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorMembers {
    /// The error in words.
    pub message: ErrorMember,
    /// The kind of error as a word.
    pub reason: ErrorMember,
    /// The parameter or header at fault, or the path of the field.
    pub location: ErrorMember,
    /// The part of the request that the location names: `parameter` or `header`.
    pub location_type: ErrorMember,
    /// The identifier of the violated rule.
    pub rule: ErrorMember,
    /// A single violation in words.
    pub violation_message: ErrorMember,
    /// The part of the service to which the reason belongs: that of the profile.
    pub domain: ErrorMember,
    /// The status as a number.
    pub code: ErrorMember,
    /// The status as one of the words of `google.rpc.Code`, such as `NOT_FOUND`.
    pub status: ErrorMember,
    /// The constant fields of the resources on these ways, with their values.
    pub kinds: &'static [(ErrorMember, &'static str)],
    /// The words that these members hold.
    pub profile: &'static Profile,
}

/// [`ErrorMembers::NONE`].
impl Default for ErrorMembers {
    fn default() -> Self {
        Self::NONE
    }
}

impl ErrorMembers {
    /// The members of a body that says nothing.
    pub const NONE: Self = Self {
        message: ErrorMember::NONE,
        reason: ErrorMember::NONE,
        location: ErrorMember::NONE,
        location_type: ErrorMember::NONE,
        rule: ErrorMember::NONE,
        violation_message: ErrorMember::NONE,
        domain: ErrorMember::NONE,
        code: ErrorMember::NONE,
        status: ErrorMember::NONE,
        kinds: &[],
        profile: &Profile::STANDARD,
    };

    /// The members of the errors of an API that declares none.
    pub const STANDARD: Self = Self {
        message: ErrorMember::at(&["error", "message"]),
        reason: ErrorMember::in_lists(&["error", "errors", "reason"], &[1]),
        location: ErrorMember::in_lists(&["error", "errors", "location"], &[1]),
        location_type: ErrorMember::in_lists(&["error", "errors", "locationType"], &[1]),
        violation_message: ErrorMember::in_lists(&["error", "errors", "message"], &[1]),
        domain: ErrorMember::in_lists(&["error", "errors", "domain"], &[1]),
        code: ErrorMember::at(&["error", "code"]),
        status: ErrorMember::at(&["error", "status"]),
        ..Self::NONE
    };
}

/// A member of an error body, and the way to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorMember {
    /// The names on the way to it, its own last. Empty where there is no such member.
    pub path: &'static [&'static str],
    /// Which of these names hold lists, by index.
    pub lists: &'static [usize],
    /// The words that it can hold. Empty where it can hold any text.
    pub words: &'static [&'static str],
    /// Which of these names the objects that hold them must have, by index.
    pub required: &'static [usize],
}

impl ErrorMember {
    /// No member.
    pub const NONE: Self = Self::at(&[]);

    /// Creates the member at the end of these names, none of which holds a list.
    #[must_use]
    pub const fn at(path: &'static [&'static str]) -> Self {
        Self::in_lists(path, &[])
    }

    /// Creates the member at the end of these names, of which those with these indexes hold lists.
    #[must_use]
    pub const fn in_lists(path: &'static [&'static str], lists: &'static [usize]) -> Self {
        Self { path, lists, words: &[], required: &[] }
    }

    /// Adds the words that it can hold.
    #[must_use]
    pub const fn with_words(mut self, words: &'static [&'static str]) -> Self {
        self.words = words;
        self
    }

    /// Adds which of the names are required.
    #[must_use]
    pub const fn with_required(mut self, required: &'static [usize]) -> Self {
        self.required = required;
        self
    }

    /// Returns whether the body has no such member.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.path.is_empty()
    }

    /// Returns whether it has a value for each violation.
    #[must_use]
    pub const fn is_listed(&self) -> bool {
        !self.lists.is_empty()
    }

    /// Returns whether the object around it must have it.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.path.len().checked_sub(1).is_some_and(|own| self.required.contains(&own))
    }

    /// Returns whether a word that the library chose can be written: its type has the word, or it must hold one.
    #[must_use]
    pub fn takes(&self, word: &str) -> bool {
        self.is_required() || self.words.is_empty() || self.words.contains(&word)
    }
}
