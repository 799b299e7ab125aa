//! Proof that a write was checked against the stored value, which creating its response requires.

use std::fmt;
use std::marker::PhantomData;

use wireform_runtime::Request;

use crate::error::Error;
use crate::reply::Reply;

/// Proof that the preconditions and the rules of a request allow it to change the stored value.
///
/// [`Context::prepare`](crate::Context::prepare) and [`Context::admit`](crate::Context::admit) return one. A handler of
/// an operation whose schema declares preconditions, or rules over the stored value, needs it to create its response,
/// so that a handler without the check does not compile:
///
/// ```compile_fail,E0308
/// # use wireform_server::{Context, Reply, WriteResult, wireform_runtime::Request};
/// fn update<R: Request>(request: R, value: R::Response) -> WriteResult<R> {
///     Ok(Reply::new(value))
/// }
/// ```
///
/// This compiles:
///
/// ```
/// # use wireform_server::{Context, WriteResult, wireform_runtime::Request};
/// fn update<R: Request>(request: R, context: &Context, stored: R::Response) -> WriteResult<R> {
///     let admission = context.admit(&request, &stored)?;
///     Ok(admission.reply(stored))
/// }
/// ```
#[must_use = "an admission has no effect unless it creates the reply to the write"]
pub struct Admission<R>(PhantomData<fn() -> R>);

impl<R: Request> Admission<R> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }

    /// Creates the response to the request.
    pub fn reply(self, reply: impl Into<Reply<R::Response>>) -> Admitted<R> {
        Admitted { reply: reply.into() }
    }
}

impl<R> fmt::Debug for Admission<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Admission")
    }
}

/// Response to a write that was admitted.
#[derive(Debug)]
pub struct Admitted<R: Request> {
    reply: Reply<R::Response>,
}

impl<R: Request> Admitted<R> {
    /// Returns the response to the write.
    #[must_use]
    pub fn into_reply(self) -> Reply<R::Response> {
        self.reply
    }
}

/// Return type of handlers of writes whose schema declares preconditions, or rules over the stored value.
pub type WriteResult<R> = std::result::Result<Admitted<R>, Error>;
