//! Handshakes, and their independence of each other.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};

use super::super::{Handshake, ServeLimits, serve};
use super::GET;

const PASSWORD: &[u8] = b"open sesame\n";

/// Handshake that waits for a password, and notifies when it has started.
struct Password(Arc<Notify>);

impl Handshake for Password {
    type Stream = TcpStream;

    async fn handshake(&self, mut socket: TcpStream) -> io::Result<TcpStream> {
        self.0.notify_one();
        let mut received = [0; PASSWORD.len()];
        socket.read_exact(&mut received).await?;
        if received == PASSWORD { Ok(socket) } else { Err(io::ErrorKind::InvalidData.into()) }
    }
}

struct PasswordServer {
    address: std::net::SocketAddr,
    begun: Arc<Notify>,
    stop: oneshot::Sender<()>,
    server: tokio::task::JoinHandle<()>,
}

async fn start_password_server(limits: ServeLimits) -> PasswordServer {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let begun = Arc::new(Notify::new());
    let (stop, stopped) = oneshot::channel();
    let server = serve(listener, super::router())
        .handshake(Password(Arc::clone(&begun)))
        .limits(limits)
        .graceful_shutdown(async { _ = stopped.await });
    PasswordServer { address, begun, stop, server: tokio::spawn(server.into_future()) }
}

async fn read_to_end(mut stream: TcpStream) -> String {
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response).await;
    String::from_utf8(response).expect("responses are text")
}

#[tokio::test]
async fn requests_require_the_handshake() {
    let guarded = start_password_server(ServeLimits::DEFAULT).await;
    let mut let_in = TcpStream::connect(guarded.address).await.expect("it listens");
    let_in.write_all(PASSWORD).await.expect("sent");
    let_in.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.expect("sent");
    assert!(read_to_end(let_in).await.ends_with("done"));

    let mut refused = TcpStream::connect(guarded.address).await.expect("it listens");
    refused.write_all(GET).await.expect("sent");
    assert_eq!(read_to_end(refused).await, "");
    guarded.server.abort();
}

#[tokio::test]
async fn slow_handshake_blocks_neither_others_nor_shutdown() {
    let guarded = start_password_server(ServeLimits::DEFAULT).await;
    let mut slow = TcpStream::connect(guarded.address).await.expect("it listens");
    slow.write_all(b"open").await.expect("sent");
    guarded.begun.notified().await;

    let mut quick = TcpStream::connect(guarded.address).await.expect("it listens");
    quick.write_all(PASSWORD).await.expect("sent");
    quick.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.expect("sent");
    assert!(read_to_end(quick).await.ends_with("done"));

    guarded.stop.send(()).expect("it runs");
    guarded.server.await.expect("it ends without waiting for the slow one");
    assert_eq!(read_to_end(slow).await, "");
}

#[tokio::test]
async fn handshake_times_out_with_the_head() {
    let limits = ServeLimits { head_time: Duration::from_millis(50), ..ServeLimits::DEFAULT };
    let guarded = start_password_server(limits).await;
    let mut slow = TcpStream::connect(guarded.address).await.expect("it listens");
    slow.write_all(b"open").await.expect("sent");
    // The server would wait for the rest forever.
    assert_eq!(read_to_end(slow).await, "");
    guarded.server.abort();
}
