//! Tests of invitations that arrive as mail, and of the replies to them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::program::Home;

#[tokio::test]
async fn point_60_a_guest_is_invited_and_replies_by_mail() {
    let home = Home::new();
    let server = home.serve(&[]);
    home.run(&["users", "add", "ben@example.com"]);
    let token = home.run(&["tokens", "create", "--user", "ben@example.com", "--scope", "all"]);
    let event = json!({
        "summary": "Lunch", "attendees": [{ "email": "ben@example.com" }],
        "start": { "dateTime": "2026-03-02T12:00:00Z" }, "end": { "dateTime": "2026-03-02T13:00:00Z" },
    });
    let path = "/calendar/v3/calendars/primary/events";
    let (status, event) = server.post(&format!("{path}?sendUpdates=all"), &event).await;
    assert_eq!(status, StatusCode::OK, "{event}");
    let (_, found) =
        server.get_by(&token, "/mail/v1/users/me/messages?q=is:unread%20in:inbox%20from:me@localhost").await;
    let id = found["messages"][0]["id"].as_str().unwrap_or_else(|| panic!("no invitation: {found}"));
    let (_, mail) = server.get_by(&token, &format!("/mail/v1/users/me/messages/{id}")).await;
    assert_eq!(mail["payload"]["parts"][1]["mimeType"], "text/calendar", "{mail}");
    let uid = event["iCalUID"].as_str().expect("an identifier");
    let reply = |from: &str, status: &str| {
        let raw = format!(
            "From: Somebody <{from}>\r\nTo: me@localhost\r\nSubject: Lunch\r\nMIME-Version: 1.0\r\n\
             Content-Type: text/calendar; charset=UTF-8; method=REPLY\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:REPLY\r\n\
             BEGIN:VEVENT\r\nUID:{uid}\r\nSEQUENCE:0\r\nATTENDEE;PARTSTAT={status}:mailto:ben@example.com\r\n\
             END:VEVENT\r\nEND:VCALENDAR\r\n"
        );
        json!({ "raw": URL_SAFE.encode(raw) })
    };
    let response = async || -> Value {
        let id = event["id"].as_str().expect("an identifier");
        server.get(&format!("{path}/{id}")).await.1["attendees"][0]["responseStatus"].clone()
    };
    for (operation, from, expected) in [
        ("", "other@example.com", "needsAction"),
        ("/import", "other@example.com", "needsAction"),
        ("", "Ben@example.com", "accepted"),
    ] {
        let (status, stored) =
            server.post(&format!("/mail/v1/users/me/messages{operation}"), &reply(from, "ACCEPTED")).await;
        assert_eq!(status, StatusCode::OK, "{stored}");
        assert_eq!(response().await, expected, "{from}");
    }
    // The mail is a reply to Ben in his own mailbox, and he does not organize the event.
    let request = server.request(Method::POST, "/mail/v1/users/me/messages/import").bearer_auth(&token);
    let sent = request.json(&reply("ben@example.com", "DECLINED")).send().await.expect("a response");
    assert_eq!((sent.status(), response().await), (StatusCode::OK, "accepted".into()));
    server.post("/mail/v1/users/me/messages/import", &reply("ben@example.com", "DECLINED")).await;
    assert_eq!(response().await, "declined");
}
