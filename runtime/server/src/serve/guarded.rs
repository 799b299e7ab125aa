//! A socket that does not wait forever.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::activity::Activity;
use super::limits::ServeLimits;
use super::share::{Progress, SentShare};

/// How long a peer may go on sending after it was told that nobody listens.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// How much a peer may go on sending after it was told that nobody listens. Many clients look at an answer only when
/// their whole body is out, and a body that is somewhat beyond a limit of tens of megabytes is the common case.
const LINGER_BYTES: usize = 128 << 20;

/// A socket whose peer must get on with it: heads arrive within their time, answers are taken, and nothing goes on
/// between requests for long. How long a body may take is for the one who reads it.
///
/// The library below has a time limit for heads of its own, which also runs between requests; here the two differ,
/// and no request costs a timer of its own.
#[derive(Debug)]
pub(super) struct Guarded<S> {
    inner: S,
    activity: Arc<Activity>,
    head_time: Duration,
    idle_time: Duration,
    write_pause: Duration,
    /// How many requests had begun when last looked.
    begun: u32,
    /// Until when a head, or the begin of one, must be there.
    read_until: Option<Instant>,
    /// Whether a head has begun to arrive.
    in_head: bool,
    /// Whether the peer has said that it sends no more.
    ended: bool,
    /// Whether something was written that is not known to be out.
    wrote: bool,
    /// Until when some of an answer must have been taken.
    write_until: Option<Instant>,
    /// How fast the response is taken.
    progress: Progress,
    /// What is left to be drained after the last answer, once that has begun.
    linger: Option<usize>,
    read_alarm: Alarm,
    write_alarm: Alarm,
}

impl<S> Guarded<S> {
    /// Watches a socket whose first head must be there by the instant given.
    pub(super) fn new(
        inner: S,
        activity: Arc<Activity>,
        limits: &ServeLimits,
        first_head: Instant,
        share: SentShare,
    ) -> Self {
        Self {
            inner,
            begun: activity.begun(),
            activity,
            head_time: limits.head_time,
            idle_time: limits.idle_time,
            write_pause: limits.write_pause,
            read_until: Some(first_head),
            in_head: true,
            ended: false,
            wrote: false,
            write_until: None,
            progress: Progress::new(share),
            linger: None,
            read_alarm: Alarm::default(),
            write_alarm: Alarm::default(),
        }
    }

    /// A request has begun since the last look: its head is complete.
    fn notice_requests(&mut self) {
        let begun = self.activity.begun();
        if begun != self.begun {
            self.begun = begun;
            self.in_head = false;
            self.read_until = None;
        }
    }

    /// Bytes have arrived.
    fn received(&mut self, bytes: usize) {
        if bytes == 0 {
            self.ended = true;
        } else if !self.activity.is_open() && !self.in_head {
            self.in_head = true;
            self.read_until = Some(Instant::now() + self.head_time);
        }
    }

    /// Nothing has arrived; is that all right? It is while the server itself is busy.
    fn check_reading(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        if self.activity.is_open() || self.write_until.is_some() {
            return Ok(());
        }
        let idle_time = self.idle_time;
        let until = *self.read_until.get_or_insert_with(|| Instant::now() + idle_time);
        if self.read_alarm.has_gone_off(until, cx) { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    /// All that was written is out. If that was the end of an answer, the time between requests begins; nobody may
    /// read before the next one, so this must see to it that the task wakes up.
    fn flushed(&mut self, cx: &mut Context<'_>) {
        self.notice_requests();
        // A response may end only after all of it is out.
        if self.wrote && !self.in_head && !self.activity.is_open() {
            self.wrote = false;
            let now = Instant::now();
            self.activity.idle_since(now);
            let until = now + self.idle_time;
            self.read_until = Some(until);
            // Whether it is that late already is found out by reading.
            let _ = self.read_alarm.has_gone_off(until, cx);
        }
    }

    /// What came of writing: time is short while nothing is taken.
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
            if !self.write_alarm.has_gone_off(look.map_or(until, |look| look.min(until)), cx) {
                return Poll::Pending;
            }
            if Instant::now() >= until {
                return over();
            }
        }
    }

    /// What came of writing bytes.
    fn check_taken(&mut self, written: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.wrote = true;
        let written = self.check_writing(written, cx);
        if let Poll::Ready(Ok(bytes)) = written {
            self.activity.add_taken(bytes);
            self.progress.note_written(bytes);
        }
        written
    }
}

impl<S: AsyncRead + Unpin> Guarded<S> {
    /// Closing a socket while bytes arrive tells the peer to forget what it was answered. Who was refused in the
    /// middle of a head or a body may therefore go on for a while, into the void.
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
                    return if self.read_alarm.has_gone_off(until, cx) { Poll::Ready(()) } else { Poll::Pending };
                }
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.notice_requests();
        let before = buffer.filled().len();
        match Pin::new(&mut self.inner).poll_read(cx, buffer) {
            Poll::Ready(Ok(())) => {
                self.received(buffer.filled().len() - before);
                // One byte in a while does not stop the clock.
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

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
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
            self.flushed(cx);
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            let closed = Pin::new(&mut self.inner).poll_shutdown(cx);
            ready!(self.check_writing(closed, cx))?;
            self.notice_requests();
        }
        // Between requests, and after one without a body, nothing is under way.
        if !self.ended && (self.in_head || self.activity.has_body()) {
            ready!(self.poll_linger(cx));
        }
        Poll::Ready(Ok(()))
    }
}

/// A timer that is seldom set: it goes off too early rather than being moved for every request, and then looks again.
#[derive(Debug, Default)]
struct Alarm(Option<Pin<Box<Sleep>>>);

impl Alarm {
    /// Whether it is that late; if not, the task is woken by then.
    fn has_gone_off(&mut self, until: Instant, cx: &mut Context<'_>) -> bool {
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(until)));
        if sleep.deadline() > until {
            sleep.as_mut().reset(until);
        }
        while sleep.as_mut().poll(cx).is_ready() {
            if Instant::now() >= until {
                return true;
            }
            sleep.as_mut().reset(until);
        }
        false
    }
}
