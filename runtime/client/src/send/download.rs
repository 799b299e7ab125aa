//! Streamed downloads, which are resumed when they break off.

use std::time::Duration;

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderValue};
use http_body_util::BodyExt as _;
use tracing::{Instrument as _, Span};
use wireform_runtime::etag::ETag;

use super::attempt::Attempt;
use super::message::EncodedRequest;
use super::retry_loop::{RetryLoop, retry_after};
use super::{Exchange, OutgoingRequest, SendError};
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::observe::{CallObservation, span};
use crate::time::{Instant, sleep, timeout};
use crate::transport::ResponseBody;

/// Head of a response, and its body while it is read.
pub(crate) struct Download {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    body: ResponseBody,
    client: Client,
    outgoing: OutgoingRequest,
    message: EncodedRequest,
    watch: Option<CallObservation>,
    span: Span,
    /// Offset of the next byte.
    offset: u64,
    /// Offset of the last byte that was requested.
    last: Option<u64>,
    /// Number of remaining bytes, if it is known.
    remaining: Option<u64>,
    /// Number of failures since the last byte arrived.
    failures: u32,
    last_progress: Instant,
    /// Start of the body.
    started: Instant,
    /// Maximum time for the whole body.
    body_timeout: Option<Duration>,
}

/// Sends a request whose response is streamed, from an offset on. Nothing happens before the future is polled.
pub(crate) fn download(client: Client, outgoing: OutgoingRequest, from: u64, last: Option<u64>) -> Exchange<Download> {
    let span = span(outgoing.operation);
    Box::pin(begin(client, outgoing, (from, last), span.clone()).instrument(span))
}

/// Sends the request, with retries, and returns its download before the first chunk. `at` to `last` is the range.
async fn begin(
    client: Client,
    mut outgoing: OutgoingRequest,
    (at, last): (u64, Option<u64>),
    span: Span,
) -> Result<Download, Error<Bytes>> {
    let mut watch = CallObservation::new(client.inner.metrics.clone(), outgoing.operation, span.clone());
    #[cfg(feature = "validation")]
    if let Some(violations) = outgoing.invalid.take() {
        return Err(watch.fail(ErrorKind::Invalid(violations)));
    }
    let result = match EncodedRequest::new(&client.inner, &mut outgoing) {
        Ok(message) => match RetryLoop::new(&client.inner, &outgoing, &message).run(&mut watch).await {
            Ok(response) => Ok((message, response)),
            Err(failed) => Err(failed),
        },
        Err(failed) => Err(failed),
    };
    let (message, response) = match result {
        Ok(response) => response,
        Err(failed) => return Err(watch.fail(*failed)),
    };
    let (status, headers, body) = response.into_unread();
    // A server may send everything although a range was requested.
    let at = if status == 206 { range_start(&headers).unwrap_or(at) } else { 0 };
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
        offset: at,
        last,
        remaining: left,
        failures: 0,
        last_progress: Instant::now(),
        started: Instant::now(),
        body_timeout: None,
    })
}

/// Returns the first offset of a range: `Content-Range: bytes 42-99/100`.
fn range_start(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_RANGE)?.to_str().ok()?.strip_prefix("bytes ")?.split('-').next()?.parse().ok()
}

impl Download {
    /// Returns the number of remaining bytes, if it is known.
    pub(crate) fn remaining(&self) -> Option<u64> {
        self.remaining
    }

    /// Sets the maximum time for the whole body.
    pub(crate) fn set_body_timeout(&mut self, time: Option<Duration>) {
        self.body_timeout = time;
    }

    /// Returns the offset of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the next bytes, or `None` at the end.
    pub(crate) fn next(mut self) -> Exchange<(Self, Option<Bytes>)> {
        let span = self.span.clone();
        Box::pin(
            async move {
                match self.next_chunk_in_time().await {
                    Ok(piece) => Ok((self, piece)),
                    Err(failed) => match self.watch.take() {
                        Some(watch) => Err(watch.fail(*failed)),
                        None => Err(Error::new(self.outgoing.operation, *failed)),
                    },
                }
            }
            .instrument(span),
        )
    }

