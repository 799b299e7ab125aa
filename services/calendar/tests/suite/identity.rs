//! Tests of identifiers and other fields that do not change.

use serde_json::{Value, json};

use crate::desk::{TestService, hour, series, with};
use crate::ics::{file, import};

#[tokio::test]
async fn an_event_can_have_both_identifiers() {
    let desk = TestService::open().await;
    for (id, uid) in [("lunch", "other@example.com"), ("lunc0", "lunc0@wireform")] {
        let event = desk.insert(with(hour(2, 9, "One"), json!({ "id": id, "iCalUID": uid }))).await;
        assert_eq!((&event["id"], &event["iCalUID"]), (&json!(id), &json!(uid)));
    }
    let read = desk.insert(with(hour(2, 9, "Two"), json!({ "id": "abcde" }))).await;
    desk.delete("/abcde").await;
    // The pair that the service derives, on another calendar.
    let pair = json!({ "id": read["id"], "iCalUID": read["iCalUID"] });
    assert_eq!(desk.ben().insert(with(hour(2, 9, "Two"), pair)).await["iCalUID"], read["iCalUID"]);
}

#[tokio::test]
async fn a_taken_uid_is_a_conflict() {
    let desk = TestService::open().await;
    let lunch = json!({ "iCalUID": "lunch@example.com" });
    let first = desk.insert(with(hour(2, 9, "Lunch"), lunch.clone())).await;
    let again = with(hour(3, 9, "Other"), lunch);
    let response = desk.post("", again.clone()).await;
    response.assert_error(409, "duplicate");
    response.assert_location("iCalUID");
    // Like an identifier, it stays in use while the deleted event is kept.
    desk.delete(&format!("/{}", first["id"].as_str().unwrap())).await;
    desk.post("", again.clone()).await.assert_error(409, "duplicate");
    for member in ["id", "iCalUID"] {
        let refused = desk.post("", with(hour(3, 9, "Other"), json!({ member: first[member] }))).await;
        refused.assert_error(409, "duplicate");
        refused.assert_location(member);
        let message = format!(
            "the identifier {} already exists on this calendar; its event is deleted, and a patch of `status` restores it",
            first[member].to_string().replace('"', "`")
        );
        assert_eq!(refused.body["error"]["message"], message);
    }
    desk.post("/import", with(hour(2, 9, "Tea"), json!({ "iCalUID": "tea@example.com" }))).await.ok();
    desk.post("", with(hour(3, 9, "Other"), json!({ "iCalUID": "tea@example.com" })))
        .await
        .assert_error(409, "duplicate");
    desk.ben().insert(again).await;
}

