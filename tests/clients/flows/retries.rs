//! What is sent again, and after how long. The clock stands still and goes on by itself when everybody waits.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::response::Response;
use tokio::time::Instant;
use wireform_client::RetryPolicy;

use super::in_turn;
use crate::calls::{ALL, Entry, Kind, PLAIN, asked};
use crate::clients::{Running, Setup, Way};
use crate::server::{Recorded, error, json, silent, with};

fn setup() -> Setup {
    let retry = RetryPolicy::default().with_jitter(false);
    Setup { retry, timeout: Duration::from_secs(10), ..Setup::new(Way::InProcess) }
}

fn is_repeatable(entry: &Entry) -> bool {
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
    TemporaryFailure { name: "no answer", respond: silent, kind: Kind::Timeout },
];

/// Responses that another attempt does not change.
const FINAL: &[fn() -> Response] = &[
    || error(400, Some("invalid"), None),
    || error(403, Some("insufficientPermissions"), None),
    || error(404, Some("notFound"), None),
    || error(409, Some("duplicate"), None),
    || error(410, Some("deleted"), None),
    || error(412, Some("conditionNotMet"), None),
    || error(501, None, None),
    || json(200, "{"),
];

/// A server that fails so often, and then works.
async fn start(fail: fn() -> Response, times: usize) -> Running {
    let seen: Arc<Mutex<Vec<&'static str>>> = Arc::default();
    let respond = move |request: &Recorded| {
        let mut seen = seen.lock().expect("nobody panics meanwhile");
        let operation = asked(request).operation;
        seen.push(operation);
        if seen.iter().filter(|one| **one == operation).count() > times { json(200, "{}") } else { fail() }
    };
    setup().start(respond).await
}

#[tokio::test(start_paused = true)]
async fn only_what_is_safe_or_idempotent_is_sent_again() {
    for temporary in TEMPORARY {
        let running = start(temporary.respond, 3).await;
        for entry in ALL {
            let result = (entry.full)(&running.clients, PLAIN).await;
            let requests = running.log.take();
            let about = format!("{}: {}: {result:?}", entry.name(), temporary.name);
            if is_repeatable(entry) {
                assert!(result.is_ok(), "{about}");
                assert_eq!(requests.len(), 4, "{about}");
                let same = requests.iter().all(|request| {
                    (&request.target, &request.headers, &request.body)
                        == (&requests[0].target, &requests[0].headers, &requests[0].body)
                });
                assert!(same, "{about}");
            } else {
                let failure = result.expect_err("it is not repeated");
                assert_eq!((failure.kind, failure.attempts, requests.len()), (temporary.kind, 1, 1), "{about}");
            }
        }
    }
}

/// What is neither is known: all that is made anew by a POST.
#[test]
fn what_is_never_sent_again() {
    let never: Vec<&str> = ALL.iter().filter(|entry| !is_repeatable(entry)).map(|entry| entry.operation).collect();
    let expected = [
        "scripts.run",
        "projects.create",
        "projects.deployments.create",
        "projects.versions.create",
        "users.labels.create",
        "users.messages.insert",
        "users.messages.import",
        "channels.stop",
        "events.watch",
        "events.insert",
        "events.quickAdd",
        "events.import",
        "events.move",
    ];
    assert_eq!(never, expected);
}

