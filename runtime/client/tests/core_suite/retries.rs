//! Retries, with tokio's paused clock.

use std::time::Duration;

use wireform_client::{RetryPolicy, TransportErrorKind};

use super::sample::{Ask, Clear, GetThing, Thing, get, insert};
use super::script::{Step, error_response, respond, respond_with_headers, scripted_client, thing};

const SECOND: Duration = Duration::from_secs(1);

fn steady(attempts: u32) -> RetryPolicy {
    RetryPolicy::default().with_max_attempts(attempts).with_min_delay(SECOND).with_jitter(false)
}

#[tokio::test(start_paused = true)]
async fn delays_double_up_to_a_bound() {
    let (client, log) = scripted_client(|_| respond(503, ""));
    let client = client.retry(steady(6).with_max_delay(4 * SECOND)).build().unwrap();
    let error = client.call(get("1")).send().await.unwrap_err();
    assert_eq!(log.pauses(), [1, 2, 4, 4, 4].map(Duration::from_secs));
    assert_eq!((error.status(), error.attempts()), (Some(503), 6));
    assert_eq!(error.to_string(), "things.get: 503 Service Unavailable (attempt 6 of 6)");
}

#[tokio::test(start_paused = true)]
async fn delays_have_a_random_part() {
    let (client, log) = scripted_client(|_| respond(503, ""));
    let policy = steady(3).with_jitter(true);
    let client = client.retry(policy).build().unwrap();
    for _ in 0..8 {
        client.call(get("1")).send().await.unwrap_err();
    }
    let pauses: Vec<Duration> =
        log.all().chunks(3).flat_map(|call| [call[1].at - call[0].at, call[2].at - call[1].at]).collect();
    for pair in pauses.chunks(2) {
        assert!((SECOND..=2 * SECOND).contains(&pair[0]) && (2 * SECOND..=4 * SECOND).contains(&pair[1]), "{pair:?}");
    }
    assert!(pauses.chunks(2).any(|pair| pair != &pauses[..2]), "{pauses:?}");
}

