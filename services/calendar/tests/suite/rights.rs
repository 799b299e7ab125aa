//! Tests of readers who add themselves, and of service accounts.

use serde_json::{Value, json};
use wireform_store::Role;

use crate::desk::{TestService, hour, with};

const ANA: &str = "/calendar/v3/calendars/ana@example.com/events";

fn ben(status: &str) -> Value {
    json!({ "email": "ben@example.com", "responseStatus": status })
}

#[tokio::test]
async fn point_70_readers_can_join_events_that_allow_it() {
    let desk = TestService::open().await;
    let guests = json!({ "anyoneCanAddSelf": true, "attendees": [{ "email": "cy@example.com" }] });
    for (id, members) in [
        ("aaaaa", guests.clone()),
        ("bbbbb", json!({ "attendees": [{ "email": "cy@example.com" }] })),
        ("ccccc", with(guests.clone(), json!({ "visibility": "private" }))),
    ] {
        desk.insert(with(with(hour(2, 9, id), json!({ "id": id })), members)).await;
    }
    let reader = desk.ben();
    let path = |id: &str| format!("{ANA}/{id}");
    let joined = json!({ "attendees": [{ "email": "cy@example.com" }, ben("accepted")] });
    reader.patch(&path("aaaaa"), joined.clone()).await.assert_error(404, "notFound");
    desk.share("ben@example.com", Some(Role::FreeBusyReader)).await;
    reader.patch(&path("aaaaa"), joined.clone()).await.assert_error(403, "forbidden");
    desk.share("ben@example.com", Some(Role::Reader)).await;
    // Readers may change nothing else, and nothing on events that do not allow it.
    for other in [
        json!({ "summary": "Mine" }),
        json!({ "attendees": [ben("accepted")] }),
        json!({ "attendees": [{ "email": "cy@example.com" }, { "email": "far@example.net" }] }),
        with(joined.clone(), json!({ "location": "Here" })),
        with(joined.clone(), json!({ "colorId": "3" })),
    ] {
        reader.patch(&path("aaaaa"), other).await.assert_error(403, "forbidden");
    }
    for other in ["bbbbb", "ccccc"] {
        reader.patch(&path(other), joined.clone()).await.assert_error(403, "forbidden");
    }
    let read_only = desk.with_token("ben/calendar.readonly");
    assert_eq!(read_only.patch(&path("aaaaa"), joined.clone()).await.status, 403);
    let event = reader.patch(&path("aaaaa"), joined).await.ok().clone();
    assert_eq!(event["attendees"][1]["responseStatus"], "accepted");
    assert_eq!(reader.event("aaaaa").await["attendees"][1]["self"], true, "there is a copy");
    // From now on they respond on their own copy.
    reader.patch(&path("aaaaa"), json!({ "attendees": [] })).await.assert_error(403, "forbidden");
    reader.delete(&path("aaaaa")).await.assert_error(403, "forbidden");
}

#[tokio::test]
async fn point_70_an_update_adds_as_a_patch_does() {
    let desk = TestService::open().await;
    desk.share("ben@example.com", Some(Role::Reader)).await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "aaaaa", "anyoneCanAddSelf": true }))).await;
    let path = format!("{ANA}/aaaaa");
    let mut event = desk.ben().get(&path).await.ok().clone();
    event["attendees"] = json!([ben("tentative")]);
    assert_eq!(desk.ben().put(&path, event).await.ok()["attendees"][0]["responseStatus"], "tentative");
}

#[tokio::test]
async fn point_71_a_service_account_invites_where_that_is_delegated() {
    let desk = TestService::open().await;
    let robot = desk.with_token("robot:ana/calendar");
    let guests = json!({ "id": "lunch", "attendees": [ben("needsAction")] });
    let refused = robot.post("", with(hour(2, 9, "Lunch"), guests.clone())).await;
    refused.assert_error(403, "forbiddenForServiceAccounts");
    let imported = with(hour(2, 9, "Lunch"), json!({ "iCalUID": "x@example.com", "attendees": [ben("accepted")] }));
    robot.post("/import", imported).await.assert_error(403, "forbiddenForServiceAccounts");
    // A service account may do everything else like its user.
    robot.insert(with(hour(2, 9, "Own"), json!({ "id": "alone" }))).await;
    robot
        .patch("/alone", json!({ "attendees": [ben("needsAction")] }))
        .await
        .assert_error(403, "forbiddenForServiceAccounts");
    let delegated = desk.with_token("delegated:ana/calendar");
    delegated.insert(with(hour(2, 9, "Lunch"), guests)).await;
    // Existing attendees may stay, and may be removed.
    let event = robot.patch("/lunch", json!({ "summary": "Dinner" })).await.ok().clone();
    assert_eq!(event["attendees"].as_array().unwrap().len(), 1);
    let with_cy = json!({ "attendees": [ben("needsAction"), { "email": "cy@example.com" }] });
    robot.patch("/lunch", with_cy).await.assert_error(403, "forbiddenForServiceAccounts");
    robot.patch("/lunch", json!({ "attendees": [] })).await.ok();
}
