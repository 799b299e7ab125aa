//! Retries.

use std::time::Duration;

use super::attempt::Attempt;
use super::message::EncodedRequest;
use super::response::SuccessResponse;
use super::{OutgoingRequest, SendError, attempt};
use crate::client::ClientInner;
use crate::credentials::Token;
use crate::error::ErrorKind;
use crate::media::MediaBody;
use crate::observe::CallObservation;
use crate::retry::RetryPolicy;
use crate::time::sleep;

/// Retry loop of one call.
pub(super) struct RetryLoop<'a> {
    attempt: Attempt<'a>,
    policy: &'a RetryPolicy,
    /// Maximum number of attempts.
    max_attempts: u32,
    /// True if a request may be sent again with a new token after a 401.
    can_renew_token: bool,
}

impl<'a> RetryLoop<'a> {
    pub(super) fn new(client: &'a ClientInner, outgoing: &'a OutgoingRequest, message: &'a EncodedRequest) -> Self {
        let policy = outgoing.options.retry.as_ref().unwrap_or(&client.retry);
        // Repeating an operation that is neither safe nor idempotent could apply its effect twice.
        let harmless = outgoing.operation.safe || outgoing.operation.idempotent || outgoing.extras.repeatable;
        let readable = message.media().is_none_or(MediaBody::is_repeatable);
        let repeatable = harmless && readable;
        let allowed = if repeatable { policy.max_attempts } else { 1 };
        Self {
            attempt: Attempt::new(client, outgoing, message),
            policy,
            max_attempts: allowed,
            can_renew_token: readable,
        }
    }

    /// Makes attempts until one succeeds or none is left.
    pub(super) async fn run(mut self, watch: &mut CallObservation) -> Result<SuccessResponse, SendError> {
        let mut delays = self.policy.delays();
        let mut renewed: Option<Token> = None;
        let mut turn = 0;
        loop {
            turn += 1;
            watch.max_attempts = self.max_attempts;
            let token = match renewed.take() {
                Some(token) => Ok(Some(token)),
                None => self.attempt.request_token().await,
            };
            let failed = match token {
                Ok(token) => match self.attempt.send_once(token.as_ref(), watch).await {
                    Ok(response) => return Ok(response),
                    // A request that was not authenticated has no effect, so any operation may be repeated.
                    Err(failed) if self.can_renew_token && attempt::is_unauthorized(&failed) => {
                        self.can_renew_token = false;
                        match self.attempt.renew_token(token.as_ref()).await {
                            Ok(Some(fresh)) => {
                                renewed = Some(fresh);
                                self.max_attempts = self.max_attempts.saturating_add(1);
                                continue;
                            }
                            Ok(None) => failed,
                            // The provider of tokens may recover before the next attempt.
                            Err(failed) => failed,
                        }
                    }
                    Err(failed) => failed,
                },
                Err(failed) => failed,
            };
            if turn >= self.max_attempts || !self.policy.should_retry(&failed) {
                return Err(failed);
            }
            let delay = delays.next().unwrap_or_default().max(retry_after(&failed));
            if !self.policy.allows(watch.elapsed().saturating_add(delay)) {
                return Err(failed);
            }
            watch.log_retry(&failed, delay);
            sleep(delay).await;
        }
    }
}

/// Returns the delay that the server requests.
pub(super) fn retry_after(failed: &SendError) -> Duration {
    match &**failed {
        ErrorKind::Status(response) => response.retry_after.unwrap_or_default(),
        _ => Duration::ZERO,
    }
}
