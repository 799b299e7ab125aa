//! Calls of operations without optional parameters: one shared type, which is compiled once.

// The methods of the macros are `#[must_use]`, and so are the types that they return.
#![allow(clippy::double_must_use)]

use std::fmt;

use wireform_runtime::Request;
use wireform_runtime::fields::{Selectable, Selection};

use crate::call::Call;

/// Call of an operation without optional parameters.
#[must_use = "a call does nothing until it is sent"]
pub struct PlainCall<R: Request> {
    call: Call<R>,
}

/// Call of an operation without optional parameters of its own, with the standard parameters of its API: the fields of
/// the response, the quota user and pretty-printing.
#[must_use = "a call does nothing until it is sent"]
pub struct StandardCall<R: Request> {
    call: Call<R>,
}

crate::call!([R: Request] PlainCall<R>, R);
crate::call!([R: Request] StandardCall<R>, R, quota_user, pretty_print);

impl<R: Request<Response: Selectable>> StandardCall<R> {
    /// Selects the fields of the response; the others are absent. Takes the constants of `fields`, or a text parsed
    /// with `Selection::parse`.
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
