//! Metrics and tracing of calls.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use tracing::Span;
use tracing::field::Empty;
use wireform_runtime::operation::Operation;

use crate::error::{Error, ErrorKind};
use crate::time::Instant;
use crate::transport::TransportErrorKind;

/// Receiver of call metrics.
pub trait Metrics: Send + Sync + 'static {
    /// Records a completed call. This is called within the call, so it should return quickly.
    fn record(&self, record: &CallRecord);
}

/// Figures of a completed call, for metrics.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CallRecord {
    /// Name of the operation, such as `events.insert`.
    pub operation: &'static str,
    /// HTTP method.
    pub method: &'static str,
    /// Status of the last attempt's response, if there was one.
    pub status: Option<u16>,
    /// Class of the error, if the call failed.
    pub error: Option<ErrorClass>,
    /// Number of attempts.
    pub attempts: u32,
    /// Duration of the call, with all attempts and the delays between them.
    pub latency: Duration,
    /// Size of the request body in bytes. 0 for a download, for media of unknown length, and for a failed upload in
    /// chunks.
    pub sent: u64,
    /// Size of all response bodies in bytes, after decompression.
    pub received: u64,
}

/// Coarse cause of a failed call, for metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The server was not reached, or the connection broke.
    Connection,
    /// No response arrived in time.
    Timeout,
    /// The server responded with an error.
    Status,
    /// The response cannot be decoded.
    Decode,
    /// The request cannot be sent.
    Request,
    /// There are no usable credentials.
    Credentials,
    /// The response exceeds the limit.
    BodyTooLong,
    /// Client and server disagree about the protocol.
    Protocol,
    /// The future of the call was dropped.
    Cancelled,
}

/// Creates the span of a call. It shows neither URLs nor tokens.
pub(crate) fn span(operation: &'static Operation) -> Span {
    tracing::info_span!(
        "call",
        operation = operation.name,
        method = operation.method,
        attempt = Empty,
        status = Empty,
        latency_ms = Empty,
    )
}

/// Observation of a call, which reports its outcome, also if the call is dropped.
pub(crate) struct CallObservation {
    operation: &'static Operation,
    metrics: Option<Arc<dyn Metrics>>,
    record: CallRecord,
    started: Instant,
    span: Span,
    /// Maximum number of attempts.
    pub(crate) max_attempts: u32,
}

impl CallObservation {
    /// Starts the observation.
    pub(crate) fn new(metrics: Option<Arc<dyn Metrics>>, operation: &'static Operation, span: Span) -> Self {
        let record = CallRecord {
            operation: operation.name,
            method: operation.method,
            status: None,
            error: Some(ErrorClass::Cancelled),
            attempts: 0,
            latency: Duration::ZERO,
            sent: 0,
            received: 0,
        };
        Self { operation, metrics, record, started: Instant::now(), span, max_attempts: 1 }
    }

    /// Sets the size of the request body or of the uploaded media, in bytes.
    pub(crate) fn record_sent(&mut self, bytes: u64) {
        self.record.sent = bytes;
    }

    /// Adds to the number of bytes that were received.
    pub(crate) fn record_received(&mut self, bytes: usize) {
        self.record.received += bytes as u64;
    }

    /// Returns the number of bytes of the bodies of all responses, after decompression.
    pub(crate) fn bytes_received(&self) -> usize {
        usize::try_from(self.record.received).unwrap_or(usize::MAX)
    }

    /// Records the start of an attempt.
    pub(crate) fn start_attempt(&mut self) {
        self.record.attempts += 1;
        self.record.status = None;
        self.span.record("attempt", self.record.attempts);
    }

    /// Sets the status of the last response, also in the span.
    pub(crate) fn record_status(&mut self, status: StatusCode) {
        self.record.status = Some(status.as_u16());
        self.span.record("status", status.as_u16());
    }

    /// Returns the time since the observation began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Logs that another attempt follows.
    pub(crate) fn log_retry<B>(&self, failed: &ErrorKind<B>, delay: Duration) {
        let delay_ms = milliseconds(delay);
        tracing::warn!(operation = self.operation.name, attempt = self.record.attempts, delay_ms, cause = %failed, "retry");
    }

    /// Ends the observation as a success.
    pub(crate) fn succeed(mut self) {
        self.record.error = None;
    }

    /// Records that the call failed.
    pub(crate) fn fail<B>(mut self, kind: ErrorKind<B>) -> Error<B> {
        self.record.error = Some(classify(&kind));
        Error::new(self.operation, kind).with_attempts(self.record.attempts, self.max_attempts)
    }
}

impl Drop for CallObservation {
    fn drop(&mut self) {
        self.record.latency = self.started.elapsed();
        self.span.record("latency_ms", milliseconds(self.record.latency));
        if let Some(metrics) = &self.metrics {
            metrics.record(&self.record);
        }
    }
}

/// Returns whole milliseconds, at most `u64::MAX`.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the class of an error in metrics.
fn classify<B>(kind: &ErrorKind<B>) -> ErrorClass {
    match kind {
        ErrorKind::Connection(error) if error.kind() == TransportErrorKind::Timeout => ErrorClass::Timeout,
        ErrorKind::Connection(_) => ErrorClass::Connection,
        ErrorKind::Timeout { .. } => ErrorClass::Timeout,
        ErrorKind::Status(_) => ErrorClass::Status,
        ErrorKind::Decode { .. } => ErrorClass::Decode,
        #[cfg(feature = "validation")]
        ErrorKind::Invalid(_) => ErrorClass::Request,
        ErrorKind::Request(_) | ErrorKind::Option(_) | ErrorKind::Media(_) => ErrorClass::Request,
        ErrorKind::Credentials(_) => ErrorClass::Credentials,
        ErrorKind::BodyTooLong { .. } | ErrorKind::BatchTooLong { .. } => ErrorClass::BodyTooLong,
        ErrorKind::Protocol(_) => ErrorClass::Protocol,
    }
}
