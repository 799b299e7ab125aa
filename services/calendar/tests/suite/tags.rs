//! Tests of entity tags of single events: the representation for one reader has one tag, and a version of the event has
//! many.

use serde_json::{Value, json};
use wireform_store::{Accounts as _, Calendar, CalendarLabel, Calendars as _, Role};

use crate::desk::{TestService, hour, series, with};

const PATH: &str = "/calendar/v3/calendars/ana@example.com/events/lunch";

/// Reads the event with a tag that a reader has; returns it, or `None` if it has not changed.
async fn read(desk: &TestService, tag: &Value) -> Option<Value> {
    let response = desk.send("GET", PATH, None, &[("If-None-Match", tag.as_str().unwrap())]).await;
    match response.status.as_u16() {
        304 => None,
        _ => {
            assert_eq!(response.headers["etag"].to_str().unwrap(), response.ok()["etag"].as_str().unwrap());
            Some(response.ok().clone())
        }
    }
}

/// Reads the event; returns it and its tag, after asserting that the tag gives a 304.
async fn tagged(desk: &TestService) -> (Value, Value) {
    let event = desk.get(PATH).await.ok().clone();
    let tag = event["etag"].clone();
    assert_eq!(read(desk, &tag).await, None);
    (event, tag)
}

async fn change(desk: &TestService, change: impl FnOnce(&mut Calendar) + Send + 'static) {
    let user = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let found = desk.store.find_calendars(vec!["ana@example.com".to_owned()], user).await.unwrap();
    let number = found[0].as_ref().unwrap().0.number;
    desk.store.update_calendar(number, change, desk.clock.now()).await.unwrap();
}

async fn label(desk: &TestService, color: &str) {
    let label = CalendarLabel { id: "team".to_owned(), name: "Team".to_owned(), color: color.to_owned() };
    change(desk, move |calendar| calendar.settings.labels = vec![label]).await;
}

fn lunch() -> Value {
    with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))
}

#[tokio::test]
async fn point_6_another_color_of_a_label_is_another_tag_of_the_same_version() {
    let desk = TestService::open().await;
    label(&desk, "#7986cb").await;
    desk.post("?eventLabelVersion=1", with(lunch(), json!({ "eventLabelId": "team" }))).await.ok();
    let (before, tag) = tagged(&desk).await;
    label(&desk, "#d50000").await;
    let after = read(&desk, &tag).await.expect("the color is another one");
    assert_ne!(after["colorId"], before["colorId"]);
    assert_ne!(after["etag"], tag);
    // The version of the event is the same, so that both tags match it.
    let tag = tag.as_str().unwrap();
    let patched = desk.send("PATCH", PATH, Some(json!({ "summary": "Brunch" })), &[("If-Match", tag)]).await;
    let patched = patched.ok()["etag"].as_str().unwrap().to_owned();
    for (method, body) in [("PATCH", Some(json!({ "summary": "x" }))), ("PUT", Some(lunch())), ("DELETE", None)] {
        for known in [tag, after["etag"].as_str().unwrap(), &format!("W/{patched}")] {
            desk.send(method, PATH, body.clone(), &[("If-Match", known)]).await.assert_error(412, "conditionNotMet");
        }
    }
    label(&desk, "#7986cb").await;
    let known = format!("\"x\", W/{patched}, {tag}, {patched}");
    desk.send("PUT", PATH, Some(lunch()), &[("If-Match", &known)]).await.ok();
    let (_, tag) = tagged(&desk).await;
    label(&desk, "#d50000").await;
    assert_eq!(desk.send("DELETE", PATH, None, &[("If-Match", tag.as_str().unwrap())]).await.status, 204);
}

#[tokio::test]
async fn point_74_another_role_is_another_tag() {
    let desk = TestService::open().await;
    desk.insert(with(lunch(), json!({ "visibility": "private" }))).await;
    let ben = desk.ben();
    desk.share("ben@example.com", Some(Role::FreeBusyReader)).await;
    let (busy, tag) = tagged(&ben).await;
    assert_eq!(busy.get("summary"), None);
    // A reader does not see the details of a private event.
    desk.share("ben@example.com", Some(Role::Reader)).await;
    assert_eq!(read(&ben, &tag).await, None);
    desk.share("ben@example.com", Some(Role::Writer)).await;
    let whole = read(&ben, &tag).await.expect("there are details");
    assert_eq!(whole["summary"], "Lunch");
    assert_eq!(read(&ben, &whole["etag"]).await, None);
    // The write applies to the version that he has read.
    let body = json!({ "location": "Roof" });
    ben.send("PATCH", PATH, Some(body), &[("If-Match", tag.as_str().unwrap())]).await.ok();
    let (_, tag) = tagged(&ben).await;
    desk.share("ben@example.com", Some(Role::Reader)).await;
    let busy = read(&ben, &tag).await.expect("the details are hidden");
    assert_eq!((busy.get("summary"), busy.get("location")), (None, None));
    // A token with fewer rights than its user has another tag as well.
    desk.share("ben@example.com", Some(Role::Owner)).await;
    let less = desk.with_token("ben/calendar.events.freebusy");
    assert!(read(&less, &tag).await.is_some());
    assert_eq!(read(&ben, &tag).await, None);
}

