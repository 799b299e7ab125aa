//! Retries and their delays. The clock is paused and advances when all tasks are idle.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::response::Response;
use tokio::time::Instant;
use wireform_client::RetryPolicy;

use super::in_turn;
use crate::calls::{ALL, Entry, Kind, PLAIN, find_operation};
use crate::clients::{Harness, Setup, TransportKind};
use crate::server::{RecordedRequest, error, json, silent, with};

fn setup() -> Setup {
    let retry = RetryPolicy::default().with_jitter(false);
    Setup { retry, timeout: Duration::from_secs(10), ..Setup::new(TransportKind::InProcess) }
}

fn is_retryable(entry: &Entry) -> bool {
    entry.facts().safe || entry.facts().idempotent
}

/// Failure that another attempt may resolve.
struct TemporaryFailure {
    name: &'static str,
    respond: fn() -> Response,
    /// Kind of the error after the last attempt.
    kind: Kind,
}

const TEMPORARY: &[TemporaryFailure] = &[
    TemporaryFailure { name: "408", respond: || error(408, None, None), kind: Kind::Status },
    TemporaryFailure { name: "429", respond: || error(429, Some("rateLimitExceeded"), None), kind: Kind::Status },
    TemporaryFailure { name: "500", respond: || error(500, None, None), kind: Kind::Status },
    TemporaryFailure {
        name: "502 with HTML",
        respond: || with(502, &[("content-type", "text/html")], "<p>"),
        kind: Kind::Status,
    },
    TemporaryFailure { name: "503", respond: || with(503, &[], ""), kind: Kind::Status },
    TemporaryFailure { name: "504", respond: || with(504, &[], ""), kind: Kind::Status },
    TemporaryFailure {
        name: "a quota",
        respond: || error(403, Some("userRateLimitExceeded"), None),
        kind: Kind::Status,
    },
    TemporaryFailure { name: "no response", respond: silent, kind: Kind::Timeout },
];

/// Responses that another attempt would not change.
const PERMANENT: &[fn() -> Response] = &[
    || error(400, Some("invalid"), None),
    || error(403, Some("insufficientPermissions"), None),
    || error(404, Some("notFound"), None),
    || error(409, Some("duplicate"), None),
    || error(410, Some("deleted"), None),
    || error(412, Some("conditionNotMet"), None),
    || error(501, None, None),
    || json(200, "{"),
];

/// Starts a server that fails a number of times for each operation, and then succeeds.
async fn start(fail: fn() -> Response, times: usize) -> Harness {
    let seen: Arc<Mutex<Vec<&'static str>>> = Arc::default();
    let respond = move |request: &RecordedRequest| {
        let mut seen = seen.lock().expect("the mutex is not poisoned");
        let operation = find_operation(request).operation;
        seen.push(operation);
        if seen.iter().filter(|one| **one == operation).count() > times { json(200, "{}") } else { fail() }
    };
    setup().start(respond).await
}

#[tokio::test(start_paused = true)]
async fn only_safe_and_idempotent_requests_are_retried() {
    for temporary in TEMPORARY {
        let harness = start(temporary.respond, 3).await;
        for entry in ALL {
            let result = (entry.full)(&harness.clients, PLAIN).await;
            let requests = harness.log.take();
            let context = format!("{}: {}: {result:?}", entry.name(), temporary.name);
            if is_retryable(entry) {
                assert!(result.is_ok(), "{context}");
                assert_eq!(requests.len(), 4, "{context}");
                let identical = requests.iter().all(|request| {
                    (&request.target, &request.headers, &request.body)
                        == (&requests[0].target, &requests[0].headers, &requests[0].body)
                });
                assert!(identical, "{context}");
            } else {
                let failure = result.expect_err("a request that is not retried");
                assert_eq!((failure.kind, failure.attempts, requests.len()), (temporary.kind, 1, 1), "{context}");
            }
        }
    }
}

/// The operations that are neither safe nor idempotent: each POST that creates something.
#[test]
fn requests_that_are_never_retried() {
    let actual: Vec<&str> = ALL.iter().filter(|entry| !is_retryable(entry)).map(|entry| entry.operation).collect();
    let expected = [
        "scripts.run",
        "projects.create",
        "projects.deployments.create",
        "projects.versions.create",
        "users.labels.create",
        "users.messages.insert",
        "users.messages.import",
        "users.messages.send",
        "users.drafts.create",
        "users.drafts.send",
        "channels.stop",
        "events.watch",
        "events.insert",
        "events.quickAdd",
        "events.import",
        "events.move",
    ];
    assert_eq!(actual, expected);
}

