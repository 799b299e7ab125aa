//! Malformed responses, written byte by byte: invalid heads, contradictory lengths, connections that end early.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::{LIMIT, assert_presentable};
use crate::calls::{ALL, Entry, Failure, Kind, PLAIN};
use crate::clients::{Clients, Setup, TransportKind};

/// A server that reads a request, writes fixed bytes and closes the connection.
struct RawServer {
    address: std::net::SocketAddr,
    task: JoinHandle<()>,
}

impl RawServer {
    async fn start(response: Vec<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a local address");
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let response = response.clone();
                tokio::spawn(async move { serve(stream, &response).await });
            }
        });
        Self { address, task }
    }

    fn clients(&self) -> Clients {
        let setup =
            Setup { timeout: Duration::from_secs(10), max_body_bytes: LIMIT, ..Setup::new(TransportKind::Sockets) };
        setup.clients_at(&format!("http://{}", self.address))
    }
}

impl Drop for RawServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The client may disconnect at any time, so errors are ignored.
async fn serve(mut stream: TcpStream, response: &[u8]) {
    let mut request = Vec::new();
    while !is_complete(&request) {
        let mut buffer = [0; 4096];
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(length) => request.extend_from_slice(&buffer[..length]),
        }
    }
    let _ = stream.write_all(response).await;
    let _ = stream.shutdown().await;
}

/// Returns whether a request has been received with its body.
fn is_complete(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    body.len() >= length.unwrap_or(0)
}

/// Written bytes and the expected result.
struct Row {
    name: &'static str,
    response: &'static [u8],
    /// Kind of the error; `None` for a value.
    kind: Option<Kind>,
}

const fn row(name: &'static str, response: &'static [u8], kind: Option<Kind>) -> Row {
    Row { name, response, kind }
}

const BROKEN: Option<Kind> = Some(Kind::Connection);

const ROWS: &[Row] = &[
    row("a valid response", b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", None),
    row("HTTP/1.0 without a length", b"HTTP/1.0 200 OK\r\n\r\n{}", None),
    row("without a reason phrase", b"HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\n{}", None),
    row(
        "early hints first",
        b"HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        None,
    ),
    row(
        "in chunks with an extension and a trailer",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\nx: y\r\n\r\n",
        None,
    ),
    row("the same length twice", b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n{}", None),
    row("more than declared", b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}{}", None),
    row("nothing", b"", BROKEN),
    row("half a head", b"HTTP/1.1 200 O", BROKEN),
    row("another protocol", b"SSH-2.0-OpenSSH_9.9\r\n", BROKEN),
    row("TLS", b"\x15\x03\x01\0\x02\x02\x46", BROKEN),
    row("a status of four digits", b"HTTP/1.1 2000 OK\r\ncontent-length: 2\r\n\r\n{}", BROKEN),
    row("a status that is not a number", b"HTTP/1.1 abc OK\r\ncontent-length: 2\r\n\r\n{}", BROKEN),
    row("a name of a header with a space", b"HTTP/1.1 200 OK\r\ncontent length: 2\r\n\r\n{}", BROKEN),
    row("two lengths", b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{} ", BROKEN),
    row("a length that is not a number", b"HTTP/1.1 200 OK\r\ncontent-length: two\r\n\r\n{}", BROKEN),
    row("a negative length", b"HTTP/1.1 200 OK\r\ncontent-length: -2\r\n\r\n{}", BROKEN),
    row("a length out of range", b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999\r\n\r\n{}", BROKEN),
    row("less than declared", b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{}", BROKEN),
    row("a chunk that ends early", b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{}", BROKEN),
    row("chunks without a last one", b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n", BROKEN),
    row(
        "a chunk length that is not a number",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        BROKEN,
    ),
    row(
        "a chunk length out of range",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}",
        BROKEN,
    ),
    row(
        "an unknown compression",
        b"HTTP/1.1 200 OK\r\ncontent-encoding: x-unheard-of\r\ncontent-length: 3\r\n\r\n\x01\x02\x03",
        Some(Kind::Decode),
    ),
    row("an error that ends early", b"HTTP/1.1 404 Not Found\r\ncontent-length: 20\r\n\r\n{}", Some(Kind::Status)),
    row(
        "an unrequested upgrade",
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
        Some(Kind::Status),
    ),
];

/// Returns some operations with a response body; the body of other responses need not be read.
fn entries() -> impl Iterator<Item = &'static Entry> {
    let some = ["events.get", "events.insert", "users.history.list", "projects.get", "scripts.run"];
    ALL.iter().filter(move |entry| some.contains(&entry.operation))
}

fn check(row: &Row, entry: &Entry, result: &Result<String, Failure>) -> Option<String> {
    if let Err(failure) = result {
        assert_presentable(entry, failure);
    }
    let actual = result.as_ref().err().map(|failure| failure.kind);
    (actual != row.kind).then(|| format!("{}: {}: expected {:?}, found {result:?}", entry.name(), row.name, row.kind))
}

#[tokio::test]
async fn malformed_responses_are_connection_errors() {
    let mut failures = Vec::new();
    for row in ROWS {
        let server = RawServer::start(row.response.to_vec()).await;
        let clients = server.clients();
        for entry in entries() {
            failures.extend(check(row, entry, &(entry.full)(&clients, PLAIN).await));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Heads with many or long headers must be refused before they fill the memory.
#[tokio::test]
async fn a_head_without_an_end_is_refused() {
    let many = format!("HTTP/1.1 200 OK\r\n{}content-length: 2\r\n\r\n{{}}", "x: y\r\n".repeat(10_000));
    let long = format!("HTTP/1.1 200 OK\r\nx: {}\r\ncontent-length: 2\r\n\r\n{{}}", "y".repeat(8 << 20));
    for response in [many, long] {
        let server = RawServer::start(response.into_bytes()).await;
        let clients = server.clients();
        for entry in entries() {
            let failure = (entry.minimal)(&clients, PLAIN).await.expect_err("a refused head");
            assert_eq!(failure.kind, Kind::Connection, "{failure:?}");
        }
    }
}

/// No request was sent, and the error reports that.
#[tokio::test]
async fn an_unreachable_server_is_a_connection_error() {
    let server = RawServer::start(Vec::new()).await;
    let clients = server.clients();
    server.task.abort();
    while !server.task.is_finished() {
        tokio::task::yield_now().await;
    }
    for entry in ALL {
        let failure = (entry.minimal)(&clients, PLAIN).await.expect_err("a refused connection");
        assert_presentable(entry, &failure);
        assert_eq!((failure.kind, failure.predicates.contains(&"connect")), (Kind::Connection, true), "{failure:?}");
    }
}
