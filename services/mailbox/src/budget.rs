//! How much memory large mails may take at once.
//!
//! A mail of 36 MiB takes several times as much while it is stored or answered. The number of requests alone does
//! not bound that: a thousand small ones are nothing, and a thousand large ones are the end of the process.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use http_body::{Body as _, Frame, SizeHint};
use mailbox_server::Error;
use mailbox_server::runtime::axum::body::{Body, Bytes};
use mailbox_server::runtime::axum::extract::{Request, State};
use mailbox_server::runtime::axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use mailbox_server::runtime::axum::http::{Response, StatusCode};
use mailbox_server::runtime::axum::middleware::{self, Next};
use mailbox_server::runtime::axum::{self, Router};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Requests and answers below this take no share: their number is bounded elsewhere.
const SMALL: u64 = 64 << 10;

/// How often a body is in memory at once: as it came, decoded, taken apart, on its way into the store.
const COPIES: u64 = 3;

/// How long a request waits for its share, unless told otherwise.
const PATIENCE: Duration = Duration::from_secs(5);

/// The seconds after which another attempt is worth it.
const RETRY: u32 = 5;

const BUSY: &str = "too many large messages are worked on at the moment";

/// How much memory large mails may take at once. Clones share it.
#[derive(Clone)]
pub struct Budget {
    /// In KiB, because a semaphore counts to 2^29 at the least.
    room: Arc<Semaphore>,
    total: u32,
    largest_body: u64,
    patience: Duration,
}

/// The shares of one request, which are given back when its answer has been sent.
#[derive(Clone, Default)]
pub(crate) struct Hold(Arc<Mutex<Vec<OwnedSemaphorePermit>>>);

impl Hold {
    fn keep(&self, share: OwnedSemaphorePermit) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(share);
    }
}

impl Budget {
    /// One of so many bytes, for bodies of at most so many.
    #[must_use]
    pub fn new(bytes: usize, largest_body: usize) -> Self {
        let total = u32::try_from(bytes >> 10).unwrap_or(u32::MAX).clamp(1, 1 << 28);
        let room = Arc::new(Semaphore::new(total as usize));
        Self { room, total, largest_body: largest_body as u64, patience: PATIENCE }
    }

    /// With another time that a request waits for its share; five seconds unless told otherwise.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The router, whose requests wait until there is room for their bodies, and are answered 503 where there is none
    /// for too long. What its operations reserve for their answers is held until those are sent.
    pub fn guard(&self, router: Router) -> Router {
        router.layer(middleware::from_fn_with_state(self.clone(), guard))
    }

    /// A share for so many bytes. Whoever asks for more than there is at all waits for everything.
    async fn share(&self, bytes: u64) -> Option<OwnedSemaphorePermit> {
        let shares = u32::try_from(bytes >> 10).unwrap_or(u32::MAX).clamp(1, self.total);
        let acquired = Arc::clone(&self.room).acquire_many_owned(shares);
        tokio::time::timeout(self.patience, acquired).await.ok()?.ok()
    }

    /// Reserves room for an answer of so many bytes, until it is sent or, without [`guard`](Self::guard), until what is
    /// answered here is dropped.
    ///
    /// # Errors
    /// 503 where there is no room for too long.
    pub(crate) async fn reserve(
        &self,
        bytes: u64,
        context: &mailbox_server::Context,
    ) -> Result<Option<OwnedSemaphorePermit>, Error> {
        if bytes < SMALL {
            return Ok(None);
        }
        let share = self.share(bytes).await.ok_or_else(|| Error::unavailable(BUSY, RETRY))?;
        match context.parts().extensions.get::<Hold>() {
            Some(hold) => {
                hold.keep(share);
                Ok(None)
            }
            None => Ok(Some(share)),
        }
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let free = self.room.available_permits();
        f.debug_struct("Budget").field("kibibytes", &self.total).field("free", &free).finish_non_exhaustive()
    }
}

async fn guard(State(budget): State<Budget>, mut request: Request, next: Next) -> Response<Body> {
    // A body that does not say how long it is may be as long as any.
    let announced = request.body().size_hint().upper().unwrap_or(budget.largest_body).min(budget.largest_body);
    let hold = Hold::default();
    if announced >= SMALL {
        match budget.share(announced * COPIES).await {
            Some(share) => hold.keep(share),
            None => return busy(),
        }
    }
    request.extensions_mut().insert(hold.clone());
    next.run(request).await.map(|body| Body::new(Held { body, _hold: hold }))
}

/// The same as an operation would answer, which this one has not reached.
fn busy() -> Response<Body> {
    let body = format!(
        r#"{{"error":{{"code":503,"message":"{BUSY}","errors":[{{"domain":"global","reason":"backendError","message":"{BUSY}"}}],"status":"UNAVAILABLE"}}}}"#
    );
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, axum::http::HeaderValue::from_static("application/json; charset=UTF-8"));
    headers.insert(RETRY_AFTER, axum::http::HeaderValue::from(RETRY));
    response
}

/// A body that holds on to its shares.
struct Held {
    body: Body,
    _hold: Hold,
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
