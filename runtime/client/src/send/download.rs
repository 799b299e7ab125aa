//! Streamed downloads, which are resumed when they break off.

use std::time::Duration;

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderValue};
use http_body_util::BodyExt as _;
use tracing::{Instrument as _, Span};
use wireform_runtime::etag::ETag;

use super::attempt::Attempt;
use super::message::Message;
use super::retry_loop::{RetryLoop, retry_after};
use super::{Exchange, Failed, Outgoing};
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::observe::{Watch, span};
use crate::time::{Instant, sleep, timeout};
use crate::transport::ResponseBody;

/// Head of a response, and its body while it is read.
pub(crate) struct Download {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    body: ResponseBody,
    client: Client,
    outgoing: Outgoing,
    message: Message,
    watch: Option<Watch>,
    span: Span,
    /// Offset of the next byte.
    at: u64,
    /// Offset of the last byte that was requested.
    last: Option<u64>,
    /// Number of remaining bytes, if it is known.
    left: Option<u64>,
    /// Number of failures since the last byte arrived.
    turns: u32,
    advanced: Instant,
    /// Start of the body.
    started: Instant,
    /// Maximum time for the whole body.
    body_timeout: Option<Duration>,
}

/// Sends a request whose response is streamed, from an offset on. Nothing happens before the future is polled.
pub(crate) fn download(client: Client, outgoing: Outgoing, from: u64, last: Option<u64>) -> Exchange<Download> {
    let span = span(outgoing.operation);
    Box::pin(begin(client, outgoing, (from, last), span.clone()).instrument(span))
}

async fn begin(
    client: Client,
    mut outgoing: Outgoing,
    (at, last): (u64, Option<u64>),
    span: Span,
) -> Result<Download, Error<Bytes>> {
    let mut watch = Watch::new(client.inner.metrics.clone(), outgoing.operation, span.clone());
    #[cfg(feature = "validation")]
    if let Some(violations) = outgoing.invalid.take() {
        return Err(watch.failed(ErrorKind::Invalid(violations)));
    }
    let result = match Message::new(&client.inner, &mut outgoing) {
        Ok(message) => match RetryLoop::new(&client.inner, &outgoing, &message).run(&mut watch).await {
            Ok(response) => Ok((message, response)),
            Err(failed) => Err(failed),
        },
        Err(failed) => Err(failed),
    };
    let (message, answer) = match result {
        Ok(answer) => answer,
        Err(failed) => return Err(watch.failed(*failed)),
    };
    let (status, headers, body) = answer.into_unread();
    // A server may send everything although a range was requested.
    let at = if status == 206 { begins(&headers).unwrap_or(at) } else { 0 };
    let coded = headers.contains_key(header::CONTENT_ENCODING);
    let length = headers.get(header::CONTENT_LENGTH).filter(|_| !coded);
    let left = length.and_then(|length| length.to_str().ok()?.parse().ok());
    Ok(Download {
        status,
        headers,
        body,
        client,
        outgoing,
        message,
        watch: Some(watch),
        span,
        at,
        last,
        left,
        turns: 0,
        advanced: Instant::now(),
        started: Instant::now(),
        body_timeout: None,
    })
}

/// Returns the first offset of a range: `Content-Range: bytes 42-99/100`.
fn begins(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_RANGE)?.to_str().ok()?.strip_prefix("bytes ")?.split('-').next()?.parse().ok()
}

impl Download {
    /// Returns the number of remaining bytes, if it is known.
    pub(crate) fn left(&self) -> Option<u64> {
        self.left
    }

    /// Sets the maximum time for the whole body.
    pub(crate) fn set_body_timeout(&mut self, time: Option<Duration>) {
        self.body_timeout = time;
    }

    /// Returns the offset of the next byte.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Returns the next bytes, or `None` at the end.
    pub(crate) fn next(mut self) -> Exchange<(Self, Option<Bytes>)> {
        let span = self.span.clone();
        Box::pin(
            async move {
                match self.piece_in_time().await {
                    Ok(piece) => Ok((self, piece)),
                    Err(failed) => match self.watch.take() {
                        Some(watch) => Err(watch.failed(*failed)),
                        None => Err(Error::new(self.outgoing.operation, *failed)),
                    },
                }
            }
            .instrument(span),
        )
    }

