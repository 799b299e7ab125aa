//! Media go up in pieces: a request begins a session, whose address takes one piece after the other and says how much
//! has arrived. What breaks off goes on from there.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{self, HeaderMap};
use http::uri::Scheme;
use http::{HeaderValue, Method, Uri};
use tracing::{Instrument as _, Span};

use super::answer::Answer;
use super::attempt::{self, Attempt, Taken};
use super::message::Message;
use super::redirect;
use super::turns::{Turns, retry_after};
use super::{Answered, Exchange, Failed, Outgoing};
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::media::{MediaErrorKind, Progress, Reader};
use crate::observe::{Watch, span};
use crate::retry::RetryPolicy;
use crate::time::{Instant, sleep};

/// How often an upload begins anew because its session is lost.
const MOST_SESSIONS: u32 = 3;

/// What goes up, and how.
pub(crate) struct Resumable {
    pub(crate) reader: Reader,
    /// The bytes of a piece.
    pub(crate) chunk: usize,
    pub(crate) progress: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
    /// Whether the last answer has no body worth reading; that of the first has none.
    pub(crate) ignores_body: bool,
}

/// Sends media in pieces. `begin` begins a session. Nothing happens before the future is polled.
pub(crate) fn resumable(client: Client, begin: Outgoing, upload: Resumable) -> Exchange<Answered> {
    let span = span(begin.operation);
    Box::pin(run(client, begin, upload, span.clone()).instrument(span))
}

async fn run(client: Client, mut begin: Outgoing, mut upload: Resumable, span: Span) -> Result<Answered, Error<Bytes>> {
    let mut watch = Watch::new(client.inner.metrics.clone(), begin.operation, span);
    #[cfg(feature = "validation")]
    if let Some(violations) = begin.invalid.take() {
        return Err(watch.failed(ErrorKind::Invalid(violations)));
    }
    match sessions(&client, &mut begin, &mut upload, &mut watch).await {
        Ok(answer) => {
            watch.sent(upload.reader.end());
            Ok(Answered::new(answer, watch))
        }
        Err(failed) => Err(watch.failed(*failed)),
    }
}

/// Sends the media, from the start where a session is lost.
async fn sessions(
    client: &Client,
    begin: &mut Outgoing,
    upload: &mut Resumable,
    watch: &mut Watch,
) -> Result<Answer, Failed> {
    let message = Message::new(&client.inner, begin)?;
    let mut left = MOST_SESSIONS;
    loop {
        let begun = Turns::new(&client.inner, begin, &message).take(watch).await?;
        let address = address(message.uri(), begun.headers())?;
        let session = Session::new(client, begin, &message, address, upload);
        match session.send(watch).await {
            Err(failed) if left > 1 && is_lost(&failed) => {
                left -= 1;
                upload.reader.go_on(0).map_err(ErrorKind::Media)?;
            }
            ended => return ended,
        }
    }
}

/// Whether the server knows the session no more.
fn is_lost(failed: &Failed) -> bool {
    matches!(&**failed, ErrorKind::Status(answer) if matches!(answer.status, 404 | 410))
}

/// Where the pieces go. A token goes with them, so it is at the server of the API.
fn address(from: &Uri, headers: &HeaderMap) -> Result<Uri, Failed> {
    let refuse = |what: &str| ErrorKind::Protocol(format!("the server begins an upload, but {what}"));
    let Some(location) = headers.get(header::LOCATION) else {
        return Err(refuse("does not say where it goes on").into());
    };
    let Ok(text) = std::str::from_utf8(location.as_bytes()) else {
        return Err(refuse("it does not go on at the same server").into());
    };
    // A server behind one that ends the encryption may not know of it.
    let encrypted = text.strip_prefix("http:").filter(|_| from.scheme() == Some(&Scheme::HTTPS));
    let address = match encrypted {
        Some(rest) => redirect::same_origin(from, &format!("https:{rest}")),
        None => redirect::same_origin(from, text),
    };
    Ok(address.ok_or_else(|| refuse("it does not go on at the same server"))?)
}

/// A session while media go up.
struct Session<'a> {
    client: &'a Client,
    begin: &'a Outgoing,
    message: &'a Message,
    address: Uri,
    upload: &'a mut Resumable,
    policy: &'a RetryPolicy,
    /// When the server last said that something has arrived.
    advanced: Instant,
    /// The most bytes of which it said so.
    most: u64,
    /// How often it was asked since then.
    turns: u32,
}

/// What a server says of a session.
enum State {
    /// All of it is there, and this is the answer.
    Done(Box<Answer>),
    /// So many bytes are there.
    Arrived(u64),
}

impl<'a> Session<'a> {
    fn new(
        client: &'a Client,
        begin: &'a Outgoing,
        message: &'a Message,
        address: Uri,
        upload: &'a mut Resumable,
    ) -> Self {
        let policy = begin.options.retry.as_ref().unwrap_or(&client.inner.retry);
        Self { client, begin, message, address, upload, policy, advanced: Instant::now(), most: 0, turns: 0 }
    }