/// An import adds the event, so one that was deleted here is restored, whatever its sequence number.
#[tokio::test]
async fn an_import_restores_a_deleted_event() {
    let desk = TestService::open().await;
    let import = |uid: &str, members: Value| {
        with(with(hour(2, 9, "Imported"), json!({ "iCalUID": uid, "sequence": 0 })), members)
    };
    desk.post("/import", import("tea@example.net", json!({}))).await.ok();
    desk.insert(with(hour(2, 9, "Own"), json!({ "iCalUID": "own@example.net", "sequence": 7 }))).await;
    desk.insert(series("often", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"])).await;
    let tuesday = json!({ "originalStartTime": { "dateTime": "2026-03-10T08:00:00Z" } });
    let deleted = [("tea@example.net", json!({})), ("own@example.net", json!({})), ("often@wireform", tuesday)];
    for (uid, members) in deleted {
        let found = desk.list(&format!("iCalUID={uid}&singleEvents=true")).await.0;
        let path = format!("/{}", found[found.len() / 2]["id"].as_str().unwrap());
        desk.delete(&path).await;
        let cancelled = with(import(uid, members.clone()), json!({ "status": "cancelled" }));
        assert_eq!(desk.post("/import", cancelled).await.ok()["status"], "cancelled", "{uid}");
        let restored = desk.post("/import", import(uid, members)).await.ok().clone();
        assert_eq!((&restored["status"], &restored["summary"]), (&json!("confirmed"), &json!("Imported")), "{uid}");
        assert_eq!(*desk.get(&path).await.ok(), restored);
    }
}

/// An instance cannot take place without its series, which is restored first.
#[tokio::test]
async fn an_instance_is_not_restored_without_its_series() {
    let desk = TestService::open().await;
    desk.insert(series("often", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"])).await;
    desk.patch("/often_20260310T080000Z", json!({ "summary": "Other" })).await.ok();
    desk.delete("/often_20260311T080000Z").await;
    desk.delete("/often").await;
    for day in 9..12 {
        let path = format!("/often_202603{day:02}T080000Z");
        let original = json!({ "dateTime": format!("2026-03-{day:02}T08:00:00Z") });
        let import = json!({ "iCalUID": "often@wireform", "sequence": 9, "originalStartTime": original });
        for refused in [
            desk.patch(&path, json!({ "status": "confirmed" })).await,
            desk.put(&path, hour(day, 9, "Other")).await,
            desk.post("/import", with(hour(day, 9, "Other"), import)).await,
        ] {
            refused.assert_error(400, "invalid");
            refused.assert_location("status");
        }
        assert_eq!(desk.get(&path).await.ok()["status"], "cancelled");
    }
    desk.patch("/often", json!({ "status": "confirmed" })).await.ok();
    assert_eq!(desk.ids("singleEvents=true").await, ["often_20260309T080000Z", "often_20260310T080000Z"]);
    desk.patch("/often_20260311T080000Z", json!({ "status": "confirmed" })).await.ok();
}

/// A guest who has deleted an invitation has it again, with the fields that its organizer determines.
#[tokio::test]
async fn an_import_restores_a_deleted_invitation() {
    let desk = TestService::open().await;
    let ben = json!({ "id": "lunch", "attendees": [{ "email": "ben@example.com" }] });
    let event = desk.insert(with(hour(2, 9, "Lunch"), ben)).await;
    let import = with(hour(3, 9, "Imported"), json!({ "iCalUID": event["iCalUID"] }));
    desk.ben().delete("/lunch").await;
    let restored = desk.ben().post("/import", import.clone()).await.ok().clone();
    assert_eq!((&restored["status"], &restored["summary"]), (&json!("confirmed"), &json!("Lunch")));
    assert_eq!(desk.ben().ids("").await, ["lunch"]);
    desk.delete("/lunch").await;
    desk.ben().post("/import", import).await.assert_error(403, "forbiddenForNonOrganizer");
    let taken = desk.ben().post("", with(hour(3, 9, "Other"), json!({ "id": "lunch" }))).await;
    let message = "the identifier `lunch` already exists on this calendar; its event is deleted";
    assert_eq!(taken.body["error"]["message"], message, "only the organizer can restore it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_events_do_not_share_a_uid() {
    let desk = TestService::open().await;
    let event = with(hour(2, 9, "Lunch"), json!({ "iCalUID": "lunch@example.com" }));
    let (one, other) = tokio::join!(desk.post("", event.clone()), desk.post("", event));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(desk.ids("").await.len(), 1);
}

#[tokio::test]
async fn the_uid_does_not_change() {
    let desk = TestService::open().await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))).await;
    for (method, body) in [
        ("PATCH", json!({ "iCalUID": "other" })),
        ("PATCH", json!({ "iCalUID": null })),
        ("PUT", with(hour(2, 9, "Lunch"), json!({ "iCalUID": "other" }))),
    ] {
        let response = desk.send(method, "/lunch", Some(body), &[]).await;
        response.assert_error(400, "invalid");
        response.assert_location("iCalUID");
    }
    desk.patch("/lunch", json!({ "iCalUID": "lunch@wireform" })).await.ok();
    let read = desk.event("lunch").await;
    assert_eq!(desk.put("/lunch", read.clone()).await.ok()["iCalUID"], "lunch@wireform");
    assert_eq!(desk.put("/lunch", hour(2, 9, "Lunch")).await.ok()["iCalUID"], "lunch@wireform");
}

#[tokio::test]
async fn an_instance_stays_that_of_its_series() {
    let desk = TestService::open().await;
    desk.insert(series("often", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"])).await;
    let path = "/often_20260310T080000Z";
    for members in [
        json!({ "recurringEventId": "other" }),
        json!({ "recurringEventId": null }),
        json!({ "originalStartTime": { "dateTime": "2026-03-10T09:00:00Z" } }),
    ] {
        desk.patch(path, members).await.assert_error(400, "invalid");
    }
    let read = desk.event("often_20260310T080000Z").await;
    assert_eq!(desk.put(path, read.clone()).await.ok()["originalStartTime"], read["originalStartTime"]);
    // A copy of an instance is an event of its own.
    let mut copy = read;
    copy.as_object_mut().unwrap().retain(|name, _| name != "id" && name != "iCalUID");
    let copy = desk.insert(copy).await;
    assert_eq!((copy.get("recurringEventId"), copy.get("originalStartTime")), (None, None));
}

#[tokio::test]
async fn a_sequence_number_does_not_decrease() {
    let desk = TestService::open().await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "sequence": 3 }))).await;
    for (method, body) in
        [("PATCH", json!({ "sequence": 2 })), ("PUT", with(hour(2, 9, "Lunch"), json!({ "sequence": 0 })))]
    {
        let response = desk.send(method, "/lunch", Some(body), &[]).await;
        response.assert_error(400, "invalid");
        response.assert_location("sequence");
    }
    assert_eq!(desk.patch("/lunch", json!({ "sequence": 4 })).await.ok()["sequence"], 4);
}

