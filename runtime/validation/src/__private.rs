//! Items that generated crates, their macros and the other runtime crates use. Not covered by semantic versioning: use
//! the items at the root of the crate.

pub use crate::checker::{AbsentField, Checker, Number};
pub use crate::context::NO_OPERATION;
pub use crate::location::Location;
pub use crate::operation_validator::OperationValidator;
pub use crate::patch_result::{check_json_patch_result, check_patch_result};
pub use crate::request_reader::RequestReader;
pub use crate::rule::Rule;
pub use crate::source_lines::{SourceLines, SourceTable};
pub use crate::validates::{Validates, check_downcast};

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
    pub use wireform_runtime::__private::pattern::*;
}
