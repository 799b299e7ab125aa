//! Calls that take nothing of their own: one type for all of them, which is compiled once.

// What its methods give back must be used for the reason that the type tells, and in a crate of generated code for no other.
#![allow(clippy::double_must_use)]

use std::fmt;

use wireform_runtime::Request;
use wireform_runtime::fields::{Selectable, Selection};

use crate::call::Call;

/// A call of an operation that takes nothing optional of its own.
#[must_use = "a call does nothing until it is sent"]
pub struct PlainCall<R: Request> {
    call: Call<R>,
}

/// A call of an operation that takes nothing optional of its own, but what every operation of its API takes: which members
/// the answer has, on whose account the request is counted, and whether people read the answer.
#[must_use = "a call does nothing until it is sent"]
pub struct StandardCall<R: Request> {
    call: Call<R>,
}

crate::call!([R: Request] PlainCall<R>, R);
crate::call!([R: Request] StandardCall<R>, R, quota_user, pretty_print);

impl<R: Request<Response: Selectable>> StandardCall<R> {
    /// Asks for some members of the answer only; the others are absent. Takes the constants of `fields`, or a text that
    /// was read with `Selection::parse`.
    pub fn fields(mut self, fields: impl Into<Selection<R::Response>>) -> Self {
        self.call.select(fields.into());
        self
    }
}

impl<R: Request> Clone for PlainCall<R> {
    fn clone(&self) -> Self {
        Self { call: self.call.clone() }
    }
}

impl<R: Request> Clone for StandardCall<R> {
    fn clone(&self) -> Self {
        Self { call: self.call.clone() }
    }
}

impl<R: Request> fmt::Debug for PlainCall<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.call, f)
    }
}

impl<R: Request> fmt::Debug for StandardCall<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.call, f)
    }
}
