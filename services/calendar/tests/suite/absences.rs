//! Tests of focus time, time out of office, labels and colors.

use serde_json::{Value, json};
use wireform_store::{Accounts as _, CalendarLabel, Calendars as _, Millis};

use crate::desk::{NOW, TestService, hour, series, with};

/// Returns an event of Ben's that is out of office for a whole day.
fn away(id: &str, day: u32, mode: &str) -> Value {
    json!({
        "id": id, "eventType": "outOfOffice", "summary": "Away",
        "start": { "dateTime": format!("2026-03-{day:02}T00:00:00Z") },
        "end": { "dateTime": format!("2026-03-{day:02}T23:00:00Z") },
        "outOfOfficeProperties": { "autoDeclineMode": mode, "declineMessage": "I am at sea" },
    })
}

fn ben(event: &Value) -> (Value, Value) {
    let ben = &event["attendees"][0];
    (ben["responseStatus"].clone(), ben["comment"].clone())
}

fn declined() -> (Value, Value) {
    (json!("declined"), json!("I am at sea"))
}

async fn invite(desk: &TestService, id: &str, day: u32) -> Value {
    let guests = json!({ "id": id, "attendees": [{ "email": "ben@example.com" }] });
    desk.insert(with(hour(day, 9, id), guests)).await
}

#[tokio::test]
async fn point_84_absences_decline_existing_and_new_invitations() {
    let desk = TestService::open().await;
    let waits = (json!("needsAction"), Value::Null);
    for (id, day) in [("aaaaa", 2), ("bbbbb", 3)] {
        invite(&desk, id, day).await;
    }
    invite(&desk, "hhhhh", 2).await;
    desk.ben().patch("/hhhhh", json!({ "transparency": "transparent" })).await.ok();
    let own = desk.ben().insert(with(hour(2, 10, "Own"), json!({ "id": "ccccc" }))).await;
    desk.ben().insert(away("ddddd", 2, "declineAllConflictingInvitations")).await;
    assert_eq!(ben(&desk.event("aaaaa").await), declined());
    for other in ["bbbbb", "hhhhh"] {
        assert_eq!(ben(&desk.event(other).await), waits);
    }
    assert_eq!(desk.ben().event("ccccc").await, own);
    assert_eq!(ben(&invite(&desk, "eeeee", 2).await), declined());
    assert_eq!(ben(&invite(&desk, "fffff", 3).await), waits);
    // Point 85: declines are not undone.
    desk.ben().delete("/ddddd").await;
    assert_eq!(ben(&desk.event("aaaaa").await), declined());
    assert_eq!(ben(&invite(&desk, "ggggg", 2).await), waits);
}

/// Events whose content is too much to be read at once are not overlooked.
#[tokio::test]
async fn point_84_absences_among_large_events_decline_invitations() {
    let desk = TestService::open().await;
    invite(&desk, "aaaaa", 2).await;
    for number in 0..4 {
        let guest = json!([{ "email": "guest@elsewhere.example", "comment": "x".repeat(300 << 10) }]);
        desk.ben().insert(with(hour(2, 8, &format!("Large {number}")), json!({ "attendees": guest }))).await;
    }
    desk.ben().insert(away("ddddd", 2, "declineAllConflictingInvitations")).await;
    assert_eq!(ben(&desk.event("aaaaa").await), declined());
    assert_eq!(ben(&invite(&desk, "bbbbb", 2).await), declined());
}

#[tokio::test]
async fn point_84_only_new_invitations_or_none_are_declined() {
    let desk = TestService::open().await;
    invite(&desk, "aaaaa", 2).await;
    desk.ben().insert(away("ddddd", 2, "declineOnlyNewConflictingInvitations")).await;
    desk.ben().insert(away("eeeee", 3, "declineNone")).await;
    assert_eq!(ben(&desk.event("aaaaa").await).0, "needsAction");
    assert_eq!(ben(&invite(&desk, "bbbbb", 2).await), declined());
    assert_eq!(ben(&invite(&desk, "ccccc", 3).await).0, "needsAction");
    // A transparent event conflicts with nothing.
    let free = json!({ "transparency": "transparent", "attendees": [{ "email": "ben@example.com" }] });
    assert_eq!(ben(&desk.insert(with(hour(2, 9, "Free"), free)).await).0, "needsAction");
}

