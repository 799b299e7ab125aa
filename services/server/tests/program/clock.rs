//! Tests of the clock that tests can move.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::mail::{history, insert, profile};
use crate::program::{Home, read_json};

const START: &str = "2026-01-05T09:00:00Z";

#[tokio::test]
async fn the_clock_starts_and_moves_as_requested() {
    let home = Home::new();
    let server = home.serve(&["--clock", START]);
    let message = insert(&server, "dated").await;
    let (_, whole) =
        server.get(&format!("/mail/v1/users/me/messages/{}", message["id"].as_str().expect("an id"))).await;
    let date: i64 = whole["internalDate"].as_str().expect("a date").parse().expect("a number");
    // Within an hour after the start, because the machine may be slow.
    assert!((1_767_603_600_000..1_767_607_200_000).contains(&date), "{date}");

    let (status, clock) = server.post("/-/clock", &json!({ "now": "2026-01-06T00:00:00+01:00" })).await;
    assert_eq!(status, StatusCode::OK);
    assert!(clock["now"].as_str().is_some_and(|now| now.starts_with("2026-01-05T23:")), "{clock}");
    let (_, clock) = server.post("/-/clock", &json!({ "advance": "PT2H" })).await;
    assert!(clock["now"].as_str().is_some_and(|now| now.starts_with("2026-01-06T01:")), "{clock}");
    assert_eq!(clock["warning"], json!(null));
}

#[tokio::test]
async fn time_ends_tokens_and_history_and_not_the_ready_token() {
    let home = Home::new();
    let server = home.serve(&["--clock", START]);
    let end = "2026-01-05T12:00:00Z";
    let create = ["tokens", "create", "--user", "me@localhost", "--scope", "mail", "--expires"];
    assert!(
        home.refused(&[&create[..], &[end]].concat()).contains("already have expired"),
        "by the clock of the machine"
    );
    let seed = format!(
        "users:\n  - address: a@b\n    tokens: [{{ secret: known-to-the-tests, scopes: [mail], expires: {end} }}]\n"
    );
    let other = Home::new();
    let seed = other.file("seed.yaml", &seed);
    let seeded = other.serve(&["--clock", START, "--seed", seed.to_str().expect("UTF-8")]);
    let path = "/mail/v1/users/me/profile";
    assert_eq!(seeded.get_by("known-to-the-tests", path).await.0, StatusCode::OK);
    seeded.post("/-/clock", &json!({ "now": end })).await;
    assert_eq!(seeded.get_by("known-to-the-tests", path).await.0, StatusCode::UNAUTHORIZED);

    let start = profile(&server).await["historyId"].clone();
    insert(&server, "old").await;
    assert_eq!(history(&server, &start).await.0, StatusCode::OK);
    let (_, clock) = server.post("/-/clock", &json!({ "advance": "P30D" })).await;
    assert!(clock["warning"].as_str().is_some_and(|warning| warning.contains("8d")), "{clock}");
    let (status, body) = history(&server, &start).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "the history is removed, and the token is not: {body}");
}

#[tokio::test]
async fn only_this_machine_moves_it_and_only_where_it_can_be_moved() {
    let home = Home::new();
    let server = home.serve(&["--clock", START]);
    let advance = json!({ "advance": "PT1H" });
    let post = || server.request(Method::POST, "/-/clock");
    let refused = [
        (post().json(&advance).header("x-forwarded-for", "10.0.0.1"), StatusCode::FORBIDDEN),
        (post().json(&advance).header("host", "evil.example"), StatusCode::FORBIDDEN),
        (post().json(&advance).header("sec-fetch-site", "cross-site"), StatusCode::FORBIDDEN),
        (post().body(advance.to_string()).header("content-type", "text/plain"), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (post().json(&json!({})), StatusCode::BAD_REQUEST),
        (post().json(&json!({ "advance": "1 month" })), StatusCode::BAD_REQUEST),
        (post().json(&json!({ "advance": "-PT1H" })), StatusCode::BAD_REQUEST),
        (post().json(&json!({ "now": "soon" })), StatusCode::BAD_REQUEST),
        (post().json(&json!({ "now": START, "advance": "PT1H" })), StatusCode::BAD_REQUEST),
        (post().json(&json!({ "later": 1 })), StatusCode::BAD_REQUEST),
        (post().json(&"a".repeat(10_000)), StatusCode::BAD_REQUEST),
        // A body that is too long is not parsed.
        (
            post().header("content-type", "application/json").body(format!("{advance}{}", " ".repeat(4096))),
            StatusCode::BAD_REQUEST,
        ),
    ];
    for (request, expected) in refused {
        let (status, body) = read_json(request.send().await.expect("a response")).await;
        assert_eq!(status, expected, "{body}");
        assert!(body["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
    }
    let (_, clock) = server.get("/-/clock").await;
    assert!(clock["now"].as_str().is_some_and(|now| now.starts_with("2026-01-05T09:")), "it did not move: {clock}");

    let fixed = Home::new().serve(&[]);
    for (status, body) in [fixed.post("/-/clock", &advance).await, fixed.get("/-/clock").await] {
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert!(body["error"]["message"].as_str().is_some_and(|message| message.contains("--clock")), "{body}");
    }
}

#[tokio::test]
async fn a_start_far_ahead_warns_of_what_it_forgets() {
    let home = Home::new();
    let log = home.serve(&["--clock", "2126-01-01T00:00:00Z"]).stop();
    assert!(log.contains("ahead by more than the retention"), "{log}");
    let log = Home::new().serve(&["--clock", "2126-01-01T00:00:00Z", "--retention", "forever"]).stop();
    assert!(!log.contains("ahead by more than"), "{log}");
}

/// The retention is that of history and of deleted events, which `updatedMin` needs.
#[tokio::test]
async fn deleted_events_are_recorded_for_the_retention() {
    let home = Home::new();
    let server = home.serve(&["--clock", START, "--retention", "30d"]);
    let events = "/calendar/v3/calendars/primary/events";
    let day = json!({ "start": { "date": "2026-01-06" }, "end": { "date": "2026-01-07" } });
    let (_, event) = server.post(events, &day).await;
    let path = format!("{events}/{}", event["id"].as_str().expect("an id"));
    let deleted = server.request(Method::DELETE, &path).bearer_auth(&server.token).send().await.expect("a response");
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    let since = async |time: &str| server.get(&format!("{events}?updatedMin={time}")).await;
    server.post("/-/clock", &json!({ "advance": "P29D" })).await;
    let (status, list) = since(START).await;
    assert_eq!((status, &list["items"][0]["status"]), (StatusCode::OK, &json!("cancelled")), "{list}");
    server.post("/-/clock", &json!({ "advance": "P2D" })).await;
    let (status, error) = since(START).await;
    assert_eq!((status, &error["error"]["errors"][0]["reason"]), (StatusCode::GONE, &json!("updatedMinTooLongAgo")));
    let (status, list) = since("2026-01-06T00:00:00Z").await;
    assert_eq!((status, &list["items"]), (StatusCode::OK, &json!([])), "nothing was deleted since");
}
