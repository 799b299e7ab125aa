//! Reason of an error.

use std::borrow::Cow;

use wireform_runtime::operation::{ReasonCase, Reasons};

/// Reason of an error.
#[derive(Clone, Debug)]
pub(crate) enum Reason {
    /// Reason set by the service.
    Custom(Cow<'static, str>),
    /// Case whose reason the schema may define.
    Case(ReasonCase),
}

impl Reason {
    /// Returns the reason that is sent.
    pub(crate) fn as_str<'r>(&'r self, reasons: &Reasons) -> &'r str {
        match self {
            Self::Custom(word) => word,
            Self::Case(case) => reasons.for_case(*case),
        }
    }
}