    /// Sends piece after piece.
    async fn send(mut self, watch: &mut Watch) -> Result<Answer, Failed> {
        let mut delays = self.policy.delays();
        let mut asks = false;
        loop {
            let failed = match self.turn(asks, watch).await {
                Ok(State::Done(answer)) => {
                    self.tell(self.upload.reader.end());
                    return Ok(*answer);
                }
                Ok(State::Arrived(bytes)) => {
                    let asked = std::mem::take(&mut asks);
                    if self.go_on(bytes)? {
                        delays = self.policy.delays();
                        continue;
                    }
                    // What did not arrive is sent again; that was a failure, and this is none.
                    if asked {
                        continue;
                    }
                    ErrorKind::Protocol("the server takes no more of the media, and does not say why".to_owned()).into()
                }
                Err(failed) if self.policy.retries(&failed) => {
                    // Part of what was sent may be there.
                    asks = true;
                    failed
                }
                Err(failed) => return Err(failed),
            };
            let delay = delays.next().unwrap_or_default().max(retry_after(&failed));
            if !self.may_go_on(delay) {
                return Err(failed);
            }
            watch.retrying(&failed, delay);
            sleep(delay).await;
        }
    }

    fn may_go_on(&mut self, delay: Duration) -> bool {
        self.turns += 1;
        self.turns < self.policy.max_attempts && self.policy.allows(self.advanced.elapsed().saturating_add(delay))
    }

    /// Goes on from what has arrived; says whether that is more than before.
    fn go_on(&mut self, bytes: u64) -> Result<bool, Failed> {
        let reader = &mut self.upload.reader;
        if bytes > reader.end() {
            let message = format!("the server says that {bytes} bytes have arrived, and {} were sent", reader.end());
            return Err(ErrorKind::Protocol(message).into());
        }
        let more = bytes > reader.at();
        reader.go_on(bytes).map_err(|error| match error.kind() {
            MediaErrorKind::ReadOnce => {
                ErrorKind::Protocol("the server has lost part of media that can be read once".to_owned())
            }
            _ => ErrorKind::Media(error),
        })?;
        if more {
            self.tell(bytes);
        }
        // What was lost and has arrived again is no advance: it could be lost again for ever.
        if bytes > self.most {
            self.most = bytes;
            self.advanced = Instant::now();
            self.turns = 0;
        }
        Ok(more)
    }

    fn tell(&self, arrived: u64) {
        if let Some(progress) = &self.upload.progress {
            progress(Progress { arrived, total: self.upload.reader.total() });
        }
    }

    /// Sends a piece, or asks how much has arrived.
    async fn turn(&mut self, asks: bool, watch: &mut Watch) -> Result<State, Failed> {
        let reader = &mut self.upload.reader;
        let chunk = reader.fill(self.upload.chunk).await.map_err(ErrorKind::Media)?;
        let total = reader.total().map_or_else(|| "*".to_owned(), |total| total.to_string());
        let range = if asks || chunk.is_empty() {
            format!("bytes */{total}")
        } else {
            format!("bytes {}-{}/{total}", reader.at(), reader.end() - 1)
        };
        let body = if asks { Bytes::new() } else { chunk };
        let headers = self.headers(&range, &body)?;
        let message = self.message.instead(&self.client.inner, (Method::PUT, &self.address), headers, body)?;
        let attempt = Attempt::new(&self.client.inner, self.begin, &message).without_body(self.upload.ignores_body);
        let token = attempt.token().await?;
        let taken = match attempt.take(token.as_ref(), watch).await {
            Err(failed) if attempt::is_unauthorized(&failed) => match attempt.renewed(token.as_ref()).await? {
                Some(fresh) => attempt.take(Some(&fresh), watch).await?,
                None => return Err(failed),
            },
            taken => taken?,
        };
        match taken {
            Taken::Answer(answer) => Ok(State::Done(answer)),
            Taken::Incomplete(headers) => arrived(&headers).map(State::Arrived),
        }
    }

    fn headers(&self, range: &str, body: &Bytes) -> Result<HeaderMap, Failed> {
        let unusable = |_| ErrorKind::Protocol("the media type of the media cannot stand in a header".to_owned());
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

/// How many bytes have arrived: `Range: bytes=0-42`, and none where there is no range.
fn arrived(headers: &HeaderMap) -> Result<u64, Failed> {
    let Some(range) = headers.get(header::RANGE) else { return Ok(0) };
    let read = || {
        let last = range.to_str().ok()?.trim_ascii().strip_prefix("bytes=")?.strip_prefix("0-")?;
        last.parse::<u64>().ok()?.checked_add(1)
    };
    let unclear =
        || ErrorKind::Protocol("the server does not say clearly how much of the media has arrived".to_owned());
    Ok(read().ok_or_else(unclear)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_arrived() {
        let read = |text: Option<&'static str>| {
            let headers = text.map(|text| (header::RANGE, HeaderValue::from_static(text)));
            arrived(&headers.into_iter().collect()).ok()
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
