//! Session of a resumable upload.

use std::time::Duration;

use bytes::Bytes;
use http::header::{self, HeaderMap};
use http::{HeaderValue, Method, Uri};

use super::super::attempt::{self, Attempt, ChunkOutcome};
use super::super::message::EncodedRequest;
use super::super::response::SuccessResponse;
use super::super::retry_loop::retry_after;
use super::super::{OutgoingRequest, SendError};
use super::ResumableUpload;
use crate::client::Client;
use crate::error::ErrorKind;
use crate::media::{MediaErrorKind, Progress};
use crate::observe::CallObservation;
use crate::retry::RetryPolicy;
use crate::time::{Instant, sleep};

/// Session of an upload.
pub(super) struct Session<'a> {
    client: &'a Client,
    begin: &'a OutgoingRequest,
    message: &'a EncodedRequest,
    url: Uri,
    upload: &'a mut ResumableUpload,
    policy: &'a RetryPolicy,
    /// Time of the last progress.
    last_progress: Instant,
    /// Highest number of bytes that the server has confirmed.
    confirmed: u64,
    /// Number of failures since the last progress.
    failures: u32,
}

/// State of a session as the server reports it.
enum State {
    /// The upload is complete.
    Done(Box<SuccessResponse>),
    /// Number of bytes that have arrived.
    Arrived(u64),
}

impl<'a> Session<'a> {
    pub(super) fn new(
        client: &'a Client,
        begin: &'a OutgoingRequest,
        message: &'a EncodedRequest,
        address: Uri,
        upload: &'a mut ResumableUpload,
    ) -> Self {
        let policy = begin.options.retry.as_ref().unwrap_or(&client.inner.retry);
        Self {
            client,
            begin,
            message,
            url: address,
            upload,
            policy,
            last_progress: Instant::now(),
            confirmed: 0,
            failures: 0,
        }
    }

    /// Sends chunk after chunk.
    pub(super) async fn send(mut self, watch: &mut CallObservation) -> Result<SuccessResponse, SendError> {
        let mut delays = self.policy.delays();
        let mut query_only = false;
        loop {
            let failed = match self.step(query_only, watch).await {
                Ok(State::Done(response)) => {
                    self.report_progress(self.upload.reader.end_offset());
                    return Ok(*response);
                }
                Ok(State::Arrived(bytes)) => {
                    let queried = std::mem::take(&mut query_only);
                    if self.resume_at(bytes)? {
                        delays = self.policy.delays();
                        continue;
                    }
                    // Bytes that did not arrive are sent again; the failure was counted already.
                    if queried {
                        continue;
                    }
                    ErrorKind::Protocol("the server stopped accepting media without an error".to_owned()).into()
                }
                Err(failed) if self.policy.should_retry(&failed) => {
                    // Part of the chunk may have arrived.
                    query_only = true;
                    failed
                }
                Err(failed) => return Err(failed),
            };
            let delay = delays.next().unwrap_or_default().max(retry_after(&failed));
            if !self.may_retry(delay) {
                return Err(failed);
            }
            watch.log_retry(&failed, delay);
            sleep(delay).await;
        }
    }

    /// Counts a failure, and returns whether the policy allows another attempt after the delay.
    fn may_retry(&mut self, delay: Duration) -> bool {
        self.failures += 1;
        self.failures < self.policy.max_attempts
            && self.policy.allows(self.last_progress.elapsed().saturating_add(delay))
    }

    /// Continues after the bytes that have arrived. Returns whether they end after the start of the current chunk.
    fn resume_at(&mut self, bytes: u64) -> Result<bool, SendError> {
        let reader = &mut self.upload.reader;
        if bytes > reader.end_offset() {
            let message = format!("the server reported {bytes} received bytes, but {} were sent", reader.end_offset());
            return Err(ErrorKind::Protocol(message).into());
        }
        let more = bytes > reader.offset();
        reader.resume_at(bytes).map_err(|error| match error.kind() {
            MediaErrorKind::ReadOnce => ErrorKind::Protocol(
                "the server lost bytes of the upload, and the media can be read only once".to_owned(),
            ),
            _ => ErrorKind::Media(error),
        })?;
        if more {
            self.report_progress(bytes);
        }
        // Bytes that were lost and have arrived again are no progress: that could repeat forever.
        if bytes > self.confirmed {
            self.confirmed = bytes;
            self.last_progress = Instant::now();
            self.failures = 0;
        }
        Ok(more)
    }

