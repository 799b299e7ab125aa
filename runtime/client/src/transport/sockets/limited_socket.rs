//! Sockets that yield to other tasks.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper_util::client::legacy::connect::{Connected, Connection};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::exchanges::ExchangeCount;
use crate::transport::yield_now;

/// Number of bytes after which the task yields.
///
/// Hyper reads for as long as there is something to read, and tokio stops it after 128 reads only. By then it may have
/// parsed tens of megabytes, which takes seconds, and no timer fires meanwhile: neither on a current-thread runtime,
/// nor on a multi-thread one if this thread is the one that waits for timers.
const MAX_BURST_BYTES: usize = 256 * 1024;

/// Maximum number of bytes that are read while no exchange of the connection is under way. It exceeds what may be in
/// flight when a response is dropped: the window of an HTTP/2 connection, which hyper sets to 5 MiB.
const MAX_UNSOLICITED_BYTES: usize = 8 * 1024 * 1024;

/// Limits on a connection as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionLimits {
    /// Maximum number of bytes that are read.
    pub(super) bytes: usize,
    /// Maximum time until the last byte is read.
    pub(super) time: Duration,
}

/// Socket that enforces limits on reading.
pub(super) struct LimitedSocket {
    socket: TcpStream,
    /// Number of bytes that were read since the task last yielded.
    burst: usize,
    /// Exchanges on this connection. Those on other connections do not count.
    activity: ExchangeCount,
    /// Number of bytes that were read since an exchange of this connection was under way.
    unsolicited: usize,
    remaining: Option<RemainingLimits>,
}

/// Remainder of a lifetime.
struct RemainingLimits {
    bytes: usize,
    end: Pin<Box<Sleep>>,
}

impl LimitedSocket {
    /// Guards a socket.
    pub(super) fn new(socket: TcpStream, lifetime: Option<ConnectionLimits>) -> Self {
        let left =
            lifetime.map(|ConnectionLimits { bytes, time }| RemainingLimits { bytes, end: Box::pin(sleep(time)) });
        Self { socket, burst: 0, activity: ExchangeCount::default(), unsolicited: 0, remaining: left }
    }
}

impl AsyncRead for LimitedSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.burst >= MAX_BURST_BYTES {
            this.burst = 0;
            return yield_now(context);
        }
        if let Some(left) = &mut this.remaining
            && left.end.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the connection exceeds the time limit")));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.socket).poll_read(context, buffer);
        if read.is_pending() {
            this.burst = 0;
        }
        ready!(read)?;
        let bytes = buffer.filled().len() - before;
        this.burst += bytes;
        this.unsolicited = if this.activity.is_idle() { this.unsolicited + bytes } else { 0 };
        if this.unsolicited > MAX_UNSOLICITED_BYTES {
            return Poll::Ready(Err(io::Error::other("unexpected data from the server")));
        }
        if let Some(left) = &mut this.remaining {
            let more = left.bytes.checked_sub(bytes);
            left.bytes = more.ok_or_else(|| io::Error::other("the response exceeds the size limit"))?;
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for LimitedSocket {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }
}

impl Connection for LimitedSocket {
    fn connected(&self) -> Connected {
        self.socket.connected().extra(self.activity.clone())
    }
}
