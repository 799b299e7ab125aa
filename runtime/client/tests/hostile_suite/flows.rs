//! Flows of several calls that a server could prolong forever. Repeated page tokens and the number of pages are covered
//! by the tests of pages; a poller is limited to a day.

use std::time::Duration;

use wireform_client::transport::BoxFuture;
use wireform_client::{Error, RetryPolicy};

use super::runtimes::{LIMIT, assert_ends, client};
use super::sample::{ErrorBody, Thing, get};
use super::server::{Endless, Server};

/// Repeats the call for as long as the policy allows it.
fn repeated(server: &Server) -> BoxFuture<'static, Result<Thing, Error<ErrorBody>>> {
    let policy = RetryPolicy::default().with_max_attempts(u32::MAX).with_max_elapsed(2 * LIMIT);
    let policy = policy.with_min_delay(Duration::from_millis(1)).with_max_delay(Duration::from_millis(10));
    Box::pin(client(server).retry(policy).build().unwrap().call(get("1")).send())
}

#[test]
fn repetitions() {
    let broken = Endless::new("HTTP/1.1 200 OK\r\n", "a: b\r\n");
    assert_ends("heads that are too large", &broken, "message head is too large", repeated);
    // A request is not repeated to a server that exceeds a limit.
    let interim = Endless::new("", "HTTP/1.1 100 Continue\r\n\r\n");
    assert_ends("interim responses", &interim, "interim responses", repeated);
    let busy = Endless::new("HTTP/1.1 503 Busy\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n", " ");
    assert_ends("busy", &busy, "503", repeated);
    let later = Endless::new("HTTP/1.1 503 Busy\r\nretry-after: 99999999999\r\ncontent-length: 0\r\n\r\n", " ");
    assert_ends("busy for a long time", &later, "503", repeated);
}