#[tokio::test]
async fn point_78_each_reader_has_tags_of_their_own() {
    let desk = TestService::open().await;
    let source = json!({ "source": { "title": "Page", "url": "https://example.com/" } });
    desk.insert(with(lunch(), source)).await;
    desk.share("ben@example.com", Some(Role::Writer)).await;
    desk.share("cy@example.com", Some(Role::Writer)).await;
    let (ben, cy) = (desk.ben(), desk.cy());
    let (event, of_ana) = tagged(&desk).await;
    assert_eq!(event["source"]["title"], "Page");
    let seen = read(&ben, &of_ana).await.expect("only its creator sees the source");
    assert_eq!(seen.get("source"), None);
    assert_eq!(read(&cy, &seen["etag"]).await, None, "they see the same");
    let reminders = json!({ "reminders": { "useDefault": false, "overrides": [{ "method": "popup", "minutes": 5 }] } });
    let patched = ben.patch(PATH, reminders).await.ok().clone();
    assert!(read(&ben, &seen["etag"]).await.is_some());
    assert_eq!(read(&ben, &patched["etag"]).await, None);
    let of_cy = read(&cy, &patched["etag"]).await.expect("these reminders belong to another user");
    assert_eq!(of_cy["reminders"], json!({ "useDefault": true }));
}

#[tokio::test]
async fn point_30_another_zone_of_the_calendar_is_another_tag() {
    let desk = TestService::open().await;
    desk.insert(lunch()).await;
    let (before, tag) = tagged(&desk).await;
    change(&desk, |calendar| calendar.time_zone = "Asia/Tokyo".to_owned()).await;
    let after = read(&desk, &tag).await.expect("times are in another zone");
    assert_ne!(after["start"]["dateTime"], before["start"]["dateTime"]);
    let elsewhere = desk.with_service(|service| service.with_public_url("https://other.example.com"));
    assert!(read(&elsewhere, &after["etag"]).await.is_some(), "the link is another one");
}

#[tokio::test]
async fn point_7_the_entity_tag_is_the_same_in_every_response() {
    let desk = TestService::open().await;
    let made = desk.insert(lunch()).await;
    let (event, tag) = tagged(&desk).await;
    assert_eq!(made["etag"], tag);
    assert_eq!(desk.put("/lunch", event).await.ok()["etag"], tag, "nothing changes");
    for query in ["", "singleEvents=true", "timeZone=Asia/Tokyo", "timeMin=2026-03-01T00:00:00Z&maxAttendees=1"] {
        assert_eq!(desk.list(query).await.0[0]["etag"], tag, "{query}");
    }
    desk.insert(series("seria", "2026-03-02T09:00:00", "2026-03-02T10:00:00", &["RRULE:FREQ=DAILY;COUNT=2"])).await;
    let instances = desk.get("/seria/instances").await.ok()["items"].clone();
    for instance in instances.as_array().unwrap() {
        let path = format!("/{}", instance["id"].as_str().unwrap());
        let condition = [("If-None-Match", instance["etag"].as_str().unwrap())];
        assert_eq!(desk.send("GET", &path, None, &condition).await.status, 304);
    }
    // Copies on two calendars can have the same number of changes.
    let guests =
        json!({ "id": "shared", "attendees": [{ "email": "ben@example.com" }, { "email": "cy@example.com" }] });
    desk.insert(with(hour(3, 9, "Both"), guests)).await;
    let of_ben = desk.ben().event("shared").await["etag"].as_str().unwrap().to_owned();
    let of_cy = desk.cy().send("GET", "/shared", None, &[("If-None-Match", &of_ben)]).await;
    assert_eq!(of_cy.ok()["attendees"][1]["self"], true);
}
