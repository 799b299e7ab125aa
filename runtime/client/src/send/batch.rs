//! Batch requests, with retries of the calls that failed temporarily.

mod item;
mod parts;

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Uri, header};
use tracing::{Instrument as _, Span};
use wireform_runtime::operation::{Batch, Operation, ScopeNeed};

use self::item::Item;
use super::response::{self, Expected, SuccessResponse, UndecodedResponse};
use super::secrets::Secrets;
use super::{Exchange, Failed, Outgoing, watched};
use crate::client::{Client, Inner};
use crate::credentials::Token;
use crate::error::{Error, ErrorKind};
use crate::observe::{Watch, span};
use crate::time::{Instant, sleep, timeout};
use crate::transport::TransportError;

/// Pseudo-operation of the batch request itself.
pub(crate) static BATCH: Operation = Operation {
    name: "batch",
    method: "POST",
    path: &[],
    verb: None,
    parameters: &[],
    scopes: ScopeNeed::None,
    api_key: false,
    safe: false,
    idempotent: false,
    cost: 1,
};

/// Results of the calls, in their order.
pub(crate) type Results = Vec<Result<UndecodedResponse, Error<Bytes>>>;

/// Sends the calls in as few requests as the API allows. Nothing happens before the future is polled.
pub(crate) fn batch(client: Client, calls: Vec<Outgoing>) -> Exchange<Results> {
    let span = span(&BATCH);
    Box::pin(async move { Ok(run(client, calls).await) }.instrument(span))
}

async fn run(client: Client, calls: Vec<Outgoing>) -> Results {
    let Some(of) = client.inner.api.batch.filter(|_| !client.inner.transport.wants_typed()) else {
        // A transport of typed requests, and an API without batches, handle single requests.
        return one_by_one(client, calls).await;
    };
    let (mut results, mut open) = (Vec::with_capacity(calls.len()), Vec::with_capacity(calls.len()));
    for (index, outgoing) in calls.into_iter().enumerate() {
        match Item::new(&client.inner, index, outgoing) {
            Ok(item) => {
                open.push(item);
                results.push(None);
            }
            Err(error) => results.push(Some(Err(error))),
        }
    }
    let left = client.inner.max_batch_bytes;
    BatchRun { client: &client.inner, of, started: Instant::now(), left }.run(open, &mut results).await;
    let lost = || Err(Error::new(&BATCH, ErrorKind::Protocol("the call has no result".to_owned())));
    results.into_iter().map(|result| result.unwrap_or_else(lost)).collect()
}

/// Sends each call as a request of its own.
async fn one_by_one(client: Client, calls: Vec<Outgoing>) -> Results {
    let limit = client.inner.max_batch_bytes;
    let mut left = Some(limit);
    let mut results = Vec::with_capacity(calls.len());
    for outgoing in calls {
        if left.is_none() {
            results.push(Err(Error::new(outgoing.operation, ErrorKind::BatchTooLong { limit, sent: false })));
            continue;
        }
        let span = span(outgoing.operation);
        let sending = Box::pin(watched(client.clone(), outgoing, span.clone()).instrument(span));
        let (result, watch) = sending.await;
        left = left.and_then(|left| left.checked_sub(watch.bytes_received()));
        results.push(match result {
            Ok(answer) if left.is_some() => Ok(UndecodedResponse::new(answer, watch)),
            Ok(_) => Err(watch.failed(ErrorKind::BatchTooLong { limit, sent: true })),
            Err(failed) => Err(watch.failed(*failed)),
        });
    }
    results
}

/// Execution of a batch, with retries.
struct BatchRun<'a> {
    client: &'a Inner,
    of: Batch,
    started: Instant,
    /// Number of bytes of responses that may still be read.
    left: usize,
}

/// Response to a request with several calls.
struct Response {
    media_type: String,
    body: Bytes,
    /// True if the body was truncated at the remaining limit.
    is_cut: bool,
}

/// Results of the calls so far, by their indices.
type Places = [Option<Result<UndecodedResponse, Error<Bytes>>>];

/// Call to be retried, with the delay and the failure.
type Again = (Item, Option<Duration>, Failed);

fn put(results: &mut Places, index: usize, result: Result<UndecodedResponse, Error<Bytes>>) {
    if let Some(place) = results.get_mut(index) {
        *place = Some(result);
    }
}

