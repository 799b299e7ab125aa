//! Raw requests and responses on a socket.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Creates a request for the history of a user, with a valid token.
pub fn get(user: &str, headers: &str) -> Vec<u8> {
    let path = format!("/mail/v1/users/{user}/history?startHistoryId=1");
    format!("GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer all\r\n{headers}\r\n").into_bytes()
}

/// Creates a request with a body of an announced length.
pub fn post(user: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("POST /mail/v1/users/{user}/history HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n");
    [head.as_bytes(), b"Authorization: Bearer all\r\nContent-Type: application/json\r\n\r\n", body].concat()
}

/// Parsed response.
pub struct RawResponse {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl RawResponse {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Returns whether the operation was executed for the user.
    pub fn is_for(&self, user: &str) -> bool {
        self.status == 200 && self.json()["id"] == user
    }
}

impl fmt::Debug for RawResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.body);
        write!(f, "{} {:?}", self.status, text.chars().take(200).collect::<String>())
    }
}

/// Awaits a future with a watchdog, so that a test fails instead of hanging.
pub async fn with_watchdog<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("this takes too long")
}

/// Sends the bytes, and reads until the server closes the connection, perhaps before all of them are sent.
pub async fn exchange(address: SocketAddr, bytes: &[u8]) -> Vec<RawResponse> {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let (mut from, mut to) = stream.split();
    let mut received = Vec::new();
    let send = async { _ = to.write_all(bytes).await };
    let receive = async { _ = from.read_to_end(&mut received).await };
    with_watchdog(async { tokio::join!(send, receive) }).await;
    parse_responses(&received)
}

/// Parses the received responses. Interim responses are omitted.
pub fn parse_responses(mut bytes: &[u8]) -> Vec<RawResponse> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a whole head") + 4;
        let head = String::from_utf8(bytes[..end].to_vec()).expect("heads are text");
        let status = head.get(9..12).and_then(|status| status.parse().ok()).expect("a status");
        let length = head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let length: usize = length.unwrap_or(0);
        let body = bytes[end..].get(..length).expect("a whole body").to_vec();
        bytes = &bytes[end + length..];
        if status >= 200 {
            all.push(RawResponse { status, head, body });
        }
    }
    all
}
