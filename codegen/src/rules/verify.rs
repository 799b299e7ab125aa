//! Verification of the invariants of a model on which the emitters rely.
//!
//! Emitting cannot fail, so that a dangling reference would become code that checks something else. Every violation
//! found here is an internal error of the generator and is reported as one, with the related span in the schema.
//! Placeholders of `resolve` for reported errors never reach this stage: a model with errors stops before.

mod conditions;
mod errors;
mod members;
mod operations;
mod references;

pub use conditions::verify as conditions;
pub use references::verify as references;

use crate::diagnostics::{Code, Sink, Span};

/// Reports an internal error of the generator.
fn internal(sink: &mut Sink, span: Span, message: &str) {
    sink.report(Code::Internal, span, format!("internal error: {message}"))
        .label("the generator cannot emit this")
        .help("this is a bug in the generator, not in the schema: please report it with these lines");
}
