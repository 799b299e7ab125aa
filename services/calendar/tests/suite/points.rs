//! Tests of points that need only a few lines each.

use std::time::Duration;

use serde_json::{Value, json};
use wireform_store::Maintenance as _;

use crate::desk::{TestService, hour, ids, series, with};

fn lunch(members: Value) -> Value {
    with(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" })), members)
}

fn guests() -> Value {
    json!({ "attendees": [{ "email": "ana@example.com" }, { "email": "ben@example.com" }] })
}

/// Paths at which clients of the public service expect the operations.
#[tokio::test]
async fn point_2_operations_have_the_paths_of_the_public_service() {
    let desk = TestService::open().await;
    let (calendar, channels) = ("/calendar/v3/calendars/primary/events", "/calendar/v3/channels");
    for (method, path, status) in [
        ("GET", calendar.to_owned(), 200),
        ("POST", calendar.to_owned(), 400),
        ("POST", format!("{calendar}/import"), 400),
        ("POST", format!("{calendar}/quickAdd?text=Tea"), 200),
        ("POST", format!("{calendar}/watch"), 400),
        ("GET", format!("{calendar}/nothing"), 404),
        ("PUT", format!("{calendar}/nothing"), 400),
        ("PATCH", format!("{calendar}/nothing"), 404),
        ("DELETE", format!("{calendar}/nothing"), 404),
        ("GET", format!("{calendar}/nothing/instances"), 404),
        ("POST", format!("{calendar}/nothing/move?destination=other"), 404),
        ("POST", format!("{channels}/stop"), 400),
    ] {
        let body = matches!(method, "POST" | "PUT" | "PATCH").then(|| json!({}));
        let body = body.filter(|_| !path.contains("quickAdd") && !path.contains("/move"));
        let response = desk.send(method, &path, body, &[]).await;
        assert_eq!(response.status.as_u16(), status, "{method} {path}: {}", response.body);
        if status >= 400 {
            // A missing operation has neither a reason nor a domain.
            let error = &response.body["error"];
            assert_eq!((&error["code"], error["errors"][0]["domain"].is_string()), (&json!(status), true), "{error}");
        }
    }
}

#[tokio::test]
async fn point_4_a_link_leads_to_the_page_of_the_event() {
    let desk = TestService::open().await;
    let event = desk.insert(lunch(guests())).await;
    let page = "https://calendar.example.com/calendar/event";
    assert_eq!(event["htmlLink"], format!("{page}?calendar=Ana%40Example.com&event=lunch"));
    let copy = desk.ben().event("lunch").await;
    assert_eq!(copy["htmlLink"], format!("{page}?calendar=ben%40example.com&event=lunch"));
}

#[tokio::test]
async fn point_8_a_modified_event_is_not_overwritten() {
    let desk = TestService::open().await;
    let old = desk.insert(lunch(json!({}))).await["etag"].as_str().unwrap().to_owned();
    desk.patch("/lunch", json!({ "summary": "Dinner" })).await.ok();
    let condition = [("if-match", old.as_str())];
    for (method, path, body) in [
        ("PUT", "/lunch", Some(lunch(json!({})))),
        ("PATCH", "/lunch", Some(json!({ "summary": "Tea" }))),
        ("DELETE", "/lunch", None),
    ] {
        desk.send(method, path, body, &condition).await.assert_error(412, "conditionNotMet");
    }
    assert_eq!(desk.event("lunch").await["summary"], "Dinner");
}

#[tokio::test]
async fn point_12_an_imported_event_has_both_identifiers() {
    let desk = TestService::open().await;
    let event = desk.post("/import", lunch(json!({ "iCalUID": "x@example.com" }))).await.ok().clone();
    assert_eq!((&event["id"], &event["iCalUID"]), (&json!("lunch"), &json!("x@example.com")));
}

#[tokio::test]
async fn point_20_a_cancelled_event_keeps_its_details_for_its_organizer() {
    let desk = TestService::open().await;
    desk.insert(lunch(guests())).await;
    desk.delete("/lunch").await;
    let seen = desk.event("lunch").await;
    assert_eq!((&seen["status"], &seen["summary"]), (&json!("cancelled"), &json!("Lunch")));
    let cancelled = desk.ben().event("lunch").await;
    assert_eq!((&cancelled["status"], cancelled.get("summary")), (&json!("cancelled"), None));
    let restored = desk.patch("/lunch", json!({ "status": "confirmed" })).await.ok().clone();
    assert_eq!(restored["summary"], "Lunch");
    assert_eq!(desk.ben().event("lunch").await["summary"], "Lunch");
}

#[tokio::test]
async fn point_21_a_cancelled_event_is_listed_until_it_is_pruned() {
    let desk = TestService::open().await;
    desk.insert(lunch(json!({}))).await;
    desk.delete("/lunch").await;
    desk.delete("/lunch").await.assert_error(410, "deleted");
    assert_eq!(desk.event("lunch").await["status"], "cancelled");
    desk.clock.advance(Duration::from_secs(9 * 24 * 60 * 60));
    while desk.store.clean_up(desk.clock.now()).await.unwrap().has_more {}
    desk.get("/lunch").await.assert_error(404, "notFound");
}

#[tokio::test]
async fn point_23_a_synchronization_does_not_say_that_it_wants_no_deleted_events() {
    let desk = TestService::open().await;
    let token = desk.get("").await.ok()["nextSyncToken"].as_str().unwrap().to_owned();
    let refused = desk.get(&format!("?syncToken={token}&showDeleted=false")).await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    desk.get(&format!("?syncToken={token}&showDeleted=true")).await.ok();
}

#[tokio::test]
async fn point_27_an_end_is_the_first_moment_that_is_not_part() {
    let desk = TestService::open().await;
    desk.insert(lunch(json!({}))).await;
    let day =
        json!({ "id": "holid", "summary": "Day", "start": { "date": "2026-03-05" }, "end": { "date": "2026-03-06" } });
    desk.insert(day).await;
    let window = async |from: &str, to: &str| desk.ids(&format!("timeMin={from}&timeMax={to}")).await;
    assert_eq!(window("2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z").await, [""; 0]);
    assert_eq!(window("2026-03-02T09:59:59Z", "2026-03-02T11:00:00Z").await, ["lunch"]);
    assert_eq!(window("2026-03-02T08:00:00Z", "2026-03-02T09:00:00Z").await, [""; 0]);
    assert_eq!(window("2026-03-05T23:59:59Z", "2026-03-06T12:00:00Z").await, ["holid"]);
    assert_eq!(window("2026-03-06T00:00:00Z", "2026-03-06T12:00:00Z").await, [""; 0]);
}

#[tokio::test]
async fn point_28_an_end_that_is_not_known_is_stored_all_the_same() {
    let desk = TestService::open().await;
    let event = desk.insert(lunch(json!({ "endTimeUnspecified": true }))).await;
    assert_eq!((&event["endTimeUnspecified"], event["end"].is_object()), (&json!(true), true));
    desk.patch("/lunch", json!({ "end": null })).await.assert_error(400, "invalid");
}

#[tokio::test]
async fn point_56_a_deletion_returns_no_content() {
    let desk = TestService::open().await;
    desk.insert(lunch(json!({}))).await;
    let deleted = desk.delete("/lunch").await;
    assert_eq!((deleted.status.as_u16(), deleted.body), (204, Value::Null));
    desk.delete("/nobody").await.assert_error(404, "notFound");
}

#[tokio::test]
async fn point_62_each_copy_marks_its_reader_and_organizer() {
    let desk = TestService::open().await;
    desk.insert(lunch(guests())).await;
    for (who, own) in [(desk.clone(), 0), (desk.ben(), 1)] {
        let event = who.event("lunch").await;
        for at in 0..2 {
            let guest = &event["attendees"][at];
            assert_eq!(guest.get("self"), (at == own).then_some(&json!(true)), "{guest}");
            assert_eq!(guest.get("organizer"), (at == 0).then_some(&json!(true)), "{guest}");
        }
        assert_eq!(event["organizer"].get("self"), (own == 0).then_some(&json!(true)));
        assert_eq!(event["creator"].get("self"), (own == 0).then_some(&json!(true)));
    }
}

#[tokio::test]
async fn point_67_data_of_a_guest_reaches_the_organizer() {
    let desk = TestService::open().await;
    let mut invited = guests();
    invited["attendees"][1]["optional"] = json!(true);
    desk.insert(lunch(invited)).await;
    let own = json!({ "email": "ben@example.com", "optional": true, "comment": "Late", "additionalGuests": 2 });
    desk.ben().patch("/lunch", json!({ "attendeesOmitted": true, "attendees": [own] })).await.ok();
    let guest = desk.event("lunch").await["attendees"][1].clone();
    assert_eq!((&guest["comment"], &guest["additionalGuests"]), (&json!("Late"), &json!(2)));
    assert_eq!(guest["optional"], true);
    // The organizer replaces what they name, and nothing else.
    let mut again = guests();
    again["attendees"][1]["comment"] = json!("Never");
    let guest = desk.patch("/lunch", again).await.ok()["attendees"][1].clone();
    assert_eq!((&guest["comment"], &guest["additionalGuests"]), (&json!("Never"), &json!(2)));
}

#[tokio::test]
async fn point_68_no_guest_is_a_group_that_is_expanded() {
    let desk = TestService::open().await;
    let mut invited = guests();
    invited["attendees"][1]["asyncOperation"] = json!("inProgress");
    let event = desk.insert(lunch(invited)).await;
    assert!(event["attendees"][1].get("asyncOperation").is_none(), "{event}");
}

#[tokio::test]
async fn point_75_what_is_transparent_does_not_make_busy() {
    let desk = TestService::open().await;
    let event = desk.insert(lunch(json!({ "transparency": "transparent" }))).await;
    assert_eq!(event["transparency"], "transparent");
    desk.share("ben@example.com", Some(wireform_store::Role::FreeBusyReader)).await;
    let seen = desk.ben().get("/calendar/v3/calendars/ana@example.com/events/lunch").await.ok().clone();
    assert_eq!((&seen["transparency"], seen.get("summary")), (&json!("transparent"), None));
    let opaque = desk.patch("/lunch", json!({ "transparency": "opaque" })).await.ok().clone();
    assert!(opaque.get("transparency").is_none_or(|value| value == "opaque"), "{opaque}");
}

/// Rules of the schema about fixed and ineffective fields apply without code in the service.
#[tokio::test]
async fn points_58_59_87_88_what_does_not_change_is_kept_by_the_generated_code() {
    let desk = TestService::open().await;
    let birthday = json!({
        "id": "birth", "eventType": "birthday", "summary": "Ana", "recurrence": ["RRULE:FREQ=YEARLY"],
        "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-03" },
    });
    let stored = desk.insert(birthday.clone()).await;
    assert_eq!(desk.put("/birth", birthday).await.ok()["birthdayProperties"], stored["birthdayProperties"]);
    let office = json!({ "type": "officeLocation", "officeLocation": { "label": "HQ" }, "homeOffice": {}, "customLocation": { "label": "x" } });
    let place = json!({ "id": "place", "eventType": "workingLocation", "workingLocationProperties": office });
    let place = with(hour(2, 9, "HQ"), place);
    let only = json!({ "type": "officeLocation", "officeLocation": { "label": "HQ" } });
    assert_eq!(desk.insert(place.clone()).await["workingLocationProperties"], only);
    assert_eq!(desk.put("/place", place).await.ok()["workingLocationProperties"], only);
    let home = json!({ "workingLocationProperties": { "type": "homeOffice", "homeOffice": {} } });
    let home = desk.patch("/place", home).await.ok()["workingLocationProperties"].clone();
    assert_eq!(
        home,
        json!({ "type": "homeOffice", "homeOffice": {} }),
        "a patch removes the details of the previous type"
    );
    desk.insert(lunch(json!({ "privateCopy": true }))).await;
    assert_eq!(desk.put("/lunch", lunch(json!({}))).await.ok()["privateCopy"], true);
    let created = desk.event("lunch").await["created"].clone();
    let renamed = desk.put("/lunch", lunch(json!({ "created": "2020-01-01T00:00:00Z" }))).await.ok().clone();
    assert_eq!((&renamed["iCalUID"], &renamed["created"]), (&json!("lunch@wireform"), &created));
}

