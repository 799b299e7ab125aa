//! Socket with timeouts.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use super::activity::ConnectionActivity;
use super::deadline::Deadline;
use super::limits::ServeLimits;
use super::share::{Progress, ResponseShare};

/// Maximum time that a refused peer may continue to send.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// Maximum number of bytes that a refused peer may continue to send. Many clients read a response only after they have
/// sent their whole body, and a body somewhat beyond a limit of tens of megabytes is the common case.
const LINGER_BYTES: usize = 128 << 20;

/// Socket that enforces progress: heads arrive in time, responses are taken, and connections are not idle for long. The
/// time of a body is limited by its reader.
///
/// Hyper has a timeout for heads, which also runs between requests; here the two differ, and no request costs a timer
/// of its own.
#[derive(Debug)]
pub(super) struct TimeoutSocket<S> {
    inner: S,
    /// Bytes that were received and not read.
    unread: Bytes,
    activity: Arc<ConnectionActivity>,
    head_time: Duration,
    idle_time: Duration,
    write_pause: Duration,
    /// Number of requests that had begun at the last check.
    seen_requests: u32,
    /// Deadline for a head, or for its first byte.
    read_until: Option<Instant>,
    /// True if a head has begun to arrive.
    in_head: bool,
    /// True if the peer has closed its side.
    is_read_closed: bool,
    /// True if something was written and not flushed.
    has_unflushed: bool,
    /// Deadline for the peer to take some of a response.
    write_until: Option<Instant>,
    /// Progress of the response.
    progress: Progress,
    /// Remaining number of bytes to drain after the last response, once draining has started.
    linger: Option<usize>,
    read_deadline: Deadline,
    write_deadline: Deadline,
}

impl<S> TimeoutSocket<S> {
    /// Guards a socket whose first head must arrive by the deadline.
    pub(super) fn new(
        inner: S,
        activity: Arc<ConnectionActivity>,
        limits: &ServeLimits,
        first_head: Instant,
        share: ResponseShare,
    ) -> Self {
        Self {
            inner,
            unread: Bytes::new(),
            seen_requests: activity.begun(),
            activity,
            head_time: limits.head_time,
            idle_time: limits.idle_time,
            write_pause: limits.write_pause,
            read_until: Some(first_head),
            in_head: true,
            is_read_closed: false,
            has_unflushed: false,
            write_until: None,
            progress: Progress::new(share),
            linger: None,
            read_deadline: Deadline::default(),
            write_deadline: Deadline::default(),
        }
    }

    /// Sets bytes that were received and not read.
    pub(super) fn with_unread(self, unread: Bytes) -> Self {
        Self { unread, ..self }
    }

    /// Detects requests that have begun since the last check: their heads are complete.
    fn notice_requests(&mut self) {
        let begun = self.activity.begun();
        if begun != self.seen_requests {
            self.seen_requests = begun;
            self.in_head = false;
            self.read_until = None;
        }
    }

    /// Records that bytes have arrived.
    fn record_received(&mut self, bytes: usize) {
        self.activity.end_idle();
        if bytes == 0 {
            self.is_read_closed = true;
        } else if !self.activity.is_open() && !self.in_head {
            self.in_head = true;
            self.read_until = Some(Instant::now() + self.head_time);
        }
    }

