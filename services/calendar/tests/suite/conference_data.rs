//! Tests of conference data that clients send: copied from another event, or of conferences elsewhere.

use std::time::Duration;

use serde_json::{Value, json};
use wireform_store::Accounts as _;

use crate::desk::{TestService, hour, series, with};

const VERSION: &str = "?conferenceDataVersion=1";

fn event(id: &str, members: Value) -> Value {
    with(with(hour(2, 9, "Lunch"), json!({ "id": id })), members)
}

/// Inserts an event with a conference of this program.
async fn with_conference(desk: &TestService, id: &str, request: &str) -> Value {
    let kind = json!({ "type": "hangoutsMeet" });
    let create = json!({ "requestId": request, "conferenceSolutionKey": kind });
    desk.post(VERSION, event(id, json!({ "conferenceData": { "createRequest": create } }))).await.ok();
    desk.clock.advance(Duration::from_secs(1));
    assert_eq!(desk.run_jobs().await, 1);
    desk.event(id).await
}

/// Returns conference data of a type, with further fields.
fn data(kind: &str, members: Value) -> Value {
    let data = json!({
        "conferenceSolution": { "key": { "type": kind }, "name": "Elsewhere" },
        "entryPoints": [{ "entryPointType": "video", "uri": "https://example.com/room" }],
    });
    json!({ "conferenceData": with(data, members) })
}

/// Asserts that an event has a conference, without a new request.
#[track_caller]
fn assert_conference(event: &Value, of: &Value) {
    assert_eq!(event["conferenceData"], of["conferenceData"]);
    assert_eq!(event["hangoutLink"], of["hangoutLink"]);
}

#[tokio::test]
async fn returned_data_keep_their_conference() {
    let desk = TestService::open().await;
    let made = with_conference(&desk, "lunch", "one").await;
    let both = json!({ "conferenceData": made["conferenceData"] });
    // Back on the same event.
    let same = desk.put(&format!("/lunch{VERSION}"), made.clone()).await.ok().clone();
    assert_eq!(same, made);
    assert_eq!(desk.patch(&format!("/lunch{VERSION}"), both.clone()).await.ok(), &made);
    // On other events, with and without a conference of their own.
    assert_conference(desk.post(VERSION, event("dinner", both.clone())).await.ok(), &made);
    let import = with(with(hour(3, 9, "Copy"), both.clone()), json!({ "iCalUID": "a@example.net" }));
    assert_conference(desk.post(&format!("/import{VERSION}"), import).await.ok(), &made);
    desk.insert(event("supper", json!({}))).await;
    assert_conference(desk.put(&format!("/supper{VERSION}"), event("supper", both.clone())).await.ok(), &made);
    let other = with_conference(&desk, "patched", "two").await;
    assert_ne!(other["hangoutLink"], made["hangoutLink"]);
    assert_conference(desk.patch(&format!("/patched{VERSION}"), both).await.ok(), &made);
    desk.clock.advance(Duration::from_secs(1));
    assert_eq!(desk.run_jobs().await, 0, "no conference was requested");
    for id in ["lunch", "dinner", "supper", "patched"] {
        assert_conference(&desk.event(id).await, &made);
    }
    // The copy has the request, too: repeating it changes nothing, and another one creates a conference.
    let request = json!({ "conferenceData": { "createRequest": { "requestId": "one" } } });
    assert_conference(desk.put(&format!("/dinner{VERSION}"), event("dinner", request)).await.ok(), &made);
    let request = json!({ "conferenceData": { "createRequest": { "requestId": "three" } } });
    let again = desk.patch(&format!("/dinner{VERSION}"), request).await.ok().clone();
    assert_eq!(again["conferenceData"]["createRequest"]["status"]["statusCode"], "pending");
}

