//! Memory of a run: of its code until its process has it, of its messages, and of its result.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use script_server::runtime::{MemoryBudget, MemoryShare, json_memory};
use wireform_store::User;

/// Copies of the code in memory: as files, and as the message to the process.
const CODE_COPIES: u64 = 3;
/// Copies of the text of a message while it is read: buffers grow by doubling.
const TEXT_COPIES: u64 = 2;
/// Size of the responses to a call for which no memory is reserved.
const UNRESERVED_BYTES: u64 = 16 << 10;
/// Number of attempts to reserve memory, each of which waits as long as the budget allows. A run cannot be repeated like a
/// request, so it waits longer.
const ATTEMPTS: u32 = 6;

/// Memory of a run; without a budget, it is not limited.
#[derive(Debug, Clone, Default)]
pub struct RunMemory(Option<Arc<Shares>>);

/// Shares of the user that the script runs as.
#[derive(Debug)]
struct Shares {
    code: Mutex<Option<Arc<MemoryShare>>>,
    code_bytes: AtomicU64,
    /// Share of the message that is processed, and at last of the result.
    message: Arc<MemoryShare>,
    /// Memory of the values of the message.
    value_bytes: AtomicU64,
}

impl RunMemory {
    /// Creates the memory of a run as a user.
    pub(crate) fn new(budget: Option<&MemoryBudget>, user: &User) -> Self {
        let shares = |budget: &MemoryBudget| Shares {
            code: Mutex::new(Some(Arc::new(budget.share(&user.address)))),
            code_bytes: AtomicU64::default(),
            message: Arc::new(budget.share(&user.address)),
            value_bytes: AtomicU64::default(),
        };
        Self(budget.map(|budget| Arc::new(shares(budget))))
    }

    /// Waits until there is memory for more code. Returns false if there is none.
    pub(crate) async fn reserve_code(&self, bytes: u64) -> bool {
        let Some(shares) = &self.0 else { return true };
        let all = shares.code_bytes.fetch_add(bytes * CODE_COPIES, Ordering::Relaxed) + bytes * CODE_COPIES;
        let share = shares.code.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match share {
            Some(share) => reserve(&share, all).await,
            None => true,
        }
    }

    /// Releases the memory of the code, which the process has.
    pub(crate) fn release_code(&self) {
        if let Some(shares) = &self.0 {
            drop(shares.code.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
    }

    /// Waits until there is memory for the text of a message. Releases that of the previous one. Returns false if there
    /// is none.
    pub async fn reserve_text(&self, length: usize) -> bool {
        let Some(shares) = &self.0 else { return true };
        shares.message.shrink(0);
        shares.message.claim((length as u64).saturating_mul(TEXT_COPIES + 1));
        reserve(&shares.message, (length as u64).saturating_mul(TEXT_COPIES)).await
    }

    /// Waits until there is memory for the values of a JSON text. Returns false if there is none.
    pub async fn reserve_values(&self, text: &[u8]) -> bool {
        let Some(shares) = &self.0 else { return true };
        let bytes = json_memory(text);
        let values = bytes.saturating_sub(text.len() as u64 * TEXT_COPIES);
        shares.value_bytes.store(values, Ordering::Relaxed);
        bytes <= shares.message.max_bytes() && reserve(&shares.message, bytes).await
    }

    /// Waits until there is memory for a response to a call of the script, in addition to the call and the previous responses
    /// to it. Returns false if there is none. Short ones need none.
    pub(crate) async fn reserve_response(&self, bytes: u64) -> bool {
        let Some(shares) = &self.0 else { return true };
        let all = shares.value_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        all <= UNRESERVED_BYTES || (all <= shares.message.max_bytes() && reserve(&shares.message, all).await)
    }

    /// Releases the memory of the text of a message, whose values are decoded.
    pub(crate) fn release_text(&self) {
        if let Some(shares) = &self.0 {
            shares.message.shrink(shares.value_bytes.load(Ordering::Relaxed));
        }
    }

    /// Releases the memory of a message.
    pub(crate) fn release_message(&self) {
        if let Some(shares) = &self.0 {
            shares.value_bytes.store(0, Ordering::Relaxed);
            shares.message.shrink(0);
        }
    }

    /// Returns the share of the result, if that is long.
    pub(crate) fn into_share(self) -> Option<Arc<MemoryShare>> {
        self.0.map(|shares| Arc::clone(&shares.message)).filter(|share| share.held() > 0)
    }
}

/// Waits for memory, longer than the budget allows for a request. Returns whether it was granted.
async fn reserve(share: &MemoryShare, bytes: u64) -> bool {
    for _ in 0..ATTEMPTS {
        if share.reserve(bytes).await.is_ok() {
            return true;
        }
    }
    false
}
