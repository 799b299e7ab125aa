//! Handshakes before requests.

use std::io;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::first_head;

/// Handshake that turns an accepted socket into the stream of requests, such as TLS.
///
/// It runs in the task of its connection and within [`ServeLimits::head_time`](crate::ServeLimits::head_time), which
/// includes the head of the first request, so that slow peers do not delay others.
pub trait Handshake: Send + Sync + 'static {
    /// Stream after the handshake, from which requests are read.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// Performs the handshake on an accepted socket.
    fn handshake(&self, socket: TcpStream) -> impl Future<Output = io::Result<Self::Stream>> + Send;
}

/// No handshake: requests are read from the socket itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Handshake for Plain {
    type Stream = TcpStream;

    /// Waits for the first head: a connection allocates no buffers before.
    async fn handshake(&self, socket: TcpStream) -> io::Result<TcpStream> {
        first_head::wait_for_head(&socket).await?;
        Ok(socket)
    }
}
