//! Batch requests, with retries of the calls that failed temporarily.

mod item;
mod parts;

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Uri, header};
use tracing::{Instrument as _, Span};
use wireform_runtime::operation::{AuthRequirement, BatchEndpoint, Operation};

use self::item::BatchItem;
use super::response::{self, ResponseExpectations, SuccessResponse, UndecodedResponse};
use super::secrets::Secrets;
use super::{Exchange, OutgoingRequest, SendError, send_observed};
use crate::client::{Client, ClientInner};
use crate::credentials::Token;
use crate::error::{Error, ErrorKind};
use crate::observe::{CallObservation, span};
use crate::time::{Instant, sleep, timeout};
use crate::transport::TransportError;

/// Pseudo-operation of the batch request itself.
pub(crate) static BATCH: Operation = Operation {
    name: "batch",
    method: "POST",
    path: &[],
    verb: None,
    parameters: &[],
    scopes: AuthRequirement::None,
    api_key: false,
    safe: false,
    idempotent: false,
    cost: 1,
};

/// Results of the calls, in their order.
pub(crate) type Results = Vec<Result<UndecodedResponse, Error<Bytes>>>;

/// Sends the calls in as few requests as the API allows. Nothing happens before the future is polled.
pub(crate) fn batch(client: Client, calls: Vec<OutgoingRequest>) -> Exchange<Results> {
    let span = span(&BATCH);
    Box::pin(async move { Ok(run(client, calls).await) }.instrument(span))
}

async fn run(client: Client, calls: Vec<OutgoingRequest>) -> Results {
    let Some(of) = client.inner.api.batch.filter(|_| !client.inner.transport.wants_typed()) else {
        // A transport of typed requests, and an API without batches, handle single requests.
        return send_separately(client, calls).await;
    };
    let (mut results, mut open) = (Vec::with_capacity(calls.len()), Vec::with_capacity(calls.len()));
    for (index, outgoing) in calls.into_iter().enumerate() {
        match BatchItem::new(&client.inner, index, outgoing) {
            Ok(item) => {
                open.push(item);
                results.push(None);
            }
            Err(error) => results.push(Some(Err(error))),
        }
    }
    let left = client.inner.max_batch_bytes;
    BatchRun { client: &client.inner, batch: of, started: Instant::now(), remaining_bytes: left }
        .run(open, &mut results)
        .await;
    let lost = || Err(Error::new(&BATCH, ErrorKind::Protocol("the call has no result".to_owned())));
    results.into_iter().map(|result| result.unwrap_or_else(lost)).collect()
}

/// Sends each call as a request of its own.
async fn send_separately(client: Client, calls: Vec<OutgoingRequest>) -> Results {
    let limit = client.inner.max_batch_bytes;
    let mut left = Some(limit);
    let mut results = Vec::with_capacity(calls.len());
    for mut outgoing in calls {
        if left.is_none() {
            results.push(Err(Error::new(outgoing.operation, ErrorKind::BatchTooLong { limit, sent: false })));
            continue;
        }
        let span = span(outgoing.operation);
        let sending = Box::pin(send_observed(&client, &mut outgoing, span.clone()).instrument(span));
        let (result, watch) = sending.await;
        left = left.and_then(|left| left.checked_sub(watch.bytes_received()));
        results.push(match result {
            Ok(response) if left.is_some() => Ok(UndecodedResponse::new(response, watch)),
            Ok(_) => Err(watch.fail(ErrorKind::BatchTooLong { limit, sent: true })),
            Err(failed) => Err(watch.fail(*failed)),
        });
    }
    results
}

/// Execution of a batch, with retries.
struct BatchRun<'a> {
    client: &'a ClientInner,
    batch: BatchEndpoint,
    started: Instant,
    /// Number of bytes of responses that may still be read.
    remaining_bytes: usize,
}

/// Response to a request with several calls.
struct BatchResponse {
    media_type: String,
    body: Bytes,
    /// True if the body was truncated at the remaining limit.
    is_truncated: bool,
}

