//! Tests of conferences of events.

use std::time::Duration;

use serde_json::{Value, json};

use crate::desk::{TestService, hour, series, with};

const VERSION: &str = "?conferenceDataVersion=1";

/// Returns a request for a conference.
fn wanted(id: &str, kind: &str) -> Value {
    json!({ "conferenceData": { "createRequest": { "requestId": id, "conferenceSolutionKey": { "type": kind } } } })
}

fn status(event: &Value) -> &Value {
    &event["conferenceData"]["createRequest"]["status"]["statusCode"]
}

async fn lunch(desk: &TestService, id: &str, kind: &str) -> Value {
    let guests = json!({ "id": "lunch", "attendees": [{ "email": "ben@example.com" }] });
    desk.post(VERSION, with(with(hour(2, 9, "Lunch"), guests), wanted(id, kind))).await.ok().clone()
}

#[tokio::test]
async fn point_93_a_conference_is_made_after_a_moment() {
    let desk = TestService::open().await;
    let pending = lunch(&desk, "one", "hangoutsMeet").await;
    assert_eq!((status(&pending), pending.get("hangoutLink")), (&json!("pending"), None));
    assert_eq!(desk.run_jobs().await, 0, "it is not due yet");
    let token = desk.get("").await.ok()["nextSyncToken"].as_str().unwrap().to_owned();
    desk.clock.advance(Duration::from_secs(1));
    assert_eq!(desk.run_jobs().await, 1);
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
    // Points 46 and 99: the copies share it, and it is synchronized.
    assert_ne!(made["etag"], pending["etag"]);
    assert_eq!(desk.ids(&format!("syncToken={token}")).await, ["lunch"]);
    assert_eq!(desk.ben().event("lunch").await["conferenceData"], *data);
    assert_eq!(desk.run_jobs().await, 0);
}

#[tokio::test]
async fn point_93_an_unsupported_solution_fails() {
    let desk = TestService::open().await;
    lunch(&desk, "one", "addOn").await;
    desk.clock.advance(Duration::from_secs(1));
    desk.run_jobs().await;
    let failed = desk.event("lunch").await;
    assert_eq!(status(&failed), "failure");
    for none in ["entryPoints", "conferenceSolution", "signature", "conferenceId"] {
        assert!(failed["conferenceData"].get(none).is_none(), "{none}");
    }
}

#[tokio::test]
async fn point_94_a_request_id_is_used_once() {
    let desk = TestService::open().await;
    lunch(&desk, "one", "hangoutsMeet").await;
    desk.clock.advance(Duration::from_secs(1));
    desk.run_jobs().await;
    let made = desk.event("lunch").await;
    let path = format!("/lunch{VERSION}");
    assert_eq!(desk.patch(&path, wanted("one", "hangoutsMeet")).await.ok(), &made);
    let again = desk.patch(&path, wanted("two", "hangoutsMeet")).await.ok().clone();
    assert_eq!((status(&again), again.get("hangoutLink")), (&json!("pending"), None));
    desk.clock.advance(Duration::from_secs(1));
    desk.run_jobs().await;
    assert_ne!(desk.event("lunch").await["hangoutLink"], made["hangoutLink"]);
    let unnamed = json!({ "conferenceData": { "createRequest": { "requestId": "" } } });
    desk.patch(&path, unnamed).await.assert_error(400, "required");
    let cleared = desk.patch(&path, json!({ "conferenceData": null })).await.ok().clone();
    assert!(cleared.get("conferenceData").is_none() && cleared.get("hangoutLink").is_none());
}

