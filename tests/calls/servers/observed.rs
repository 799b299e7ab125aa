//! Observability: observers receive the outcome of each request, and secrets appear nowhere.

mod log;

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::Value;
use wireform_server::axum::{self, Router};
use wireform_server::{Error, ObserveRequests, RequestRecord};

use log::Log;

use crate::desk::{Calendar, Desk, Mailbox, SERVED, Script, Served, Step, TOKEN, Tokens};
use crate::valid::{self, Valid};
use crate::wire::{TestResponse, request, send, with};

/// Records what this thread logs until the guard is dropped.
async fn capture_log() -> (Log, tracing::subscriber::DefaultGuard) {
    let log = Log::default();
    let guard = tracing::subscriber::set_default(log.clone());
    // Call sites that other threads reached first, without a subscriber, would stay disabled here as well.
    send(&Desk::samples().router(), request(valid::of("calendar", "events.get"))).await;
    tracing::callsite::rebuild_interest_cache();
    log.take();
    (log, guard)
}

/// Observer that stores each record.
#[derive(Clone, Default)]
struct Records(Arc<Mutex<Vec<RequestRecord>>>);

impl ObserveRequests for Records {
    fn record(&self, record: &RequestRecord) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(record.clone());
    }
}

impl Records {
    fn take(&self) -> Vec<RequestRecord> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn router_with_observer(desk: &Desk, records: &Records) -> Router {
    let calendar = calendar_server::server(Calendar(desk.clone())).authenticator(Tokens).observe(records.clone());
    let mailbox = mailbox_server::server(Mailbox(desk.clone())).authenticator(Tokens).observe(records.clone());
    let script = script_server::server(Script(desk.clone())).authenticator(Tokens).observe(records.clone());
    calendar.router().merge(mailbox.router()).merge(script.router())
}

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn with_query(one: Valid, query: &str) -> Valid {
    let separator = if one.target.contains('?') { '&' } else { '?' };
    Valid { target: leak(format!("{}{separator}{query}", one.target)), ..one }
}

#[tokio::test]
async fn an_observer_receives_each_request_once() {
    let (desk, records) = (Desk::samples(), Records::default());
    let router = router_with_observer(&desk, &records);
    for served in SERVED {
        let one = valid::of(served.api, served.operation);
        let sent = one.body.map_or(0, |body| body.len() as u64);
        let cases: [(Request<Body>, u16, Option<usize>, u64); 5] = [
            (request(one), served.status, Some(0), sent),
            (request(with_query(one, "nobodyKnows=1&alt=x&prettyPrint=y")), 400, Some(3), sent),
            (with(one, &[]), 401, Some(0), 0),
            (request(Valid { method: "TRACE", ..one }), 405, Some(0), 0),
            (
                with(one, &[("authorization", &format!("Bearer {TOKEN}")), ("accept-encoding", "gzip")]),
                served.status,
                Some(0),
                sent,
            ),
        ];
        for (case, (request, status, violations, received)) in cases.into_iter().enumerate() {
            let method = request.method().clone();
            let got = send(&router, request).await;
            let reported = records.take();
            let [record] = reported.as_slice() else { panic!("{served:?} {case}: {reported:?}") };
            assert_eq!((record.status, got.status.as_u16()), (Some(got.status), status), "{served:?} {case}: {got:?}");
            assert_eq!(record.method, method.as_str(), "{served:?} {case}");
            let found = (method != "TRACE").then_some(served.operation);
            assert_eq!(record.operation, found, "{served:?} {case}");
            assert_eq!(Some(record.violations), violations, "{served:?} {case}: {got:?}");
            assert_eq!(record.received, received, "{served:?} {case}");
            // The recorded size is that of the compressed body.
            assert_eq!(record.sent, got.body.len() as u64, "{served:?} {case}");
        }
    }
    let nowhere = Valid { target: "/calendar/v3/nowhere", ..valid::of("calendar", "events.get") };
    send(&router, request(nowhere)).await;
    let reported = records.take();
    assert_eq!(
        reported.iter().map(|one| (one.operation, one.status)).collect::<Vec<_>>(),
        [(None, Some(StatusCode::NOT_FOUND))]
    );
}

/// Secret that must not appear anywhere; tokens, keys and values contain it.
const SECRET: &str = "hush-0123456789";

/// Service that formats everything it receives, and fails with an internal error.
fn formatting_service(seen: &Arc<Mutex<String>>) -> Desk {
    let seen = Arc::clone(seen);
    Desk::new(move |_, context| {
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let error = Error::internal("the database is gone");
        let _ = write!(seen, "{context:?} {error:?} {error}");
        Step::Fail(error)
    })
}

/// Returns the JSON once for each scalar, with the scalar replaced by the secret.
fn with_secrets(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, inner)| {
                with_secrets(inner).into_iter().map(move |inner| {
                    let mut changed = members.clone();
                    changed.insert(name.clone(), inner);
                    Value::Object(changed)
                })
            })
            .collect(),
        Value::Array(items) => {
            let each = items.iter().enumerate().flat_map(|(at, inner)| {
                with_secrets(inner).into_iter().map(move |inner| {
                    let mut changed = items.clone();
                    changed[at] = inner;
                    Value::Array(changed)
                })
            });
            each.chain([Value::from(SECRET)]).collect()
        }
        _ => vec![SECRET.into(), serde_json::json!({ "a": SECRET }), serde_json::json!([SECRET])],
    }
}

