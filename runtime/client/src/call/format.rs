//! Calls that request one of several alternative responses.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use wireform_runtime::Request;

use super::{Call, SendFuture};
use crate::error::{Error, ErrorKind};

/// Call that requests one of the alternative responses of its operation.
#[must_use = "a call does nothing until it is sent"]
pub struct FormatCall<R: Request, T> {
    pub(super) call: Call<R>,
    pub(super) accept: &'static str,
    pub(super) extract: fn(R::Response) -> Option<T>,
}

impl<R: Request, T> FormatCall<R, T> {
    /// Sends the request and returns the value of the response. If the server responds with another alternative, that
    /// is an error.
    pub fn send(self) -> FormatFuture<R, T> {
        FormatFuture { future: self.call.send(), accept: self.accept, extract: self.extract }
    }

    /// Returns the call, with all its options.
    #[must_use]
    pub fn into_call(self) -> Call<R> {
        self.call
    }

    /// Sends the request and blocks until the value of the response has arrived.
    ///
    /// # Errors
    /// Returns the same errors as [`send`](Self::send).
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn send_blocking(self) -> Result<T, Error<R::ErrorBody>>
    where
        T: Send + 'static,
    {
        crate::blocking::block_on(self.send())
            .unwrap_or_else(|error| Err(Error::new(R::OPERATION, ErrorKind::Connection(error))))
    }
}

/// Awaiting a call sends it: `.await` is short for `.send().await`.
impl<R: Request, T> IntoFuture for FormatCall<R, T> {
    type Output = Result<T, Error<R::ErrorBody>>;
    type IntoFuture = FormatFuture<R, T>;

    fn into_future(self) -> Self::IntoFuture {
        self.send()
    }
}

impl<R: Request, T> Clone for FormatCall<R, T> {
    fn clone(&self) -> Self {
        Self { call: self.call.clone(), accept: self.accept, extract: self.extract }
    }
}

impl<R: Request, T> fmt::Debug for FormatCall<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormatCall").field("call", &self.call).field("accept", &self.accept).finish_non_exhaustive()
    }
}

/// Future of a call that requests one of several alternatives. The request is sent when it is first polled, and aborted
/// when it is dropped.
#[must_use = "nothing is sent before this is awaited"]
pub struct FormatFuture<R: Request, T> {
    future: SendFuture<R>,
    accept: &'static str,
    extract: fn(R::Response) -> Option<T>,
}

impl<R: Request, T> Future for FormatFuture<R, T> {
    type Output = Result<T, Error<R::ErrorBody>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let response = ready!(Pin::new(&mut self.future).poll(context))?;
        let value = (self.extract)(response);
        Poll::Ready(value.ok_or_else(|| {
            Error::new(
                R::OPERATION,
                ErrorKind::Protocol(format!("the media type of the response is not `{}`", self.accept)),
            )
        }))
    }
}

impl<R: Request, T> fmt::Debug for FormatFuture<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FormatFuture").field(&R::OPERATION.name).finish()
    }
}