#[tokio::test]
async fn point_91_without_the_version_conferences_stay_as_they_are() {
    let desk = TestService::open().await;
    let plain =
        desk.insert(with(with(hour(2, 9, "Lunch"), json!({ "id": "other" })), wanted("one", "hangoutsMeet"))).await;
    assert!(plain.get("conferenceData").is_none());
    lunch(&desk, "one", "hangoutsMeet").await;
    desk.clock.advance(Duration::from_secs(1));
    desk.run_jobs().await;
    let made = desk.event("lunch").await;
    let put = desk.put("/lunch", hour(2, 9, "Dinner")).await.ok().clone();
    assert_eq!((&put["conferenceData"], &put["hangoutLink"]), (&made["conferenceData"], &made["hangoutLink"]));
}

#[tokio::test]
async fn point_97_an_unknown_signature_is_dropped() {
    let desk = TestService::open().await;
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
async fn point_93_the_job_of_a_deleted_event_ends() {
    let desk = TestService::open().await;
    lunch(&desk, "one", "hangoutsMeet").await;
    desk.patch(&format!("/lunch{VERSION}"), json!({ "conferenceData": null })).await.ok();
    desk.clock.advance(Duration::from_secs(1));
    assert_eq!((desk.run_jobs().await, desk.run_jobs().await), (1, 0));
    assert!(desk.event("lunch").await.get("conferenceData").is_none());
}

/// Returns an event with further fields.
fn dinner(members: Value) -> Value {
    with(with(hour(2, 19, "Dinner"), json!({ "id": "lunch" })), members)
}

fn guest() -> Value {
    json!({ "attendees": [{ "email": "ben@example.com" }] })
}

fn elsewhere(points: Value) -> Value {
    json!({ "conferenceData": { "conferenceSolution": { "key": { "type": "addOn" }, "name": "Elsewhere" }, "entryPoints": points } })
}

#[tokio::test]
async fn point_92_a_conference_is_asked_for_or_described() {
    let desk = TestService::open().await;
    let nothing = json!({ "conferenceData": { "notes": "Join us" } });
    desk.post(VERSION, dinner(nothing)).await.assert_error(400, "invalid");
    desk.post(VERSION, dinner(elsewhere(json!([])))).await.assert_error(400, "invalid");
    let points = json!([{ "entryPointType": "video", "uri": "https://example.com/room" }]);
    let event = desk.post(VERSION, dinner(elsewhere(points))).await.ok().clone();
    assert_eq!(event["conferenceData"]["conferenceSolution"]["name"], "Elsewhere");
}

#[tokio::test]
async fn point_95_old_conferences_are_not_made_any_more() {
    let desk = TestService::open().await;
    for kind in ["eventHangout", "eventNamedHangout"] {
        let wanted = json!({ "conferenceData": { "createRequest": { "requestId": "r", "conferenceSolutionKey": { "type": kind } } } });
        desk.post(VERSION, dinner(wanted)).await.assert_error(400, "invalid");
    }
}

#[tokio::test]
async fn point_96_entry_points_have_limits() {
    let desk = TestService::open().await;
    let video = json!({ "entryPointType": "video", "uri": "https://example.com/room" });
    let more = json!({ "entryPointType": "more", "uri": "https://example.com/more" });
    let phone = json!({ "entryPointType": "phone", "uri": "tel:+1-555-0100" });
    for wrong in [
        json!([video, video]),
        json!([video, more, more]),
        json!([more]),
        json!([{ "entryPointType": "video", "uri": "tel:+1-555-0100" }]),
        json!([{ "entryPointType": "phone", "uri": "https://example.com" }]),
        json!([with(video.clone(), json!({ "uri": format!("https://example.com/{}", "x".repeat(1_300)) }))]),
        json!([with(video.clone(), json!({ "label": "x".repeat(513) }))]),
        json!([with(video.clone(), json!({ "pin": "x".repeat(129) }))]),
    ] {
        let refused = desk.post(VERSION, dinner(elsewhere(wrong.clone()))).await;
        assert_eq!(refused.status, 400, "{wrong}");
    }
    desk.post(VERSION, dinner(elsewhere(json!([video, phone, phone, more])))).await.ok();
}

#[tokio::test]
async fn point_98_the_link_of_a_conference_is_that_of_the_products_own() {
    let desk = TestService::open().await;
    let points = json!([{ "entryPointType": "video", "uri": "https://example.com/room" }]);
    let event =
        desk.post(VERSION, dinner(with(elsewhere(points.clone()), json!({ "hangoutLink": "https://x" })))).await;
    assert!(event.ok().get("hangoutLink").is_none(), "{}", event.body);
    let own = json!({ "conferenceData": { "conferenceSolution": { "key": { "type": "hangoutsMeet" } }, "entryPoints": points } });
    assert_eq!(desk.patch(&format!("/lunch{VERSION}"), own).await.ok()["hangoutLink"], "https://example.com/room");
}

#[tokio::test]
async fn point_99_all_copies_have_the_conference_until_it_is_cleared() {
    let desk = TestService::open().await;
    let points = json!([{ "entryPointType": "video", "uri": "https://example.com/room" }]);
    desk.post(VERSION, dinner(with(elsewhere(points), guest()))).await.ok();
    assert!(desk.ben().event("lunch").await["conferenceData"].is_object());
    desk.patch("/lunch", json!({ "conferenceData": null })).await.ok();
    assert!(desk.ben().event("lunch").await["conferenceData"].is_object(), "without the version it is unchanged");
    desk.patch(&format!("/lunch{VERSION}"), json!({ "conferenceData": null })).await.ok();
    for who in [desk.clone(), desk.ben()] {
        assert!(who.event("lunch").await.get("conferenceData").is_none());
    }
}

#[tokio::test]
async fn exceptions_get_the_conference_of_their_series() {
    let desk = TestService::open().await;
    let rule = ["RRULE:FREQ=DAILY;COUNT=4"];
    let of = series("often", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &rule);
    let ben = json!({ "attendees": [{ "email": "ben@example.com" }] });
    desk.post(VERSION, with(with(of, wanted("one", "hangoutsMeet")), ben)).await.ok();
    let (first, second) = ("often_20260309T080000Z", "often_20260310T080000Z");
    desk.patch(&format!("/{first}"), json!({ "summary": "Moved" })).await.ok();
    let cy = json!({ "attendees": [{ "email": "ben@example.com" }, { "email": "cy@example.com" }] });
    let pending = desk.patch(&format!("/{second}"), cy).await.ok().clone();
    assert_eq!(status(&pending), "pending");
    let token = desk.get("").await.ok()["nextSyncToken"].as_str().unwrap().to_owned();
    desk.clock.advance(Duration::from_secs(1));
    desk.run_jobs().await;
    let made = desk.event("often").await;
    assert_eq!(status(&made), "success");
    for (who, id) in
        [(&desk, first), (&desk, second), (&desk.ben(), first), (&desk.ben(), second), (&desk.cy(), second)]
    {
        let found = who.event(id).await;
        assert_eq!((&found["conferenceData"], &found["hangoutLink"]), (&made["conferenceData"], &made["hangoutLink"]));
    }
    assert_ne!(desk.event(second).await["etag"], pending["etag"]);
    assert_eq!(desk.ids(&format!("syncToken={token}")).await.len(), 3);
    assert_eq!(desk.run_jobs().await, 0);
}

#[tokio::test]
async fn an_exception_gets_a_conference_if_its_series_has_none_any_more() {
    let desk = TestService::open().await;
    let of = series("often", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=4"]);
    desk.post(VERSION, with(of, wanted("one", "hangoutsMeet"))).await.ok();
    desk.patch("/often_20260310T080000Z", json!({ "summary": "Moved" })).await.ok();
    desk.patch(&format!("/often{VERSION}"), json!({ "conferenceData": null })).await.ok();
    desk.clock.advance(Duration::from_secs(1));
    desk.run_jobs().await;
    assert_eq!(status(&desk.event("often_20260310T080000Z").await), "success");
}
