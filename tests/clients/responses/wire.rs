//! What no well-behaved server sends, byte by byte: the head of an answer that is none, lengths that contradict each
//! other, a connection that ends early.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::{LIMIT, assert_presentable};
use crate::calls::{ALL, Entry, Failure, Kind, PLAIN};
use crate::clients::{Clients, Setup, Way};

/// A server that reads a request, writes those bytes and closes the connection.
struct Raw {
    address: std::net::SocketAddr,
    task: JoinHandle<()>,
}

impl Raw {
    async fn start(response: Vec<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let address = listener.local_addr().expect("it has an address");
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let response = response.clone();
                tokio::spawn(async move { serve(stream, &response).await });
            }
        });
        Self { address, task }
    }

    fn clients(&self) -> Clients {
        let setup = Setup { timeout: Duration::from_secs(10), max_body_bytes: LIMIT, ..Setup::new(Way::Sockets) };
        setup.clients_at(&format!("http://{}", self.address))
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The client may be gone at any time.
async fn serve(mut stream: TcpStream, response: &[u8]) {
    let mut request = Vec::new();
    while !is_whole(&request) {
        let mut piece = [0; 4096];
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return,
            Ok(length) => request.extend_from_slice(&piece[..length]),
        }
    }
    let _ = stream.write_all(response).await;
    let _ = stream.shutdown().await;
}

/// Whether a request has come with its body.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    body.len() >= length.unwrap_or(0)
}

/// What is written, and what comes of it.
struct Row {
    name: &'static str,
    response: &'static [u8],
    /// The kind of error; none for a value.
    kind: Option<Kind>,
}

const fn row(name: &'static str, response: &'static [u8], kind: Option<Kind>) -> Row {
    Row { name, response, kind }
}

const BROKEN: Option<Kind> = Some(Kind::Connection);

const ROWS: &[Row] = &[
    row("an ordinary answer", b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", None),
    row("of HTTP/1.0, until the end", b"HTTP/1.0 200 OK\r\n\r\n{}", None),
    row("without a reason", b"HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\n{}", None),
    row(
        "early hints in front",
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
    row("a status that is no number", b"HTTP/1.1 abc OK\r\ncontent-length: 2\r\n\r\n{}", BROKEN),
    row("a name of a header with a space", b"HTTP/1.1 200 OK\r\ncontent length: 2\r\n\r\n{}", BROKEN),
    row("two lengths", b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{} ", BROKEN),
    row("a length that is no number", b"HTTP/1.1 200 OK\r\ncontent-length: two\r\n\r\n{}", BROKEN),
    row("a length below nothing", b"HTTP/1.1 200 OK\r\ncontent-length: -2\r\n\r\n{}", BROKEN),
    row("a length beyond all numbers", b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999\r\n\r\n{}", BROKEN),
    row("less than declared", b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{}", BROKEN),
    row("a chunk that ends early", b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{}", BROKEN),
    row("chunks without a last one", b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n", BROKEN),
    row(
        "a chunk whose length is no number",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        BROKEN,
    ),
    row(
        "a chunk beyond all numbers",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}",
        BROKEN,
    ),
    row(
        "a compression that nobody knows",
        b"HTTP/1.1 200 OK\r\ncontent-encoding: x-unheard-of\r\ncontent-length: 3\r\n\r\n\x01\x02\x03",
        Some(Kind::Decode),
    ),
    row("an error that ends early", b"HTTP/1.1 404 Not Found\r\ncontent-length: 20\r\n\r\n{}", Some(Kind::Status)),
    row(
        "an upgrade that nobody asked for",
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
        Some(Kind::Status),
    ),
];

/// The operations whose answers have a body: of another one the body need not even be read.
fn entries() -> impl Iterator<Item = &'static Entry> {
    let some = ["events.get", "events.insert", "users.history.list", "projects.get", "scripts.run"];
    ALL.iter().filter(move |entry| some.contains(&entry.operation))
}

fn judge(row: &Row, entry: &Entry, result: &Result<String, Failure>) -> Option<String> {
    if let Err(failure) = result {
        assert_presentable(entry, failure);
    }
    let came = result.as_ref().err().map(|failure| failure.kind);
    (came != row.kind).then(|| format!("{}: {}: {:?} and not {result:?}", entry.name(), row.name, row.kind))
}

#[tokio::test]
async fn bytes_that_are_no_response_are_broken_connections() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let raw = Raw::start(row.response.to_vec()).await;
        let clients = raw.clients();
        for entry in entries() {
            wrong.extend(judge(row, entry, &(entry.full)(&clients, PLAIN).await));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Heads of many or long headers are refused before they fill the memory.
#[tokio::test]
async fn a_head_without_an_end_is_refused() {
    let many = format!("HTTP/1.1 200 OK\r\n{}content-length: 2\r\n\r\n{{}}", "x: y\r\n".repeat(10_000));
    let long = format!("HTTP/1.1 200 OK\r\nx: {}\r\ncontent-length: 2\r\n\r\n{{}}", "y".repeat(8 << 20));
    for response in [many, long] {
        let raw = Raw::start(response.into_bytes()).await;
        let clients = raw.clients();
        for entry in entries() {
            let failure = (entry.minimal)(&clients, PLAIN).await.expect_err("it is refused");
            assert_eq!(failure.kind, Kind::Connection, "{failure:?}");
        }
    }
}

/// Where nobody listens nothing was sent, and the error says so.
#[tokio::test]
async fn a_server_that_is_not_there() {
    let raw = Raw::start(Vec::new()).await;
    let clients = raw.clients();
    raw.task.abort();
    while !raw.task.is_finished() {
        tokio::task::yield_now().await;
    }
    for entry in ALL {
        let failure = (entry.minimal)(&clients, PLAIN).await.expect_err("nobody listens");
        assert_presentable(entry, &failure);
        assert_eq!((failure.kind, failure.yes.contains(&"connect")), (Kind::Connection, true), "{failure:?}");
    }
}