impl BatchRun<'_> {
    async fn run(&mut self, mut open: Vec<Item>, results: &mut Places) {
        let mut delays = self.client.retry.delays();
        let max = usize::try_from(self.of.max).unwrap_or(usize::MAX).max(1);
        while !open.is_empty() {
            let mut again = Vec::new();
            let mut rest = open.into_iter();
            loop {
                let items: Vec<Item> = rest.by_ref().take(max).collect();
                if items.is_empty() {
                    break;
                }
                self.turn(items, &mut again, results).await;
            }
            let delay = self.delay(&again, &mut delays);
            open = Vec::with_capacity(again.len());
            for (item, _, failed) in again {
                if item.policy.allows(self.started.elapsed().saturating_add(delay)) {
                    item.watch.retrying(&failed, delay);
                    open.push(item);
                } else {
                    put(results, item.index, Err(item.watch.failed(*failed)));
                }
            }
            if !open.is_empty() && !delay.is_zero() {
                sleep(delay).await;
            }
        }
    }

    /// Sends as many calls as one request allows.
    async fn turn(&mut self, mut items: Vec<Item>, again: &mut Vec<Again>, results: &mut Places) {
        let token = self.token(&items).await;
        let outcomes = match &token {
            Ok(token) => self.exchange(&mut items, token.as_ref()).await,
            Err(failed) => items.iter().map(|_| Err(copied(failed))).collect(),
        };
        let mut refused = false;
        let token = token.ok().flatten();
        for (item, outcome) in items.into_iter().zip(outcomes) {
            let index = item.index;
            match outcome {
                Ok(answer) => put(results, index, Ok(UndecodedResponse::new(answer, item.watch))),
                Err(failed) => match item.failed(failed, token.is_some()) {
                    Ok(item) => {
                        refused |= item.1.is_none();
                        again.push(item);
                    }
                    Err(error) => put(results, index, Err(error)),
                },
            }
        }
        if let (true, Some(token)) = (refused, &token) {
            self.forget(again, token);
        }
    }

    /// Returns the delay before the next request: none if all that is needed is a new token.
    fn delay(&self, again: &[Again], delays: &mut impl Iterator<Item = Duration>) -> Duration {
        let asked = again.iter().filter_map(|(_, delay, _)| *delay).max();
        asked.map_or(Duration::ZERO, |asked| delays.next().unwrap_or_default().max(asked))
    }

    /// Returns a token if one of the calls needs it.
    async fn token(&self, items: &[Item]) -> Result<Option<Token>, Failed> {
        let Some(provider) = items.iter().find_map(|item| item.message.tokens()) else { return Ok(None) };
        let scopes: Vec<&str> = self.client.scopes.iter().map(String::as_str).collect();
        Ok(Some(provider.token(&scopes).await.map_err(ErrorKind::Credentials)?))
    }

    /// Invalidates the rejected token.
    fn forget(&self, again: &[Again], token: &Token) {
        if let Some(provider) = again.iter().find_map(|(item, ..)| item.message.tokens()) {
            provider.invalidate(token);
        }
    }

    /// Sends some of the calls as one request. If that fails, all of them fail.
    async fn exchange(&mut self, items: &mut [Item], token: Option<&Token>) -> Vec<Result<SuccessResponse, Failed>> {
        let limit = self.client.max_batch_bytes;
        if self.left == 0 {
            let too_long = |item: &Item| ErrorKind::BatchTooLong { limit, sent: item.turns > 0 };
            return items.iter().map(|item| Err(too_long(item).into())).collect();
        }
        items.iter_mut().for_each(|item| item.watch.attempt());
        let after = self.client.timeout;
        // Metrics are recorded for the calls, not for the batch.
        let mut watch = Watch::new(None, &BATCH, Span::current());
        let exchanged = timeout(after, self.send(items, token, &mut watch)).await;
        let answer = exchanged.unwrap_or_else(|| Err(ErrorKind::Timeout { after }.into()));
        // Also on failure: a response that broke off may be requested again.
        self.left = self.left.saturating_sub(watch.bytes_received());
        match answer {
            Ok(response) => parts::read(response, items, token, limit).await,
            Err(failed) => items.iter().map(|_| Err(copied(&failed))).collect(),
        }
    }

    async fn send(&self, items: &[Item], token: Option<&Token>, watch: &mut Watch) -> Result<Response, Failed> {
        let base = self.client.base_url.as_str();
        let (authorization, boundary, body) = parts::write(base, items, token);
        let uri: Uri = format!("{base}{}", self.of.path).parse().map_err(|_| unusable())?;
        let mut request = Request::new(body);
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        let media_type = format!("multipart/mixed; boundary={boundary}");
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_str(&media_type).map_err(|_| unusable())?);
        headers.insert(header::ACCEPT, HeaderValue::from_static("multipart/mixed"));
        headers.insert(header::USER_AGENT, self.client.user_agent.clone());
        if let Some(authorization) = authorization {
            headers.insert(header::AUTHORIZATION, authorization);
        }
        let response = self.client.transport.send(request).await.map_err(ErrorKind::Connection)?;
        let expected = Expected {
            errors: &self.client.api.errors,
            not_modified: false,
            ignores_body: false,
            limit: self.left,
            cuts: true,
            streams: false,
        };
        // The response to all calls may repeat the secrets of any of them.
        let secrets = Secrets::of_all(items.iter().map(|item| item.message.secrets(token)), token);
        let answer = response::read(response, &expected, secrets, watch).await?;
        let media_type = answer.content_type().unwrap_or_default().to_owned();
        let (body, is_cut) = answer.into_body();
        Ok(Response { media_type, body, is_cut })
    }
}

fn unusable() -> Failed {
    ErrorKind::Protocol("cannot build the batch".to_owned()).into()
}

/// Copies a failure for another call.
fn copied(failed: &Failed) -> Failed {
    let copy = match &**failed {
        ErrorKind::Connection(error) => ErrorKind::Connection(TransportError::new(error.kind(), error.to_string())),
        ErrorKind::Timeout { after } => ErrorKind::Timeout { after: *after },
        ErrorKind::BodyTooLong { limit } => ErrorKind::BodyTooLong { limit: *limit },
        ErrorKind::BatchTooLong { limit, sent } => ErrorKind::BatchTooLong { limit: *limit, sent: *sent },
        ErrorKind::Status(answer) => ErrorKind::Status(answer.clone()),
        ErrorKind::Credentials(error) => ErrorKind::Credentials(error.clone()),
        other => ErrorKind::Protocol(other.to_string()),
    };
    copy.into()
}
