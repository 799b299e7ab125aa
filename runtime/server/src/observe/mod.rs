//! What programs that watch others are told of requests.

mod id;
#[cfg(test)]
mod tests;
mod watch;

use std::time::Duration;

use http::StatusCode;

pub use self::id::RequestId;
pub(crate) use self::id::X_REQUEST_ID;
pub(crate) use self::watch::Watch;

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
    /// The HTTP method; `_OTHER` for one that HTTP does not know, because peers make up what they like.
    pub method: &'static str,
    /// The status of the answer; none when nobody waited for it.
    pub status: Option<StatusCode>,
    /// How long it took until there was an answer; where it was made while it was sent, until its end.
    pub latency: Duration,
    /// How many violations it was refused for.
    pub violations: usize,
    /// The bytes of the body that was received; 0 where the request was refused before it was read.
    pub received: u64,
    /// The bytes of the body that was sent, compressed as it was.
    pub sent: u64,
}
