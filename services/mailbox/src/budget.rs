//! How much memory large mails may take at once.
//!
//! A mail of 36 MiB takes several times as much while it is stored or answered. The number of requests alone does
//! not bound that: a thousand small ones are nothing, and a thousand large ones are the end of the process.

mod body;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http_body::Body as _;
use mailbox_server::Error;
use mailbox_server::runtime::axum::Router;
use mailbox_server::runtime::axum::body::Body;
use mailbox_server::runtime::axum::extract::{Request, State};
use mailbox_server::runtime::axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER};
use mailbox_server::runtime::axum::http::{HeaderValue, Response, StatusCode};
use mailbox_server::runtime::axum::middleware::{self, Next};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use self::body::{Counted, Held};

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
pub(crate) struct Hold(Arc<(Mutex<Vec<OwnedSemaphorePermit>>, AtomicBool)>);

impl Hold {
    fn keep(&self, share: OwnedSemaphorePermit) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).push(share);
    }

    /// There was no room for the rest of the body.
    fn give_up(&self) {
        self.0.1.store(true, Ordering::Relaxed);
    }

    fn has_given_up(&self) -> bool {
        self.0.1.load(Ordering::Relaxed)
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
    let hold = Hold::default();
    request.extensions_mut().insert(hold.clone());
    match request.body().size_hint().upper().map(|bytes| bytes.min(budget.largest_body)) {
        Some(bytes) if bytes < SMALL => {}
        Some(bytes) => match budget.share(bytes * COPIES).await {
            Some(share) => hold.keep(share),
            None => return busy(),
        },
        None => request = request.map(|body| Body::new(Counted::new(body, budget, hold.clone()))),
    }
    let response = next.run(request).await;
    if hold.has_given_up() {
        return busy();
    }
    response.map(|body| Body::new(Held { body, _hold: hold }))
}

/// The same as an operation would answer, which this one has not reached.
fn busy() -> Response<Body> {
    let body = format!(
        r#"{{"error":{{"code":503,"message":"{BUSY}","errors":[{{"domain":"global","reason":"backendError","message":"{BUSY}"}}],"status":"UNAVAILABLE"}}}}"#
    );
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=UTF-8"));
    headers.insert(RETRY_AFTER, HeaderValue::from(RETRY));
    // The body is not read to its end.
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    response
}
