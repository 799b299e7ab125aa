//! Members of an error body.

use super::Profile;

/// Members of an error body that describe an error. The body does not have those that are [`ErrorMember::NONE`].
///
/// A member below a list has a value for each violation. A member without a list has a single value: that of the first
/// violation, or all messages joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorMembers {
    /// Message.
    pub message: ErrorMember,
    /// Kind of the error as a word.
    pub reason: ErrorMember,
    /// Parameter, header or path of the field that the error refers to.
    pub location: ErrorMember,
    /// Part of the request that the location names: `parameter` or `header`.
    pub location_type: ErrorMember,
    /// Identifier of the violated rule.
    pub rule: ErrorMember,
    /// Message of a single violation.
    pub violation_message: ErrorMember,
    /// Domain of the reason: that of the profile.
    pub domain: ErrorMember,
    /// Status as a number.
    pub code: ErrorMember,
    /// Status as one of the words of `google.rpc.Code`, such as `NOT_FOUND`.
    pub status: ErrorMember,
    /// Constant fields of the resources at these paths, with their values.
    pub kinds: &'static [(ErrorMember, &'static str)],
    /// Words that these members hold.
    pub profile: &'static Profile,
}

/// [`ErrorMembers::NONE`].
impl Default for ErrorMembers {
    fn default() -> Self {
        Self::NONE
    }
}

impl ErrorMembers {
    /// Members of a body without a description of the error.
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

    /// Members for an API that declares none.
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

/// Member of an error body, with its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorMember {
    /// Names on the path to the member, its own last. Empty if there is no such member.
    pub path: &'static [&'static str],
    /// Indices of the names that hold lists.
    pub lists: &'static [usize],
    /// Words that it can hold. Empty if it can hold any text.
    pub words: &'static [&'static str],
    /// Indices of the names that are required in their objects.
    pub required: &'static [usize],
}

impl ErrorMember {
    /// Absent member.
    pub const NONE: Self = Self::at(&[]);

    /// Creates a member with a path that contains no list.
    #[must_use]
    pub const fn at(path: &'static [&'static str]) -> Self {
        Self::in_lists(path, &[])
    }

    /// Creates a member with a path of which the names with these indices hold lists.
    #[must_use]
    pub const fn in_lists(path: &'static [&'static str], lists: &'static [usize]) -> Self {
        Self { path, lists, words: &[], required: &[] }
    }

    /// Sets the words that it can hold.
    #[must_use]
    pub const fn with_words(mut self, words: &'static [&'static str]) -> Self {
        self.words = words;
        self
    }

    /// Sets the indices of required names.
    #[must_use]
    pub const fn with_required(mut self, required: &'static [usize]) -> Self {
        self.required = required;
        self
    }

    /// Returns whether the body has no such field.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.path.is_empty()
    }

    /// Returns whether it has a value for each violation.
    #[must_use]
    pub const fn is_listed(&self) -> bool {
        !self.lists.is_empty()
    }

    /// Returns whether its object must have it.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.path.len().checked_sub(1).is_some_and(|own| self.required.contains(&own))
    }

    /// Returns whether a word of the library can be written: its type has the word, or the member is required.
    #[must_use]
    pub fn takes(&self, word: &str) -> bool {
        self.is_required() || self.words.is_empty() || self.words.contains(&word)
    }
}