#[tokio::test(start_paused = true)]
async fn who_gives_up_says_how_often_it_was_tried() {
    for temporary in TEMPORARY {
        let running = start(temporary.respond, usize::MAX).await;
        for entry in ALL.iter().filter(|entry| is_repeatable(entry)) {
            let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("it always fails");
            assert_eq!((failure.kind, failure.attempts), (temporary.kind, 4), "{}: {failure:?}", temporary.name);
            assert_eq!(running.log.take().len(), 4, "{failure:?}");
            assert!(failure.display.contains("attempt 4 of 4"), "{}", failure.display);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_another_attempt_does_not_mend_is_not_sent_again() {
    for fail in FINAL {
        let running = start(*fail, usize::MAX).await;
        for entry in ALL.iter().filter(|entry| entry.response.is_some()) {
            let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("an error");
            assert_eq!((failure.attempts, running.log.take().len()), (1, 1), "{failure:?}");
        }
    }
}

/// The time between two requests, in milliseconds.
async fn delays(responses: Vec<Response>, policy: RetryPolicy) -> (Vec<u128>, bool) {
    let times: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let noted = Arc::clone(&times);
    let respond = in_turn(responses);
    let running = Setup { retry: policy, ..setup() }
        .start(move |request| {
            noted.lock().expect("nobody panics meanwhile").push(Instant::now());
            respond(request)
        })
        .await;
    let done = running.clients.calendar.events().get("primary", "abc").send().await.is_ok();
    let times = times.lock().expect("nobody panics meanwhile");
    (times.windows(2).map(|pair| pair[1].duration_since(pair[0]).as_millis()).collect(), done)
}

#[tokio::test(start_paused = true)]
async fn delays_double_and_a_server_may_ask_for_longer_ones() {
    let policy = || RetryPolicy::default().with_jitter(false);
    let busy = |headers: &[(&str, &str)]| with(503, headers, "");
    let responses = vec![busy(&[]), busy(&[]), busy(&[]), json(200, "{}")];
    assert_eq!(delays(responses, policy()).await, (vec![500, 1000, 2000], true));
    let responses = vec![busy(&[("retry-after", "7")]), busy(&[("retry-after", "0")]), json(200, "{}")];
    assert_eq!(delays(responses, policy()).await, (vec![7000, 1000], true));
    let date = [("date", "Sat, 21 Nov 2026 06:00:00 GMT"), ("retry-after", "Sat, 21 Nov 2026 06:00:09 GMT")];
    assert_eq!(delays(vec![busy(&date), json(200, "{}")], policy()).await, (vec![9000], true));
    // Longer than there is time: it is not waited for.
    assert_eq!(delays(vec![busy(&[("retry-after", "3600")])], policy()).await, (vec![], false));
    let garbage = vec![busy(&[("retry-after", "soon")]), busy(&[("retry-after", "-1")]), json(200, "{}")];
    assert_eq!(delays(garbage, policy()).await, (vec![500, 1000], true));
    assert_eq!(delays(vec![busy(&[])], RetryPolicy::off()).await, (vec![], false));
    let quick = policy().with_min_delay(Duration::ZERO).with_max_attempts(2);
    assert_eq!(delays(vec![busy(&[]), busy(&[])], quick).await, (vec![0], false));
}

/// After three minutes no attempt begins: of four silent minutes only three are waited for.
#[tokio::test(start_paused = true)]
async fn attempts_come_to_an_end_with_the_time() {
    let running = Setup { timeout: Duration::from_secs(60), ..setup() }.start(|_| silent()).await;
    let failure = running.clients.calendar.events().get("primary", "abc").send().await.expect_err("nobody answers");
    assert_eq!((failure.attempts(), running.log.take().len()), (3, 3));
}

/// A call says otherwise than its client.
#[tokio::test(start_paused = true)]
async fn a_call_has_its_own_policy() {
    let running = start(|| with(503, &[], ""), usize::MAX).await;
    let get = || running.clients.calendar.events().get("primary", "abc");
    let failed = get().retry(RetryPolicy::off()).send().await.map(drop).map_err(|error| error.attempts());
    assert_eq!((failed, running.log.take().len()), (Err(1), 1));
    let failed = get().retry(RetryPolicy::default().with_max_attempts(7)).send().await;
    assert_eq!((failed.map(drop).map_err(|error| error.attempts()), running.log.take().len()), (Err(7), 7));
    // A policy does not make repeatable what is not.
    let insert = running.clients.calendar.events().quick_add("primary", "Lunch");
    let failed = insert.retry(RetryPolicy::default().with_max_attempts(7)).send().await;
    assert_eq!((failed.map(drop).map_err(|error| error.attempts()), running.log.take().len()), (Err(1), 1));
}
