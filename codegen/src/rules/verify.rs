//! What the emitters take for granted of a model, checked before they see it.
//!
//! Emitting cannot fail, so that a reference into nothing would become code that checks something else. Whatever is found
//! here is a mistake of the generator, and is reported as one, with the place in the schema that it is about. What
//! `resolve` puts in the place of something that it has reported never comes here: a model with errors stops before.

mod conditions;
mod members;
mod operations;
mod references;

pub use conditions::verify as conditions;
pub use references::verify as references;

use crate::diagnostics::{Code, Sink, Span};

fn internal(sink: &mut Sink, span: Span, message: &str) {
    sink.report(Code::Internal, span, format!("internal error: {message}"))
        .label("the generator cannot write this")
        .help("this is a mistake of the generator, not of the schema: please report it together with these lines");
}
