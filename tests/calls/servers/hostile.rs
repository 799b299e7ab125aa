//! Hostile requests: malformed and oversized bodies, strings and queries. Either the service receives exactly what was
//! sent, or the sender gets an error; repeating the request has the same result.

mod naughty;

use std::io::Read as _;

use axum::body::Body;
use axum::http::Request;
use calendar_validation::{Rules, operation, types::Event};
use http::StatusCode;
use serde_json::Value;
use wireform_runtime::{Bytes, json as wire};
use wireform_server::{Limits, axum};
use wireform_test_data::requires;
use wireform_tests::shared;
use wireform_validation::{__private::Location, ReadOptions, Validates as _, read_body};

use crate::desk::{Calendar, Desk, ReceivedRequest, TOKEN, Tokens};
use crate::wire::{TestResponse, send};

const EVENTS: &str = "/calendar/v3/calendars/primary/events";

/// Maximum size of an error response in bytes.
const MAX_ERROR_BYTES: usize = 128 << 10;

fn post(target: &str, body: impl Into<Body>) -> Request<Body> {
    let request = Request::builder().method("POST").uri(target).header("authorization", format!("Bearer {TOKEN}"));
    request.header("content-type", "application/json").body(body.into()).expect("a request")
}

fn get(target: &str) -> Request<Body> {
    let request = Request::builder().uri(target).header("authorization", format!("Bearer {TOKEN}"));
    request.body(Body::empty()).expect("a request")
}

/// Sends a request twice, and returns the response and the received request. Asserts that both are the same each time,
/// that the status is not a server error, and that the response is not too long.
async fn send_twice(
    desk: &Desk,
    what: &str,
    request: impl Fn() -> Request<Body>,
) -> (TestResponse, Option<ReceivedRequest>) {
    let router = desk.router();
    let (first, received) = (send(&router, request()).await, desk.take());
    let (second, again) = (send(&router, request()).await, desk.take());
    assert_eq!((first.status, &first.body), (second.status, &second.body), "{what}");
    assert_eq!(received, again, "{what}");
    assert!(first.status.is_success() || first.status.is_client_error(), "{what}: {}", first.status);
    assert_eq!(first.status.is_success(), received.len() == 1, "{what}: {}", first.status);
    if !first.status.is_success() {
        assert!(first.body.len() < MAX_ERROR_BYTES, "{what}: {} bytes", first.body.len());
        assert!(first.json()["error"]["message"].is_string(), "{what}");
    }
    (first, received.into_iter().next())
}

/// Bodies of the corpus that are unusual but valid events, with the reason. All others are rejected.
const VALID_EVENTS: &[(&str, &str)] = &[
    ("number-1", "1e2 is a whole number"),
    ("number-2", "so is -0"),
    ("recurrence-12", "a day may be excluded any number of times"),
    ("recurrence-13", "RFC 5545, section 3.8.5.2: a period begins when the event does"),
    ("recurrence-16", "RFC 5545, section 2: names are read without regard to case"),
    ("recurrence-3", "a leap year in a million years is a valid rule"),
    ("string-17", "output-only fields are dropped, whatever their values are"),
    ("string-18", "an unknown field is skipped"),
    ("string-19", "so is one with a special name in other languages"),
    ("string-7", "five characters are an id"),
    ("timestamp-1", "2024 has a 29th of February"),
    ("timestamp-10", "RFC 3339, section 4.3: an unknown offset"),
    ("timestamp-14", "RFC 3339 begins with the year 0"),
    ("timestamp-4", "RFC 3339, section 5.7: a leap second"),
];

fn bodies() -> Vec<(String, Vec<u8>)> {
    let file = shared("corpora/hostile/event-bodies.json");
    let cases: Vec<Value> = serde_json::from_slice(&fs_err::read(file).expect("a file")).expect("a list");
    assert!(cases.len() >= 65, "{}", cases.len());
    let decoded = |text: &Value| wire::from_str::<Bytes>(&text.to_string()).expect("it is base64").into_vec();
    let bodies = cases.iter().map(|case| {
        let id = case["id"].as_str().expect("a name").to_owned();
        let Some(packed) = case.get("zlib_b64") else { return (id, decoded(&case["b64"])) };
        let mut body = Vec::new();
        let packed = decoded(packed);
        flate2::read::ZlibDecoder::new(packed.as_slice()).read_to_end(&mut body).expect("it is compressed");
        (id, body)
    });
    bodies.collect()
}