    /// Checks the read deadline when nothing has arrived. There is none while the server processes a request.
    fn check_reading(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        if self.activity.is_open() || self.write_until.is_some() {
            return Ok(());
        }
        let idle_time = self.idle_time;
        let until = *self.read_until.get_or_insert_with(|| Instant::now() + idle_time);
        if self.read_deadline.poll_expired(until, cx) { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    /// Records that everything was flushed. At the end of a response, the idle time starts; the socket may not be
    /// polled for reading before the next request, so the timer must wake the task.
    fn record_flushed(&mut self, cx: &mut Context<'_>) {
        self.notice_requests();
        // A response may end only after its last byte was flushed.
        if self.has_unflushed && !self.in_head && !self.activity.is_open() {
            self.has_unflushed = false;
            let now = Instant::now();
            self.activity.begin_idle(now);
            let until = now + self.idle_time;
            self.read_until = Some(until);
            // The deadline itself is checked when reading.
            let _ = self.read_deadline.poll_expired(until, cx);
        }
    }

    /// Checks the write deadline after a write, flush or shutdown: it runs while nothing is taken.
    fn check_writing<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            if self.write_until.take().is_some() {
                self.activity.end_wait(Instant::now());
            }
            return written;
        }
        let Self { write_pause, activity, .. } = self;
        let until = *self.write_until.get_or_insert_with(|| {
            let now = Instant::now();
            activity.begin_wait(now);
            now + *write_pause
        });
        let over = || Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        loop {
            let Ok(look) = self.progress.check() else { return over() };
            if !self.write_deadline.poll_expired(look.map_or(until, |look| look.min(until)), cx) {
                return Poll::Pending;
            }
            if Instant::now() >= until {
                return over();
            }
        }
    }

    /// Checks the write deadline after bytes were written.
    fn check_taken(&mut self, written: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.has_unflushed = true;
        self.activity.end_idle();
        let written = self.check_writing(written, cx);
        if let Poll::Ready(Ok(bytes)) = written {
            self.activity.add_taken(bytes);
            self.progress.note_written(bytes);
        }
        written
    }
}

impl<S: AsyncRead + Unpin> TimeoutSocket<S> {
    /// Waits for the next request of an idle connection. Returns false if the peer has closed it.
    pub(super) async fn wait_for_request(&mut self) -> io::Result<bool> {
        if self.unread.is_empty() {
            let mut byte = [0];
            let mut buffer = ReadBuf::new(&mut byte);
            poll_fn(|cx| Pin::new(&mut *self).poll_read(cx, &mut buffer)).await?;
            self.unread = Bytes::copy_from_slice(buffer.filled());
        }
        Ok(!self.unread.is_empty())
    }

    /// Drains the socket after the last response. Closing a socket while bytes arrive would make the peer discard the
    /// response, so a client that was refused within a head or a body may continue to send for a while.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Self { read_until, linger, .. } = self;
        let left = linger.get_or_insert_with(|| {
            *read_until = Some(Instant::now() + LINGER_TIME);
            LINGER_BYTES
        });
        let mut scratch = [0; 4096];
        while *left > 0 {
            let mut void = ReadBuf::new(&mut scratch);
            match Pin::new(&mut self.inner).poll_read(cx, &mut void) {
                Poll::Ready(Ok(())) if !void.filled().is_empty() => *left = left.saturating_sub(void.filled().len()),
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => {
                    let until = self.read_until.unwrap_or_else(Instant::now);
                    return if self.read_deadline.poll_expired(until, cx) { Poll::Ready(()) } else { Poll::Pending };
                }
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutSocket<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.notice_requests();
        if !self.unread.is_empty() {
            let length = self.unread.len().min(buffer.remaining());
            buffer.put_slice(&self.unread.split_to(length));
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        match Pin::new(&mut self.inner).poll_read(cx, buffer) {
            Poll::Ready(Ok(())) => {
                self.record_received(buffer.filled().len() - before);
                // A few bytes do not extend the deadline.
                match self.read_until {
                    Some(until) if self.in_head && Instant::now() >= until => {
                        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
                    }
                    _ => Poll::Ready(Ok(())),
                }
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => match self.check_reading(cx) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(Err(error)),
            },
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for TimeoutSocket<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.check_taken(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, pieces);
        self.check_taken(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(cx);
        let flushed = self.check_writing(flushed, cx);
        if let Poll::Ready(Ok(())) = flushed {
            self.progress.note_flushed();
            self.record_flushed(cx);
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.activity.end_idle();
        if self.linger.is_none() {
            let closed = Pin::new(&mut self.inner).poll_shutdown(cx);
            ready!(self.check_writing(closed, cx))?;
            self.notice_requests();
        }
        // Nothing arrives between requests, or after one without a body.
        if !self.is_read_closed && (self.in_head || self.activity.has_body()) {
            ready!(self.poll_linger(cx));
        }
        Poll::Ready(Ok(()))
    }
}
