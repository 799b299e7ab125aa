//! Error bodies: written and read by the fields that an API declares for them, never by names of the library.
//!
//! | topic | items |
//! |---|---|
//! | content of an error, regardless of the names of its fields | [`ErrorReport`], [`ErrorDetail`] |
//! | fields of an error body | [`ErrorFields`](crate::operation::ErrorFields) |
//!
//! A server and the mock of a client write with [`ErrorReport::write`], and a client reads with [`ErrorReport::read`].

mod read;
mod write;

pub use write::rpc_code_name;

/// Error as its body describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorReport {
    /// Message.
    pub message: Option<String>,
    /// Kind of the error as a word.
    pub reason: Option<String>,
    /// Parameter, header or path of the field that the error refers to.
    pub location: Option<String>,
    /// Part of the request that the location names: `parameter` or `header`.
    pub location_type: Option<String>,
    /// Details, one for each violation.
    pub details: Vec<ErrorDetail>,
    /// Number of violations without a detail.
    pub omitted: usize,
}

impl ErrorReport {
    /// Creates a report that has only a message.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), ..Self::default() }
    }
}

/// Detail of an error, such as a single violation. Fields that the body does not have are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorDetail {
    /// Message of the violation.
    pub message: Option<String>,
    /// Kind of the error as a word.
    pub reason: Option<String>,
    /// Identifier of the violated rule, such as `required` or `event.one_identifier`.
    pub rule: Option<String>,
    /// Parameter, header or path of the field that the error refers to.
    pub location: Option<String>,
    /// Part of the request that the location names: `parameter` or `header`.
    pub location_type: Option<String>,
}

impl ErrorDetail {
    /// Creates an empty detail.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the message of the violation.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Sets the kind of the error as a word.
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Sets the identifier of the violated rule.
    #[must_use]
    pub fn with_rule(mut self, rule: impl Into<String>) -> Self {
        self.rule = Some(rule.into());
        self
    }

    /// Sets the parameter, header or path of the field that the error refers to.
    #[must_use]
    pub fn with_location(mut self, location: impl Into<String>) -> Self {
        self.location = Some(location.into());
        self
    }

    /// Sets the part of the request that the location names.
    #[must_use]
    pub fn with_location_type(mut self, location_type: impl Into<String>) -> Self {
        self.location_type = Some(location_type.into());
        self
    }
}

#[cfg(test)]
mod tests;