#[requires("corpora/hostile")]
#[tokio::test]
async fn hostile_events_are_events_or_refused() {
    let bodies = bodies();
    let desk = Desk::samples();
    let mut accepted = Vec::new();
    for (id, body) in &bodies {
        let (got, _) = send_twice(&desk, id, || post(EVENTS, body.clone())).await;
        let reading = ReadOptions::for_type::<Event, Rules>(operation::request(operation::EVENTS_INSERT));
        let verdict = read_body(body, &reading, |event: Event, checker| Rules.check(&event, Location::BODY, checker));
        assert_eq!(got.status.is_success(), verdict.is_ok(), "{id}: {got:?}");
        if got.status.is_success() {
            accepted.push(id.as_str());
        } else {
            assert_eq!(got.status, StatusCode::BAD_REQUEST, "{id}");
        }
    }
    assert_eq!(accepted, VALID_EVENTS.iter().map(|(id, _)| *id).collect::<Vec<_>>());
}

/// Returns an event with the given text as the value of an unknown field.
fn event_around(json: &[u8]) -> Vec<u8> {
    let start = br#"{"start":{"date":"2026-03-02"},"end":{"date":"2026-03-03"},"x-unknown":"#;
    [start, json, b"}"].concat()
}

#[requires("corpora/json-test-suite")]
#[tokio::test]
async fn what_is_no_json_is_no_event_and_reaches_nobody() {
    let dir = shared("corpora/json-test-suite/test_parsing");
    let (desk, mut count) = (Desk::samples(), 0);
    for entry in fs_err::read_dir(dir).expect("the folder is there") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs_err::read(&path).expect("a file");
        let (got, _) = send_twice(&desk, &name, || post(EVENTS, text.clone())).await;
        assert_eq!(got.status, StatusCode::BAD_REQUEST, "{name}: it is not an event");
        let items = &got.json()["error"]["errors"];
        if name.starts_with("n_") && !text.is_empty() && items[0]["message"] != TOO_DEEP {
            assert_eq!(
                (got.reason().as_str(), items.as_array().map(Vec::len)),
                ("parseError", Some(1)),
                "{name}: {got:?}"
            );
        }
        let (got, _) = send_twice(&desk, &name, || post(EVENTS, event_around(&text))).await;
        match name.split_once('_') {
            Some(("y", _)) => assert_eq!(got.status, StatusCode::OK, "{name}: {got:?}"),
            Some(("n", _)) => assert_eq!(got.status, StatusCode::BAD_REQUEST, "{name}: {got:?}"),
            _ => {}
        }
        count += 1;
    }
    assert!(count > 300, "{count}");
}

/// Message for a body that is nested too deep, whatever other errors it has.
const TOO_DEEP: &str = "the body is nested too deep";

