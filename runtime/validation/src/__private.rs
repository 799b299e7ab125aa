//! Items that generated crates, their macros and the other runtime crates use. Not covered by semantic versioning: use
//! the items at the root of the crate.

pub use crate::at::At;
pub use crate::checked::Checked;
pub use crate::checker::{Absent, Checker, Number};
pub use crate::context::NO_OPERATION;
pub use crate::patched::check_patched;
pub use crate::rule::Rule;
pub use crate::shapes::{Source, Sources};
pub use crate::unread::Unread;
pub use crate::validates::{Validates, check_as};

pub mod cel {
    //! Functions of CEL conditions.
    pub use crate::cel::*;
}

pub mod formats {
    //! Formats of texts.
    pub use crate::formats::*;
}

pub mod pattern {
    //! Patterns of texts, as state tables.
    pub use crate::pattern::*;
}
