//! What happens on a socket before requests do.

use std::io;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::first;

/// Makes the stream that requests come on out of a socket that was accepted: for TLS, agrees on keys.
///
/// It runs in the task of its connection and within [`ServeLimits::head_time`](crate::ServeLimits::head_time), which
/// the head of the first request shares, so that nobody who is slow at it keeps others waiting.
pub trait Handshake: Send + Sync + 'static {
    /// What requests come on.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// Agrees with the peer.
    fn shake(&self, socket: TcpStream) -> impl Future<Output = io::Result<Self::Stream>> + Send;
}

/// No handshake: requests come on the socket itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Handshake for Plain {
    type Stream = TcpStream;

    /// Waits for the first head: a connection buffers nothing before it is there.
    async fn shake(&self, socket: TcpStream) -> io::Result<TcpStream> {
        first::request(&socket).await?;
        Ok(socket)
    }
}
