//! Responses that are read as a stream.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use futures_util::StreamExt as _;
use http::header::{self, HeaderMap};
use wireform_runtime::operation::Role;
use wireform_runtime::{Request, WireBody};

use crate::call::{Call, erase_request};
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::options::CallOptions;
use crate::send::{self, Exchange, Extras, download};

/// Call whose response is read as a stream.
#[must_use = "a call does nothing until it is sent"]
pub struct DownloadCall<R: Request> {
    client: Client,
    request: R,
    options: CallOptions,
    first: u64,
    last: Option<u64>,
    body_timeout: Option<Duration>,
}

impl<R: Request> Call<R> {
    /// Requests the response as media, which are read as a stream.
    pub fn download(self) -> DownloadCall<R> {
        let (client, request, options) = self.into_parts();
        DownloadCall { client, request, options, first: 0, last: None, body_timeout: None }
    }
}

impl<R: Request> DownloadCall<R> {
    /// Requests the bytes from this offset on, counted from 0. A server may send all of them nevertheless, so check
    /// [`Download::first_byte`].
    pub fn from_byte(mut self, first: u64) -> Self {
        self.first = first;
        self
    }

    /// Requests the bytes up to and including this offset, counted from 0.
    pub fn to_byte(mut self, last: u64) -> Self {
        self.last = Some(last);
        self
    }

    /// Sets the maximum time from the head of the response to its last byte, including the time that the caller takes
    /// between the chunks. By default it is not limited, as long as each chunk arrives within the timeout of an
    /// attempt.
    pub fn body_timeout(mut self, time: Duration) -> Self {
        self.body_timeout = Some(time);
        self
    }

    /// Sends the request and returns the response as soon as its head has arrived. It fails as any call does, except
    /// for errors that occur while the body is read.
    pub fn send(self) -> DownloadFuture<R> {
        let Self { client, request, options, first: from, last, body_timeout } = self;
        let names = client.naming();
        let mut started = erase_request(&client, request, options, None, &|request: &R| request.to_wire(names));
        // A compressed body cannot be resumed at a byte offset.
        let mut headers = vec![(header::ACCEPT_ENCODING, "identity".to_owned())];
        if from > 0 || last.is_some() {
            let last = last.map(|last| last.to_string()).unwrap_or_default();
            headers.push((header::RANGE, format!("bytes={from}-{last}")));
        }
        let mut query = Vec::new();
        if R::SUPPORTS_DOWNLOAD && !R::Response::IS_RAW {
            let format = R::API.parameter(Role::Format).map(|format| format.name.name_in(names));
            query.extend(format.map(|format| (format, R::API.role_values.media)));
            headers.push((header::ACCEPT, "*/*".to_owned()));
        }
        started.ignores_body = false;
        started.extras = Extras { query, headers, streams: true, ..Extras::default() };
        DownloadFuture { exchange: download(client, started, from, last), body_timeout, request: PhantomData }
    }

    /// Sends the request and blocks until the whole body has arrived, up to `limit` bytes.
    ///
    /// # Errors
    /// Returns the same errors as [`send`](Self::send) and [`Download::bytes`].
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn bytes_blocking(self, limit: usize) -> Result<Bytes, Error<R::ErrorBody>> {
        crate::blocking::block_on(async move { self.send().await?.bytes(limit).await })
            .unwrap_or_else(|error| Err(Error::new(R::OPERATION, ErrorKind::Connection(error))))
    }
}

impl<R: Request> fmt::Debug for DownloadCall<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DownloadCall").field("operation", &R::OPERATION.name).finish_non_exhaustive()
    }
}

/// Awaiting a call sends it: `.await` is short for `.send().await`.
impl<R: Request> IntoFuture for DownloadCall<R> {
    type Output = Result<Download<R>, Error<R::ErrorBody>>;
    type IntoFuture = DownloadFuture<R>;

    fn into_future(self) -> DownloadFuture<R> {
        self.send()
    }
}