/// Query parameters that can contain a secret.
const QUERY_PARAMETERS: [&str; 10] = [
    "access_token",
    "oauth_token",
    "key",
    "%6bey",
    "quotaUser",
    "userIp",
    "alt",
    "prettyPrint",
    "callback",
    "nobodyKnows",
];

/// Headers that can contain a secret.
const HEADERS: [&str; 8] =
    ["if-match", "if-none-match", "accept", "content-encoding", "x-request-id ", "cookie", "host", "accept-encoding"];

/// Returns requests of an operation with the secret in different places.
fn requests_with_secrets(served: &Served) -> Vec<Request<Body>> {
    let one = valid::of(served.api, served.operation);
    let bearer = format!("Bearer {SECRET}");
    let mut requests = vec![
        with(one, &[("authorization", &bearer)]),
        with(one, &[("authorization", &bearer), ("authorization", &bearer)]),
        with(one, &[("authorization", &format!("Basic {SECRET}"))]),
        with(one, &[("authorization", &format!("Bearer {SECRET} {SECRET}"))]),
        with(one, &[("authorization", SECRET)]),
        request(Valid { target: leak(format!("{}/{SECRET}", one.target)), ..one }),
    ];
    for name in QUERY_PARAMETERS {
        let query = format!("{name}={SECRET}");
        requests.push(with(with_query(one, &query), &[]));
        requests.push(with(with_query(one, &format!("{query}&{query}")), &[]));
        requests.push(request(with_query(one, &query)));
        requests.push(request(with_query(one, &format!("{query}%FF"))));
    }
    for parameter in served.facts().parameters {
        let query = format!("{}={SECRET}", parameter.name.name);
        requests.push(request(with_query(one, &query)));
        requests.push(request(with_query(one, &format!("{query}&{query}"))));
    }
    let path = one.target.split('?').next().unwrap_or_default();
    for segment in path.split('/').skip(3).filter(|segment| !segment.is_empty()) {
        requests.push(request(Valid { target: leak(one.target.replacen(segment, SECRET, 1)), ..one }));
    }
    for name in HEADERS {
        requests.push(with(
            one,
            &[("authorization", &format!("Bearer {TOKEN}")), (name.trim(), &format!("\u{22}{SECRET}"))],
        ));
    }
    if let Some(body) = one.body {
        let value: Value = serde_json::from_str(body).expect("it is JSON");
        for body in with_secrets(&value).iter().map(Value::to_string).chain([
            format!("\"{SECRET}"),
            format!("{{\"summary\":\"{SECRET}"),
            format!("{{\"start\":\"{SECRET}\",\"start\":\"{SECRET}\"}}"),
            SECRET.to_owned(),
        ]) {
            requests.push(request(Valid { body: Some(leak(body)), ..one }));
        }
    }
    requests
}

fn assert_no_secret(text: &str, what: &str) {
    assert!(!text.contains(SECRET), "{what} reveals: {text}");
}

/// Asserts that the secret appears only as the rejected value of an enum. Such a value is repeated in the error, since
/// an enum is no place for a secret.
fn assert_only_in_enum_errors(text: &str, what: &str) {
    for (at, _) in text.match_indices(SECRET) {
        let rest = text[at + SECRET.len()..].trim_start_matches(['\\', '"']);
        assert!(rest.starts_with(" is not a value of "), "{what} reveals: {text}");
    }
}

#[tokio::test]
async fn no_secret_is_exposed() {
    let (log, _guard) = capture_log().await;
    let (records, seen) = (Records::default(), Arc::new(Mutex::new(String::new())));
    let router = router_with_observer(&formatting_service(&seen), &records);
    let (mut refused, mut reached) = (0, 0);
    for served in SERVED {
        for request in requests_with_secrets(served) {
            let what = format!("{} {} {:?}", request.method(), request.uri(), request.headers());
            let got: TestResponse = send(&router, request).await;
            let logged = log.take();
            assert!(logged.contains("wireform_server::access"), "{what}: {logged}");
            assert_no_secret(&logged, &format!("the log of {what}"));
            assert_no_secret(&format!("{:?}", got.headers), &format!("a header for {what}"));
            assert_only_in_enum_errors(&String::from_utf8_lossy(&got.body), &format!("the response to {what}"));
            assert_no_secret(&format!("{:?}", records.take()), &format!("the record of {what}"));
            let seen = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
            assert_no_secret(&seen, &format!("Debug for {what}"));
            refused += usize::from(got.status.is_client_error());
            reached += usize::from(!seen.is_empty());
        }
    }
    assert!(refused > 500 && reached > 100, "{refused} {reached}");
}

/// Checks that the cause of an internal error is logged, and not part of the response.
#[tokio::test]
async fn a_fault_is_logged_with_its_cause() {
    let (log, _guard) = capture_log().await;
    let router = Desk::new(|_, _| Step::Fail(Error::internal("the database is gone"))).router();
    let got = send(&router, request(valid::of("calendar", "events.get"))).await;
    let logged = log.take();
    assert!(logged.contains("the database is gone") && logged.contains("events.get"), "{logged}");
    assert!(!String::from_utf8_lossy(&got.body).contains("database"), "{got:?}");
    let id = got.header("x-request-id").expect("each response has one");
    assert!(logged.matches(id).count() >= 2, "{logged}");
}