#[tokio::test(start_paused = true)]
async fn the_last_error_reports_the_number_of_attempts() {
    for temporary in TEMPORARY {
        let harness = start(temporary.respond, usize::MAX).await;
        for entry in ALL.iter().filter(|entry| is_retryable(entry)) {
            let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("a failure");
            assert_eq!((failure.kind, failure.attempts), (temporary.kind, 4), "{}: {failure:?}", temporary.name);
            assert_eq!(harness.log.take().len(), 4, "{failure:?}");
            assert!(failure.display.contains("attempt 4 of 4"), "{}", failure.display);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn permanent_errors_are_not_retried() {
    for fail in PERMANENT {
        let harness = start(*fail, usize::MAX).await;
        for entry in ALL.iter().filter(|entry| entry.response.is_some()) {
            let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("an error");
            assert_eq!((failure.attempts, harness.log.take().len()), (1, 1), "{failure:?}");
        }
    }
}

/// Returns the delays between requests in milliseconds, and whether the call succeeded.
async fn delays(responses: Vec<Response>, policy: RetryPolicy) -> (Vec<u128>, bool) {
    let times: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let log = Arc::clone(&times);
    let respond = in_turn(responses);
    let harness = Setup { retry: policy, ..setup() }
        .start(move |request| {
            log.lock().expect("the mutex is not poisoned").push(Instant::now());
            respond(request)
        })
        .await;
    let done = harness.clients.calendar.events().get("primary", "abc").send().await.is_ok();
    let times = times.lock().expect("the mutex is not poisoned");
    (times.windows(2).map(|pair| pair[1].duration_since(pair[0]).as_millis()).collect(), done)
}

#[tokio::test(start_paused = true)]
async fn delays_double_and_a_server_may_request_longer_ones() {
    let policy = || RetryPolicy::default().with_jitter(false);
    let busy = |headers: &[(&str, &str)]| with(503, headers, "");
    let responses = vec![busy(&[]), busy(&[]), busy(&[]), json(200, "{}")];
    assert_eq!(delays(responses, policy()).await, (vec![500, 1000, 2000], true));
    let responses = vec![busy(&[("retry-after", "7")]), busy(&[("retry-after", "0")]), json(200, "{}")];
    assert_eq!(delays(responses, policy()).await, (vec![7000, 1000], true));
    let date = [("date", "Sat, 21 Nov 2026 06:00:00 GMT"), ("retry-after", "Sat, 21 Nov 2026 06:00:09 GMT")];
    assert_eq!(delays(vec![busy(&date), json(200, "{}")], policy()).await, (vec![9000], true));
    // The requested delay exceeds the time limit, so the call fails at once.
    assert_eq!(delays(vec![busy(&[("retry-after", "3600")])], policy()).await, (vec![], false));
    let garbage = vec![busy(&[("retry-after", "soon")]), busy(&[("retry-after", "-1")]), json(200, "{}")];
    assert_eq!(delays(garbage, policy()).await, (vec![500, 1000], true));
    assert_eq!(delays(vec![busy(&[])], RetryPolicy::off()).await, (vec![], false));
    let quick = policy().with_min_delay(Duration::ZERO).with_max_attempts(2);
    assert_eq!(delays(vec![busy(&[]), busy(&[])], quick).await, (vec![0], false));
}

/// No attempt starts after three minutes, so the fourth one-minute timeout is not reached.
#[tokio::test(start_paused = true)]
async fn attempts_end_at_the_time_limit() {
    let harness = Setup { timeout: Duration::from_secs(60), ..setup() }.start(|_| silent()).await;
    let failure =
        harness.clients.calendar.events().get("primary", "abc").send().await.expect_err("a server without a response");
    assert_eq!((failure.attempts(), harness.log.take().len()), (3, 3));
}

/// The policy of a call overrides that of its client.
#[tokio::test(start_paused = true)]
async fn a_call_has_its_own_policy() {
    let harness = start(|| with(503, &[], ""), usize::MAX).await;
    let get = || harness.clients.calendar.events().get("primary", "abc");
    let failed = get().retry(RetryPolicy::off()).send().await.map(drop).map_err(|error| error.attempts());
    assert_eq!((failed, harness.log.take().len()), (Err(1), 1));
    let failed = get().retry(RetryPolicy::default().with_max_attempts(7)).send().await;
    assert_eq!((failed.map(drop).map_err(|error| error.attempts()), harness.log.take().len()), (Err(7), 7));
    // A policy does not make a request retryable that is neither safe nor idempotent.
    let insert = harness.clients.calendar.events().quick_add("primary", "Lunch");
    let failed = insert.retry(RetryPolicy::default().with_max_attempts(7)).send().await;
    assert_eq!((failed.map(drop).map_err(|error| error.attempts()), harness.log.take().len()), (Err(1), 1));
}
