//! Endless heads of responses.

use std::time::Duration;

use wireform_client::Error;
use wireform_client::transport::BoxFuture;

use super::runtimes::{assert_ends, client};
use super::sample::{ErrorBody, Thing, get};
use super::server::{Endless, Server};

type Outcome = Result<Thing, Error<ErrorBody>>;

fn call(server: &Server) -> BoxFuture<'static, Outcome> {
    Box::pin(client(server).build().unwrap().call(get("1")).send())
}

#[test]
fn interim_responses() {
    let limit = "more than 100 interim responses";
    assert_ends("100", &Endless::new("", "HTTP/1.1 100 Continue\r\n\r\n"), limit, call);
    let hints = Endless::new("", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\nx: y\r\n\r\n");
    assert_ends("103", &hints, limit, call);
    assert_ends("each in a piece", &hints.trickling(Duration::from_millis(50)), "no response within", call);
}

#[test]
fn a_server_may_send_some_interim_responses() {
    let interim = "HTTP/1.1 102 Processing\r\n\r\n".repeat(100);
    let response = format!("{interim}HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    // The bytes after the response are not a response, and the connection is closed.
    assert_ends("102", &Endless::new(response, " "), "404", call);
}

#[test]
fn status_lines_and_header_fields() {
    let too_large = "message head is too large";
    assert_ends("empty lines", &Endless::new("", "\r\n"), too_large, call);
    assert_ends("a reason", &Endless::new("HTTP/1.1 200 ", "a"), too_large, call);
    assert_ends("a header", &Endless::new("HTTP/1.1 200 OK\r\na: ", "a"), too_large, call);
    assert_ends("headers", &Endless::new("HTTP/1.1 200 OK\r\n", "www-authenticate: Bearer\r\n"), too_large, call);
    let slow = Endless::new("HTTP/1.1 200 OK\r\n", "a: b\r\n").trickling(Duration::from_millis(50));
    assert_ends("headers that trickle", &slow, "no response within", call);
}

#[test]
fn redirects() {
    let response = "HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n";
    // The bytes after a response were not requested, so each redirect is followed on another connection.
    assert_ends("redirects", &Endless::new(response, response), "302", call);
}
