//! Tests of the pages of mail and calendars, on the store and the services.

use std::path::Path;

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::program::{Home, Server};

const WEEK: &str = "date=2026-03-04";

fn demo() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/demo.yaml").to_str().expect("UTF-8").to_owned()
}

/// Returns a page as a browser requests it, without a token.
async fn page(server: &Server, target: &str) -> (StatusCode, String) {
    let request = server.request(Method::GET, target).header("X-Wireform-Program", "1");
    let response = request.send().await.expect("a response");
    (response.status(), response.text().await.expect("text"))
}

async fn shown(server: &Server, target: &str) -> String {
    let (status, html) = page(server, target).await;
    assert_eq!(status, StatusCode::OK, "{target}: {html}");
    html
}

#[tokio::test]
async fn calendars_are_shown_with_the_rights_of_their_users() {
    let home = Home::new();
    let server = home.serve(&["--seed", &demo()]);
    let own = shown(&server, &format!("/calendar?{WEEK}")).await;
    assert!(own.contains("Tea with Charles") && own.contains("Physician") && own.contains("Workshop"), "{own}");
    // Charles sees only the busy times of Ada's calendar; he may write to that of the engine.
    let ada = format!("/calendar?user=charles%40example.com&calendar=ada%40example.com&{WEEK}");
    let busy = shown(&server, &ada).await;
    assert!(!busy.contains("Physician") && !busy.contains("Tea with Charles"), "{busy}");
    assert!(busy.matches("<bdi>Busy</bdi>").count() >= 3, "{busy}");
    let engine =
        shown(&server, &format!("/calendar?user=charles%40example.com&calendar=engine%40example.com&{WEEK}")).await;
    assert!(engine.contains("Workshop"), "{engine}");
    // Details, by the URL that the API returns.
    let week = "timeMin=2026-03-03T00:00:00Z&timeMax=2026-03-04T00:00:00Z&singleEvents=true&q=tea";
    let (_, events) = server.get(&format!("/calendar/v3/calendars/primary/events?{week}")).await;
    let link = events["items"][0]["htmlLink"].as_str().expect("a link").replace(&server.base, "");
    let details = shown(&server, &link).await;
    assert!(
        details.contains("Ockham Park") && details.contains("&quot;kind&quot;: &quot;calendar#event&quot;"),
        "{details}"
    );
    let (status, hidden) = page(&server, &format!("{link}&user=charles%40example.com")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(!hidden.contains("Ockham Park") && hidden.contains("<bdi>Busy</bdi>"), "{hidden}");
    // Charles has not shared his.
    let theirs = "/calendar?user=ada%40example.com&calendar=charles%40example.com";
    assert_eq!(page(&server, theirs).await.0, StatusCode::NOT_FOUND);
    server.stop();
}

#[tokio::test]
async fn point_4_the_link_shows_the_event_to_those_with_access() {
    let home = Home::new();
    let server = home.serve(&["--seed", &demo()]);
    let (_, events) = server.get("/calendar/v3/calendars/primary/events?q=tea").await;
    let event = &events["items"][0];
    let link = event["htmlLink"].as_str().expect("a link").replace(&server.base, "");
    let details = shown(&server, &link).await;
    assert!(details.contains("Tea with Charles") && details.contains("Ockham Park"), "{details}");
    // Users who do not see the calendar see none of its events; neither does another machine.
    home.run(&["users", "add", "eve@example.com"]);
    let (status, hidden) = page(&server, &format!("{link}&user=eve%40example.com")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(!hidden.contains("Ockham Park"), "{hidden}");
    let away =
        server.request(Method::GET, &link).header("X-Forwarded-For", "192.0.2.7").send().await.expect("a response");
    assert_eq!(away.status(), StatusCode::FORBIDDEN);
    let (status, _) = page(&server, "/calendar/event?calendar=ada%40example.com&event=nothing").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    server.stop();
}

#[tokio::test]
async fn channels_are_shown_without_their_secrets() {
    let home = Home::new();
    let server = home.serve(&["--allow-loopback-callbacks"]);
    let body = json!({ "id": "c", "type": "web_hook", "address": "http://127.0.0.1:9/hook?key=in-the-query", "token": "s3cret" });
    let (status, opened) = server.post("/calendar/v3/calendars/primary/events/watch", &body).await;
    assert_eq!(status, StatusCode::OK, "{opened}");
    let html = shown(&server, "/calendar/channels").await;
    assert!(html.contains("<bdi>c</bdi>") && html.contains("<bdi>127.0.0.1</bdi>"), "{html}");
    assert!(!html.contains("s3cret") && !html.contains("in-the-query"), "{html}");
    server.stop();
}

#[tokio::test]
async fn a_declined_event_is_not_busy() {
    let home = Home::new();
    let server = home.serve(&["--seed", &demo()]);
    let target = "/calendar?user=charles%40example.com&view=busy-day&date=2026-03-03";
    let before = shown(&server, target).await;
    // On his own calendar, on that of Ada, and on both.
    assert_eq!(before.matches("busy 16:00–17:00").count(), 3, "{before}");
    assert!(!before.contains("Tea"), "{before}");
    let charles = home.run(&["tokens", "create", "--user", "charles@example.com", "--scope", "all"]);
    let (_, events) = server.get("/calendar/v3/calendars/primary/events?q=tea").await;
    let id = events["items"][0]["id"].as_str().expect("an event");
    let reply = json!({ "attendees": [{ "email": "charles@example.com", "responseStatus": "declined" }], "attendeesOmitted": true });
    let url = format!("/calendar/v3/calendars/primary/events/{id}");
    let declined =
        server.request(Method::PATCH, &url).bearer_auth(charles).json(&reply).send().await.expect("a response");
    assert_eq!(declined.status(), StatusCode::OK);
    let after = shown(&server, target).await;
    assert_eq!(after.matches("busy 16:00–17:00").count(), 2, "{after}");
    server.stop();
}

#[tokio::test]
async fn the_history_shows_new_records() {
    let home = Home::new();
    let server = home.serve(&["--seed", &demo()]);
    let html = shown(&server, "/mail/history").await;
    let next = html.split("data-next=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a number").to_owned();
    let changes = async |start: &str| {
        let text = shown(&server, &format!("/mail/history/records?start={start}")).await;
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON")
    };
    assert_eq!(changes(&next).await["count"], 0);
    let raw = "RnJvbTogYUBiDQpTdWJqZWN0OiBOZXdzIDw-DQoNCkhlcmUuDQo";
    let inserted = server.post("/mail/v1/users/me/messages", &json!({ "raw": raw, "labelIds": ["INBOX"] })).await;
    assert_eq!(inserted.0, StatusCode::OK, "{}", inserted.1);
    let reported = changes(&next).await;
    assert_eq!((&reported["count"], &reported["more"]), (&1.into(), &false.into()));
    let rows = reported["rows"].as_str().expect("rows");
    assert!(rows.contains(">Added</span>") && rows.contains("<bdi>News &lt;&gt;</bdi>"), "{rows}");
    assert_eq!(changes(reported["next"].as_str().expect("a number")).await["count"], 0);
    let (status, _) = page(&server, "/mail/history/records?start=1").await;
    assert_eq!(status, StatusCode::NOT_FOUND, "it was never issued");
    let log = server.stop();
    assert_eq!(log.matches("users.history.list").count(), 0, "pages do not count as clients: {log}");
}

#[tokio::test]
async fn without_a_token_there_are_no_such_pages() {
    let home = Home::new();
    let server = home.serve(&["--no-token", "--overview-anywhere"]);
    for target in ["/mail", "/calendar", "/mail/history/records?start=1"] {
        let (status, text) = page(&server, target).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{text}");
        assert!(text.contains("has no ready token"), "{text}");
    }
    assert_eq!(page(&server, "/").await.0, StatusCode::OK);
    server.stop();
}