/// Results of the calls so far, by their indices.
type ResultSlots = [Option<Result<UndecodedResponse, Error<Bytes>>>];

/// Call to be retried, with the delay and the failure.
type PendingRetry = (BatchItem, Option<Duration>, SendError);

/// Stores the result of the call at an index. An index without a slot is ignored.
fn set_result(results: &mut ResultSlots, index: usize, result: Result<UndecodedResponse, Error<Bytes>>) {
    if let Some(place) = results.get_mut(index) {
        *place = Some(result);
    }
}

impl BatchRun<'_> {
    /// Sends the calls, in several requests if one cannot hold all, and retries failed ones.
    async fn run(&mut self, mut open: Vec<BatchItem>, results: &mut ResultSlots) {
        let mut delays = self.client.retry.delays();
        let max = usize::try_from(self.batch.max_requests).unwrap_or(usize::MAX).max(1);
        while !open.is_empty() {
            let mut again = Vec::new();
            let mut rest = open.into_iter();
            loop {
                let items: Vec<BatchItem> = rest.by_ref().take(max).collect();
                if items.is_empty() {
                    break;
                }
                self.send_round(items, &mut again, results).await;
            }
            let delay = self.next_delay(&again, &mut delays);
            open = Vec::with_capacity(again.len());
            for (item, _, failed) in again {
                if item.policy.allows(self.started.elapsed().saturating_add(delay)) {
                    item.watch.log_retry(&failed, delay);
                    open.push(item);
                } else {
                    set_result(results, item.index, Err(item.watch.fail(*failed)));
                }
            }
            if !open.is_empty() && !delay.is_zero() {
                sleep(delay).await;
            }
        }
    }

    /// Sends as many calls as one request allows.
    async fn send_round(
        &mut self,
        mut items: Vec<BatchItem>,
        again: &mut Vec<PendingRetry>,
        results: &mut ResultSlots,
    ) {
        let token = self.request_token(&items).await;
        let outcomes = match &token {
            Ok(token) => self.exchange(&mut items, token.as_ref()).await,
            Err(failed) => items.iter().map(|_| Err(clone_failure(failed))).collect(),
        };
        let mut refused = false;
        let token = token.ok().flatten();
        for (item, outcome) in items.into_iter().zip(outcomes) {
            let index = item.index;
            match outcome {
                Ok(response) => set_result(results, index, Ok(UndecodedResponse::new(response, item.watch))),
                Err(failed) => match item.record_failure(failed, token.is_some()) {
                    Ok(item) => {
                        refused |= item.1.is_none();
                        again.push(item);
                    }
                    Err(error) => set_result(results, index, Err(error)),
                },
            }
        }
        if let (true, Some(token)) = (refused, &token) {
            self.invalidate_token(again, token);
        }
    }

    /// Returns the delay before the next request: none if all that is needed is a new token.
    fn next_delay(&self, again: &[PendingRetry], delays: &mut impl Iterator<Item = Duration>) -> Duration {
        let requested = again.iter().filter_map(|(_, delay, _)| *delay).max();
        requested.map_or(Duration::ZERO, |requested| delays.next().unwrap_or_default().max(requested))
    }

    /// Returns a token if one of the calls needs it.
    async fn request_token(&self, items: &[BatchItem]) -> Result<Option<Token>, SendError> {
        let Some(provider) = items.iter().find_map(|item| item.message.token_provider()) else { return Ok(None) };
        let scopes: Vec<&str> = self.client.scopes.iter().map(String::as_str).collect();
        Ok(Some(provider.token(&scopes).await.map_err(ErrorKind::Credentials)?))
    }

    /// Invalidates the rejected token.
    fn invalidate_token(&self, again: &[PendingRetry], token: &Token) {
        if let Some(provider) = again.iter().find_map(|(item, ..)| item.message.token_provider()) {
            provider.invalidate(token);
        }
    }

    /// Sends some of the calls as one request. If that fails, all of them fail.
    async fn exchange(
        &mut self,
        items: &mut [BatchItem],
        token: Option<&Token>,
    ) -> Vec<Result<SuccessResponse, SendError>> {
        let limit = self.client.max_batch_bytes;
        if self.remaining_bytes == 0 {
            let too_long = |item: &BatchItem| ErrorKind::BatchTooLong { limit, sent: item.attempts > 0 };
            return items.iter().map(|item| Err(too_long(item).into())).collect();
        }
        items.iter_mut().for_each(|item| item.watch.start_attempt());
        let after = self.client.timeout;
        // Metrics are recorded for the calls, not for the batch.
        let mut watch = CallObservation::new(None, &BATCH, Span::current());
        let exchanged = timeout(after, self.send(items, token, &mut watch)).await;
        let result = exchanged.unwrap_or_else(|| Err(ErrorKind::Timeout { after }.into()));
        // Also on failure: a response that broke off may be requested again.
        self.remaining_bytes = self.remaining_bytes.saturating_sub(watch.bytes_received());
        match result {
            Ok(response) => parts::decode_batch(response, items, token, limit).await,
            Err(failed) => items.iter().map(|_| Err(clone_failure(&failed))).collect(),
        }
    }

    /// Encodes calls as one `multipart/mixed` request, sends it, and reads the response without splitting it.
    async fn send(
        &self,
        items: &[BatchItem],
        token: Option<&Token>,
        watch: &mut CallObservation,
    ) -> Result<BatchResponse, SendError> {
        let base = self.client.base_url.as_str();
        let (authorization, boundary, body) = parts::encode_batch(base, items, token);
        let uri: Uri = format!("{base}{}", self.batch.path.name).parse().map_err(|_| cannot_encode())?;
        let mut request = Request::new(body);
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        let media_type = format!("multipart/mixed; boundary={boundary}");
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_str(&media_type).map_err(|_| cannot_encode())?);
        headers.insert(header::ACCEPT, HeaderValue::from_static("multipart/mixed"));
        headers.insert(header::USER_AGENT, self.client.user_agent.clone());
        if let Some(authorization) = authorization {
            headers.insert(header::AUTHORIZATION, authorization);
        }
        let response = self.client.transport.send(request).await.map_err(ErrorKind::Connection)?;
        let expected = ResponseExpectations {
            errors: &self.client.api.errors,
            not_modified: false,
            redirects: &[],
            reads_redirects: false,
            ignores_body: false,
            limit: self.remaining_bytes,
            truncates: true,
            streams: false,
        };
        // The response to all calls may repeat the secrets of any of them.
        let secrets = Secrets::merge(items.iter().map(|item| item.message.secrets(token)), token);
        let response = response::read(response, &expected, secrets, watch).await?;
        let media_type = response.content_type().unwrap_or_default().to_owned();
        let (body, is_cut) = response.into_body();
        Ok(BatchResponse { media_type, body, is_truncated: is_cut })
    }
}

/// Creates the error of a batch with an invalid URL or header.
fn cannot_encode() -> SendError {
    ErrorKind::Protocol("cannot build the batch".to_owned()).into()
}

/// Copies a failure for another call.
fn clone_failure(failed: &SendError) -> SendError {
    let copy = match &**failed {
        ErrorKind::Connection(error) => ErrorKind::Connection(TransportError::new(error.kind(), error.to_string())),
        ErrorKind::Timeout { after } => ErrorKind::Timeout { after: *after },
        ErrorKind::BodyTooLong { limit } => ErrorKind::BodyTooLong { limit: *limit },
        ErrorKind::BatchTooLong { limit, sent } => ErrorKind::BatchTooLong { limit: *limit, sent: *sent },
        ErrorKind::Status(response) => ErrorKind::Status(response.clone()),
        ErrorKind::Credentials(error) => ErrorKind::Credentials(error.clone()),
        other => ErrorKind::Protocol(other.to_string()),
    };
    copy.into()
}
