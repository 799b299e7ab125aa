//! Observation of a request.

use std::error::Error as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use http::{Method, Response};
use http_body::{Body as _, Frame, SizeHint};
use tracing::Span;
use tracing::field::Empty;
use wireform_validation::Violations;

use super::{ObserveRequests, RequestId, RequestRecord};
use crate::error::Error;

/// Observation of a request, which reports its outcome, also if the request is cancelled.
pub(crate) struct RequestObservation {
    observer: Option<Arc<dyn ObserveRequests>>,
    record: RequestRecord,
    started: Instant,
    span: Span,
    id: RequestId,
    /// True if the outcome is logged.
    logs_access: bool,
}

impl RequestObservation {
    /// Starts the observation.
    pub(crate) fn begin(observer: Option<Arc<dyn ObserveRequests>>, method: &Method, id: RequestId) -> Self {
        let method = method_label(method);
        let span = tracing::info_span!(
            target: "wireform_server",
            "request",
            operation = Empty,
            method,
            status = Empty,
            latency_ms = Empty,
            violations = Empty,
            request_id = %id,
        );
        let record = RequestRecord {
            operation: None,
            method,
            status: None,
            latency: Duration::ZERO,
            violations: 0,
            received: 0,
            sent: 0,
        };
        Self { observer, record, started: Instant::now(), span, id, logs_access: true }
    }

    /// Sets whether the outcome is logged. It is by default.
    pub(crate) fn set_access_log(&mut self, logs: bool) {
        self.logs_access = logs;
    }

    /// Returns the span of the request. It shows neither URLs nor headers nor the principal.
    pub(crate) const fn span(&self) -> &Span {
        &self.span
    }

    /// Returns the request id.
    pub(crate) const fn id(&self) -> &RequestId {
        &self.id
    }

    /// Records the operation.
    pub(crate) fn record_operation(&mut self, name: &'static str) {
        self.record.operation = Some(name);
        self.span.record("operation", name);
    }

    /// Records the size of the body.
    pub(crate) fn record_received(&mut self, bytes: u64) {
        self.record.received = bytes;
    }

    /// Records an error, within the span: its cause is logged because the response omits it.
    pub(crate) fn record_error(&mut self, error: &Error) {
        let violations = error.violations().map_or(0, Violations::count);
        self.record.violations = violations;
        self.span.record("violations", violations);
        let Some(cause) = error.source() else { return };
        let (status, id) = (error.status().as_u16(), &self.id);
        self.span.in_scope(|| {
            if error.status().is_server_error() {
                tracing::error!(target: "wireform_server", status, cause, request_id = %id, "request failed");
            } else {
                tracing::debug!(target: "wireform_server", status, cause, request_id = %id, "request failed");
            }
        });
    }

    /// Records the response. If its length is unknown, the request ends with its body.
    pub(crate) fn record_response(mut self, response: Response<Body>) -> Response<Body> {
        self.record.status = Some(response.status());
        self.span.record("status", response.status().as_u16());
        if let Some(bytes) = response.body().size_hint().exact() {
            self.record.sent = bytes;
            return response;
        }
        response.map(|body| Body::new(CountedBody { body, watch: self }))
    }
}

/// Streamed response whose size is counted.
struct CountedBody {
    body: Body,
    watch: RequestObservation,
}

impl http_body::Body for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            self.watch.record.sent += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for RequestObservation {
    fn drop(&mut self) {
        self.record.latency = self.started.elapsed();
        let latency_ms = u64::try_from(self.record.latency.as_millis()).unwrap_or(u64::MAX);
        self.span.record("latency_ms", latency_ms);
        if self.logs_access {
            // A cancelled request has no status.
            tracing::info!(
                target: "wireform_server::access",
                parent: &self.span,
                method = self.record.method,
                operation = self.record.operation.unwrap_or("-"),
                status = self.record.status.map(|status| status.as_u16()),
                latency_ms,
                received = self.record.received,
                bytes = self.record.sent,
                request_id = %self.id,
            );
        }
        if let Some(observer) = &self.observer {
            observer.record(&self.record);
        }
    }
}

/// Returns a method for logs and metrics, with a limited number of values.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        Method::CONNECT => "CONNECT",
        Method::TRACE => "TRACE",
        _ => "_OTHER",
    }
}
