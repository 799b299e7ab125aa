//! Tests of mail to guests of single instances about the end of their series.

use serde_json::{Value, json};

use crate::desk::{TestService, series, with};
use crate::invitations::{inbox, subjects};

/// Invites Ben to two instances of a series of Cy, but not to the series; the same applies to far@example.net.
async fn series_with_guests_of_instances(desk: &TestService) {
    let event = series("seria", "2026-03-02T09:00:00", "2026-03-02T10:00:00", &["RRULE:FREQ=DAILY;COUNT=5"]);
    desk.insert(with(event, json!({ "attendees": [{ "email": "cy@example.com" }] }))).await;
    let guests = json!({ "attendees": [
        { "email": "cy@example.com" }, { "email": "ben@example.com" }, { "email": "far@example.net" },
    ] });
    for day in ["04", "06"] {
        desk.patch(&format!("/seria_202603{day}T080000Z"), guests.clone()).await.ok();
    }
}

/// Returns the calendars with a method in the mails of a user's inbox.
async fn calendars(desk: &TestService, address: &str, method: &str) -> Vec<String> {
    let mails = inbox(desk, address).await.into_iter().map(|mail| mail.calendar);
    mails.filter(|calendar| calendar.contains(&format!("METHOD:{method}\r\n"))).collect()
}

#[tokio::test]
async fn point_60_guests_of_instances_are_notified_of_a_deleted_series() {
    let desk = TestService::open().await;
    series_with_guests_of_instances(&desk).await;
    desk.delete("/seria?sendUpdates=all").await;
    let [calendar] = &*calendars(&desk, "ben@example.com", "CANCEL").await else { panic!("no cancellation") };
    for line in [
        "RECURRENCE-ID;TZID=Europe/Berlin:20260304T090000",
        "RECURRENCE-ID;TZID=Europe/Berlin:20260306T090000",
        "UID:seria@wireform",
        "STATUS:CANCELLED",
    ] {
        assert!(calendar.lines().any(|other| other == line), "{line}: {calendar}");
    }
    assert_eq!(calendar.matches("BEGIN:VEVENT").count(), 2);
    // The invitations to the instances had the number 0.
    assert_eq!(calendar.matches("\r\nSEQUENCE:1\r\n").count(), 2, "{calendar}");
    assert!(!calendar.contains("cy@example.com") && !calendar.contains("RRULE"), "{calendar}");
    let [calendar] = &*calendars(&desk, "cy@example.com", "CANCEL").await else { panic!("no cancellation") };
    assert!(calendar.contains("RRULE") && !calendar.contains("RECURRENCE-ID"), "{calendar}");
    assert_eq!(subjects(&desk, "ana@example.com").await, [""; 0]);
    // The instances are restored with the series, with higher numbers.
    desk.patch("/seria?sendUpdates=all", json!({ "status": "confirmed" })).await.ok();
    let [calendar] = &*calendars(&desk, "ben@example.com", "REQUEST").await else { panic!("no invitation") };
    assert_eq!(calendar.matches("\r\nSEQUENCE:2\r\n").count(), 2, "{calendar}");
    assert_eq!(calendars(&desk, "cy@example.com", "REQUEST").await.len(), 1);
}

#[tokio::test]
async fn point_60_guests_of_an_instance_are_notified_if_the_series_ends_earlier() {
    for rule in ["RRULE:FREQ=DAILY;UNTIL=20260304T080000Z", "RRULE:FREQ=DAILY;COUNT=3"] {
        let desk = TestService::open().await;
        series_with_guests_of_instances(&desk).await;
        let patch = async |members: Value| desk.patch("/seria?sendUpdates=all", members).await.ok().clone();
        patch(json!({ "recurrence": [rule] })).await;
        let [calendar] = &*calendars(&desk, "ben@example.com", "CANCEL").await else { panic!("{rule}") };
        assert!(calendar.contains("RECURRENCE-ID;TZID=Europe/Berlin:20260306T090000\r\n"), "{calendar}");
        assert_eq!(calendar.matches("BEGIN:VEVENT").count(), 1, "the other instance is not cancelled");
        assert_eq!(calendars(&desk, "ben@example.com", "REQUEST").await.len(), 0);
        // Guests of the series are notified by the mail about the series.
        assert_eq!(calendars(&desk, "cy@example.com", "CANCEL").await.len(), 0);
        assert_eq!(calendars(&desk, "cy@example.com", "REQUEST").await.len(), 1);
        // An instance is not cancelled twice.
        patch(json!({ "status": "cancelled" })).await;
        let cancellations = calendars(&desk, "ben@example.com", "CANCEL").await;
        assert_eq!(cancellations.iter().filter(|calendar| calendar.contains("20260306T090000")).count(), 1);
        assert_eq!(cancellations.iter().filter(|calendar| calendar.contains("20260304T090000")).count(), 1);
        assert_eq!(calendars(&desk, "cy@example.com", "CANCEL").await.len(), 1);
    }
}

#[tokio::test]
async fn point_60_uninvited_guests_get_no_cancellation() {
    let desk = TestService::open().await;
    series_with_guests_of_instances(&desk).await;
    desk.delete("/seria_20260304T080000Z?sendUpdates=all").await;
    assert_eq!(calendars(&desk, "ben@example.com", "CANCEL").await.len(), 1);
    desk.patch("/seria_20260306T080000Z?sendUpdates=all", json!({ "attendees": [] })).await.ok();
    assert_eq!(calendars(&desk, "ben@example.com", "CANCEL").await.len(), 2);
    // The guests were notified of both instances, and were never invited to the series.
    let guests = json!({ "status": "cancelled", "attendees": [{ "email": "ben@example.com" }] });
    desk.patch("/seria?sendUpdates=all", guests).await.ok();
    assert_eq!(calendars(&desk, "ben@example.com", "CANCEL").await.len(), 2);
    // Without `sendUpdates` no mail is sent.
    let desk = TestService::open().await;
    series_with_guests_of_instances(&desk).await;
    desk.delete("/seria").await;
    assert_eq!(subjects(&desk, "ben@example.com").await, [""; 0]);
}