#[tokio::test]
async fn point_51_an_import_of_a_special_event_makes_a_plain_one() {
    let desk = TestService::open().await;
    let away = json!({ "iCalUID": "x@example.com", "eventType": "outOfOffice", "outOfOfficeProperties": { "autoDeclineMode": "declineNone" } });
    let event = desk.post("/import", with(hour(2, 9, "Away"), away.clone())).await.ok().clone();
    assert!(event.get("outOfOfficeProperties").is_none(), "{event}");
    assert!(event.get("eventType").is_none_or(|kind| kind == "default"), "{event}");
    // An import with a newer sequence number drops the fields too.
    let newer = with(with(hour(2, 9, "Later"), away), json!({ "sequence": 3 }));
    let event = desk.post("/import", newer).await.ok().clone();
    assert_eq!((&event["summary"], event.get("outOfOfficeProperties")), (&json!("Later"), None));
}

/// An exception is returned in another zone than it was written in; that is not a change.
#[tokio::test]
async fn point_53_an_exception_sent_back_unchanged_stays() {
    let desk = TestService::open().await;
    desk.insert(series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"])).await;
    let changed = desk.patch("/seris_20260310T080000Z", json!({ "summary": "Other" })).await.ok().clone();
    let again = desk.put("/seris_20260310T080000Z", changed.clone()).await.ok().clone();
    assert_eq!(again, changed);
    assert_eq!(ids(&desk.list("").await.0), ["seris", "seris_20260310T080000Z"]);
}

#[tokio::test]
async fn point_39_an_instance_is_not_moved_and_is_deleted_by_itself() {
    let desk = TestService::open().await;
    desk.insert(series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=3"])).await;
    desk.share("ben@example.com", Some(wireform_store::Role::Writer)).await;
    let ana = "/calendar/v3/calendars/ana@example.com/events/seris_20260310T080000Z";
    let moved = desk.ben().send("POST", &format!("{ana}/move?destination=ben@example.com"), None, &[]).await;
    moved.assert_error(400, "invalidParameter");
    let invited = desk.patch("/seris_20260310T080000Z", json!({ "attendees": [{ "email": "cy@example.com" }] })).await;
    assert_eq!(invited.ok()["recurringEventId"], "seris");
    assert!(desk.event("seris").await.get("attendees").is_none(), "the other instances have no guests");
    assert_eq!(desk.delete("/seris_20260311T080000Z").await.status, 204);
    assert_eq!(desk.ids("singleEvents=true").await.len(), 2);
}

#[tokio::test]
async fn point_47_an_event_with_many_attendees_lists_only_the_participant() {
    let desk = TestService::open().await;
    desk.insert(lunch(guests())).await;
    for (path, many) in [("/lunch?maxAttendees=1", true), ("/lunch?maxAttendees=2", false)] {
        let event = desk.get(path).await.ok().clone();
        assert_eq!(event.get("attendeesOmitted"), many.then_some(&json!(true)), "{event}");
        assert_eq!(event["attendees"].as_array().map(Vec::len), Some(if many { 1 } else { 2 }));
        assert_eq!(event["attendees"][0]["self"], true);
    }
    let patched = desk.patch("/lunch?maxAttendees=1", json!({ "summary": "Dinner" })).await.ok().clone();
    assert_eq!(patched["attendeesOmitted"], true);
    assert_eq!(desk.event("lunch").await["attendees"].as_array().map(Vec::len), Some(2), "and keeps all");
}
