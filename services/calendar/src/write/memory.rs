//! Memory of a change of an event.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use calendar_server::runtime::MemoryShare;
use calendar_server::types::Event;
use calendar_server::{Error, Reply};
use wireform_store::{ChangeSize, NewMessage};

use crate::caller::Access;

/// Size of stored events below which no memory is reserved: the number of requests limits it.
pub(crate) const UNRESERVED_BYTES: u64 = 16 << 10;
/// Copies of an event in memory, in multiples of its stored size: before and after the change, and their texts.
const COPIES: u64 = 6;
/// Memory of events that are examined one after the other: what the store reads at once, and one of them.
const SCAN_BYTES: u64 = 2 << 20;
/// Maximum stored size of the exceptions that a change of their series reads.
const MAX_EXCEPTION_BYTES: u64 = 12 << 20;

/// Memory of a change: of the events that are read for it, and what is made of them. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangeMemory(Arc<Parts>);

#[derive(Debug, Default)]
struct Parts {
    /// Share of the caller; `None` for jobs, and if the server has no memory budget.
    share: Option<Arc<MemoryShare>>,
    /// Bytes that the share holds for the change.
    bytes: AtomicU64,
    /// Stored size of the exceptions, and whether the share has room for them.
    exceptions: AtomicU64,
    has_exceptions: AtomicBool,
    /// True if the share has room for events that are examined one after the other.
    has_scan: AtomicBool,
}

impl ChangeMemory {
    /// Creates the memory of a change by a caller, who has reserved none yet.
    pub(crate) fn of(access: &Access) -> Self {
        Self(Arc::new(Parts { share: access.memory.clone(), ..Parts::default() }))
    }

    /// Waits until there is memory for mails, and what is searched of them.
    pub(super) async fn add_mails(&self, mails: &[NewMessage]) -> Result<(), Error> {
        self.add(2 * mails.iter().map(|mail| mail.raw.len() as u64).sum::<u64>()).await
    }

    /// Waits until there is memory for an event. That of its exceptions is only announced.
    pub(super) async fn begin(&self, size: ChangeSize) -> Result<(), Error> {
        self.0.exceptions.store(size.exceptions, Ordering::Relaxed);
        if let Some(share) = &self.0.share {
            share.claim((size.event + size.exceptions) * COPIES);
        }
        self.add(size.event * COPIES).await
    }

    /// Waits until there is memory for the exceptions of a series.
    ///
    /// # Errors
    /// Returns 400 if they are too large.
    pub(super) async fn reserve_exceptions(&self) -> Result<(), Error> {
        let stored = self.0.exceptions.load(Ordering::Relaxed);
        if stored > MAX_EXCEPTION_BYTES {
            let message = "the changed instances of this series have more than 12 MiB; shorten some of them first";
            return Err(Error::bad_request(message).with_reason("exceptionsTooLarge"));
        }
        if self.0.has_exceptions.swap(true, Ordering::Relaxed) { Ok(()) } else { self.add(stored * COPIES).await }
    }

    /// Waits until there is memory for examining the events of a time range, some of which are read at once.
    pub(super) async fn reserve_scan(&self) -> Result<(), Error> {
        if self.0.has_scan.swap(true, Ordering::Relaxed) { Ok(()) } else { self.add(SCAN_BYTES).await }
    }

    /// Waits until there is memory for more bytes.
    async fn add(&self, bytes: u64) -> Result<(), Error> {
        let all = self.0.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        match &self.0.share {
            Some(share) if all > UNRESERVED_BYTES * COPIES => share.reserve(all).await,
            _ => Ok(()),
        }
    }
}

/// Returns the response with an event, which holds the memory that was reserved for it.
pub(crate) fn reply(access: &Access, event: Event) -> Reply<Event> {
    let reply = Reply::new(event);
    match &access.memory {
        Some(share) if share.held() > 0 => reply.with_value_share(Arc::clone(share)),
        _ => reply,
    }
}