#[tokio::test]
async fn an_empty_uid_is_refused_where_it_is() {
    let desk = TestService::open().await;
    for path in ["", "/import"] {
        let response = desk.post(path, with(hour(2, 9, "Lunch"), json!({ "iCalUID": "" }))).await;
        response.assert_error(400, "invalid");
        response.assert_location("iCalUID");
    }
    // Of two bytes each, so that the limit of the store applies.
    for long in ["x".repeat(1_034), "\u{e9}".repeat(600)] {
        let response = desk.post("/import", with(hour(2, 9, "Lunch"), json!({ "iCalUID": long }))).await;
        response.assert_error(400, "invalid");
        response.assert_location("iCalUID");
    }
    desk.post("/import", with(hour(2, 9, "Lunch"), json!({ "iCalUID": "\u{e9}".repeat(512) }))).await.ok();
}

#[tokio::test]
async fn a_file_with_a_long_uid_is_imported_without_this_event() {
    let desk = TestService::open().await;
    let event = |uid: &str| format!("UID:{uid}\nDTSTART:20260302T090000Z\nSUMMARY:Event");
    let report = import(&desk, &file(&[&event(&"\u{e9}".repeat(1_000)), &event("short")])).await;
    assert_eq!((report.stored, report.omitted), (1, 1), "{:?}", report.losses.listed());
}

#[tokio::test]
async fn a_uid_derived_from_a_taken_one_is_a_conflict() {
    let desk = TestService::open().await;
    desk.insert(with(hour(2, 9, "One"), json!({ "iCalUID": "lunch@wireform" }))).await;
    let response = desk.post("", with(hour(2, 9, "Two"), json!({ "id": "lunch" }))).await;
    response.assert_error(409, "duplicate");
    response.assert_location("id");
    assert_eq!(desk.ids("iCalUID=lunch@wireform").await.len(), 1);
    desk.insert(with(hour(2, 9, "Two"), json!({ "id": "lunch", "iCalUID": "lunch@example.com" }))).await;
}

#[tokio::test]
async fn an_invited_user_keeps_another_event_with_the_uid() {
    let desk = TestService::open().await;
    let uid = json!({ "iCalUID": "lunch@example.com" });
    let own = desk.ben().post("/import", with(hour(2, 9, "Own"), uid.clone())).await.ok().clone();
    desk.insert(with(with(hour(2, 9, "Lunch"), uid), json!({ "attendees": [{ "email": "ben@example.com" }] }))).await;
    let (items, _) = desk.ben().list("iCalUID=lunch@example.com").await;
    assert_eq!(items.len(), 2, "{items:?}");
    assert_eq!(desk.ben().event(own["id"].as_str().unwrap()).await, own);
}

#[tokio::test]
async fn a_uid_is_one_line_without_surrounding_blanks() {
    let desk = TestService::open().await;
    for uid in
        ["q@x\r\nX-INJ:1\r\nATTENDEE:mailto:evil@x.y", "a\nb", "a\tb", "a\u{7f}", " ", " a", "a\u{a0}", "a\u{85}b"]
    {
        for path in ["", "/import"] {
            let response = desk.post(path, with(hour(2, 9, "Lunch"), json!({ "iCalUID": uid }))).await;
            response.assert_error(400, "invalid");
            response.assert_location("iCalUID");
        }
    }
    desk.post("/import", with(hour(2, 9, "Lunch"), json!({ "iCalUID": "a b;c,d\\e:f\u{e9}" }))).await.ok();
}
