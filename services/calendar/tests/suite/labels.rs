//! Tests of the labels of events.

use serde_json::{Value, json};
use wireform_store::{Accounts as _, CalendarLabel, Calendars as _, Millis};

use crate::desk::{NOW, TestResponse, TestService, hour, with};
use crate::moves::team;

const VERSION: &str = "?eventLabelVersion=1";

/// Sets the labels of Ana's calendar: a blue one, and others that are red.
pub async fn set_labels(desk: &TestService, ids: &[&str]) {
    let ana = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let calendars = desk.store.calendars(Some(ana)).await.unwrap();
    let calendar = calendars.iter().find(|calendar| calendar.id.eq_ignore_ascii_case("ana@example.com")).unwrap();
    let color = |id: &str| if id == "blue" { "#0000ff" } else { "#ff0000" }.to_owned();
    let label = |id: &&str| CalendarLabel { id: (*id).to_owned(), name: (*id).to_owned(), color: color(id) };
    let labels: Vec<CalendarLabel> = ids.iter().map(label).collect();
    desk.store
        .update_calendar(calendar.number, |calendar| calendar.settings.labels = labels, Millis(NOW))
        .await
        .unwrap();
}

fn labelled(id: &str, label: &str) -> Value {
    with(hour(2, 9, "Lunch"), json!({ "id": id, "eventLabelId": label }))
}

fn imported(label: &str) -> Value {
    with(hour(2, 9, "Lunch"), json!({ "iCalUID": "a@example.net", "eventLabelId": label }))
}

#[track_caller]
fn assert_unknown(response: &TestResponse) {
    response.assert_error(400, "invalid");
    response.assert_location("eventLabelId");
}

#[tokio::test]
async fn an_unknown_label_is_rejected() {
    let desk = TestService::open().await;
    for labels in [&[][..], &["work"]] {
        set_labels(&desk, labels).await;
        let id = format!("lunch{}", labels.len());
        assert_unknown(&desk.post(VERSION, labelled(&id, "nope")).await);
        assert_unknown(&desk.post(&format!("/import{VERSION}"), imported("nope")).await);
        desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": id }))).await;
        let path = format!("/{id}{VERSION}");
        assert_unknown(&desk.put(&path, labelled(&id, "nope")).await);
        assert_unknown(&desk.patch(&path, json!({ "eventLabelId": "nope" })).await);
        let ignored = desk.patch(&format!("/{id}"), json!({ "eventLabelId": "nope" })).await;
        assert!(ignored.ok().get("eventLabelId").is_none(), "labels are ignored without the version");
    }
    for path in [VERSION.to_owned(), format!("/import{VERSION}")] {
        let event =
            with(hour(3, 9, "Work"), json!({ "iCalUID": format!("{path}@example.net"), "eventLabelId": "work" }));
        assert_eq!(desk.post(&path, event).await.ok()["eventLabelId"], "work");
    }
}

#[tokio::test]
async fn an_empty_label_removes_it() {
    let desk = TestService::open().await;
    let event = desk.post(VERSION, labelled("lunch", "")).await.ok().clone();
    assert!(event.get("eventLabelId").is_none(), "{event}");
    set_labels(&desk, &["work"]).await;
    let path = format!("/lunch{VERSION}");
    for none in [json!({ "eventLabelId": "" }), json!({ "eventLabelId": null })] {
        assert_eq!(desk.patch(&path, json!({ "eventLabelId": "work" })).await.ok()["eventLabelId"], "work");
        assert!(desk.patch(&path, none).await.ok().get("eventLabelId").is_none());
    }
}

#[tokio::test]
async fn an_event_keeps_a_label_that_its_calendar_no_longer_has() {
    let desk = TestService::open().await;
    set_labels(&desk, &["work"]).await;
    desk.post(VERSION, labelled("lunch", "work")).await.ok();
    set_labels(&desk, &[]).await;
    let path = format!("/lunch{VERSION}");
    let event = desk.event("lunch").await;
    assert_eq!(event["eventLabelId"], "work");
    let put = desk.put(&path, with(event, json!({ "summary": "Dinner" }))).await.ok().clone();
    let patched = desk.patch(&path, json!({ "eventLabelId": "work", "location": "Roof" })).await.ok().clone();
    for event in [put, patched] {
        assert_eq!(event["eventLabelId"], "work", "{event}");
    }
    assert_unknown(&desk.post(VERSION, labelled("other", "work")).await);
    assert!(desk.patch(&path, json!({ "eventLabelId": "" })).await.ok().get("eventLabelId").is_none());
    assert_unknown(&desk.patch(&path, json!({ "eventLabelId": "work" })).await);
}

#[tokio::test]
async fn a_label_belongs_to_one_calendar() {
    let desk = TestService::open().await;
    set_labels(&desk, &["work"]).await;
    let guests = json!({ "attendees": [{ "email": "ben@example.com" }] });
    desk.post(VERSION, with(labelled("lunch", "work"), guests)).await.ok();
    assert!(desk.ben().event("lunch").await.get("eventLabelId").is_none(), "a guest has labels of their own");
    assert_unknown(&desk.ben().patch(&format!("/lunch{VERSION}"), json!({ "eventLabelId": "work" })).await);
    let team = team(&desk).await;
    let moved = desk.send("POST", "/lunch/move?destination=team%40example.com", None, &[]).await.ok().clone();
    assert!(moved.get("eventLabelId").is_none(), "{moved}");
    assert_unknown(&desk.patch(&format!("{team}/lunch{VERSION}"), json!({ "eventLabelId": "work" })).await);
}
