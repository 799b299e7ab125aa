//! What programs that watch others are told of calls.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use tracing::Span;
use tracing::field::Empty;
use wireform_runtime::operation::Operation;

use crate::error::{Error, ErrorKind};
use crate::time::Instant;
use crate::transport::TransportErrorKind;

/// Something that counts calls.
pub trait Metrics: Send + Sync + 'static {
    /// A call ended. This is called within the call, so it should be quick.
    fn record(&self, record: &CallRecord);
}

/// A call that ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CallRecord {
    /// The operation: `events.insert`.
    pub operation: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// The status that the last attempt was answered with, if it was.
    pub status: Option<u16>,
    /// What went wrong, if something did.
    pub error: Option<ErrorClass>,
    /// How often the request was sent.
    pub attempts: u32,
    /// How long the call took, with all attempts and the delays between them.
    pub latency: Duration,
    /// The bytes of the request's body.
    pub sent: u64,
    /// The bytes of the bodies of all answers, after decompression.
    pub received: u64,
}

/// What went wrong, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The server was not reached, or the connection broke.
    Connection,
    /// There was no answer in time.
    Timeout,
    /// The server answered an error.
    Status,
    /// The answer cannot be decoded.
    Decode,
    /// The request cannot be sent.
    Request,
    /// There are no credentials.
    Credentials,
    /// The answer is too long.
    BodyTooLong,
    /// Client and server do not understand each other.
    Protocol,
    /// Who asked did not wait for the answer.
    Cancelled,
}

/// The span of a call. It tells neither addresses nor tokens.
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

/// Watches one call, and tells how it ended: also if it ended because nobody waits any more.
pub(crate) struct Watch {
    operation: &'static Operation,
    metrics: Option<Arc<dyn Metrics>>,
    record: CallRecord,
    begun: Instant,
    span: Span,
    /// How many attempts there may be.
    pub(crate) allowed: u32,
}

impl Watch {
    /// Begins to watch.
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
        Self { operation, metrics, record, begun: Instant::now(), span, allowed: 1 }
    }

    pub(crate) fn sent(&mut self, bytes: u64) {
        self.record.sent = bytes;
    }

    pub(crate) fn received(&mut self, bytes: usize) {
        self.record.received += bytes as u64;
    }

    /// Returns the number of bytes of the bodies of all responses, after decompression.
    pub(crate) fn bytes_received(&self) -> usize {
        usize::try_from(self.record.received).unwrap_or(usize::MAX)
    }

    /// An attempt begins.
    pub(crate) fn attempt(&mut self) {
        self.record.attempts += 1;
        self.record.status = None;
        self.span.record("attempt", self.record.attempts);
    }

    pub(crate) fn status(&mut self, status: StatusCode) {
        self.record.status = Some(status.as_u16());
        self.span.record("status", status.as_u16());
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Another attempt will follow.
    pub(crate) fn retrying<B>(&self, failed: &ErrorKind<B>, delay: Duration) {
        let delay_ms = milliseconds(delay);
        tracing::warn!(operation = self.operation.name, attempt = self.record.attempts, delay_ms, cause = %failed, "retry");
    }

    pub(crate) fn succeeded(mut self) {
        self.record.error = None;
    }

    /// The call has failed.
    pub(crate) fn failed<B>(mut self, kind: ErrorKind<B>) -> Error<B> {
        self.record.error = Some(class(&kind));
        Error::new(self.operation, kind).after(self.record.attempts, self.allowed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.record.latency = self.begun.elapsed();
        self.span.record("latency_ms", milliseconds(self.record.latency));
        if let Some(metrics) = &self.metrics {
            metrics.record(&self.record);
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn class<B>(kind: &ErrorKind<B>) -> ErrorClass {
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
