//! What the validation crates that Wireform generates call.
//!
//! Generated code states which rules a value has; this library checks them, tells what is wrong, and costs next to
//! nothing while everything holds. A newcomer finds one topic in each module:
//!
//! | topic | what to read |
//! |---|---|
//! | where a value stands while it is checked | [`At`], [`Path`] |
//! | what it is checked for | [`Context`], [`Side`] |
//! | the checks | [`Checker`], [`Rule`], [`Absent`] |
//! | what is wrong | [`Violation`], [`Constraint`], [`Violations`], [`Warnings`] |
//! | violations as an API's error | [`Violations::error_details`], [`Violations::error_body`] |
//! | who knows the rules of a type | [`Validates`], [`CheckRequests`] |
//! | bodies that are wrong, read all the same | [`read`], [`Reading`], [`Limits`] |
//! | parameters that are wrong, beside such a body | [`Unread`] |
//! | answers that do not follow the schema | [`drift`](fn@drift), [`DriftReport`] |
//! | what texts can be | [`formats`], [`pattern`] |
//! | what conditions call | [`cel`] |
//!
//! # What a violation tells
//!
//! All violations of a value are told at once, in the order of the document, each with the path of the member, the
//! id of the rule, the constraint with its figures and a sentence. No value is repeated, since it may be a secret: a
//! violation tells what the schema says, and how long a text is or how many elements a list has. The name of a value
//! that an enum does not know is told, cut and escaped; below [`At::secret`] nothing is.
//!
//! # Input is hostile
//!
//! No input makes this library panic, recurse without bound or work more than in proportion to its size times a
//! small number; the number of violations that are kept has a bound, and further ones are counted.

mod at;
pub mod cel;
mod checked;
mod checker;
mod constraint;
mod context;
mod drift;
pub mod formats;
mod lenient;
mod multiple;
mod patched;
mod path;
pub mod pattern;
mod report;
mod rule;
mod shapes;
mod unique;
mod unread;
mod validates;
mod violation;
mod violations;

pub use wireform_runtime;

pub use at::At;
pub use checked::Checked;
pub use checker::{Absent, Checker, Number};
pub use constraint::{Bounds, Constraint, Figure};
pub use context::{Context, MOST_VIOLATIONS, NO_OPERATION, Side};
pub use drift::{Drift, DriftKind, DriftReport, drift};
pub use lenient::{Limits, Reading, read};
pub use patched::check_patched;
pub use path::{Path, PathStep, Within};
pub use rule::Rule;
pub use shapes::{Source, Sources};
pub use unread::Unread;
pub use validates::{CheckRequests, Validates, check_as};
pub use violation::{Kind, Severity, TextPlace, Violation};
pub use violations::{Violations, Warnings};
