//! Runtime library of the validation crates that Wireform generates.
//!
//! Generated code states the rules of a value; this library checks them, reports violations, and costs next to nothing
//! while everything holds. Each module covers one topic:
//!
//! | topic | items |
//! |---|---|
//! | location of a value during validation | [`Path`] |
//! | context of a validation | [`ValidationContext`], [`Direction`] |
//! | violations | [`Violation`], [`Constraint`], [`Violations`], [`Warnings`] |
//! | violations as an error of an API | [`Violations::error_details`], [`Violations::error_body`] |
//! | rules of a type | [`Validates`], [`CheckRequests`] |
//! | lenient reading of invalid bodies | [`read_body`], [`ReadOptions`], [`ReadLimits`] |
//! | drift of responses from the schema | [`detect_drift`], [`DriftReport`] |
//!
//! # Content of a violation
//!
//! All violations of a value are reported at once, in the order of the document, each with the path of the field, the
//! id of the rule, the constraint with its parameters and a message. Values are not repeated, since they may be secret:
//! a violation contains what the schema requires, and the length of a text or the number of elements of a list. The
//! name of an unknown enum value is included, truncated and escaped; nothing of the value of a secret field is.
//!
//! # Untrusted input
//!
//! No input makes this library panic, recurse without limit or work more than in proportion to its size times a small
//! number; the number of violations that are kept is limited, and further ones are counted.

#[doc(hidden)]
pub mod __private;
mod cel;
mod checker;
mod constraint;
mod context;
mod drift;
mod drift_report;
mod duplicates;
mod formats;
mod lenient;
mod location;
mod multiple_of;
mod operation_validator;
mod patch_result;
mod path;
mod report;
mod request_reader;
mod rule;
mod shapes;
mod source_lines;
mod validates;
mod violation;
mod violations;

pub use wireform_runtime;

pub use constraint::{Bounds, Constraint, SchemaNumber};
pub use context::{Direction, MAX_VIOLATIONS, ValidationContext};
pub use drift::detect_drift;
pub use drift_report::{Drift, DriftKind, DriftReport};
pub use lenient::{ReadLimits, ReadOptions, read_body};
pub use path::{Path, PathRoot, PathStep};
pub use validates::{CheckRequests, Validates};
pub use violation::{Severity, TextPosition, Violation, ViolationKind};
pub use violations::{Violations, Warnings};
