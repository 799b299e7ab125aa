//! Tests of invitations received by mail, and of locked events.

use serde_json::{Value, json};
use wireform_store::Accounts as _;

use crate::desk::{TestService, hour, with};

const FAR: &str = "far@example.net";

fn mail(method: &str, uid: &str, more: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20260301T120000Z\r\n\
         DTSTART:20260305T090000Z\r\nDTEND:20260305T100000Z\r\nORGANIZER:mailto:{FAR}\r\n\
         ATTENDEE;PARTSTAT=NEEDS-ACTION:MAILTO:ana@example.com\r\n{more}END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

async fn take(desk: &TestService, from: &str, calendar: &str) -> u64 {
    let ana = desk.store.user("ana@example.com").await.unwrap().mailbox;
    desk.service.process_invitations(ana, from, calendar.as_bytes()).await.unwrap()
}

async fn found(desk: &TestService, uid: &str) -> Vec<Value> {
    desk.list(&format!("iCalUID={uid}&showDeleted=true")).await.0
}

#[tokio::test]
async fn point_89_an_invitation_becomes_an_event_that_is_locked() {
    let desk = TestService::open().await;
    assert_eq!(take(&desk, FAR, &mail("REQUEST", "x", "SUMMARY:Flight\r\n")).await, 1);
    let event = found(&desk, "x").await.remove(0);
    assert_eq!((&event["eventType"], &event["locked"]), (&json!("fromGmail"), &json!(true)));
    assert_eq!((&event["summary"], &event["organizer"]["email"]), (&json!("Flight"), &json!(FAR)));
    assert_eq!(take(&desk, FAR, &mail("REQUEST", "x", "SUMMARY:Flight\r\n")).await, 0, "it is known");
    assert_eq!(found(&desk, "x").await, [event]);
    // A newer one replaces it, an older one does not, and a cancellation cancels it.
    assert_eq!(take(&desk, FAR, &mail("REQUEST", "x", "SUMMARY:Train\r\nSEQUENCE:2\r\n")).await, 1);
    assert_eq!(take(&desk, FAR, &mail("REQUEST", "x", "SUMMARY:Bus\r\nSEQUENCE:1\r\n")).await, 0);
    let event = found(&desk, "x").await.remove(0);
    assert_eq!((&event["summary"], &event["eventType"]), (&json!("Train"), &json!("fromGmail")));
    assert_eq!(event["locked"], true);
    assert_eq!(take(&desk, FAR, &mail("CANCEL", "x", "SEQUENCE:2\r\n")).await, 1);
    assert_eq!(found(&desk, "x").await[0]["status"], "cancelled");
    assert_eq!(take(&desk, FAR, &mail("CANCEL", "x", "SEQUENCE:2\r\n")).await, 0);
}

#[tokio::test]
async fn point_89_what_is_no_invitation_of_the_user_is_mail_and_no_more() {
    let desk = TestService::open().await;
    let request = mail("REQUEST", "x", "");
    for (from, calendar) in [
        ("other@example.net", request.clone()),
        (FAR, request.replace("MAILTO:ana@", "MAILTO:ben@")),
        (FAR, mail("PUBLISH", "x", "")),
        (FAR, mail("REPLY", "x", "")),
        (FAR, mail("CANCEL", "x", "")),
        (FAR, request.replace("DTSTART:20260305T090000Z", "DTSTART:soon")),
        ("ana@example.com", request.replace(FAR, "ana@example.com")),
        (FAR, "METHOD:REQUEST".to_owned()),
    ] {
        assert_eq!(take(&desk, from, &calendar).await, 0, "{calendar}");
    }
    assert!(desk.list("showDeleted=true").await.0.is_empty());
    // An event from another source stays unchanged.
    let own = with(hour(2, 9, "Own"), json!({ "iCalUID": "x" }));
    desk.insert(own).await;
    assert_eq!(take(&desk, FAR, &mail("REQUEST", "x", "SEQUENCE:5\r\n")).await, 0);
    assert_eq!(found(&desk, "x").await[0]["summary"], "Own");
}

#[tokio::test]
async fn point_89_instances_of_a_series_are_locked_as_it_is() {
    let desk = TestService::open().await;
    let series = mail("REQUEST", "x", "SUMMARY:Course\r\nRRULE:FREQ=DAILY;COUNT=3\r\n");
    assert_eq!(take(&desk, FAR, &series).await, 1);
    let moved = mail("REQUEST", "x", "SUMMARY:Late\r\nRECURRENCE-ID:20260306T090000Z\r\nSEQUENCE:1\r\n");
    assert_eq!(
        take(
            &desk,
            FAR,
            &moved
                .replace("DTSTART:20260305T09", "DTSTART:20260306T09")
                .replace("DTEND:20260305T10", "DTEND:20260306T11")
        )
        .await,
        1
    );
    let found = found(&desk, "x").await;
    assert_eq!(found.len(), 2);
    for event in found {
        assert_eq!((&event["locked"], &event["eventType"]), (&json!(true), &json!("fromGmail")), "{event}");
    }
}

#[tokio::test]
async fn point_57_what_is_locked_of_an_event_does_not_change() {
    let desk = TestService::open().await;
    take(&desk, FAR, &mail("REQUEST", "x", "SUMMARY:Flight\r\n")).await;
    let event = found(&desk, "x").await.remove(0);
    let path = format!("/{}", event["id"].as_str().unwrap());
    let later = json!({ "dateTime": "2026-03-05T12:00:00Z", "timeZone": "UTC" });
    for locked in [
        json!({ "summary": "Mine" }),
        json!({ "description": "Mine" }),
        json!({ "location": "Here" }),
        json!({ "end": later }),
        json!({ "start": { "dateTime": "2026-03-05T08:00:00Z" } }),
        json!({ "recurrence": ["RRULE:FREQ=DAILY"], "start": { "timeZone": "UTC" }, "end": { "timeZone": "UTC" } }),
    ] {
        desk.patch(&path, locked.clone()).await.assert_error(400, "invalid");
        desk.put(&path, with(event.clone(), locked)).await.assert_error(400, "invalid");
    }
    // Clients cannot unlock it; the user may change everything else.
    let mut attendees = event["attendees"].clone();
    attendees[0]["responseStatus"] = json!("accepted");
    let own = json!({ "locked": false, "colorId": "3", "attendees": attendees, "reminders": { "useDefault": false } });
    let changed = desk.patch(&path, own).await.ok().clone();
    assert_eq!((&changed["locked"], &changed["colorId"]), (&json!(true), &json!("3")));
    assert_eq!(changed["attendees"][0]["responseStatus"], "accepted");
    desk.put(&path, changed).await.ok();
    assert_eq!(desk.delete(&path).await.status, 204);
    // Clients cannot lock an event.
    let own = desk.insert(with(hour(2, 9, "Own"), json!({ "locked": true }))).await;
    assert!(own.get("locked").is_none(), "{own}");
}
