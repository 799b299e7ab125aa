//! Runtime library of the validation crates that Wireform generates.
//!
//! Generated code states the rules of a value; this library checks them, reports violations, and costs next to nothing
//! while everything holds. Each module covers one topic:
//!
//! | topic | items |
//! |---|---|
//! | location of a value during validation | [`Path`] |
//! | context of a validation | [`Context`], [`Side`] |
//! | violations | [`Violation`], [`Constraint`], [`Violations`], [`Warnings`] |
//! | violations as an error of an API | [`Violations::error_details`], [`Violations::error_body`] |
//! | rules of a type | [`Validates`], [`CheckRequests`] |
//! | lenient reading of invalid bodies | [`read`], [`Reading`], [`Limits`] |
//! | drift of responses from the schema | [`drift`](fn@drift), [`DriftReport`] |
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
mod at;
mod cel;
mod checked;
mod checker;
mod constraint;
mod context;
mod drift;
mod formats;
mod lenient;
mod multiple;
mod patched;
mod path;
mod pattern;
mod report;
mod rule;
mod shapes;
mod unique;
mod unread;
mod validates;
mod violation;
mod violations;

pub use wireform_runtime;

pub use constraint::{Bounds, Constraint, Figure};
pub use context::{Context, MAX_VIOLATIONS, Side};
pub use drift::{Drift, DriftKind, DriftReport, drift};
pub use lenient::{Limits, Reading, read};
pub use path::{Path, PathStep, Within};
pub use validates::{CheckRequests, Validates};
pub use violation::{Kind, Severity, TextPosition, Violation};
pub use violations::{Violations, Warnings};
