//! Several calls in one request, and those that failed for a while once more.

mod parts;

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Uri, header};
use tracing::{Instrument as _, Span};
use wireform_runtime::operation::{Batch, Operation, ScopeNeed};

use super::answer::{self, Answer, Answered, Expected};
use super::message::Message;
use super::secrets::Secrets;
use super::turns::retry_after;
use super::{Exchange, Failed, Outgoing, attempt, dispatch};
use crate::client::{Client, Inner};
use crate::credentials::Token;
use crate::error::{Error, ErrorKind, StatusError};
use crate::observe::{Watch, span};
use crate::retry::RetryPolicy;
use crate::time::{Instant, sleep, timeout};
use crate::transport::TransportError;

/// What the request around the others is called.
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

/// What came of each call, in their order.
pub(crate) type Results = Vec<Result<Answered, Error<Bytes>>>;

/// A call that has no result yet.
struct Item {
    index: usize,
    message: Message,
    expected: Expected,
    watch: Watch,
    policy: RetryPolicy,
    turns: u32,
    allowed: u32,
    may_renew: bool,
}

/// Sends the calls in as few requests as the API allows. Nothing happens before the future is polled.
pub(crate) fn batch(client: Client, calls: Vec<Outgoing>) -> Exchange<Results> {
    let span = span(&BATCH);
    Box::pin(async move { Ok(run(client, calls).await) }.instrument(span))
}

