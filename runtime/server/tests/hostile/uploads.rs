//! Hostile uploads, batches and parts.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use wireform_server::wireform_runtime::batch;
use wireform_server::{Limits, MemorySessions, ServeLimits, serve};

use super::raw::{self, RawResponse, exchange};
use super::sample::{Sample, request, router, send, server};

/// Starts a server with short timeouts, which stores 1 MiB of uploads in total.
async fn target() -> SocketAddr {
    let mut limits = Limits::DEFAULT;
    limits.body_pause = Duration::from_millis(300);
    let router = server(&Sample::default()).limits(limits).upload_sessions(MemorySessions::new(1 << 20)).router();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(serve(listener, router).limits(ServeLimits::DEFAULT).into_future());
    address
}

fn message(line: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("{line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer all\r\nConnection: close\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

/// Sends a request with its body, and returns the only response.
async fn send_request(address: SocketAddr, line: &str, headers: &str, body: &[u8]) -> RawResponse {
    let headers = format!("{headers}Content-Length: {}\r\n", body.len());
    let mut responses = exchange(address, &message(line, &headers, body)).await;
    assert_eq!(responses.len(), 1, "{line}: {responses:?}");
    responses.remove(0)
}

/// Starts an upload, and returns the path of its chunks.
async fn start_upload(address: SocketAddr, name: &str) -> String {
    let response = send_request(address, &format!("POST /resumable/media/{name}?uploadType=resumable"), "", b"").await;
    let location = response.head.lines().find_map(|line| line.strip_prefix("location: http://x")).expect("an address");
    location.to_owned()
}

fn range(response: &RawResponse) -> Option<&str> {
    assert_eq!(response.status, 308, "{response:?}");
    response.head.lines().find_map(|line| line.strip_prefix("range: bytes=0-"))
}

#[tokio::test]
async fn many_uploads_at_the_same_time() {
    let address = target().await;
    let one = |number: usize| async move {
        let at = start_upload(address, &format!("n{number}")).await;
        let line = format!("PUT {at}");
        for (first, piece) in [(0, "ab"), (1, "bcd"), (2, "cde"), (0, "a"), (9, "x")] {
            let header = format!("Content-Range: bytes {first}-{}/*\r\n", first + piece.len() - 1);
            let response = send_request(address, &line, &header, piece.as_bytes()).await;
            assert!(range(&response).is_some(), "{number}");
        }
        let response = send_request(address, &line, "Content-Range: bytes 5-9/10\r\n", b"fghij").await;
        assert_eq!(response.json()["name"], "abcdefghij", "{number}");
    };
    raw::with_watchdog(futures_util::future::join_all((0..100).map(one))).await;
}

#[tokio::test]
async fn concurrent_uploads_of_the_same_chunk() {
    let address = target().await;
    let line = format!("PUT {}", start_upload(address, "file").await);
    let content = vec![b'a'; 300_000];
    let one = |_| send_request(address, &line, "Content-Range: bytes 0-299999/300000\r\n", &content);
    let responses = raw::with_watchdog(futures_util::future::join_all((0..8).map(one))).await;
    for response in responses {
        match response.status {
            200 => assert_eq!(response.json()["name"].as_str().map(str::len), Some(300_000)),
            status => assert_eq!(status, 308, "{response:?}"),
        }
    }
    let response = send_request(address, &line, "Content-Range: bytes */300000\r\n", b"").await;
    assert_eq!(response.json()["name"].as_str().map(str::len), Some(300_000));
}

#[tokio::test]
async fn interrupted_chunks_are_kept() {
    let address = target().await;
    let line = format!("PUT {}", start_upload(address, "file").await);
    for (headers, body) in [
        ("Content-Range: bytes 0-99999/100000\r\nContent-Length: 100000\r\n", &b"abc"[..]),
        ("Content-Range: bytes 0-99999/100000\r\nTransfer-Encoding: chunked\r\n", b"3\r\nabc\r\n5\r\n"),
    ] {
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        stream.write_all(&message(&line, headers, body)).await.expect("it reads");
        stream.shutdown().await.expect("it is open");
        let mut received = Vec::new();
        let _ = raw::with_watchdog(stream.read_to_end(&mut received)).await;
    }
    let response = send_request(address, &line, "Content-Range: bytes */100000\r\n", b"").await;
    assert_eq!(range(&response), Some("2"), "earlier bytes are kept");
}

#[tokio::test]
async fn inconsistent_ranges_are_rejected() {
    let address = target().await;
    let line = format!("PUT {}", start_upload(address, "file").await);
    let huge = u64::MAX;
    for (range, body, statuses) in [
        (format!("bytes 0-{huge}/*"), "abc", &[308][..]),
        (format!("bytes {huge}-{huge}/*"), "abc", &[308]),
        (format!("bytes 0-2/{huge}"), "abc", &[413]),
        ("bytes 0-99999999999999999999/*".to_owned(), "abc", &[400]),
        ("bytes 0-1/*".to_owned(), "abcdef", &[413]),
        ("bytes 2-0/*".to_owned(), "abc", &[400]),
        ("bytes 0-2/2".to_owned(), "abc", &[400]),
        ("bytes +0-+2/3".to_owned(), "abc", &[400]),
        ("bytes 0-2/3, bytes 0-2/4".to_owned(), "abc", &[400]),
        ("bytes=0-2/3".to_owned(), "abc", &[400]),
        (String::new(), "", &[308]),
    ] {
        let header = if range.is_empty() { String::new() } else { format!("Content-Range: {range}\r\n") };
        let response = send_request(address, &line, &header, body.as_bytes()).await;
        assert!(statuses.contains(&response.status), "{range}: {response:?}");
    }
    for headers in
        ["Content-Length: 3\r\nContent-Length: 4\r\n", "Content-Length: -1\r\n", "Content-Length: 99999999\r\n"]
    {
        let responses = exchange(address, &message(&line, headers, b"abc")).await;
        assert!(responses.iter().all(|response| (400..500).contains(&response.status)), "{headers}: {responses:?}");
    }
    let name = "..%2F..%0d%0aX-Evil:%201";
    let at = start_upload(address, name).await;
    assert!(at.starts_with(&format!("/resumable/media/{name}?")), "{at}");
}

#[tokio::test]
async fn uploads_beyond_the_store_limit_are_rejected() {
    let address = target().await;
    let content = vec![b'a'; 1 << 20];
    let line = format!("PUT {}", start_upload(address, "file").await);
    assert!(range(&send_request(address, &line, "Content-Range: bytes 0-1048575/*\r\n", &content).await).is_some());
    let other = format!("PUT {}", start_upload(address, "other").await);
    let response = send_request(address, &other, "Content-Range: bytes 0-1/2\r\n", b"ab").await;
    assert_eq!(response.status, 503);
    assert_eq!(send_request(address, &line.replace("PUT", "DELETE"), "", b"").await.status, 204);
    assert_eq!(send_request(address, &other, "Content-Range: bytes 0-1/2\r\n", b"ab").await.status, 200);
}

#[tokio::test]
async fn malformed_related_bodies_are_rejected() {
    let address = target().await;
    let line = "POST /upload/media/file?uploadType=multipart";
    let json = "Content-Type: application/json\r\n\r\n{}";
    let long = "b".repeat(71);
    for (content_type, body, status) in [
        ("multipart/related; boundary=b", format!("--b\r\n{json}\r\n--b\r\n\r\nx\r\n--b--"), 200),
        // A boundary that is part of another one, and one that occurs in the media.
        ("multipart/related; boundary=b", format!("--b\r\n{json}\r\n--b\r\n\r\nx\r\n--bb\r\n--b--"), 400),
        ("multipart/related; boundary=\"b\\\"\"", format!("--b\"\r\n{json}\r\n--b\"\r\n\r\nx\r\n--b\"--"), 400),
        ("multipart/related; boundary=b; boundary=c", format!("--b\r\n{json}\r\n--b\r\n\r\nx\r\n--b--"), 400),
        ("multipart/related; boundary=b", format!("--b\r\n{}\r\n", "X".repeat(100_000)), 413),
        ("multipart/related; boundary=b", format!("--b\r\n{json}{}", "\r\n--".repeat(100_000)), 400),
        ("multipart/related; boundary=b", "\r\n--b".repeat(10_000), 400),
        (
            &format!("multipart/related; boundary={long}"),
            format!("--{long}\r\n{json}\r\n--{long}\r\n\r\nx\r\n--{long}--"),
            400,
        ),
    ] {
        let response = send_request(address, line, &format!("Content-Type: {content_type}\r\n"), body.as_bytes()).await;
        assert_eq!(response.status, status, "{content_type} {body:.60}: {response:?}");
    }
}

#[tokio::test]
async fn hostile_batches_are_rejected() {
    let address = target().await;
    let part = |inner: &str| format!("--b\r\nContent-Type: application/http\r\n\r\n{inner}\r\n");
    let whole = |parts: &[String]| format!("{}--b--", parts.concat()).into_bytes();
    let ask = |body: Vec<u8>| async move {
        send_request(address, "POST /batch/sample/v1", "Content-Type: multipart/mixed; boundary=b\r\n", &body).await
    };
    assert_eq!(ask(whole(&vec![part("GET /sample/v1/things/a"); 1000])).await.status, 400);
    assert_eq!(ask(b"--b\r\n".repeat(100_000)).await.status, 400);
    let inner = "POST /batch/sample/v1 HTTP/1.1\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\n--c--";
    // Compressed parts are not decompressed.
    let bomb =
        "POST /sample/v1/things/import HTTP/1.1\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\nx";
    let mut headers = String::from("GET /sample/v1/things/a HTTP/1.1\r\n");
    for number in 0..99 {
        let _ = write!(headers, "X-{number}: {}\r\n", "y".repeat(10_000));
    }
    let cases = [
        inner.to_owned(),
        bomb.to_owned(),
        headers,
        "GET /sample/v1/things/a HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n".to_owned(),
        "GET http://elsewhere.example/ HTTP/1.1".to_owned(),
    ];
    let request = request("POST", "/batch/sample/v1", "").header("content-type", "multipart/mixed; boundary=b");
    let body = whole(&cases.map(|case| part(&case)));
    let response = send(&router(&Sample::default()), request.body(body.into()).expect("a request")).await;
    let boundary = batch::parse_boundary(response.header("content-type")).expect("a boundary");
    let parts = batch::parse_parts(&response.body, &boundary, 9).expect("parts");
    let starts: Vec<&str> =
        parts.iter().map(|part| batch::parse_message(part.content).expect("a message").start_line).collect();
    assert_eq!(starts.len(), 5);
    assert!(starts.iter().all(|start| start.starts_with("HTTP/1.1 4")), "{starts:?}");
}
