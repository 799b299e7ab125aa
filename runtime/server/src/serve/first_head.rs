//! Waits for the complete head of the first request before reading.
//!
//! A connection allocates 16 KiB as soon as it reads, which thousands of peers could have for a byte a second.

use std::io;

use tokio::net::TcpStream;

/// Waits until there is something to process: a head, more than is peeked at, something other than HTTP, or the end.
#[cfg(unix)]
pub(super) async fn wait_for_head(stream: &TcpStream) -> io::Result<()> {
    use tokio::io::Interest;

    loop {
        let ready = stream.ready(Interest::READABLE).await?;
        if ready.is_read_closed() {
            return Ok(());
        }
        match stream.try_io(Interest::READABLE, || peek(stream)) {
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            looked => return looked,
        }
    }
}

/// Waits until the socket is readable.
#[cfg(not(unix))]
pub(super) async fn wait(stream: &TcpStream) -> io::Result<()> {
    stream.readable().await
}

/// Maximum number of bytes that are peeked at. Longer heads are read as they arrive.
#[cfg(unix)]
const PEEK_BYTES: usize = 2048;

/// Peeks at the received bytes. Returns `WouldBlock` if the head is incomplete, so that the next peek sees more.
#[cfg(unix)]
fn peek(stream: &TcpStream) -> io::Result<()> {
    let mut bytes = [0; PEEK_BYTES];
    let (length, _) = rustix::net::recv(stream, &mut bytes, rustix::net::RecvFlags::PEEK)?;
    let bytes = bytes.get(..length).unwrap_or_default();
    if length == PEEK_BYTES || has_head(bytes) { Ok(()) } else { Err(io::ErrorKind::WouldBlock.into()) }
}

/// Returns whether the bytes are a complete head, or the start of something else.
#[cfg(unix)]
fn has_head(bytes: &[u8]) -> bool {
    // Empty lines may precede it.
    let begin = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let is_http = begin.is_none_or(u8::is_ascii_alphabetic);
    !is_http || bytes.windows(2).any(|two| two == b"\n\n") || bytes.windows(3).any(|three| three == b"\n\r\n")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn complete_heads_are_detected() {
        for bytes in [
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.0\n\n",
            "GET / HTTP/1.1\r\nHost: x\r\n\r\nbody",
            "\x16\x03\x01",
            "\0",
        ] {
            assert!(has_head(bytes.as_bytes()), "{bytes:?}");
        }
        for bytes in ["", "G", "\r\n", "GET / HTTP/1.1\r\nHost: x\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r"] {
            assert!(!has_head(bytes.as_bytes()), "{bytes:?}");
        }
    }
}
