//! Location of an error.

use std::borrow::Cow;

/// Location of the error within the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorLocation {
    /// Parameter with a name.
    Parameter(Cow<'static, str>),
    /// Header with a name.
    Header(Cow<'static, str>),
    /// Field of the body with a path.
    Field(Cow<'static, str>),
}
