//! Errors that a server creates by itself. They must contain only values that the schema of the API declares, in bodies
//! that its clients read without drift.

use calendar_validation as calendar;
use http::StatusCode;
use mailbox_validation as mailbox;
use script_validation as script;
use wireform_server::axum::{self, Router};
use wireform_server::{Error, Limits};
use wireform_validation::{ValidationContext, detect_drift};

use crate::desk::{Desk, SCOPED, SERVED, Step, TOKEN};
use crate::valid::{self, Valid};
use crate::wire::{TestResponse, request, send, with};

/// One operation of each API.
const OPERATIONS: [(&str, &str); 3] =
    [("calendar", "events.insert"), ("mailbox", "users.history.list"), ("script", "projects.create")];

/// Asserts that a body is an error of the API without drift from the schema.
fn assert_known(api: &str, got: &TestResponse) {
    let drift = match api {
        "calendar" => {
            detect_drift::<calendar::types::ErrorResponse, _>(&calendar::Rules, &got.body, ValidationContext::VALUE)
        }
        "mailbox" => {
            detect_drift::<mailbox::types::ErrorResponse, _>(&mailbox::Rules, &got.body, ValidationContext::VALUE)
        }
        _ => detect_drift::<script::types::ErrorResponse, _>(&script::Rules, &got.body, ValidationContext::VALUE),
    };
    assert!(drift.iter().next().is_none(), "{api} {got:?}\n{drift}");
    assert_eq!(got.json()["error"]["code"], got.status.as_u16(), "{api} {got:?}");
    let item = &got.json()["error"]["errors"][0];
    assert!(item["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{api} {got:?}");
}

/// Checks that an undeclared value is detected.
#[test]
fn a_strange_word_shows() {
    let body = br#"{"error":{"code":400,"message":"a","errors":[{"reason":"strange"}]}}"#;
    let found = detect_drift::<calendar::types::ErrorResponse, _>(&calendar::Rules, body, ValidationContext::VALUE);
    assert!(found.to_string().contains("reason"), "{found}");
    let body = br#"{"error":{"code":400,"message":"a","status":"STRANGE"}}"#;
    assert!(
        detect_drift::<mailbox::types::ErrorResponse, _>(&mailbox::Rules, body, ValidationContext::VALUE)
            .iter()
            .next()
            .is_some()
    );
    assert!(
        detect_drift::<script::types::ErrorResponse, _>(&script::Rules, body, ValidationContext::VALUE)
            .iter()
            .next()
            .is_some()
    );
}

#[tokio::test]
async fn every_status_has_words_that_the_api_knows() {
    for (api, operation) in OPERATIONS {
        for status in (400..600).map(|status| StatusCode::from_u16(status).expect("a status")) {
            let desk = Desk::new(move |_, _| Step::Fail(Error::new(status, "what went wrong")));
            let got = send(&desk.router(), request(valid::of(api, operation))).await;
            assert_eq!(got.status, status);
            assert_known(api, &got);
        }
    }
}

/// Returns the valid request of an operation after a modification.
fn modify(served: (&str, &str), change: impl FnOnce(&mut Valid)) -> Valid {
    let mut one = valid::of(served.0, served.1);
    change(&mut one);
    one
}

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// Returns requests that a server rejects before it calls the service, with the expected status.
fn rejected_requests(served: (&str, &str)) -> Vec<(u16, axum::http::Request<axum::body::Body>)> {
    let one = valid::of(served.0, served.1);
    let bearer = format!("Bearer {TOKEN}");
    let authorized = ("authorization", bearer.as_str());
    let separator = if one.target.contains('?') { '&' } else { '?' };
    let and = |query: &str| leak(format!("{}{separator}{query}", one.target));
    let base = leak(one.target.split('/').take(3).collect::<Vec<_>>().join("/"));
    let mut requests = vec![
        (401, with(one, &[])),
        (401, with(one, &[("authorization", "Bearer wrong")])),
        (401, with(one, &[("authorization", "Basic dTpw")])),
        (401, with(one, &[("authorization", "Bearer a b")])),
        (403, with(one, &[("authorization", &format!("Bearer {SCOPED}nothing"))])),
        (400, with(one, &[authorized, authorized])),
        (400, with(modify(served, |one| one.target = and("oauth_token=a")), &[authorized])),
        (400, with(modify(served, |one| one.target = and("nobodyKnows=1")), &[authorized])),
        (400, with(modify(served, |one| one.target = and("alt=media&prettyPrint=no&fields=nope")), &[authorized])),
        (400, with(modify(served, |one| one.target = and("%FF=1")), &[authorized])),
        (404, with(modify(served, |one| one.target = leak(format!("{base}/nothing/here"))), &[authorized])),
        (405, with(modify(served, |one| one.method = "PROPFIND"), &[authorized])),
        (405, with(modify(served, |one| one.method = "TRACE"), &[authorized])),
        (501, with(one, &[authorized, ("transfer-encoding", "gzip, chunked")])),
        (406, with(one, &[authorized, ("accept", "text/html")])),
        (414, with(modify(served, |one| one.target = and(&"a".repeat(20_000))), &[authorized])),
        (431, with(one, &[authorized, ("x-long", &"a".repeat(40_000))])),
        (400, with(one, &[authorized, ("host", "another")])),
    ];
    if one.body.is_some() {
        let twice = r#"{"start":{},"start":{},"title":"a","title":"b"}"#;
        for body in ["", "{", "[]", "7", r#"{"title":1,"start":1}"#, twice] {
            requests.push((400, with(modify(served, |one| one.body = Some(leak(body.to_owned()))), &[authorized])));
        }
        requests.push((413, with(modify(served, |one| one.body = Some(leak("a".repeat(11 << 20)))), &[authorized])));
        let mut text = with(one, &[authorized]);
        text.headers_mut().insert("content-type", "text/plain".parse().expect("a header"));
        requests.push((415, text));
        requests.push((415, with(one, &[authorized, ("content-encoding", "gzip")])));
    } else {
        requests.push((400, with(modify(served, |one| one.body = Some("{}")), &[authorized])));
    }
    requests
}

#[tokio::test]
async fn what_a_server_refuses_by_itself_it_says_in_words_that_the_api_knows() {
    for served in OPERATIONS {
        for (status, request) in rejected_requests(served) {
            let shown = format!("{} {:?}", request.method(), request.headers());
            let got = send(&Desk::samples().router(), request).await;
            assert_eq!(got.status.as_u16(), status, "{served:?} {shown:.300}: {got:?}");
            assert_known(served.0, &got);
        }
    }
}

fn router_with_limits(desk: &Desk, limits: &Limits) -> Router {
    use crate::desk::{Calendar, Mailbox, Script, Tokens};

    let calendar =
        calendar_server::server(Calendar(desk.clone())).authenticator(Tokens).limits(limits.clone()).router();
    let mailbox = mailbox_server::server(Mailbox(desk.clone())).authenticator(Tokens).limits(limits.clone()).router();
    let script = script_server::server(Script(desk.clone())).authenticator(Tokens).limits(limits.clone()).router();
    calendar.merge(mailbox).merge(script)
}

#[tokio::test(start_paused = true)]
async fn server_errors_have_a_reason_of_the_api() {
    for (api, operation) in OPERATIONS {
        let one = valid::of(api, operation);
        let mut full = Limits::DEFAULT;
        full.concurrent_requests = 0;
        let got = send(&router_with_limits(&Desk::samples(), &full), request(one)).await;
        assert_eq!(got.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_known(api, &got);
        let never = Desk::new(|_, _| Step::Then(Box::pin(std::future::pending())));
        let got = send(&router_with_limits(&never, &Limits::DEFAULT), request(one)).await;
        assert_eq!(got.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_known(api, &got);
        let panics = Desk::new(|_, _| Step::Panic("a fault"));
        let got = send(&panics.router(), request(one)).await;
        assert_eq!(got.status, StatusCode::INTERNAL_SERVER_ERROR);
        assert_known(api, &got);
        if one.body.is_some() {
            let mut stalls = request(one);
            let pieces = futures_util::stream::pending::<Result<bytes::Bytes, std::io::Error>>();
            *stalls.body_mut() = axum::body::Body::from_stream(pieces);
            let got = send(&Desk::samples().router(), stalls).await;
            assert_eq!(got.status, StatusCode::REQUEST_TIMEOUT);
            assert_known(api, &got);
            let mut breaks = request(one);
            let pieces = futures_util::stream::iter([Err::<bytes::Bytes, _>(std::io::Error::other("it broke"))]);
            *breaks.body_mut() = axum::body::Body::from_stream(pieces);
            let got = send(&Desk::samples().router(), breaks).await;
            assert_eq!(got.status, StatusCode::BAD_REQUEST);
            assert_known(api, &got);
        }
    }
}

/// The errors that the contracts declare must be known to the schemas too.
#[tokio::test]
async fn the_errors_of_every_contract_are_known() {
    for served in SERVED {
        for (status, reason) in served.errors {
            let status = StatusCode::from_u16(*status).expect("a status");
            let desk = Desk::new(move |_, _| {
                let error = Error::new(status, "what went wrong");
                Step::Fail(match reason {
                    Some(reason) => error.with_reason(*reason),
                    None => error,
                })
            });
            let got = send(&desk.router(), request(valid::of(served.api, served.operation))).await;
            assert_known(served.api, &got);
        }
    }
}