    async fn piece_in_time(&mut self) -> Result<Option<Bytes>, Failed> {
        let Some(after) = self.body_timeout else { return self.piece().await };
        let left = after.saturating_sub(self.started.elapsed());
        timeout(left, self.piece()).await.unwrap_or_else(|| Err(ErrorKind::Timeout { after }.into()))
    }

    async fn piece(&mut self) -> Result<Option<Bytes>, Failed> {
        loop {
            let failed = match self.frame().await {
                Ok(Some(data)) => {
                    self.at += data.len() as u64;
                    self.left = self.left.map(|left| left.saturating_sub(data.len() as u64));
                    (self.turns, self.advanced) = (0, Instant::now());
                    if let Some(watch) = &mut self.watch {
                        watch.received(data.len());
                    }
                    return Ok(Some(data));
                }
                Ok(None) => {
                    if let Some(watch) = self.watch.take() {
                        watch.succeeded();
                    }
                    return Ok(None);
                }
                Err(failed) => failed,
            };
            self.resume(failed).await?;
        }
    }

    async fn frame(&mut self) -> Result<Option<Bytes>, Failed> {
        let after = self.outgoing.options.timeout.unwrap_or(self.client.inner.timeout);
        let body = &mut self.body;
        // Empty frames are no progress, however many there are.
        let data = async {
            while let Some(frame) = body.frame().await {
                match frame.map_err(ErrorKind::Connection)?.into_data() {
                    Ok(data) if !data.is_empty() => return Ok(Some(data)),
                    _ => {}
                }
            }
            Ok(None)
        };
        timeout(after, data).await.unwrap_or_else(|| Err(ErrorKind::Timeout { after }.into()))
    }

    /// Requests the missing bytes, as often as the policy allows.
    async fn resume(&mut self, mut failed: Failed) -> Result<(), Failed> {
        let policy = self.outgoing.options.retry.clone().unwrap_or_else(|| self.client.inner.retry.clone());
        // Bytes of another version must not be appended, so there is no resumption without an entity tag.
        let Some(tag) = self.tag().filter(|_| self.outgoing.operation.safe) else { return Err(failed) };
        let mut delays = policy.delays();
        loop {
            self.turns += 1;
            let delay = delays.next().unwrap_or_default().max(retry_after(&failed));
            let in_time = policy.allows(self.advanced.elapsed().saturating_add(delay));
            if !policy.retries(&failed) || self.turns >= policy.max_attempts || !in_time {
                return Err(failed);
            }
            if let Some(watch) = &mut self.watch {
                watch.retrying(&failed, delay);
            }
            sleep(delay).await;
            match self.again(&tag).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(failed),
                Err(again) => failed = again,
            }
        }
    }

    /// Returns the entity tag if it is a strong one (RFC 9110, section 13.1.5).
    fn tag(&self) -> Option<HeaderValue> {
        let tag = self.headers.get(header::ETAG)?;
        ETag::parse(tag.to_str().ok()?).ok().filter(|tag| !tag.as_str().starts_with("W/"))?;
        Some(tag.clone())
    }

    /// Requests the remaining bytes. Returns whether the server sends them.
    async fn again(&mut self, tag: &HeaderValue) -> Result<bool, Failed> {
        let last = self.last.map(|last| last.to_string()).unwrap_or_default();
        let Ok(range) = HeaderValue::from_str(&format!("bytes={}-{last}", self.at)) else { return Ok(false) };
        let message = self.message.clone().with_header(header::RANGE, range);
        let message = message.with_header(header::IF_RANGE, tag.clone());
        let attempt = Attempt::new(&self.client.inner, &self.outgoing, &message);
        let token = attempt.token().await?;
        let Some(watch) = &mut self.watch else { return Ok(false) };
        let (status, headers, body) = attempt.make(token.as_ref(), watch).await?.into_unread();
        let goes_on = status == 206 && begins(&headers) == Some(self.at);
        if goes_on {
            self.body = body;
        }
        Ok(goes_on)
    }
}
