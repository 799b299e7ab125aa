//! Requests end: in time, and in spite of a handler that panics.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt;
use http::StatusCode;

use super::slots::{Caller, RETRY_AFTER, Slots};
use crate::error::Error;
use crate::observe::RequestId;

/// What comes of the future, if that is soon enough. It is dropped otherwise.
///
/// # Errors
/// What the future says, and 503 when it takes too long.
pub(crate) async fn within<T>(time: Duration, future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let mut future = pin!(future);
    // Most requests are answered at once, and then no timer need be set.
    if let Poll::Ready(done) = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await {
        return done;
    }
    match tokio::time::timeout(time, future).await {
        Ok(done) => done,
        Err(_) => Err(Error::unavailable("the request took too long", RETRY_AFTER)),
    }
}

/// Awaits a body that arrives, which takes a slot unless all of it is there at once.
///
/// # Errors
/// What the future says, and what [`Slots::enter`] answers when there is no slot.
pub(crate) async fn with_permit<T>(
    slots: &Arc<Slots>,
    caller: &Caller,
    body: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let mut body = pin!(body);
    if let Poll::Ready(done) = poll_fn(|context| Poll::Ready(body.as_mut().poll(context))).await {
        return done;
    }
    let _permit = slots.enter(caller)?;
    body.await
}

/// What comes of the future, and an error when it panics: one request must not cost others on the same connection
/// theirs. What a panic says may quote what was sent, so neither the log nor the answer repeats it; the process's
/// panic hook has been told. There is nothing to catch in a program that aborts on panics.
///
/// # Errors
/// What the future says, and 500 when it panics.
pub(crate) async fn caught<T>(id: &RequestId, future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    match AssertUnwindSafe(future).catch_unwind().await {
        Ok(done) => done,
        Err(_) => {
            tracing::error!(target: "wireform_server", request_id = %id, "a handler panicked");
            Err(Error::new(StatusCode::INTERNAL_SERVER_ERROR, "the server could not answer"))
        }
    }
}
