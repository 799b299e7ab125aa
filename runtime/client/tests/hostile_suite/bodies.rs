//! Endless bodies of responses.

use std::time::Duration;

use flate2::{Compress, Compression, FlushCompress};
use wireform_client::transport::BoxFuture;
use wireform_client::{Batch, Error};

use super::runtimes::{assert_ends, client};
use super::sample::{ErrorBody, Thing, get};
use super::server::{Endless, Server};

const CHUNKED: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
const TIMEOUT: &str = "no response within";

type Outcome = Result<Thing, Error<ErrorBody>>;

fn call(server: &Server) -> BoxFuture<'static, Outcome> {
    Box::pin(client(server).max_body_bytes(1 << 20).build().unwrap().call(get("1")).send())
}

/// The size limit is high, so that only the timeout ends the call.
fn unlimited(server: &Server) -> BoxFuture<'static, Outcome> {
    Box::pin(client(server).max_body_bytes(usize::MAX).build().unwrap().call(get("1")).send())
}

fn chunked(rest: &str) -> String {
    format!("{CHUNKED}{rest}")
}

#[test]
fn bodies() {
    assert_ends("a body", &Endless::new("HTTP/1.1 200 OK\r\n\r\n", " "), "longer than 1048576 bytes", call);
    assert_ends("tiny chunks", &Endless::new(CHUNKED, "1\r\n \r\n"), TIMEOUT, unlimited);
    let slow = Endless::new("HTTP/1.1 200 OK\r\n\r\n", " ").trickling(Duration::from_millis(50));
    assert_ends("a body that trickles", &slow, TIMEOUT, call);
}

#[test]
fn framing() {
    assert_ends("zeros of a chunk size", &Endless::new(CHUNKED, "0"), TIMEOUT, call);
    assert_ends("spaces behind a chunk size", &Endless::new(chunked("1"), " "), TIMEOUT, call);
    assert_ends("a chunk extension", &Endless::new(chunked("1;"), "a"), "over limit", call);
    let extended = format!("1;{}\r\n \r\n", "a".repeat(1000));
    assert_ends("chunk extensions", &Endless::new(CHUNKED, extended), "over limit", call);
    assert_ends("trailers", &Endless::new(chunked("0\r\n"), "a: b\r\n"), "trailers count overflow", call);
    assert_ends("a trailer", &Endless::new(chunked("0\r\na: "), "a"), "trailers bytes over limit", call);
}

#[test]
fn bodies_of_errors() {
    let head = "HTTP/1.1 500 Broken\r\n\r\n";
    assert_ends("a body of an error", &Endless::new(head, " "), "500", call);
    let slow = Endless::new(head, " ").trickling(Duration::from_millis(50));
    assert_ends("a body of an error that trickles", &slow, TIMEOUT, call);
}

/// Returns a gzip response without its end.
fn zipped(deflated: &[u8]) -> Vec<u8> {
    let head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n".as_slice();
    [head, &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0], deflated].concat()
}

#[test]
fn compressed_bodies() {
    // Stored blocks: a header of five bytes, and nothing.
    assert_ends("empty blocks", &Endless::new(zipped(&[]), [0, 0, 0, 0xff, 0xff]), TIMEOUT, call);
    let mut named = zipped(&[]);
    let flags = named.len() - 7;
    named[flags] = 8;
    assert_ends("the name of a file", &Endless::new(named, "a"), TIMEOUT, call);
    // One MiB of spaces in about 1 KiB, independent of earlier output.
    let mut bomb = Vec::with_capacity(1 << 14);
    let mut compressor = Compress::new(Compression::best(), false);
    compressor.compress_vec(&[b' '; 1 << 20], &mut bomb, FlushCompress::Full).unwrap();
    assert!(compressor.total_in() == 1 << 20 && bomb.len() < 1 << 12);
    let bomb = Endless::new(zipped(&[]), bomb);
    assert_ends("a bomb", &bomb, "longer than 1048576 bytes", call);
}

#[test]
fn batches() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: multipart/mixed; boundary=x\r\n\r\n";
    let part = "--x\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{}\r\n";
    fn batch(server: &Server) -> BoxFuture<'static, Outcome> {
        let client = client(server).max_batch_bytes(1 << 20).build().unwrap();
        Box::pin(async move {
            let mut batch = Batch::new(&client);
            let ticket = batch.add(client.call(get("1")));
            batch.send().await.take(ticket)
        })
    }
    assert_ends("parts", &Endless::new(head, part), "exceed 1048576 bytes", batch);
    let text = Endless::new(format!("{head}--x\r\n"), " ");
    assert_ends("a part", &text, "exceed 1048576 bytes", batch);
    assert_ends("a part that trickles", &text.trickling(Duration::from_millis(50)), TIMEOUT, batch);
}
