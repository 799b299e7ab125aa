//! Memory of the texts of responses, and responses that hold shares.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body;
use http::Response;
use wireform_runtime::operation::Api;

use super::{BUSY, BUSY_RETRY_SECONDS, MemoryBudget, MemoryShare, UNRESERVED_BYTES};
use crate::error::{Error, encode_long_error};
use crate::guarded_body::GuardedBody;
use crate::limits::Caller;

/// Part of the budget that complete texts may take while they wait for their memory: they are not counted yet.
const WAITING_FRACTION: u64 = 8;

/// Memory that the text of a response needs. It is stored in the extensions of the response until it is reserved.
#[derive(Clone, Debug)]
pub(crate) struct TextMemory {
    bytes: u64,
    /// Share of the value that the text was made from; it becomes that of the text.
    share: Option<Arc<MemoryShare>>,
}

impl TextMemory {
    /// Creates the memory of a text, unless it is so short that the number of responses limits it.
    pub(crate) fn new(bytes: usize, share: Option<&Arc<MemoryShare>>) -> Option<Self> {
        let bytes = bytes as u64;
        let is_reserved = bytes > UNRESERVED_BYTES || share.is_some();
        is_reserved.then(|| Self { bytes, share: share.cloned() })
    }
}

impl MemoryBudget {
    /// Reserves memory for the text of a response before it is sent.
    ///
    /// # Errors
    /// Returns a 503 with `Retry-After` if no memory is available in time, or if too many texts wait already.
    pub(crate) async fn hold_text(
        &self,
        mut response: Response<Body>,
        caller: &Caller,
    ) -> Result<Response<Body>, Error> {
        let Some(TextMemory { bytes, share }) = response.extensions_mut().remove() else { return Ok(response) };
        if let Some(share) = share {
            if share.held() < bytes {
                share.reserve_text(bytes).await?;
            }
            share.shrink(bytes);
            return Ok(response);
        }
        let share = Arc::new(self.share_of(caller.clone()));
        share.reserve_text(bytes).await?;
        Ok(share.hold(response))
    }

    /// Reserves memory for the body of an error, which contains texts of the request. Returns another error if there is
    /// none.
    pub(crate) async fn hold_error(&self, mut error: Error, api: &'static Api, caller: &Caller) -> Error {
        let Some(bytes) = encode_long_error(&mut error, api).map(|bytes| bytes as u64) else { return error };
        if bytes > UNRESERVED_BYTES {
            let share = Arc::new(self.share_of(caller.clone()));
            if let Err(busy) = share.reserve_text(bytes).await {
                return busy;
            }
            error.inner_mut().wrapper = Some(Box::new(|response| share.hold(response)));
        }
        error
    }
}

impl MemoryShare {
    /// Keeps the share until a response has been sent. While others wait for memory, the client must read it in the time
    /// that the budget allows; otherwise the response is aborted. For the reply of a handler there is
    /// [`Reply::with_share`](crate::Reply::with_share).
    #[must_use]
    pub fn hold(self: Arc<Self>, response: Response<Body>) -> Response<Body> {
        let mark = self.mark();
        let mut response = response.map(|body| Body::new(GuardedBody::new(body, self)));
        response.extensions_mut().insert(mark);
        response
    }

    /// Waits until the share holds the bytes of a text that is complete already. Few of them may wait.
    async fn reserve_text(&self, bytes: u64) -> Result<(), Error> {
        let Some(waiting) = self.enqueue(bytes) else { return Ok(()) };
        let texts = &self.budget.shared.waiting_texts;
        let _counted = WaitingText::new(texts, bytes, self.budget.lock().accounts.total() / WAITING_FRACTION)
            .ok_or_else(|| Error::unavailable(BUSY, BUSY_RETRY_SECONDS))?;
        waiting.granted().await
    }
}

/// Bytes of a waiting text, which are subtracted when it is dropped.
struct WaitingText<'a> {
    all: &'a AtomicU64,
    bytes: u64,
}

impl<'a> WaitingText<'a> {
    /// Counts a text; returns `None` if there would be more than `max` bytes.
    fn new(all: &'a AtomicU64, bytes: u64, max: u64) -> Option<Self> {
        let counted = Self { all, bytes };
        let before = all.fetch_add(bytes, Ordering::Relaxed);
        (before.saturating_add(bytes) <= max).then_some(counted)
    }
}

impl Drop for WaitingText<'_> {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use http_body_util::BodyExt as _;

    use super::*;
    use crate::memory::MemoryBudget;

    #[tokio::test]
    async fn the_share_of_a_value_becomes_that_of_its_text() {
        let budget = MemoryBudget::new(1000).with_wait(std::time::Duration::ZERO);
        for (reserved, held) in [(400, 150), (20, 150)] {
            let share = Arc::new(budget.share("ana"));
            share.claim(500);
            share.reserve(reserved).await.unwrap();
            let mut response = Response::new(Body::from(Bytes::from(vec![0; 150])));
            response.extensions_mut().insert(TextMemory::new(150, Some(&share)).unwrap());
            let response = budget.hold_text(response, &Caller::Unknown).await.unwrap();
            assert_eq!(budget.held(), held, "{reserved}");
            assert_eq!(response.into_body().collect().await.unwrap().to_bytes().len(), 150);
            // It will not grow any more, and so keeps nothing from others.
            let other = budget.share("ana");
            other.claim(350);
            other.reserve(350).await.unwrap();
        }
        assert_eq!((TextMemory::new(16 << 10, None).is_none(), budget.held()), (true, 0));
    }
}