#[tokio::test]
async fn point_84_instances_of_a_series_are_declined_one_by_one() {
    let desk = TestService::open().await;
    let guests = json!({ "attendees": [{ "email": "ben@example.com" }] });
    let rule = ["RRULE:FREQ=DAILY;COUNT=5"];
    desk.insert(with(series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &rule), guests)).await;
    desk.ben().insert(away("ddddd", 11, "declineAllConflictingInvitations")).await;
    assert_eq!(ben(&desk.event("seris_20260311T080000Z").await), declined());
    assert_eq!(ben(&desk.event("seris_20260312T080000Z").await).0, "needsAction");
    assert_eq!(ben(&desk.event("seris").await).0, "needsAction");
    // A series of absences declines on each of its days.
    let mut weekly = away("eeeee", 16, "declineOnlyNewConflictingInvitations");
    for time in ["start", "end"] {
        weekly[time]["timeZone"] = json!("UTC");
    }
    desk.ben().insert(with(weekly, json!({ "recurrence": ["RRULE:FREQ=WEEKLY"] }))).await;
    assert_eq!(ben(&invite(&desk, "fffff", 23).await), declined());
    assert_eq!(ben(&invite(&desk, "ggggg", 24).await).0, "needsAction");
}

/// Returns the guest's status in instances of a series.
async fn statuses(desk: &TestService, id: &str) -> Vec<Value> {
    let instances = desk.get(&format!("/{id}/instances")).await.ok().clone();
    instances["items"].as_array().unwrap().iter().map(|instance| ben(instance).0).collect()
}

#[tokio::test]
async fn point_84_a_new_series_is_declined_during_absences() {
    let desk = TestService::open().await;
    desk.ben().insert(away("aaaaa", 11, "declineOnlyNewConflictingInvitations")).await;
    let mut weekly = away("bbbbb", 13, "declineAllConflictingInvitations");
    for time in ["start", "end"] {
        weekly[time]["timeZone"] = json!("UTC");
    }
    desk.ben().insert(with(weekly, json!({ "recurrence": ["RRULE:FREQ=WEEKLY"] }))).await;
    let guests = json!({ "attendees": [{ "email": "ben@example.com" }] });
    let daily = |id: &str| series(id, "2026-03-10T09:00:00", "2026-03-10T10:00:00", &["RRULE:FREQ=DAILY;COUNT=5"]);
    desk.insert(with(daily("seris"), guests.clone())).await;
    let expected = ["needsAction", "declined", "needsAction", "declined", "needsAction"];
    assert_eq!(statuses(&desk, "seris").await, expected);
    assert_eq!(statuses(&desk.ben(), "seris").await, expected, "the guest sees the same");
    assert_eq!(ben(&desk.event("seris_20260311T080000Z").await), declined());
    assert_eq!(ben(&desk.event("seris").await).0, "needsAction", "the guest responds to the series itself");
    // Events of a guest who is invited later are declined as well, including existing exceptions.
    desk.insert(daily("later")).await;
    desk.patch("/later_20260311T080000Z", json!({ "summary": "Other" })).await.ok();
    let moved =
        json!({ "start": { "dateTime": "2026-03-14T09:00:00Z" }, "end": { "dateTime": "2026-03-14T10:00:00Z" } });
    desk.patch("/later_20260313T080000Z", moved).await.ok();
    desk.patch("/later", guests).await.ok();
    let mut expected = ["needsAction", "declined", "needsAction", "needsAction", "needsAction"];
    assert_eq!(statuses(&desk, "later").await, expected);
    assert_eq!(desk.event("later_20260311T080000Z").await["summary"], "Other");
    // A transparent event is not declined.
    let free = json!({ "transparency": "transparent", "attendees": [{ "email": "ben@example.com" }] });
    desk.insert(with(daily("freee"), free)).await;
    expected[1] = "needsAction";
    assert_eq!(statuses(&desk, "freee").await, expected);
}

/// A job declines the conflicts if the program ends after storing the event and before declining them.
#[tokio::test]
async fn point_84_declines_survive_a_kill() {
    let desk = TestService::open().await;
    invite(&desk, "aaaaa", 2).await;
    let user = desk.store.user("ben@example.com").await.unwrap();
    let event =
        serde_json::from_value::<Value>(away("ddddd", 2, "declineAllConflictingInvitations")).unwrap().to_string();
    let event = calendar_server::runtime::wireform_runtime::json::from_str(&event).unwrap();
    // Stores the event, and does nothing after that.
    desk.service.add_event(&user, "ben@example.com", event).await.unwrap();
    assert_eq!(ben(&desk.event("aaaaa").await).0, "needsAction");
    desk.clock.advance(std::time::Duration::from_secs(5));
    assert_eq!(desk.run_jobs().await, 1);
    assert_eq!(ben(&desk.event("aaaaa").await), declined());
    assert_eq!(desk.run_jobs().await, 0);
}