    /// Passes the number of bytes that have arrived to the caller's function, if there is one.
    fn report_progress(&self, arrived: u64) {
        if let Some(progress) = &self.upload.progress {
            progress(Progress { arrived, total: self.upload.reader.total() });
        }
    }

    /// Sends a chunk, or queries how many bytes have arrived.
    async fn step(&mut self, query_only: bool, watch: &mut CallObservation) -> Result<State, SendError> {
        let reader = &mut self.upload.reader;
        let chunk = reader.read_chunk(self.upload.chunk_bytes).await.map_err(ErrorKind::Media)?;
        let total = reader.total().map_or_else(|| "*".to_owned(), |total| total.to_string());
        let range = if query_only || chunk.is_empty() {
            format!("bytes */{total}")
        } else {
            format!("bytes {}-{}/{total}", reader.offset(), reader.end_offset() - 1)
        };
        let body = if query_only { Bytes::new() } else { chunk };
        let headers = self.chunk_headers(&range, &body)?;
        let message = self.message.with_target(&self.client.inner, (Method::PUT, &self.url), headers, body)?;
        let attempt = Attempt::new(&self.client.inner, self.begin, &message).ignore_body(self.upload.ignores_body);
        let token = attempt.request_token().await?;
        let taken = match attempt.send_chunk(token.as_ref(), watch).await {
            Err(failed) if attempt::is_unauthorized(&failed) => match attempt.renew_token(token.as_ref()).await? {
                Some(fresh) => attempt.send_chunk(Some(&fresh), watch).await?,
                None => return Err(failed),
            },
            taken => taken?,
        };
        match taken {
            ChunkOutcome::Complete(response) => Ok(State::Done(response)),
            ChunkOutcome::Incomplete(headers) => parse_arrived(&headers).map(State::Arrived),
        }
    }

    /// Builds the headers of a request with a chunk, or of one that queries the status if the body is empty.
    fn chunk_headers(&self, range: &str, body: &Bytes) -> Result<HeaderMap, SendError> {
        let unusable = |_| ErrorKind::Protocol("the media type cannot be a header value".to_owned());
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(header::ACCEPT, HeaderValue::from_static(self.begin.accept));
        headers.insert(header::USER_AGENT, self.client.inner.user_agent.clone());
        headers.insert(header::CONTENT_RANGE, HeaderValue::from_str(range).map_err(unusable)?);
        if body.is_empty() {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("0"));
        } else {
            let content_type = HeaderValue::from_str(self.upload.reader.media().content_type()).map_err(unusable)?;
            headers.insert(header::CONTENT_TYPE, content_type);
        }
        Ok(headers)
    }
}

/// Returns how many bytes have arrived: `Range: bytes=0-42`, or 0 without the header.
fn parse_arrived(headers: &HeaderMap) -> Result<u64, SendError> {
    let Some(range) = headers.get(header::RANGE) else { return Ok(0) };
    let read = || {
        let last = range.to_str().ok()?.trim_ascii().strip_prefix("bytes=")?.strip_prefix("0-")?;
        last.parse::<u64>().ok()?.checked_add(1)
    };
    let unclear = || ErrorKind::Protocol("the server did not report how many bytes it has received".to_owned());
    Ok(read().ok_or_else(unclear)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrived_bytes_are_parsed() {
        let read = |text: Option<&'static str>| {
            let headers = text.map(|text| (header::RANGE, HeaderValue::from_static(text)));
            parse_arrived(&headers.into_iter().collect()).ok()
        };
        assert_eq!(read(None), Some(0));
        assert_eq!(read(Some("bytes=0-0")), Some(1));
        assert_eq!(read(Some("bytes=0-42 ")), Some(43));
        for wrong in ["", "0-42", "bytes=1-42", "bytes=0-", "bytes=0--1", "bytes=0-18446744073709551615", "bytes 0-42"]
        {
            assert_eq!(read(Some(wrong)), None, "{wrong}");
        }
    }
}
