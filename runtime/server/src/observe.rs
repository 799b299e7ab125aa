//! What programs that watch others are told of requests.

use std::fmt;
use std::time::Duration;

use http::StatusCode;

/// Something that counts requests.
pub trait ObserveRequests: Send + Sync + 'static {
    /// A request was answered, or nobody waits for the answer any more. This is called within the request, so it
    /// should be quick.
    fn record(&self, record: &RequestRecord);
}

/// A request that ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RequestRecord {
    /// The operation, where the request was for one: `events.insert`.
    pub operation: Option<&'static str>,
    /// The status of the answer; none when nobody waited for it.
    pub status: Option<StatusCode>,
    /// How long it took.
    pub latency: Duration,
    /// How many violations it was refused for.
    pub violations: usize,
    /// The bytes of the body that was received.
    pub received: u64,
    /// The bytes of the body that was sent, compressed as it was.
    pub sent: u64,
}

/// The name of a request in logs: given by the peer in `X-Request-Id`, if that is 64 letters, digits, `-`, `_` or `.`
/// at most, or made up.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId(pub(crate) Box<str>);

impl RequestId {
    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestId({self})")
    }
}
