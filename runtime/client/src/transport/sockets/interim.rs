//! Limit on interim responses.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use futures_util::task::AtomicWaker;

use crate::transport::{TransportError, TransportErrorKind};

/// Maximum number of interim responses (RFC 9110, section 15.2) before a response.
const MAX_INTERIM: usize = 100;

/// Counter of the interim responses to a request.
pub(crate) struct InterimLimit(Arc<Counter>);

/// Number of interim responses so far, and the task to wake when it exceeds the maximum.
#[derive(Default)]
struct Counter {
    seen: AtomicUsize,
    waker: AtomicWaker,
}

impl InterimLimit {
    /// Counts the interim responses to the request. Hyper reports those of HTTP/1 connections.
    pub(crate) fn observe<B>(request: &mut http::Request<B>) -> Self {
        let counter = Arc::<Counter>::default();
        let shared = Arc::clone(&counter);
        hyper::ext::on_informational(request, move |_| {
            // Only the first one beyond the limit needs to end the exchange.
            if shared.seen.fetch_add(1, Ordering::Relaxed) == MAX_INTERIM {
                shared.waker.wake();
            }
        });
        Self(counter)
    }

    /// Waits for the outcome of the exchange.
    ///
    /// # Errors
    /// Returns the error of the exchange, or an error if there are too many interim responses. The exchange is dropped
    /// then, which closes its connection.
    pub(crate) async fn limit<T>(
        self,
        exchange: impl Future<Output = Result<T, TransportError>>,
    ) -> Result<T, TransportError> {
        let mut exchange = pin!(exchange);
        std::future::poll_fn(|context| {
            self.0.waker.register(context.waker());
            if self.0.seen.load(Ordering::Relaxed) > MAX_INTERIM {
                let message = format!("the server sent more than {MAX_INTERIM} interim responses");
                return Poll::Ready(Err(TransportError::new(TransportErrorKind::Limit, message)));
            }
            exchange.as_mut().poll(context)
        })
        .await
    }
}