#[tokio::test]
async fn a_repeated_request_does_not_undo_other_changes() {
    let desk = TestService::open().await;
    let made = with_conference(&desk, "lunch", "one").await;
    let mut sent = made.clone();
    sent["conferenceData"]["notes"] = json!("Be on time");
    let noted = desk.put(&format!("/lunch{VERSION}"), sent.clone()).await.ok().clone();
    assert_eq!(noted["conferenceData"], sent["conferenceData"]);
    sent["conferenceData"]["entryPoints"][0]["label"] = json!("The room");
    let changed = desk.put(&format!("/lunch{VERSION}"), sent.clone()).await.ok().clone();
    assert_eq!(changed["conferenceData"]["entryPoints"], sent["conferenceData"]["entryPoints"]);
    assert!(changed["conferenceData"].get("signature").is_none(), "the service has not made this conference");
    assert_eq!(changed["conferenceData"]["createRequest"], made["conferenceData"]["createRequest"]);
}

#[tokio::test]
async fn a_conference_replaces_a_pending_request() {
    let desk = TestService::open().await;
    let create = json!({ "createRequest": { "requestId": "one" } });
    let pending = desk.post(VERSION, event("lunch", json!({ "conferenceData": create }))).await.ok().clone();
    assert_eq!(desk.put(&format!("/lunch{VERSION}"), pending.clone()).await.ok(), &pending);
    let replaced = desk.patch(&format!("/lunch{VERSION}"), data("addOn", json!({}))).await.ok().clone();
    assert_eq!(replaced["conferenceData"], data("addOn", json!({}))["conferenceData"]);
    desk.clock.advance(Duration::from_secs(1));
    desk.run_jobs().await;
    assert_eq!(desk.event("lunch").await, replaced);
}

#[tokio::test]
async fn a_signature_belongs_to_its_conference() {
    let desk = TestService::open().await;
    let made = with_conference(&desk, "lunch", "one").await;
    let mut without = made.clone();
    without["conferenceData"].as_object_mut().unwrap().remove("signature");
    assert_eq!(desk.put(&format!("/lunch{VERSION}"), without).await.ok(), &made, "it is the server's");
    let signature = &made["conferenceData"]["signature"];
    for (id, members) in [
        ("forged", with(made["conferenceData"].clone(), json!({ "signature": "00" }))),
        ("changed", with(made["conferenceData"].clone(), json!({ "conferenceId": null }))),
        ("other", data("addOn", json!({ "signature": signature }))["conferenceData"].clone()),
    ] {
        let stored = desk.post(VERSION, event(id, json!({ "conferenceData": members }))).await.ok().clone();
        assert!(stored["conferenceData"].get("signature").is_none(), "{id}");
        assert_eq!(stored["conferenceData"]["entryPoints"], members["entryPoints"]);
    }
}

/// Exports the calendar of Ana and imports the changed file into that of Ben; returns the events of Ben.
async fn carry_in_a_file(desk: &TestService, change: impl FnOnce(String) -> String) -> Vec<Value> {
    let user = desk.store.user("ana@example.com").await.unwrap();
    let file = change(desk.service.export_ics(&user, "ana@example.com").await.unwrap().0);
    let ben = desk.store.user("ben@example.com").await.unwrap();
    let mut importer = desk.service.ics_importer(&ben, "ben@example.com").await.unwrap();
    importer.add("a.ics", file.as_bytes()).await.unwrap();
    let report = importer.finish().await.unwrap();
    assert_eq!((report.omitted, report.losses.listed()), (0, &[][..]));
    desk.ben().list("").await.0
}

#[tokio::test]
async fn a_file_keeps_the_conference() {
    let desk = TestService::open().await;
    let made = with_conference(&desk, "lunch", "one").await;
    let items = carry_in_a_file(&desk, |file| file).await;
    assert_eq!(items.len(), 1);
    assert_conference(&items[0], &made);
}

