//! Tests of the end of the program, by which no data is lost.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use reqwest::StatusCode;

use crate::mail::{history, insert, profile};
use crate::program::Home;

#[tokio::test]
async fn a_restart_keeps_everything_but_the_ready_token() {
    let home = Home::new();
    let server = home.serve(&[]);
    let start = profile(&server).await["historyId"].clone();
    let message = insert(&server, "kept").await;
    let token = server.token.clone();
    let log = server.stop();
    assert!(log.contains("finishing accepted requests"), "{log}");

    let server = home.serve(&[]);
    assert_eq!(server.get_by(&token, "/mail/v1/users/me/profile").await.0, StatusCode::UNAUTHORIZED);
    let (status, changes) = history(&server, &start).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(changes["history"][0]["messagesAdded"][0]["message"]["id"], message["id"]);
}

#[tokio::test]
async fn acknowledged_writes_survive_a_kill() {
    let home = Home::new();
    let mut server = home.serve(&[]);
    let start = profile(&server).await["historyId"].clone();
    let mut stored = Vec::new();
    for number in 0..20 {
        stored.push(insert(&server, &format!("mail-{number}")).await["id"].clone());
    }
    server.signal("KILL");
    assert!(!server.wait().success());
    assert!(home.path("ready").exists(), "it was not removed");

    let server = home.serve(&[]);
    let (_, changes) = history(&server, &start).await;
    let found: Vec<_> = changes["history"]
        .as_array()
        .expect("records")
        .iter()
        .map(|record| record["messagesAdded"][0]["message"]["id"].clone())
        .collect();
    assert_eq!(found, stored);
}

/// A request whose head was read and whose body was not: it is accepted, and finished when the body arrives.
#[tokio::test]
async fn a_stop_finishes_what_was_accepted() {
    let home = Home::new();
    let mut server = home.serve(&[]);
    let address = server.base.trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&address).expect("it listens");
    let body = r#"{"name":"Late"}"#;
    let head = format!(
        "POST /mail/v1/users/me/labels HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: \
         application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        server.token,
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("sent");
    // `100 Continue` says that the server has begun to read the body.
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).expect("the server requests the body");
    assert!(interim.starts_with(b"HTTP/1.1 100"), "{}", String::from_utf8_lossy(&interim));
    server.signal("TERM");
    while TcpStream::connect(&address).is_ok() {
        std::thread::yield_now();
    }
    stream.write_all(body.as_bytes()).expect("sent");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response arrives");
    assert!(response.starts_with("HTTP/1.1 200") && response.contains("Late"), "{response}");
    assert!(server.wait().success());
    assert!(home.run(&["mailboxes", "show", "me@localhost"]).contains("Late"));
}

#[tokio::test]
async fn a_second_signal_ends_at_once() {
    let home = Home::new();
    let mut server = home.serve(&[]);
    let address = server.base.trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&address).expect("it listens");
    // A body that never arrives: the shutdown waits for it.
    let head = format!(
        "POST /mail/v1/users/me/labels HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: \
         application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
        server.token,
    );
    stream.write_all(head.as_bytes()).expect("sent");
    stream.read_exact(&mut [0; 25]).expect("the server requests the body");
    server.signal("INT");
    while TcpStream::connect(&address).is_ok() {
        std::thread::yield_now();
    }
    server.signal("INT");
    assert_eq!(server.wait().code(), Some(130));
    let log = server.log();
    assert!(log.contains("ended at once"), "{log}");
}