#[tokio::test]
async fn point_85_declines_are_not_undone() {
    let desk = TestService::open().await;
    for (id, day) in [("aaaaa", 2), ("bbbbb", 3), ("ccccc", 4)] {
        invite(&desk, id, day).await;
    }
    let ben_desk = desk.ben();
    ben_desk.insert(away("ddddd", 2, "declineAllConflictingInvitations")).await;
    // The absence is moved to another day: conflicting events of that day are declined as well.
    let other = away("ddddd", 3, "declineAllConflictingInvitations");
    ben_desk.patch("/ddddd", json!({ "start": other["start"], "end": other["end"] })).await.ok();
    assert_eq!([ben(&desk.event("aaaaa").await), ben(&desk.event("bbbbb").await)], [declined(), declined()]);
    ben_desk.delete("/ddddd").await;
    for id in ["aaaaa", "bbbbb"] {
        assert_eq!(ben(&desk.event(id).await), declined(), "{id}");
    }
    assert_eq!(ben(&desk.event("ccccc").await).0, "needsAction");
    // The guest accepts nevertheless, and nothing declines it again.
    let accepted = json!({ "attendees": [{ "email": "ben@example.com", "responseStatus": "accepted" }] });
    ben_desk.patch("/aaaaa", accepted).await.ok();
    desk.clock.advance(std::time::Duration::from_secs(5));
    desk.run_jobs().await;
    assert_eq!(ben(&desk.event("aaaaa").await).0, "accepted");
}

#[tokio::test]
async fn point_86_absences_have_a_time_and_no_guests() {
    let desk = TestService::open().await;
    let guests = json!({ "attendees": [{ "email": "ben@example.com" }] });
    desk.post("", with(away("ddddd", 2, "declineNone"), guests)).await.assert_error(400, "invalid");
    let days = json!({ "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-03" } });
    desk.post("", with(away("ddddd", 2, "declineNone"), days)).await.assert_error(400, "invalid");
    let focus = json!({ "eventType": "focusTime", "focusTimeProperties": { "chatStatus": "doNotDisturb" } });
    let focus = desk.insert(with(hour(2, 9, "Focus"), focus)).await;
    assert_eq!(focus["focusTimeProperties"]["chatStatus"], "doNotDisturb");
}

#[tokio::test]
async fn point_80_a_label_is_returned_with_the_nearest_color() {
    let desk = TestService::open().await;
    let ana = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let calendar = desk.store.calendars(Some(ana)).await.unwrap().remove(0);
    let label = CalendarLabel { id: "work".to_owned(), name: "Work".to_owned(), color: "#ff0000".to_owned() };
    let change = |calendar: &mut wireform_store::Calendar| calendar.settings.labels = vec![label];
    desk.store.update_calendar(calendar.number, change, Millis(NOW)).await.unwrap();
    let labelled = with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "eventLabelId": "work" }));
    let event = desk.post("?eventLabelVersion=1", labelled.clone()).await.ok().clone();
    assert_eq!((&event["eventLabelId"], &event["colorId"]), (&json!("work"), &json!("11")));
    // A client without labels sends the color back, and changes nothing.
    assert_eq!(desk.put("/lunch", event.clone()).await.ok(), &event);
    // An update without a label, or with an empty one, removes it; a patch without one keeps it.
    assert_eq!(desk.patch("/lunch?eventLabelVersion=1", json!({ "summary": "x" })).await.ok()["eventLabelId"], "work");
    let none = desk.put("/lunch?eventLabelVersion=1", hour(2, 9, "Lunch")).await.ok().clone();
    assert!(none.get("eventLabelId").is_none() && none.get("colorId").is_none(), "{none}");
    desk.patch("/lunch?eventLabelVersion=1", json!({ "eventLabelId": "work" })).await.ok();
    let empty = desk.patch("/lunch?eventLabelVersion=1", json!({ "eventLabelId": "" })).await.ok().clone();
    assert!(empty.get("eventLabelId").is_none(), "{empty}");
}
