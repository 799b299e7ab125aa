//! Calls of a batch.

use std::time::Duration;

use bytes::Bytes;

use crate::client::ClientInner;
use crate::error::Error;
use crate::observe::{CallObservation, span};
use crate::retry::RetryPolicy;
use crate::send::message::EncodedRequest;
use crate::send::response::ResponseExpectations;
use crate::send::retry_loop::retry_after;
use crate::send::{OutgoingRequest, SendError, attempt};

/// Call without a result yet.
pub(super) struct BatchItem {
    pub(super) index: usize,
    pub(super) message: EncodedRequest,
    pub(super) expected: ResponseExpectations,
    pub(super) watch: CallObservation,
    pub(super) policy: RetryPolicy,
    pub(super) attempts: u32,
    pub(super) max_attempts: u32,
    pub(super) can_renew_token: bool,
}

impl BatchItem {
    pub(super) fn new(client: &ClientInner, index: usize, mut outgoing: OutgoingRequest) -> Result<Self, Error<Bytes>> {
        let operation = outgoing.operation;
        let mut watch = CallObservation::new(client.metrics.clone(), operation, span(operation));
        #[cfg(feature = "validation")]
        if let Some(violations) = outgoing.invalid.take() {
            return Err(watch.fail(crate::error::ErrorKind::Invalid(violations)));
        }
        if outgoing.root_url.is_some() {
            let message = format!("a batch cannot contain `{}`, which is sent to another server", operation.name);
            return Err(watch.fail(crate::error::ErrorKind::Protocol(message)));
        }
        let message = match EncodedRequest::new(client, &mut outgoing) {
            Ok(message) => message,
            Err(failed) => return Err(watch.fail(*failed)),
        };
        watch.record_sent(message.length());
        let policy = outgoing.options.retry.as_ref().unwrap_or(&client.retry).clone();
        // Repeating an operation that is neither safe nor idempotent could apply its effect twice.
        let harmless = operation.safe || operation.idempotent;
        let allowed = if harmless { policy.max_attempts } else { 1 };
        watch.max_attempts = allowed;
        let expected = ResponseExpectations {
            errors: &outgoing.api.errors,
            not_modified: outgoing.options.if_none_match.is_some(),
            redirects: outgoing.accepted_redirects(),
            reads_redirects: outgoing.reads_redirects,
            ignores_body: outgoing.ignores_body,
            limit: client.max_body_bytes,
            truncates: false,
            streams: false,
        };
        Ok(Self { index, message, expected, watch, policy, attempts: 0, max_attempts: allowed, can_renew_token: true })
    }

    /// Records a failure. Returns the final error, or the delay before the next attempt, which is `None` for a new
    /// token.
    pub(super) fn record_failure(
        mut self,
        failed: SendError,
        renewable: bool,
    ) -> Result<(Self, Option<Duration>, SendError), Error<Bytes>> {
        self.attempts += 1;
        // A request that was not authenticated has no effect, so any operation may be repeated.
        if renewable && self.can_renew_token && attempt::is_unauthorized(&failed) {
            self.can_renew_token = false;
            self.max_attempts = self.max_attempts.saturating_add(1);
            self.watch.max_attempts = self.max_attempts;
            return Ok((self, None, failed));
        }
        if self.attempts >= self.max_attempts || !self.policy.should_retry(&failed) {
            return Err(self.watch.fail(*failed));
        }
        let delay = retry_after(&failed);
        Ok((self, Some(delay), failed))
    }
}