#[tokio::test(start_paused = true)]
async fn only_safe_or_idempotent_operations_are_retried() {
    for (status, safe, idempotent, neither) in [
        (408, 3, 3, 1),
        (429, 3, 3, 1),
        (500, 3, 3, 1),
        (502, 3, 3, 1),
        (503, 3, 3, 1),
        (504, 3, 3, 1),
        (400, 1, 1, 1),
        (404, 1, 1, 1),
        (501, 1, 1, 1),
        (409, 1, 1, 1),
    ] {
        let (client, log) = scripted_client(move |_| respond(status, ""));
        let client = client.retry(steady(3)).build().unwrap();
        client.call(Ask { body: Thing::default() }).send().await.unwrap_err();
        let first = log.count();
        client.call(Clear).send().await.unwrap_err();
        let second = log.count() - first;
        let error = client.call(insert("x")).send().await.unwrap_err();
        assert_eq!((first, second, log.count() - first - second), (safe, idempotent, neither), "{status}");
        assert_eq!(error.attempts(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn connection_errors_are_retried() {
    for (kind, attempts) in [
        (TransportErrorKind::Connect, 3),
        (TransportErrorKind::Broken, 3),
        (TransportErrorKind::Timeout, 3),
        (TransportErrorKind::Refused, 1),
    ] {
        let (client, log) = scripted_client(move |_| Step::Fail(kind));
        let client = client.retry(steady(3)).build().unwrap();
        let error = client.call(get("1")).send().await.unwrap_err();
        assert_eq!((log.count(), error.is_retryable()), (attempts, attempts > 1), "{kind:?}");
        assert_eq!(error.is_connect(), kind == TransportErrorKind::Connect);
        assert_eq!(error.is_timeout(), kind == TransportErrorKind::Timeout);
        client.call(insert("x")).send().await.unwrap_err();
        assert_eq!(log.count(), attempts + 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_later_attempt_may_succeed_with_the_same_request() {
    let (client, log) = scripted_client(|number| match number {
        1 => Step::Fail(TransportErrorKind::Connect),
        2 => error_response(500, "backendError", "Backend Error"),
        _ => thing(),
    });
    let client = client.retry(steady(4)).build().unwrap();
    let mut request = Ask { body: Thing::default() };
    request.body.text = Some("x".into());
    client.call(request).send().await.unwrap();
    let all = log.all();
    assert_eq!(all.len(), 3);
    assert!(all.iter().all(|request| (&request.body, &request.uri) == (&all[0].body, &all[0].uri)));
}

#[tokio::test(start_paused = true)]
async fn rate_limited_403_is_retried() {
    for (reason, attempts) in
        [("rateLimitExceeded", 2), ("userRateLimitExceeded", 2), ("quotaExceeded", 1), ("forbidden", 1)]
    {
        let (client, log) = scripted_client(move |_| error_response(403, reason, "no"));
        let client = client.retry(steady(2)).build().unwrap();
        let error = client.call(get("1")).send().await.unwrap_err();
        assert_eq!((log.count(), error.is_rate_limited(), error.is_forbidden()), (attempts, attempts == 2, true));
        let other = steady(2).with_reasons(["quotaExceeded"]);
        GetThing::from_call(client.call(get("1"))).retry(other).send().await.unwrap_err();
        assert_eq!(log.count() - attempts, if reason == "quotaExceeded" { 2 } else { 1 }, "{reason}");
    }
}

#[tokio::test(start_paused = true)]
async fn policy_sets_the_statuses() {
    let (client, log) = scripted_client(|number| respond(if number == 1 { 418 } else { 503 }, ""));
    let client = client.retry(steady(5).with_statuses([418])).build().unwrap();
    assert_eq!(client.call(get("1")).send().await.unwrap_err().status(), Some(503));
    assert_eq!(log.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_policy_may_be_off() {
    let (client, log) = scripted_client(|_| respond(503, ""));
    let client = client.retry(RetryPolicy::off()).build().unwrap();
    let error = client.call(get("1")).send().await.unwrap_err();
    assert_eq!((log.count(), error.to_string().as_str()), (1, "things.get: 503 Service Unavailable"));
    assert!(error.is_retryable());
    GetThing::from_call(client.call(get("1"))).retry(steady(2).with_max_attempts(0)).send().await.unwrap_err();
    assert_eq!(log.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn retry_after_extends_the_delay() {
    let date = "Wed, 21 Oct 2026 07:28:00 GMT";
    for (headers, pause) in [
        (vec![("retry-after", "20")], 20),
        (vec![("retry-after", "0")], 1),
        (vec![("retry-after", " 7 ")], 7),
        (vec![("retry-after", "soon")], 1),
        (vec![("retry-after", "-5")], 1),
        (vec![("date", date), ("retry-after", "Wed, 21 Oct 2026 07:28:30 GMT")], 30),
        (vec![("date", date), ("retry-after", "Wed, 21 Oct 2026 07:20:30 GMT")], 1),
        (vec![("retry-after", "Wed, 21 Oct 2015 07:20:30 GMT")], 1),
    ] {
        let sent = headers.clone();
        let (client, log) =
            scripted_client(move |number| if number == 1 { respond_with_headers(503, &sent, "") } else { thing() });
        let client = client.retry(steady(2)).build().unwrap();
        client.call(get("1")).send().await.unwrap();
        assert_eq!(log.pauses(), [Duration::from_secs(pause)], "{headers:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn too_long_retry_after_ends_the_call() {
    for (retry_after, attempts) in [("10", 2), ("11", 1), ("18446744073709551615", 1)] {
        let (client, log) = scripted_client(move |_| respond_with_headers(429, &[("retry-after", retry_after)], ""));
        let client = client.retry(steady(2).with_max_elapsed(10 * SECOND)).build().unwrap();
        let begun = tokio::time::Instant::now();
        let error = client.call(get("1")).send().await.unwrap_err();
        assert_eq!((log.count(), error.is_rate_limited()), (attempts, true), "{retry_after}");
        assert_eq!(begun.elapsed(), 10 * SECOND * (attempts as u32 - 1));
        assert_eq!(error.response().unwrap().retry_after, Some(Duration::from_secs(retry_after.parse().unwrap())));
    }
}

#[tokio::test(start_paused = true)]
async fn max_elapsed_limits_all_attempts() {
    let slow = |_| Step::After(3 * SECOND, Box::new(respond(503, "")));
    let (client, log) = scripted_client(slow);
    let client = client.retry(steady(9).with_max_elapsed(10 * SECOND)).build().unwrap();
    // Attempts begin after 0, 4 and 9 seconds; the next would begin after 16.
    let error = client.call(get("1")).send().await.unwrap_err();
    assert_eq!((log.count(), error.attempts()), (3, 3));
    assert_eq!(error.to_string(), "things.get: 503 Service Unavailable (attempt 3 of 9)");
    let policy = steady(9).without_max_elapsed().with_max_delay(SECOND);
    GetThing::from_call(client.call(get("1"))).retry(policy).send().await.unwrap_err();
    assert_eq!(log.count(), 3 + 9);
}

#[tokio::test(start_paused = true)]
async fn attempt_times_out() {
    let (client, log) = scripted_client(|number| match number {
        1 | 2 => Step::Never,
        _ => thing(),
    });
    let client = client.retry(steady(3)).build().unwrap();
    client.call(get("1")).send().await.unwrap();
    assert_eq!(log.pauses(), [61, 62].map(Duration::from_secs));
}

#[tokio::test(start_paused = true)]
async fn call_overrides_the_timeout() {
    let (client, log) = scripted_client(|_| Step::Never);
    let client = client.retry(steady(3)).timeout(9 * SECOND).build().unwrap();
    let call = GetThing::from_call(client.call(get("1"))).timeout(Duration::from_millis(1500));
    let error = call.send().await.unwrap_err();
    assert_eq!(error.to_string(), "things.get: no response within 1.5 s (attempt 3 of 3)");
    assert!(error.is_timeout() && error.is_retryable() && !error.is_connect());
    let error = client.call(insert("x")).send().await.unwrap_err();
    assert_eq!((error.to_string().as_str(), log.count()), ("things.insert: no response within 9 s", 4));
}

#[tokio::test(start_paused = true)]
async fn extreme_policies_do_no_harm() {
    let (client, log) = scripted_client(|number| if number < 3 { respond(503, "") } else { thing() });
    let forever = RetryPolicy::default()
        .with_max_attempts(u32::MAX)
        .with_min_delay(Duration::MAX)
        .with_max_delay(Duration::MAX)
        .without_max_elapsed();
    let client = client.retry(forever).timeout(Duration::MAX).build().unwrap();
    let waited = tokio::time::timeout(1000 * SECOND, client.call(get("1")).send()).await;
    assert!(waited.is_err() && log.count() == 1);
    let none = RetryPolicy::default().with_min_delay(Duration::ZERO).with_max_delay(Duration::ZERO);
    GetThing::from_call(client.call(get("1"))).retry(none).send().await.unwrap();
    assert_eq!(log.pauses()[1..], [Duration::ZERO]);
}

#[tokio::test(start_paused = true)]
async fn huge_retry_after_does_not_overflow() {
    let (client, log) = scripted_client(|_| {
        let never = respond_with_headers(503, &[("retry-after", "18446744073709551615")], "");
        Step::After(2 * SECOND, Box::new(never))
    });
    let client = client.retry(steady(2).without_max_elapsed()).build().unwrap();
    let waited = tokio::time::timeout(1000 * SECOND, client.call(get("1")).send()).await;
    assert!(waited.is_err() && log.count() == 1);
    let mut call = client.call(get("1"));
    call.options_mut().retry = Some(steady(2).with_max_elapsed(Duration::MAX - SECOND));
    assert_eq!(call.send().await.unwrap_err().status(), Some(503));
}
