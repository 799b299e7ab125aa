//! Calls of a batch.

use std::time::Duration;

use bytes::Bytes;

use crate::client::Inner;
use crate::error::Error;
use crate::observe::{Watch, span};
use crate::retry::RetryPolicy;
use crate::send::message::Message;
use crate::send::response::Expected;
use crate::send::retry_loop::retry_after;
use crate::send::{Failed, Outgoing, attempt};

/// Call without a result yet.
pub(super) struct Item {
    pub(super) index: usize,
    pub(super) message: Message,
    pub(super) expected: Expected,
    pub(super) watch: Watch,
    pub(super) policy: RetryPolicy,
    pub(super) turns: u32,
    pub(super) allowed: u32,
    pub(super) may_renew: bool,
}

impl Item {
    pub(super) fn new(client: &Inner, index: usize, mut outgoing: Outgoing) -> Result<Self, Error<Bytes>> {
        let operation = outgoing.operation;
        let mut watch = Watch::new(client.metrics.clone(), operation, span(operation));
        #[cfg(feature = "validation")]
        if let Some(violations) = outgoing.invalid.take() {
            return Err(watch.failed(crate::error::ErrorKind::Invalid(violations)));
        }
        let message = match Message::new(client, &mut outgoing) {
            Ok(message) => message,
            Err(failed) => return Err(watch.failed(*failed)),
        };
        watch.sent(message.length());
        let policy = outgoing.options.retry.as_ref().unwrap_or(&client.retry).clone();
        // Repeating an operation that is neither safe nor idempotent could apply its effect twice.
        let harmless = operation.safe || operation.idempotent;
        let allowed = if harmless { policy.max_attempts } else { 1 };
        watch.allowed = allowed;
        let expected = Expected {
            errors: &outgoing.api.errors,
            not_modified: outgoing.options.if_none_match.is_some(),
            ignores_body: outgoing.ignores_body,
            limit: client.max_body_bytes,
            cuts: false,
            streams: false,
        };
        Ok(Self { index, message, expected, watch, policy, turns: 0, allowed, may_renew: true })
    }

    /// Records a failure. Returns the final error, or the delay before the next attempt, which is `None` for a new
    /// token.
    pub(super) fn failed(
        mut self,
        failed: Failed,
        renewable: bool,
    ) -> Result<(Self, Option<Duration>, Failed), Error<Bytes>> {
        self.turns += 1;
        // A request that was not authenticated has no effect, so any operation may be repeated.
        if renewable && self.may_renew && attempt::is_unauthorized(&failed) {
            self.may_renew = false;
            self.allowed = self.allowed.saturating_add(1);
            self.watch.allowed = self.allowed;
            return Ok((self, None, failed));
        }
        if self.turns >= self.allowed || !self.policy.retries(&failed) {
            return Err(self.watch.failed(*failed));
        }
        let delay = retry_after(&failed);
        Ok((self, Some(delay), failed))
    }
}