#[tokio::test]
async fn an_exception_in_a_file_has_a_conference_like_other_events() {
    let desk = TestService::open().await;
    let made = with_conference(&desk, "lunch", "one").await;
    desk.delete("/lunch").await;
    let of = series("seria", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"]);
    desk.insert(of).await;
    let own = json!({ "summary": "Own", "conferenceData": made["conferenceData"] });
    desk.patch(&format!("/seria_20260310T080000Z{VERSION}"), own).await.ok();
    let forged = json!({ "summary": "Forged", "conferenceData": made["conferenceData"] });
    desk.patch(&format!("/seria_20260311T080000Z{VERSION}"), forged).await.ok();
    let forge = |file: String| {
        let file = file.replace("\r\n ", "");
        let (before, after) = file.split_at(file.find("SUMMARY:Forged").unwrap());
        format!("{before}{}", after.replacen("\"signature\":\"", "\"signature\":\"A", 1))
    };
    let items = carry_in_a_file(&desk, forge).await;
    let named = |name: &str| items.iter().find(|item| item["summary"] == name).unwrap();
    assert_conference(named("Own"), &made);
    let (forged, mut expected) = (named("Forged"), made.clone());
    expected["conferenceData"].as_object_mut().unwrap().remove("signature");
    assert_conference(forged, &expected);
}

#[tokio::test]
async fn old_types_of_conferences_cannot_be_created() {
    let desk = TestService::open().await;
    desk.insert(event("lunch", json!({}))).await;
    let path = format!("/lunch{VERSION}");
    for kind in ["eventHangout", "eventNamedHangout"] {
        let old = data(kind, json!({}));
        for refused in [
            desk.post(VERSION, event("other", old.clone())).await,
            desk.put(&path, event("lunch", old.clone())).await,
            desk.patch(&path, old.clone()).await,
        ] {
            refused.assert_error(400, "invalid");
            refused.assert_location("conferenceData.conferenceSolution.key.type");
        }
        // An import is of an event that exists, with its conference.
        let uid = format!("{kind}@example.net");
        let import = with(with(hour(3, 9, kind), old.clone()), json!({ "iCalUID": uid }));
        let imported = desk.post(&format!("/import{VERSION}"), import).await.ok().clone();
        assert_eq!(imported["conferenceData"], old["conferenceData"]);
        let stored = format!("/{}{VERSION}", imported["id"].as_str().unwrap());
        assert_eq!(desk.put(&stored, imported.clone()).await.ok(), &imported);
        let noted = desk.patch(&stored, json!({ "conferenceData": { "notes": "Old" } })).await.ok().clone();
        assert_eq!(noted["conferenceData"]["conferenceSolution"], old["conferenceData"]["conferenceSolution"]);
        let other = if kind == "eventHangout" { "eventNamedHangout" } else { "eventHangout" };
        desk.patch(&stored, data(other, json!({}))).await.assert_error(400, "invalid");
        // Another conference of the type is a new one.
        let points = json!([{ "entryPointType": "video", "uri": "https://example.com/other" }]);
        let points = data(kind, json!({ "entryPoints": points }));
        for refused in [
            desk.patch(&stored, points.clone()).await,
            desk.put(&stored, with(imported.clone(), points)).await,
            desk.patch(&stored, json!({ "conferenceData": { "entryPoints": [{ "uri": "https://example.com/" }] } }))
                .await,
        ] {
            refused.assert_error(400, "invalid");
        }
        desk.put(&stored, with(imported, data("addOn", json!({})))).await.ok();
        desk.put(&stored, event("other", old)).await.assert_error(400, "invalid");
    }
}

#[tokio::test]
async fn the_type_of_a_conference_determines_its_id() {
    let desk = TestService::open().await;
    desk.insert(event("lunch", json!({}))).await;
    let path = format!("/lunch{VERSION}");
    let named = |kind: &str, id: &str| data(kind, json!({ "conferenceId": id }));
    for id in ["zzz", "abcdefghijk", "abc-defg-hi1", "abcd-efg-hij", ""] {
        for refused in [
            desk.post(VERSION, event("other", named("hangoutsMeet", id))).await,
            desk.put(&path, event("lunch", named("hangoutsMeet", id))).await,
            desk.patch(&path, named("hangoutsMeet", id)).await,
        ] {
            refused.assert_error(400, "invalid");
            refused.assert_location("conferenceData.conferenceId");
        }
    }
    for (kind, id) in [
        ("hangoutsMeet", "abcdefghij"),
        ("hangoutsMeet", "abc-defg-hij"),
        ("hangoutsMeet", "ABC-DEFG-HIJ"),
        ("addOn", "zzz"),
    ] {
        let stored = desk.patch(&path, named(kind, id)).await.ok().clone();
        assert_eq!(stored["conferenceData"]["conferenceId"], id);
    }
    // An import is of an event that exists, with its conference.
    for kind in ["eventHangout", "eventNamedHangout", "hangoutsMeet"] {
        let named = with(named(kind, "the name"), json!({ "iCalUID": format!("{kind}@example.net") }));
        let imported = desk.post(&format!("/import{VERSION}"), with(hour(3, 9, kind), named)).await.ok().clone();
        assert_eq!(imported["conferenceData"]["conferenceId"], "the name");
    }
}

#[tokio::test]
async fn the_parts_of_a_conference_belong_together() {
    let desk = TestService::open().await;
    let made = with_conference(&desk, "lunch", "one").await;
    let path = format!("/lunch{VERSION}");
    let code = made["conferenceData"]["conferenceId"].as_str().unwrap();
    let mut point = made["conferenceData"]["entryPoints"][0].clone();
    point["meetingCode"] = json!("abc-defg-hij");
    for (members, location) in [
        (json!({ "conferenceId": "abc-defg-hij" }), "conferenceId"),
        (json!({ "entryPoints": [point] }), "conferenceId"),
        (json!({ "entryPoints": [] }), "entryPoints"),
        (json!({ "entryPoints": null }), "entryPoints"),
        (json!({ "conferenceSolution": null }), "conferenceSolution"),
    ] {
        let merged = with(made["conferenceData"].clone(), members.clone());
        for refused in [
            desk.patch(&path, json!({ "conferenceData": members })).await,
            desk.put(&path, event("lunch", json!({ "conferenceData": merged }))).await,
        ] {
            assert_eq!(refused.status, 400, "{members}");
            refused.assert_location(&format!("conferenceData.{location}"));
        }
    }
    assert_eq!(desk.event("lunch").await, made);
    let same = json!({ "conferenceId": code.replace('-', "").to_uppercase() });
    desk.patch(&path, json!({ "conferenceData": same })).await.ok();
    // A new request replaces what is left of the conference.
    let new = json!({ "createRequest": { "requestId": "two" }, "entryPoints": [] });
    let pending = desk.patch(&path, json!({ "conferenceData": new })).await.ok().clone();
    assert_eq!(pending["conferenceData"]["createRequest"]["status"]["statusCode"], "pending");
}

#[tokio::test]
async fn stored_ids_of_conferences_stay() {
    let desk = TestService::open().await;
    let ana = desk.store.user("ana@example.com").await.unwrap();
    for (id, kind) in [("hangout", "eventHangout"), ("meeting", "hangoutsMeet")] {
        let stored = event(id, data(kind, json!({ "conferenceId": "zzz" })));
        let stored = serde_json::from_value(stored).unwrap();
        desk.service.add_event(&ana, "ana@example.com", stored).await.unwrap();
        let stored = desk.event(id).await;
        assert_eq!(stored["conferenceData"]["conferenceId"], "zzz");
        let path = format!("/{id}{VERSION}");
        assert_eq!(desk.put(&path, stored.clone()).await.ok(), &stored);
        desk.patch(&path, json!({ "conferenceData": { "notes": "Old" } })).await.ok();
        let other = json!({ "conferenceData": { "conferenceId": "yyy" } });
        desk.patch(&path, other).await.assert_location("conferenceData.conferenceId");
    }
    // An export can be imported.
    let copies = carry_in_a_file(&desk, |file| file).await;
    assert_eq!(copies.len(), 2);
    for copy in copies {
        let stored = desk.event(copy["iCalUID"].as_str().unwrap().trim_end_matches("@wireform")).await;
        assert_conference(&copy, &stored);
    }
}

#[tokio::test]
async fn entry_points_are_kept_as_they_are_sent() {
    let desk = TestService::open().await;
    let points = json!([
        { "entryPointType": "video", "uri": "https://example.com/room" },
        { "entryPointType": "sip", "uri": "sip:room@example.net" },
        { "entryPointType": "phone", "uri": "tel:+1-555-0100", "pin": "1" },
    ]);
    let stored = desk.post(VERSION, event("lunch", data("addOn", json!({ "entryPoints": points })))).await.ok().clone();
    assert_eq!(stored["conferenceData"]["entryPoints"], points);
}
