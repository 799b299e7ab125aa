//! Slow peers.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::{GET, Pipe, limits, since};

#[tokio::test(start_paused = true)]
async fn a_first_head_must_be_there_in_time() {
    let (begin, mut pipe) = (Instant::now(), Pipe::open(limits()));
    pipe.send(b"GET / HTT").await;
    assert_eq!(pipe.read_to_end().await, "");
    assert_eq!(since(begin), 10);
    pipe.ended.await.expect("no panic");
}

#[tokio::test(start_paused = true)]
async fn single_bytes_do_not_extend_the_head_timeout() {
    let (begin, mut pipe) = (Instant::now(), Pipe::open(limits()));
    let mut sent = 0;
    while !pipe.ended.is_finished() {
        let _ = tokio::io::AsyncWriteExt::write_all(&mut pipe.peer, b"G").await;
        sent += 1;
        sleep(Duration::from_secs(3)).await;
    }
    assert_eq!((sent, since(begin)), (4, 12), "the connection ended after 10 seconds");
}

#[tokio::test(start_paused = true)]
async fn a_connection_is_kept_between_requests_and_not_forever() {
    let (begin, mut pipe) = (Instant::now(), Pipe::open(limits()));
    for _ in 0..3 {
        pipe.send(GET).await;
        pipe.read_until("done").await;
        sleep(Duration::from_secs(50)).await;
    }
    assert_eq!(pipe.read_to_end().await, "");
    assert_eq!(since(begin), 160, "60 seconds after the third");
}

#[tokio::test(start_paused = true)]
async fn a_further_head_has_its_time_from_its_first_byte() {
    let (begin, mut pipe) = (Instant::now(), Pipe::open(limits()));
    pipe.send(GET).await;
    pipe.read_until("done").await;
    sleep(Duration::from_secs(40)).await;
    pipe.send(b"GET / HT").await;
    assert_eq!(pipe.read_to_end().await, "");
    assert_eq!(since(begin), 50);
}

#[tokio::test(start_paused = true)]
async fn a_handler_may_take_longer_than_a_head() {
    let (begin, mut pipe) = (Instant::now(), Pipe::open(limits()));
    for _ in 0..20 {
        pipe.send(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n").await;
        pipe.read_until("done").await;
    }
    assert_eq!(since(begin), 100);
}

#[tokio::test(start_paused = true)]
async fn peer_that_reads_nothing_is_disconnected() {
    let (begin, mut pipe) = (Instant::now(), Pipe::open(limits()));
    pipe.send(b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n").await;
    (&mut pipe.ended).await.expect("no panic");
    assert_eq!(since(begin), 20);
    assert!(pipe.read_to_end().await.len() <= super::PIPE);
}

#[tokio::test(start_paused = true)]
async fn peer_that_reads_slowly_is_served() {
    let (begin, mut pipe) = (Instant::now(), Pipe::open(limits()));
    pipe.send(b"GET /much HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
    let mut taken = 0;
    loop {
        sleep(Duration::from_secs(15)).await;
        let mut some = [0; 2048];
        match tokio::io::AsyncReadExt::read(&mut pipe.peer, &mut some).await.expect("it is served") {
            0 => break,
            bytes => taken += bytes,
        }
    }
    assert!(taken > 500_000 && since(begin) > 1000, "{taken}");
}

#[tokio::test(start_paused = true)]
async fn rejected_body_is_drained_for_a_while() {
    let mut pipe = Pipe::open(limits());
    pipe.send(b"POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n").await;
    let response = pipe.read_until("\r\n\r\n").await;
    assert!(response.starts_with("HTTP/1.1 413"), "{response}");
    // More than the capacity of the pipe, so that the server must be reading.
    let begin = Instant::now();
    pipe.send(&[b' '; 3 * super::PIPE]).await;
    (&mut pipe.ended).await.expect("no panic");
    assert_eq!(since(begin), 2);
}
