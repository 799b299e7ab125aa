//! Metrics of requests.

mod id;
mod observation;
#[cfg(test)]
mod tests;

use std::time::Duration;

use http::StatusCode;

pub use self::id::RequestId;
pub(crate) use self::id::X_REQUEST_ID;
pub(crate) use self::observation::RequestObservation;

/// Receiver of request metrics.
pub trait ObserveRequests: Send + Sync + 'static {
    /// Records a completed or cancelled request. This is called within the request, so it should return quickly.
    fn record(&self, record: &RequestRecord);
}

/// Figures of a completed or cancelled request, for metrics.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RequestRecord {
    /// Name of the operation, such as `events.insert`, if the request was routed to one.
    pub operation: Option<&'static str>,
    /// HTTP method; `_OTHER` for an unknown one, because peers can send any text.
    pub method: &'static str,
    /// Status of the response; `None` if the request was cancelled.
    pub status: Option<StatusCode>,
    /// Time until the response; if it was streamed, until its end.
    pub latency: Duration,
    /// Number of violations for which the request was refused.
    pub violations: usize,
    /// Size of the received body in bytes, for media their declared length; 0 if the request was rejected before it was
    /// read.
    pub received: u64,
    /// Size of the response body in bytes, after compression; of a streamed one, the number of bytes that were sent.
    pub sent: u64,
}
