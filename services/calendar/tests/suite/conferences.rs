//! Conferences of events.

use std::time::Duration;

use serde_json::{Value, json};

use crate::desk::{Desk, hour, with};

const VERSION: &str = "?conferenceDataVersion=1";

/// A request for a conference.
fn wanted(id: &str, kind: &str) -> Value {
    json!({ "conferenceData": { "createRequest": { "requestId": id, "conferenceSolutionKey": { "type": kind } } } })
}

fn status(event: &Value) -> &Value {
    &event["conferenceData"]["createRequest"]["status"]["statusCode"]
}

async fn lunch(desk: &Desk, id: &str, kind: &str) -> Value {
    let guests = json!({ "id": "lunch", "attendees": [{ "email": "ben@example.com" }] });
    desk.post(VERSION, with(with(hour(2, 9, "Lunch"), guests), wanted(id, kind))).await.ok().clone()
}

#[tokio::test]
async fn point_93_a_conference_is_made_after_a_moment() {
    let desk = Desk::open().await;
    let pending = lunch(&desk, "one", "hangoutsMeet").await;
    assert_eq!((status(&pending), pending.get("hangoutLink")), (&json!("pending"), None));
    assert_eq!(desk.jobs().await, 0, "it is not due yet");
    let token = desk.get("").await.ok()["nextSyncToken"].as_str().unwrap().to_owned();
    desk.clock.advance(Duration::from_secs(1));
    assert_eq!(desk.jobs().await, 1);
    let made = desk.event("lunch").await;
    let data = &made["conferenceData"];
    assert_eq!(
        (status(&made), &data["conferenceSolution"]["key"]["type"]),
        (&json!("success"), &json!("hangoutsMeet"))
    );
    let code = data["conferenceId"].as_str().unwrap();
    assert_eq!(code.bytes().filter(u8::is_ascii_lowercase).count(), 10, "{code}");
    let point = &data["entryPoints"][0];
    assert_eq!((&point["entryPointType"], &point["uri"]), (&json!("video"), &made["hangoutLink"]));
    assert_eq!(made["hangoutLink"], format!("https://calendar.example.com/meet/{code}"));
    assert!(data["signature"].is_string());
    // Points 46 and 99: the copies share it, and it is synchronised.
    assert_ne!(made["etag"], pending["etag"]);
    assert_eq!(desk.ids(&format!("syncToken={token}")).await, ["lunch"]);
    assert_eq!(desk.ben().event("lunch").await["conferenceData"], *data);
    assert_eq!(desk.jobs().await, 0);
}

#[tokio::test]
async fn point_93_a_solution_that_nobody_has_is_a_failure() {
    let desk = Desk::open().await;
    lunch(&desk, "one", "addOn").await;
    desk.clock.advance(Duration::from_secs(1));
    desk.jobs().await;
    let failed = desk.event("lunch").await;
    assert_eq!(status(&failed), "failure");
    for none in ["entryPoints", "conferenceSolution", "signature", "conferenceId"] {
        assert!(failed["conferenceData"].get(none).is_none(), "{none}");
    }
}

#[tokio::test]
async fn point_94_a_request_with_the_same_id_is_no_new_one() {
    let desk = Desk::open().await;
    lunch(&desk, "one", "hangoutsMeet").await;
    desk.clock.advance(Duration::from_secs(1));
    desk.jobs().await;
    let made = desk.event("lunch").await;
    let path = format!("/lunch{VERSION}");
    assert_eq!(desk.patch(&path, wanted("one", "hangoutsMeet")).await.ok(), &made);
    let anew = desk.patch(&path, wanted("two", "hangoutsMeet")).await.ok().clone();
    assert_eq!((status(&anew), anew.get("hangoutLink")), (&json!("pending"), None));
    desk.clock.advance(Duration::from_secs(1));
    desk.jobs().await;
    assert_ne!(desk.event("lunch").await["hangoutLink"], made["hangoutLink"]);
    let nameless = json!({ "conferenceData": { "createRequest": { "requestId": "" } } });
    desk.patch(&path, nameless).await.refuses(400, "required");
    let cleared = desk.patch(&path, json!({ "conferenceData": null })).await.ok().clone();
    assert!(cleared.get("conferenceData").is_none() && cleared.get("hangoutLink").is_none());
}

#[tokio::test]
async fn point_91_without_the_version_conferences_stay_as_they_are() {
    let desk = Desk::open().await;
    let plain =
        desk.insert(with(with(hour(2, 9, "Lunch"), json!({ "id": "other" })), wanted("one", "hangoutsMeet"))).await;
    assert!(plain.get("conferenceData").is_none());
    lunch(&desk, "one", "hangoutsMeet").await;
    desk.clock.advance(Duration::from_secs(1));
    desk.jobs().await;
    let made = desk.event("lunch").await;
    let put = desk.put("/lunch", hour(2, 9, "Dinner")).await.ok().clone();
    assert_eq!((&put["conferenceData"], &put["hangoutLink"]), (&made["conferenceData"], &made["hangoutLink"]));
}

#[tokio::test]
async fn point_97_a_signature_that_is_not_ours_is_dropped() {
    let desk = Desk::open().await;
    let own = json!({ "id": "lunch", "conferenceData": {
        "conferenceSolution": { "key": { "type": "addOn" }, "name": "Elsewhere" }, "signature": "forged",
        "entryPoints": [{ "entryPointType": "video", "uri": "https://meet.example.net/x" }],
    } });
    let event = desk.post(VERSION, with(hour(2, 9, "Lunch"), own)).await.ok().clone();
    let data = &event["conferenceData"];
    assert_eq!((data.get("signature"), &data["conferenceSolution"]["name"]), (None, &json!("Elsewhere")));
    assert_eq!(
        (&data["entryPoints"][0]["uri"], event.get("hangoutLink")),
        (&json!("https://meet.example.net/x"), None)
    );
}

#[tokio::test]
async fn point_93_the_job_of_an_event_that_is_gone_ends() {
    let desk = Desk::open().await;
    lunch(&desk, "one", "hangoutsMeet").await;
    desk.patch(&format!("/lunch{VERSION}"), json!({ "conferenceData": null })).await.ok();
    desk.clock.advance(Duration::from_secs(1));
    assert_eq!((desk.jobs().await, desk.jobs().await), (1, 0));
    assert!(desk.event("lunch").await.get("conferenceData").is_none());
}
