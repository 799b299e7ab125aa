//! Endless downloads.

use std::time::Duration;

use bytes::Bytes;
use wireform_client::Error;
use wireform_client::transport::BoxFuture;

use super::runtimes::{LIMIT, assert_ends, client};
use super::sample::{ErrorBody, get};
use super::server::{Endless, Server};

type Outcome = Result<Bytes, Error<ErrorBody>>;

fn within_bytes(server: &Server) -> BoxFuture<'static, Outcome> {
    let call = client(server).build().unwrap().call(get("1")).download();
    Box::pin(async move { call.send().await?.bytes(1 << 20).await })
}

fn within_time(server: &Server) -> BoxFuture<'static, Outcome> {
    let call = client(server).build().unwrap().call(get("1")).download().body_timeout(2 * LIMIT);
    Box::pin(async move { call.send().await?.bytes(1 << 40).await })
}

#[test]
fn downloads() {
    let head = "HTTP/1.1 200 OK\r\n\r\n";
    assert_ends("bytes", &Endless::new(head, " "), "longer than 1048576 bytes", within_bytes);
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    assert_ends("zeros of a chunk size", &Endless::new(chunked, "0"), "no response within 0.3 s", within_bytes);
    // Each chunk arrives in time.
    let slow = Endless::new(head, " ").trickling(Duration::from_millis(50));
    assert_ends("bytes that trickle", &slow, "no response within 0.6 s", within_time);
}
