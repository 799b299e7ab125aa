//! Tests of the memory budget with peers that announce and do not send, or do not read.

use std::time::Duration;

use mailbox_server::runtime::{MemoryBudget, ServeLimits, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::budget::{LONG, MEBIBYTE, budget, get};
use crate::desk::{TestService, mail};

/// Starts a server on a socket; returns its address.
async fn served(desk: &TestService) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, desk.router.clone()).limits(ServeLimits::DEFAULT).into_future());
    address
}

/// Sends the head of a request that declares 36 MiB, and the beginning of its body.
async fn announce_body(address: std::net::SocketAddr, token: Option<&str>, begin: &str) -> TcpStream {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let head = format!(
        "POST /mail/v1/users/me/messages HTTP/1.1\r\nHost: localhost\r\n{authorization}Content-Type: \
         application/json\r\nContent-Length: {}\r\n\r\n{begin}",
        36 << 20
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    socket
}

/// Returns the head of the response.
async fn response(socket: &mut TcpStream) -> String {
    let mut text = Vec::new();
    while !text.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut piece = [0; 1024];
        let length = tokio::time::timeout(LONG, socket.read(&mut piece)).await.unwrap().unwrap();
        assert!(length > 0, "the connection ended");
        text.extend_from_slice(&piece[..length]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test]
async fn what_is_announced_and_not_sent_takes_nothing() {
    let desk = TestService::with_budget(Some(budget(12 * MEBIBYTE))).await;
    let address = served(&desk).await;
    let mut silent = Vec::new();
    for _ in 0..8 {
        silent.push(announce_body(address, Some("ana/mail"), "").await);
        silent.push(announce_body(address, Some("ben/mail"), "{\"raw\":\"").await);
    }
    // An unauthenticated request is refused by its head alone.
    for begin in ["", "{\"raw\":\""] {
        for token in [None, Some("nobody/mail")] {
            let mut unknown = announce_body(address, token, begin).await;
            assert!(response(&mut unknown).await.starts_with("HTTP/1.1 401 "));
        }
    }
    assert_eq!(desk.budget.peak(), 0);
    // The memory is available at once.
    desk.post("/users/me/messages", mail("y".repeat(4 << 20).as_bytes(), &[])).await.ok();
    drop(silent);
}

#[tokio::test]
async fn a_sender_that_stands_still_loses_its_share() {
    let budget = MemoryBudget::new(12 * MEBIBYTE).with_wait(LONG).with_pause(Duration::from_millis(200));
    let desk = TestService::with_budget(Some(budget)).await;
    let address = served(&desk).await;
    let begin = format!("{{\"raw\":\"{}", "A".repeat(6 << 20));
    let mut stalled = announce_body(address, Some("ana/mail"), &begin).await;
    let mut dripping = announce_body(address, Some("ben/mail"), &begin).await;
    let drips = tokio::spawn(async move {
        // A byte now and then is no progress.
        while dripping.write_all(b"A").await.is_ok() {
            let mut piece = [0; 64];
            match tokio::time::timeout(Duration::from_millis(50), dripping.read(&mut piece)).await {
                Ok(read) => return String::from_utf8_lossy(&piece[..read.unwrap()]).into_owned(),
                Err(_) => continue,
            }
        }
        String::new()
    });
    assert!(response(&mut stalled).await.starts_with("HTTP/1.1 408 "));
    assert!(tokio::time::timeout(LONG, drips).await.unwrap().unwrap().starts_with("HTTP/1.1 408 "));
    assert!(desk.budget.peak() > 4 * MEBIBYTE, "they used the budget");
    // An upload waits for memory if none is available.
    desk.post("/users/me/messages", mail("y".repeat(4 << 20).as_bytes(), &[])).await.ok();
    assert_eq!(desk.budget.held(), 0);
}

#[tokio::test]
async fn an_unread_response_is_dropped_for_waiting_requests() {
    let budget = MemoryBudget::new(80 * MEBIBYTE).with_wait(LONG).with_pause(Duration::from_millis(200));
    let desk = TestService::with_budget(Some(budget)).await;
    let id = desk.insert(&format!("Subject: large\r\n\r\n{}", "x".repeat(30 << 20)), &[]).await;
    // The budget holds one response to Ana at a time.
    let rest = desk.budget.share("Ana@Example.com");
    rest.reserve(38 * MEBIBYTE).await.unwrap();
    let limits = ServeLimits { write_pause: 2 * LONG, ..ServeLimits::DEFAULT };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, desk.router.clone()).limits(limits).into_future());
    let mut slow = TcpStream::connect(address).await.unwrap();
    let path = format!("/mail/v1/users/me/messages/{id}?format=raw");
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ana/mail\r\n\r\n");
    slow.write_all(head.as_bytes()).await.unwrap();
    assert!(response(&mut slow).await.starts_with("HTTP/1.1 200 "));
    assert!(desk.budget.held() > 39 * MEBIBYTE);
    let read = desk.send(get(&path)).await;
    assert!(read.ok()["raw"].as_str().unwrap().len() > 40_000_000);
    assert_eq!(desk.budget.held(), 38 * MEBIBYTE);
}