async fn run(client: Client, calls: Vec<Outgoing>) -> Results {
    let Some(of) = client.inner.api.batch.filter(|_| !client.inner.transport.wants_typed()) else {
        // Who takes values takes them one by one, and so does an API that takes no batches.
        let mut results = Vec::with_capacity(calls.len());
        for outgoing in calls {
            results.push(dispatch(client.clone(), outgoing).await);
        }
        return results;
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
    Turns { client: &client.inner, of, begun: Instant::now() }.take(open, &mut results).await;
    let lost = || Err(Error::new(&BATCH, ErrorKind::Protocol("the call has no result".to_owned())));
    results.into_iter().map(|result| result.unwrap_or_else(lost)).collect()
}

impl Item {
    fn new(client: &Inner, index: usize, mut outgoing: Outgoing) -> Result<Self, Error<Bytes>> {
        let operation = outgoing.operation;
        let mut watch = Watch::new(client.metrics.clone(), operation, span(operation));
        #[cfg(feature = "validation")]
        if let Some(violations) = outgoing.invalid.take() {
            return Err(watch.failed(ErrorKind::Invalid(violations)));
        }
        let message = match Message::new(client, &mut outgoing) {
            Ok(message) => message,
            Err(failed) => return Err(watch.failed(*failed)),
        };
        watch.sent(message.length());
        let policy = outgoing.options.retry.as_ref().unwrap_or(&client.retry).clone();
        // Sending twice what is neither could do twice what is wanted once.
        let harmless = operation.safe || operation.idempotent;
        let allowed = if harmless { policy.max_attempts } else { 1 };
        let expected = Expected {
            errors: outgoing.api.errors,
            not_modified: outgoing.options.if_none_match.is_some(),
            ignores_body: outgoing.ignores_body,
            limit: client.max_body_bytes,
            streams: false,
        };
        Ok(Self { index, message, expected, watch, policy, turns: 0, allowed, may_renew: true })
    }

    /// Why nothing more is tried; or how long it is waited before the next time, not at all for another token.
    fn failed(mut self, failed: Failed, renewable: bool) -> Result<(Self, Option<Duration>, Failed), Error<Bytes>> {
        self.turns += 1;
        // Who is not let in has done nothing, so any operation may be repeated.
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

/// The requests that a batch takes.
struct Turns<'a> {
    client: &'a Inner,
    of: Batch,
    begun: Instant,
}

/// What came of each call so far, by its place.
type Places = [Option<Result<Answered, Error<Bytes>>>];

/// A call that is sent once more: after how long, and why.
type Again = (Item, Option<Duration>, Failed);

fn put(results: &mut Places, index: usize, result: Result<Answered, Error<Bytes>>) {
    if let Some(place) = results.get_mut(index) {
        *place = Some(result);
    }
}

impl Turns<'_> {
    async fn take(&self, mut open: Vec<Item>, results: &mut Places) {
        let mut delays = self.client.retry.delays();
        let most = usize::try_from(self.of.max).unwrap_or(usize::MAX).max(1);
        while !open.is_empty() {
            let mut again = Vec::new();
            let mut rest = open.into_iter();
            loop {
                let items: Vec<Item> = rest.by_ref().take(most).collect();
                if items.is_empty() {
                    break;
                }
                self.turn(items, &mut again, results).await;
            }
            let delay = self.delay(&again, &mut delays);
            open = Vec::with_capacity(again.len());
            for (item, _, failed) in again {
                if item.policy.allows(self.begun.elapsed().saturating_add(delay)) {
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

    /// Sends as many calls as one request takes.
    async fn turn(&self, mut items: Vec<Item>, again: &mut Vec<Again>, results: &mut Places) {
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
                Ok(answer) => put(results, index, Ok(Answered::new(answer, item.watch))),
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

    /// How long it is waited for the next turn: not at all, if all that is wanted is another token.
    fn delay(&self, again: &[Again], delays: &mut impl Iterator<Item = Duration>) -> Duration {
        let asked = again.iter().filter_map(|(_, delay, _)| *delay).max();
        asked.map_or(Duration::ZERO, |asked| delays.next().unwrap_or_default().max(asked))
    }

    /// The token that the calls are shown, if they are shown one.
    async fn token(&self, items: &[Item]) -> Result<Option<Token>, Failed> {
        let Some(provider) = items.iter().find_map(|item| item.message.tokens()) else { return Ok(None) };
        let scopes: Vec<&str> = self.client.scopes.iter().map(String::as_str).collect();
        Ok(Some(provider.token(&scopes).await.map_err(ErrorKind::Credentials)?))
    }

    /// A token that was refused is not used again.
    fn forget(&self, again: &[Again], token: &Token) {
        if let Some(provider) = again.iter().find_map(|(item, ..)| item.message.tokens()) {
            provider.invalidate(token);
        }
    }

    /// Sends some of the calls as one request. Where that has no answer, none of them has.
    async fn exchange(&self, items: &mut [Item], token: Option<&Token>) -> Vec<Result<Answer, Failed>> {
        items.iter_mut().for_each(|item| item.watch.attempt());
        let after = self.client.timeout;
        let exchanged = timeout(after, self.send(items, token)).await;
        let answer = exchanged.unwrap_or_else(|| Err(ErrorKind::Timeout { after }.into()));
        match answer {
            Ok((media_type, body)) => parts::read(&media_type, &body, items, token).await,
            Err(failed) => items.iter().map(|_| Err(copied(&failed))).collect(),
        }
    }

    async fn send(&self, items: &[Item], token: Option<&Token>) -> Result<(String, Bytes), Failed> {
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
            errors: self.client.api.errors,
            not_modified: false,
            ignores_body: false,
            limit: self.client.max_body_bytes.saturating_mul(items.len()),
            streams: false,
        };
        // Who answers for all of them may repeat what any of them shows.
        let secrets = Secrets::of_all(items.iter().map(|item| item.message.secrets(token)), token);
        // The calls are counted, each by itself.
        let mut watch = Watch::new(None, &BATCH, Span::current());
        let answer = answer::read(response, &expected, secrets, &mut watch).await?;
        let answered = Answered::new(answer, watch);
        let media_type = answered.content_type().unwrap_or_default().to_owned();
        Ok((media_type, answered.body().cloned().unwrap_or_default()))
    }
}

fn unusable() -> Failed {
    ErrorKind::Protocol("the batch cannot be put together".to_owned()).into()
}

/// The same failure for another call.
fn copied(failed: &Failed) -> Failed {
    let copy = match &**failed {
        ErrorKind::Connection(error) => ErrorKind::Connection(TransportError::new(error.kind(), error.to_string())),
        ErrorKind::Timeout { after } => ErrorKind::Timeout { after: *after },
        ErrorKind::BodyTooLong { limit } => ErrorKind::BodyTooLong { limit: *limit },
        ErrorKind::Status(answer) => {
            let StatusError { status, message, reason, location, body, raw, retry_after, request_id, redirect } =
                answer;
            ErrorKind::Status(StatusError {
                status: *status,
                message: message.clone(),
                reason: reason.clone(),
                location: location.clone(),
                body: body.clone(),
                raw: raw.clone(),
                retry_after: *retry_after,
                request_id: request_id.clone(),
                redirect: redirect.clone(),
            })
        }
        ErrorKind::Credentials(error) => ErrorKind::Credentials(error.clone()),
        other => ErrorKind::Protocol(other.to_string()),
    };
    copy.into()
}