/// Future of a download. The request is sent when it is first polled, and aborted when it is dropped.
#[must_use = "nothing is sent before this is awaited"]
pub struct DownloadFuture<R: Request> {
    exchange: Exchange<send::Download>,
    body_timeout: Option<Duration>,
    request: PhantomData<fn() -> R>,
}

impl<R: Request> Future for DownloadFuture<R> {
    type Output = Result<Download<R>, Error<R::ErrorBody>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let download = ready!(crate::background::poll_in_runtime(R::OPERATION, &mut self.exchange, context));
        let mut download = download.map_err(|error| error.map_body(|body| WireBody::decode(&body).ok()))?;
        download.set_body_timeout(self.body_timeout);
        Poll::Ready(Ok(Download::new(download)))
    }
}

impl<R: Request> fmt::Debug for DownloadFuture<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DownloadFuture").field(&R::OPERATION.name).finish()
    }
}

/// Media being downloaded, a stream of bytes.
///
/// If the connection breaks, the response has a strong entity tag (RFC 9110, section 8.8.1) and the operation is safe,
/// the download is resumed as the retry policy of the call allows.
pub struct Download<R: Request> {
    status: u16,
    headers: HeaderMap,
    first: u64,
    length: Option<u64>,
    state: State,
    request: PhantomData<fn() -> R>,
}

/// State of reading: `Idle` between chunks, `Reading` while a chunk is awaited, `Ended` after the last one or an error.
enum State {
    Idle(Box<send::Download>),
    Reading(Exchange<(send::Download, Option<Bytes>)>),
    Ended,
}

impl<R: Request> Download<R> {
    fn new(download: send::Download) -> Self {
        Self {
            status: download.status,
            headers: download.headers.clone(),
            first: download.offset(),
            length: download.remaining(),
            state: State::Idle(Box::new(download)),
            request: PhantomData,
        }
    }

    /// Returns the status: 206 for a range.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Returns the headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Returns the content type of the response.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.headers.get(header::CONTENT_TYPE)?.to_str().ok()
    }

    /// Returns the number of bytes from the first one on, if the server reports it.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// Returns the offset of the first byte, counted from 0.
    #[must_use]
    pub fn first_byte(&self) -> u64 {
        self.first
    }

    /// Reads the whole body, up to `limit` bytes.
    ///
    /// # Errors
    /// Returns an error as soon as the limit is known to be exceeded, or if the connection breaks or a timeout expires,
    /// and the download cannot be resumed.
    pub async fn bytes(mut self, limit: usize) -> Result<Bytes, Error<R::ErrorBody>> {
        let too_long = || Err(Error::new(R::OPERATION, ErrorKind::BodyTooLong { limit }));
        if self.length.is_some_and(|length| length > limit as u64) {
            return too_long();
        }
        let mut whole = BytesMut::new();
        while let Some(chunk) = self.next().await {
            let chunk = chunk?;
            if chunk.len() > limit - whole.len() {
                return too_long();
            }
            whole.extend_from_slice(&chunk);
        }
        Ok(whole.freeze())
    }
}

impl<R: Request> Stream for Download<R> {
    type Item = Result<Bytes, Error<R::ErrorBody>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut reading = match std::mem::replace(&mut self.state, State::Ended) {
            State::Idle(download) => download.next(),
            State::Reading(reading) => reading,
            State::Ended => return Poll::Ready(None),
        };
        let Poll::Ready(read) = crate::background::poll_in_runtime(R::OPERATION, &mut reading, context) else {
            self.state = State::Reading(reading);
            return Poll::Pending;
        };
        Poll::Ready(match read {
            Ok((download, Some(chunk))) => {
                self.state = State::Idle(Box::new(download));
                Some(Ok(chunk))
            }
            Ok((_, None)) => None,
            Err(error) => Some(Err(error.map_body(|body| WireBody::decode(&body).ok()))),
        })
    }
}

impl<R: Request> fmt::Debug for Download<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download")
            .field("operation", &R::OPERATION.name)
            .field("status", &self.status)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}
