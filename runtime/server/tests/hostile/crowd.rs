//! Many stalled peers, and others that are served.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::memory::resident;
use super::raw::{self, parse_responses, with_watchdog};
use super::{Target, lock_exclusively};

/// Bytes of stalled peers: nothing, half of a head, half of a body, a whole request that keeps the connection open, and
/// many requests whose responses are not read.
fn stalls() -> [Vec<u8>; 5] {
    let half = raw::post("stalled", &[b' '; 1000]);
    let many = raw::get("stalled", "").repeat(300);
    [
        Vec::new(),
        b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ".to_vec(),
        half[..half.len() - 500].to_vec(),
        raw::get("stalled", ""),
        many,
    ]
}

#[tokio::test]
async fn stalled_connections_use_little_memory_and_block_nobody() {
    let _alone = lock_exclusively().await;
    let target = Target::with_long_timeouts().await;
    target.assert_serving("the start").await;
    let before = resident();
    let mut stalled = Vec::new();
    for stall in stalls().iter().cycle().take(1000) {
        // Fewer suffice if the system limits the number of sockets of a process.
        let Ok(mut stream) = TcpStream::connect(target.address).await else { break };
        if stream.try_write(stall).is_err() {
            stream.write_all(stall).await.expect("the system accepts it");
        }
        stalled.push(stream);
        if stalled.len() % 100 == 0 {
            target.assert_serving("some that stall").await;
        }
    }
    assert!(stalled.len() >= 200, "there were {}", stalled.len());
    let each = resident().saturating_sub(before) / stalled.len() as u64;
    assert!(each < 200 << 10, "{each} bytes for each");
    for _ in 0..50 {
        target.assert_serving("all that stall").await;
    }
}

#[tokio::test]
async fn stalled_heads_and_bodies_time_out() {
    let target = Target::with_short_timeouts().await;
    for (stall, status) in stalls().iter().zip([None, None, Some(408)]) {
        let responses = raw::exchange(target.address, stall).await;
        assert_eq!(responses.first().map(|response| response.status), status, "{responses:?}");
        assert!(responses.iter().all(|one| one.head.to_lowercase().contains("connection: close")), "{responses:?}");
    }
    assert_eq!(target.mailbox.called_for(), Vec::<String>::new());
}

#[tokio::test]
async fn pipelined_responses_are_in_order() {
    let target = Target::with_long_timeouts().await;
    let users: Vec<_> = (0..200).map(|number| format!("user{number}")).collect();
    let mut requests: Vec<u8> = users.iter().flat_map(|user| raw::get(user, "")).collect();
    requests.extend(raw::post("posted", b"{\"name\":\"n\"}"));
    requests.extend(raw::get("last", "Connection: close\r\n"));
    let responses = raw::exchange(target.address, &requests).await;
    let expected = users.iter().map(String::as_str).chain(["posted", "last"]);
    assert_eq!(responses.len(), 202, "{responses:?}");
    for (response, user) in responses.iter().zip(expected) {
        assert!(response.is_for(user), "{user}: {response:?}");
    }
}

#[tokio::test]
async fn head_may_arrive_byte_by_byte() {
    let target = Target::with_long_timeouts().await;
    let mut stream = TcpStream::connect(target.address).await.expect("it listens");
    stream.set_nodelay(true).expect("a socket");
    for byte in raw::get("slow", "Connection: close\r\n") {
        stream.write_all(&[byte]).await.expect("sent");
        tokio::task::yield_now().await;
    }
    let mut received = Vec::new();
    with_watchdog(stream.read_to_end(&mut received)).await.expect("a response arrives");
    assert!(parse_responses(&received)[0].is_for("slow"));
}

#[tokio::test]
async fn disconnected_peer_cancels_only_its_request() {
    let target = Target::with_long_timeouts().await;
    for stall in stalls() {
        let mut stream = TcpStream::connect(target.address).await.expect("it listens");
        stream.write_all(&stall).await.expect("sent");
        drop(stream);
        target.assert_serving("somebody left").await;
    }
}