#[tokio::test]
async fn deep_bodies_are_refused_for_their_depth_alone() {
    const DEEP: usize = 100_000;
    let desk = Desk::samples();
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let closed = format!("{}1{}", open.repeat(DEEP), close.repeat(DEEP));
        for text in [&open.repeat(DEEP), &closed] {
            let places = [
                ("", ""),
                (r#"{"summary":"#, "}"),
                (r#"{"gadget":{"preferences":{"a":"#, "}}}"),
                (r#"{"x-unknown":"#, "}"),
            ];
            for (before, after) in places {
                let body = format!("{before}{text}{after}");
                let (got, _) = send_twice(&desk, before, || post(EVENTS, body.clone())).await;
                assert_eq!(got.status, StatusCode::BAD_REQUEST, "{before}: {got:?}");
                assert_eq!(got.json()["error"]["message"], TOO_DEEP, "{before}: {got:?}");
                assert_eq!(got.json()["error"]["errors"].as_array().map(Vec::len), Some(1), "{before}: {got:?}");
            }
            // Errors outside the body are reported as well.
            let body = format!(r#"{{"x-unknown":{text}}}"#);
            let (got, _) =
                send_twice(&desk, "several errors", || post(&format!("{EVENTS}?sendUpdates=nobody"), body.clone()))
                    .await;
            let items = got.json()["error"]["errors"].clone();
            assert_eq!(
                (&items[0]["location"], &items[1]["message"]),
                (&"sendUpdates".into(), &TOO_DEEP.into()),
                "{items}"
            );
            assert_eq!(items.as_array().map(Vec::len), Some(2), "{items}");
        }
    }
    // The maximum depth, and one level more.
    for (depth, status) in [(125, StatusCode::OK), (126, StatusCode::OK), (127, StatusCode::BAD_REQUEST)] {
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let (got, _) = send_twice(&desk, "bound", || post(EVENTS, event_around(text.as_bytes()))).await;
        assert_eq!(got.status, status, "{depth}: {got:?}");
    }
}

#[tokio::test]
async fn long_strings_cost_their_length() {
    let desk = Desk::samples();
    let most = Limits::DEFAULT.body_bytes;
    let body = |length: usize| {
        let event = r#"{"start":{"date":"2026-03-02"},"end":{"date":"2026-03-03"},"summary":""#;
        format!("{event}{}\"}}", "a".repeat(length - event.len() - 2))
    };
    let (got, received_request) = send_twice(&desk, "longest", || post(EVENTS, body(most))).await;
    assert_eq!(got.status, StatusCode::OK, "{got:?}");
    assert!(
        received_request
            .and_then(|received_request| received_request.wire.body)
            .is_some_and(|received| received.len() > most - 100)
    );
    let (got, _) = send_twice(&desk, "too long", || post(EVENTS, body(most + 1))).await;
    assert_eq!(got.status, StatusCode::PAYLOAD_TOO_LARGE, "{got:?}");
    // An invalid text is not repeated in the response, however long it is.
    let wrong = format!(r#"{{"start":{{"date":"{}"}},"id":"{}"}}"#, "9".repeat(4 << 20), "é".repeat(2 << 20));
    let (got, _) = send_twice(&desk, "wrong", || post(EVENTS, wrong.clone())).await;
    assert!(got.status == StatusCode::BAD_REQUEST && got.body.len() < 4096, "{} bytes", got.body.len());
}

#[tokio::test]
async fn ten_thousand_parameters_are_too_many() {
    const MANY: usize = 10_000;
    let desk = Desk::samples();
    for pair in ["q=a", "q", "x", "eventTypes=default", "%71=a", "="] {
        // Longer URLs are not valid.
        let pairs = vec![pair; MANY.min(65_000 / (pair.len() + 1))];
        let target = format!("{EVENTS}?{}", pairs.join("&"));
        let (got, _) = send_twice(&desk, pair, || get(&target)).await;
        assert!(matches!(got.status, StatusCode::URI_TOO_LONG | StatusCode::BAD_REQUEST), "{pair}: {got:?}");
        // With higher limits, each pair is read once, and the number of reported violations is bounded.
        let mut limits = Limits::DEFAULT;
        (limits.target_bytes, limits.query_pairs) = (1 << 20, MANY);
        let router = calendar_server::server(Calendar(desk.clone())).authenticator(Tokens).limits(limits).router();
        let got = send(&router, get(&target)).await;
        match pair {
            "eventTypes=default" => assert_eq!(got.status, StatusCode::OK, "{got:?}"),
            _ => {
                assert_eq!(got.status, StatusCode::BAD_REQUEST, "{pair}: {got:?}");
                assert!(got.json()["error"]["errors"].as_array().is_some_and(|items| items.len() <= 100), "{pair}");
                assert!(got.body.len() < MAX_ERROR_BYTES, "{pair}: {}", got.body.len());
            }
        }
        desk.take();
    }
}
