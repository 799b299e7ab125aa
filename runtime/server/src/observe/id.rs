//! Request ids.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};

/// Header with the request id, in requests and responses.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Maximum length of a request id.
const MAX_LENGTH: usize = 64;

/// Request id for logs: that of the peer in `X-Request-Id`, if it has at most 64 letters, digits, `-`, `_` or `.`, or a
/// generated one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId {
    length: u8,
    /// ASCII, padded with zeros. Stored inline, because every request has one.
    text: [u8; MAX_LENGTH],
}

impl RequestId {
    /// Returns the id of the peer if it is well-formed, or a new one.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        headers.get(X_REQUEST_ID).and_then(|value| Self::from_text(value.as_bytes())).unwrap_or_else(Self::generate)
    }

    /// Parses an id.
    pub(crate) fn from_text(given: &[u8]) -> Option<Self> {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        if given.is_empty() || !given.iter().all(plain) {
            return None;
        }
        let mut text = [0; MAX_LENGTH];
        text.get_mut(..given.len())?.copy_from_slice(given);
        Some(Self { length: u8::try_from(given.len()).ok()?, text })
    }

    /// Generates an id that is unique in this process and most likely everywhere: 12 random digits for the process, and
    /// a counter. It can be guessed from others; it is no secret.
    pub(crate) fn generate() -> Self {
        static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let mut text = [0; MAX_LENGTH];
        let mut length = 0;
        let mut write = |number: u64, digits: u32| {
            for digit in (0..digits).rev() {
                if let (Some(place), Some(byte)) =
                    (text.get_mut(length), b"0123456789abcdef".get((number >> (4 * digit)) as usize & 15))
                {
                    *place = *byte;
                    length += 1;
                }
            }
        };
        write(*PROCESS, 12);
        write(COUNTER.fetch_add(1, Ordering::Relaxed), 12);
        Self { length: 24, text }
    }

    /// Returns the id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let text = self.text.get(..self.length.into()).unwrap_or_default();
        std::str::from_utf8(text).unwrap_or_default()
    }

    /// Returns the id as a header value.
    pub(crate) fn to_header(&self) -> HeaderValue {
        HeaderValue::from_str(self.as_str()).unwrap_or(HeaderValue::from_static("-"))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestId({self})")
    }
}