    /// Reads the next chunk within the timeout of the whole body, if there is one.
    async fn next_chunk_in_time(&mut self) -> Result<Option<Bytes>, SendError> {
        let Some(after) = self.body_timeout else { return self.next_chunk().await };
        let left = after.saturating_sub(self.started.elapsed());
        timeout(left, self.next_chunk()).await.unwrap_or_else(|| Err(ErrorKind::Timeout { after }.into()))
    }

    /// Reads the next chunk, and resumes the download after an error. Returns `None` at the end.
    async fn next_chunk(&mut self) -> Result<Option<Bytes>, SendError> {
        loop {
            let failed = match self.next_frame().await {
                Ok(Some(data)) => {
                    self.offset += data.len() as u64;
                    self.remaining = self.remaining.map(|left| left.saturating_sub(data.len() as u64));
                    (self.failures, self.last_progress) = (0, Instant::now());
                    if let Some(watch) = &mut self.watch {
                        watch.record_received(data.len());
                    }
                    return Ok(Some(data));
                }
                Ok(None) => {
                    if let Some(watch) = self.watch.take() {
                        watch.succeed();
                    }
                    return Ok(None);
                }
                Err(failed) => failed,
            };
            self.resume(failed).await?;
        }
    }

    /// Reads the next data of the current response that is not empty, within the timeout. Returns `None` at its end.
    async fn next_frame(&mut self) -> Result<Option<Bytes>, SendError> {
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
    async fn resume(&mut self, mut failed: SendError) -> Result<(), SendError> {
        let policy = self.outgoing.options.retry.clone().unwrap_or_else(|| self.client.inner.retry.clone());
        // Bytes of another version must not be appended, so there is no resumption without an entity tag.
        let Some(tag) = self.strong_etag().filter(|_| self.outgoing.operation.safe) else { return Err(failed) };
        let mut delays = policy.delays();
        loop {
            self.failures += 1;
            let delay = delays.next().unwrap_or_default().max(retry_after(&failed));
            let in_time = policy.allows(self.last_progress.elapsed().saturating_add(delay));
            if !policy.should_retry(&failed) || self.failures >= policy.max_attempts || !in_time {
                return Err(failed);
            }
            if let Some(watch) = &mut self.watch {
                watch.log_retry(&failed, delay);
            }
            sleep(delay).await;
            match self.request_rest(&tag).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(failed),
                Err(again) => failed = again,
            }
        }
    }

    /// Returns the entity tag if it is a strong one (RFC 9110, section 13.1.5).
    fn strong_etag(&self) -> Option<HeaderValue> {
        let tag = self.headers.get(header::ETAG)?;
        ETag::parse(tag.to_str().ok()?).ok().filter(|tag| !tag.as_str().starts_with("W/"))?;
        Some(tag.clone())
    }

    /// Requests the remaining bytes. Returns whether the server sends them.
    async fn request_rest(&mut self, tag: &HeaderValue) -> Result<bool, SendError> {
        let last = self.last.map(|last| last.to_string()).unwrap_or_default();
        let Ok(range) = HeaderValue::from_str(&format!("bytes={}-{last}", self.offset)) else { return Ok(false) };
        let message = self.message.clone().with_header(header::RANGE, range);
        let message = message.with_header(header::IF_RANGE, tag.clone());
        let attempt = Attempt::new(&self.client.inner, &self.outgoing, &message);
        let token = attempt.request_token().await?;
        let Some(watch) = &mut self.watch else { return Ok(false) };
        let (status, headers, body) = attempt.send_once(token.as_ref(), watch).await?.into_unread();
        let continues = status == 206 && range_start(&headers) == Some(self.offset);
        if continues {
            self.body = body;
        }
        Ok(continues)
    }
}
