//! Time limits of requests, and handling of panics.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt;
use http::StatusCode;

use super::slots::{Caller, OVERLOAD_RETRY_SECONDS, Slots};
use crate::error::Error;
use crate::observe::RequestId;

/// Awaits the future for at most `time`. The future is pinned by the caller, so that its state is not moved into that
/// of this function, and not held twice.
///
/// # Errors
/// Returns the error of the future, or a 503 if it takes too long.
pub(crate) async fn with_timeout<T>(
    time: Duration,
    mut future: Pin<&mut impl Future<Output = Result<T, Error>>>,
) -> Result<T, Error> {
    // Most requests complete at once, without a timer.
    if let Poll::Ready(done) = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await {
        return done;
    }
    match tokio::time::timeout(time, future).await {
        Ok(done) => done,
        Err(_) => Err(Error::unavailable("the request took too long", OVERLOAD_RETRY_SECONDS)),
    }
}

/// Awaits a body, which takes a slot unless all of it has arrived already. The caller pins it, as for [`with_timeout`].
///
/// # Errors
/// Returns the error of the future, or that of [`Slots::acquire`] if there is no slot.
pub(crate) async fn with_permit<T>(
    slots: &Arc<Slots>,
    caller: &Caller,
    mut body: Pin<&mut impl Future<Output = Result<T, Error>>>,
) -> Result<T, Error> {
    if let Poll::Ready(done) = poll_fn(|context| Poll::Ready(body.as_mut().poll(context))).await {
        return done;
    }
    let _permit = slots.acquire(caller)?;
    body.await
}

/// Awaits the future, and converts a panic to an error, so that other requests of the connection are not affected. The
/// message of a panic may quote the request, so neither the log nor the response repeats it; the process's panic hook
/// has reported it. With `panic = "abort"` there is nothing to catch.
///
/// # Errors
/// Returns the error of the future, or a 500 if it panics.
pub(crate) async fn catch_panic<T>(id: &RequestId, future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    match AssertUnwindSafe(future).catch_unwind().await {
        Ok(done) => done,
        Err(_) => {
            tracing::error!(target: "wireform_server", request_id = %id, "a handler panicked");
            Err(Error::new(StatusCode::INTERNAL_SERVER_ERROR, "the request could not be processed"))
        }
    }
}
