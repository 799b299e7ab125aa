//! Fields of an error body.

use super::Profile;

/// Fields of an error body that describe an error. The body does not have those that are [`ErrorField::NONE`].
///
/// A field below a list has a value for each violation. A field without a list has a single value: that of the first
/// violation, or all messages joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorFields {
    /// Message.
    pub message: ErrorField,
    /// Kind of the error as a word.
    pub reason: ErrorField,
    /// Parameter, header or path of the field that the error refers to.
    pub location: ErrorField,
    /// Part of the request that the location names: `parameter` or `header`.
    pub location_type: ErrorField,
    /// Identifier of the violated rule.
    pub rule: ErrorField,
    /// Message of a single violation.
    pub violation_message: ErrorField,
    /// Domain of the reason: that of the profile.
    pub domain: ErrorField,
    /// Status as a number.
    pub code: ErrorField,
    /// Status as one of the words of `google.rpc.Code`, such as `NOT_FOUND`.
    pub status: ErrorField,
    /// Constant fields of the resources at these paths, with their values.
    pub constants: &'static [(ErrorField, &'static str)],
    /// Profile of the service, whose words these fields hold.
    pub profile: &'static Profile,
}

/// [`ErrorFields::NONE`].
impl Default for ErrorFields {
    fn default() -> Self {
        Self::NONE
    }
}

impl ErrorFields {
    /// Fields of a body without a description of the error.
    pub const NONE: Self = Self {
        message: ErrorField::NONE,
        reason: ErrorField::NONE,
        location: ErrorField::NONE,
        location_type: ErrorField::NONE,
        rule: ErrorField::NONE,
        violation_message: ErrorField::NONE,
        domain: ErrorField::NONE,
        code: ErrorField::NONE,
        status: ErrorField::NONE,
        constants: &[],
        profile: &Profile::STANDARD,
    };

    /// Fields for an API that declares none.
    pub const STANDARD: Self = Self {
        message: ErrorField::at(&[Step::member("error"), Step::member("message")]),
        reason: ErrorField::at(&[Step::member("error"), Step::list("errors"), Step::member("reason")]),
        location: ErrorField::at(&[Step::member("error"), Step::list("errors"), Step::member("location")]),
        location_type: ErrorField::at(&[Step::member("error"), Step::list("errors"), Step::member("locationType")]),
        violation_message: ErrorField::at(&[Step::member("error"), Step::list("errors"), Step::member("message")]),
        domain: ErrorField::at(&[Step::member("error"), Step::list("errors"), Step::member("domain")]),
        code: ErrorField::at(&[Step::member("error"), Step::member("code")]),
        status: ErrorField::at(&[Step::member("error"), Step::member("status")]),
        ..Self::NONE
    };
}

/// Field of an error body, with its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorField {
    /// Steps of the path to the member, its own last. Empty if there is no such member.
    pub path: &'static [Step],
    /// Words that it can hold. Empty if it can hold any text.
    pub values: &'static [&'static str],
}

/// Step of the path of an error field: a member of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Name on the wire.
    pub name: &'static str,
    /// True if the member is a list, through whose elements the path continues.
    pub is_list: bool,
    /// True if its object must have it.
    pub is_required: bool,
}

impl Step {
    /// Creates a step to an optional member on the path of an error field; the member is not a list.
    #[must_use]
    pub const fn member(name: &'static str) -> Self {
        Self { name, is_list: false, is_required: false }
    }

    /// Creates a step through the elements of an optional list, on the path of an error field.
    #[must_use]
    pub const fn list(name: &'static str) -> Self {
        Self { is_list: true, ..Self::member(name) }
    }

    /// Makes the member of the step required.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }
}

impl ErrorField {
    /// Description of a field that the error body does not have.
    pub const NONE: Self = Self::at(&[]);

    /// Creates an error field with its path.
    #[must_use]
    pub const fn at(path: &'static [Step]) -> Self {
        Self { path, values: &[] }
    }

    /// Sets the texts that it can hold.
    #[must_use]
    pub const fn with_values(mut self, words: &'static [&'static str]) -> Self {
        self.values = words;
        self
    }

    /// Returns whether the body has no such member.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.path.is_empty()
    }

    /// Returns whether it has a value for each violation.
    #[must_use]
    pub fn is_per_violation(&self) -> bool {
        self.list().is_some()
    }

    /// Returns the path to the outermost list, which has an element for each violation.
    #[must_use]
    pub fn list(&self) -> Option<&'static [Step]> {
        let index = self.path.iter().position(|step| step.is_list)?;
        self.path.get(..=index)
    }

    /// Returns whether its object must have it.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.path.last().is_some_and(|own| own.is_required)
    }

    /// Returns whether a word of the library can be written: its type has the word, or the field is required.
    #[must_use]
    pub fn accepts(&self, word: &str) -> bool {
        self.is_required() || self.values.is_empty() || self.values.contains(&word)
    }
}
