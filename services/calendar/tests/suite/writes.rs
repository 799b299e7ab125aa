//! Tests of creating and deleting events.

use serde_json::{Value, json};

use crate::desk::{TestService, hour, series, with};
use crate::labels::set_labels;

#[tokio::test]
async fn point_1_a_new_event_has_what_the_server_says() {
    let desk = TestService::open().await;
    let event = desk.insert(hour(2, 9, "Lunch")).await;
    assert_eq!((&event["kind"], &event["status"]), (&json!("calendar#event"), &json!("confirmed")));
    assert!(event["created"].as_str().unwrap().starts_with("2026-03-01T12:00:0"), "{event}");
    assert_eq!(event["created"], event["updated"]);
    let ana = json!({ "email": "Ana@Example.com", "displayName": "Ana", "self": true });
    assert_eq!((&event["creator"], &event["organizer"]), (&ana, &ana));
    assert_eq!((&event["sequence"], &event["reminders"]), (&json!(0), &json!({ "useDefault": true })));
    let id = event["id"].as_str().unwrap();
    assert_eq!(desk.event(id).await, event);
    assert_eq!(
        event["htmlLink"],
        format!("https://calendar.example.com/calendar/event?calendar=Ana%40Example.com&event={id}")
    );
}

#[tokio::test]
async fn point_3_what_only_the_server_says_is_dropped() {
    let desk = TestService::open().await;
    let sent = json!({
        "created": "2001-01-01T00:00:00Z", "creator": { "email": "x@example.com" }, "locked": true,
        "organizer": { "email": "x@example.com" }, "recurringEventId": "abcde",
        "originalStartTime": { "date": "2026-01-01" },
        "attendees": [{ "email": "guest@example.net", "self": true, "organizer": true }],
    });
    let event = desk.insert(with(hour(2, 9, "Lunch"), sent)).await;
    assert_eq!(event["creator"]["email"], "Ana@Example.com");
    assert_eq!(event["organizer"]["email"], "Ana@Example.com");
    assert!(event["created"].as_str().unwrap().starts_with("2026-03-01T12:00:0"), "{event}");
    for gone in ["locked", "recurringEventId", "originalStartTime"] {
        assert!(event.get(gone).is_none(), "{gone}");
    }
    assert_eq!(event["attendees"], json!([{ "email": "guest@example.net", "responseStatus": "needsAction" }]));
}

#[tokio::test]
async fn point_10_a_taken_id_is_a_conflict() {
    let desk = TestService::open().await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))).await;
    let again = desk.post("", with(hour(3, 9, "Other"), json!({ "id": "lunch" }))).await;
    again.assert_error(409, "duplicate");
    assert_eq!(desk.delete("/lunch").await.status, 204);
    desk.post("", with(hour(3, 9, "Other"), json!({ "id": "lunch" }))).await.assert_error(409, "duplicate");
    desk.post("", with(hour(3, 9, "Other"), json!({ "id": "WRONG" }))).await.assert_error(400, "invalid");
    // The identifier is still free on other calendars.
    desk.ben().insert(with(hour(3, 9, "Other"), json!({ "id": "lunch" }))).await;
}

#[tokio::test]
async fn point_11_an_id_is_made_of_the_alphabet() {
    let desk = TestService::open().await;
    let (one, other) = (desk.insert(hour(2, 9, "One")).await, desk.insert(hour(2, 9, "Other")).await);
    assert_ne!(one["id"], other["id"]);
    let id = one["id"].as_str().unwrap();
    assert!(id.len() >= 5 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'v')), "{id}");
}

#[tokio::test]
async fn point_13_an_identifier_on_all_calendars_is_made_and_not_the_id() {
    let desk = TestService::open().await;
    let made = desk.insert(hour(2, 9, "One")).await;
    assert!(made["iCalUID"].as_str().is_some_and(|uid| uid != made["id"]));
    let given = desk.insert(with(hour(2, 9, "One"), json!({ "iCalUID": "one@example.org" }))).await;
    assert_eq!(given["iCalUID"], "one@example.org");
}

#[tokio::test]
async fn point_18_a_deleted_event_is_returned_as_cancelled() {
    let desk = TestService::open().await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))).await;
    assert_eq!(desk.delete("/lunch").await.status, 204);
    let gone = desk.event("lunch").await;
    assert_eq!((&gone["status"], &gone["summary"]), (&json!("cancelled"), &json!("Lunch")));
    desk.delete("/lunch").await.assert_error(410, "deleted");
    desk.delete("/nothing").await.assert_error(404, "notFound");
    desk.get("/nothing").await.assert_error(404, "notFound");
}

#[tokio::test]
async fn point_17_cancelled_by_patch_and_restored() {
    let desk = TestService::open().await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))).await;
    assert_eq!(desk.patch("/lunch", json!({ "status": "tentative" })).await.ok()["status"], "tentative");
    assert_eq!(desk.patch("/lunch", json!({ "status": "cancelled" })).await.ok()["status"], "cancelled");
    let back = desk.patch("/lunch", json!({ "status": "confirmed" })).await;
    assert_eq!((&back.ok()["status"], &back.ok()["summary"]), (&json!("confirmed"), &json!("Lunch")));
    assert_eq!(desk.delete("/lunch").await.status, 204);
}

#[tokio::test]
async fn point_25_times_are_checked() {
    let desk = TestService::open().await;
    let day = |date: &str| json!({ "date": date });
    for (start, end) in [
        (day("2026-03-02"), day("2026-03-02")),
        (day("2026-03-02"), json!({ "dateTime": "2026-03-03T10:00:00Z" })),
        (json!({ "dateTime": "2026-03-03T10:00:00" }), json!({ "dateTime": "2026-03-03T11:00:00Z" })),
        (json!({ "dateTime": "2026-03-03T10:00:00Z" }), json!({ "dateTime": "2026-03-03T09:00:00Z" })),
        // In two zones, so that the schema cannot compare them.
        (
            json!({ "dateTime": "2026-03-03T10:00:00", "timeZone": "Europe/Berlin" }),
            json!({ "dateTime": "2026-03-03T10:00:00", "timeZone": "Asia/Tokyo" }),
        ),
    ] {
        let response = desk.post("", json!({ "start": start, "end": end })).await;
        assert_eq!(response.status, 400, "{start} {end}");
    }
    let one = desk.insert(json!({ "start": day("2026-03-02"), "end": day("2026-03-03") })).await;
    assert_eq!((&one["start"], &one["end"]), (&day("2026-03-02"), &day("2026-03-03")));
}

#[tokio::test]
async fn point_26_a_time_in_a_gap_moves_forward_and_an_ambiguous_one_is_the_first() {
    let desk = TestService::open().await;
    for (local, instant) in
        [("2026-03-29T02:30:00", "2026-03-29T01:30:00Z"), ("2026-10-25T02:30:00", "2026-10-25T00:30:00Z")]
    {
        let time = |hour: &str| json!({ "dateTime": local.replace("T02", hour), "timeZone": "Europe/Berlin" });
        let event = desk.insert(json!({ "start": time("T02"), "end": time("T05") })).await;
        assert_eq!(event["start"], json!({ "dateTime": instant, "timeZone": "Europe/Berlin" }));
    }
}

/// `Date.toISOString` and similar functions write milliseconds.
#[tokio::test]
async fn point_26_fractions_of_seconds_are_accepted() {
    let desk = TestService::open().await;
    let time = |hour: u32| json!({ "dateTime": format!("2026-03-02T{hour:02}:00:00.000Z") });
    let event = desk.insert(json!({ "id": "lunch", "start": time(9), "end": time(10) })).await;
    assert_eq!(
        (&event["start"]["dateTime"], &event["end"]["dateTime"]),
        (&json!("2026-03-02T09:00:00Z"), &json!("2026-03-02T10:00:00Z"))
    );
    let window = "timeMin=2026-03-02T09:59:59.999Z&timeMax=2026-03-02T12:00:00.000Z";
    assert_eq!(desk.ids(&format!("singleEvents=true&{window}")).await, ["lunch"]);
    assert_eq!(desk.patch("/lunch", json!({ "start": time(9) })).await.ok(), &event);
}

#[tokio::test]
async fn point_30_times_are_in_the_requested_zone() {
    let desk = TestService::open().await;
    let event = desk.insert(hour(2, 9, "Lunch")).await;
    let path = format!("/{}?timeZone=Asia%2FTokyo", event["id"].as_str().unwrap());
    let start = json!({ "dateTime": "2026-03-02T18:00:00+09:00", "timeZone": "UTC" });
    assert_eq!(desk.get(&path).await.ok()["start"], start);
}

#[tokio::test]
async fn point_31_recurrence_lines_are_checked() {
    let desk = TestService::open().await;
    for (line, at) in [
        ("RRULE:FREQ=WEEKLY;BYDAY=XX", "recurrence[0]"),
        ("RRULE:FREQ=SOMETIMES", "recurrence[0]"),
        ("DTSTART:20260302T090000Z", "recurrence[0]"),
        // Lines that do not fit a start with a time.
        ("RDATE;VALUE=DATE:20260303", "recurrence"),
    ] {
        let body = series("series", "2026-03-02T09:00:00", "2026-03-02T10:00:00", &[line]);
        let response = desk.post("", body).await;
        response.assert_error(400, "invalid");
        response.assert_location(at);
    }
    let day = |date: &str| json!({ "date": date });
    let body = json!({ "start": day("2026-03-02"), "end": day("2026-03-03"), "recurrence": ["RRULE:FREQ=HOURLY"] });
    desk.post("", body).await.assert_error(400, "invalid");
}

#[tokio::test]
async fn point_101_events_have_limits() {
    let desk = TestService::open().await;
    let many: Vec<Value> = (0..201).map(|number| json!({ "email": format!("g{number}@example.net") })).collect();
    let properties: serde_json::Map<String, Value> = (0..301).map(|name| (format!("p{name}"), json!(""))).collect();
    for members in [
        json!({ "summary": "x".repeat(1_025) }),
        json!({ "description": "x".repeat(8_193) }),
        json!({ "location": "x".repeat(8_193) }),
        json!({ "attendees": many }),
        json!({ "extendedProperties": { "private": { "x".repeat(45): "" } } }),
        json!({ "extendedProperties": { "shared": { "x": "x".repeat(1_025) } } }),
        json!({ "extendedProperties": { "shared": properties } }),
    ] {
        desk.post("", with(hour(2, 9, "Lunch"), members)).await.assert_error(400, "invalid");
    }
    // Values just within the limits are stored, all of them together.
    let properties: serde_json::Map<String, Value> = (0..300)
        .map(|name| (format!("{name:x>44}"), json!("\u{e9}".repeat(if name == 0 { 1_024 } else { 1 }))))
        .collect();
    let most = json!({
        "attendees": many[..200], "summary": "\u{e9}".repeat(1_024), "description": "\u{e9}".repeat(8_192),
        "location": "\u{e9}".repeat(8_192), "extendedProperties": { "private": properties },
    });
    desk.insert(with(hour(2, 9, "Lunch"), most)).await;
    let lines = |count: usize| -> Value {
        let dates = (0..count - 1).map(|day| format!("RDATE:202604{:02}T{:02}0000Z", 1 + day % 28, 10 + day / 28));
        json!({ "recurrence": std::iter::once("RRULE:FREQ=DAILY;COUNT=2".to_owned()).chain(dates).collect::<Vec<_>>() })
    };
    let daily = |count| with(series("often", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &[]), lines(count));
    desk.post("", daily(51)).await.assert_error(400, "invalid");
    desk.insert(daily(50)).await;
}

#[tokio::test]
async fn point_7_members_without_their_parameter_are_left_out() {
    let desk = TestService::open().await;
    let files = json!([{ "fileUrl": "https://files.example.com/1" }]);
    let members = json!({ "colorId": "5", "eventLabelId": "work", "attachments": files });
    let plain = desk.insert(with(hour(2, 9, "Lunch"), members.clone())).await;
    assert_eq!(plain["colorId"], "5");
    assert!(plain.get("eventLabelId").is_none() && plain.get("attachments").is_none());
    set_labels(&desk, &["work"]).await;
    let known = with(hour(2, 9, "Lunch"), members);
    let known = desk.post("?supportsAttachments=true&eventLabelVersion=1", known).await.ok().clone();
    assert_eq!((&known["eventLabelId"], &known["colorId"]), (&json!("work"), &json!("11")), "not the color 5");
    assert_eq!(known["attachments"][0]["fileUrl"], "https://files.example.com/1");
    // Stored data stays if the request does not support it.
    let id = known["id"].as_str().unwrap();
    let put = desk.put(&format!("/{id}"), hour(2, 9, "Dinner")).await.ok().clone();
    assert_eq!((&put["attachments"], &put["eventLabelId"]), (&known["attachments"], &known["eventLabelId"]));
    let none = desk.patch(&format!("/{id}?supportsAttachments=true"), json!({ "attachments": [] })).await;
    assert!(none.ok().get("attachments").is_none());
}

#[tokio::test]
async fn point_50_the_calendar_is_the_organizer_and_the_caller_the_creator() {
    let desk = TestService::open().await;
    desk.share("ben@example.com", Some(wireform_store::Role::Writer)).await;
    let path = "/calendar/v3/calendars/ana%40example.com/events";
    let event = desk.ben().post(path, hour(2, 9, "Lunch")).await.ok().clone();
    assert_eq!(event["creator"], json!({ "email": "ben@example.com", "displayName": "Ben" }));
    assert_eq!(event["organizer"]["email"], "Ana@Example.com");
    assert_eq!(event["organizer"]["self"], true);
}

#[tokio::test]
async fn point_77_calendars_of_others_are_not_there() {
    let desk = TestService::open().await;
    let path = "/calendar/v3/calendars/ana%40example.com/events";
    desk.ben().post(path, hour(2, 9, "Lunch")).await.assert_error(404, "notFound");
    desk.share("ben@example.com", Some(wireform_store::Role::Reader)).await;
    desk.ben().post(path, hour(2, 9, "Lunch")).await.assert_error(403, "forbidden");
    let nobody = desk.get("/calendar/v3/calendars/nobody%40example.com/events/abcde").await;
    nobody.assert_error(404, "notFound");
    // A token for owned calendars cannot write to others.
    desk.share("ben@example.com", Some(wireform_store::Role::Writer)).await;
    let owned = desk.with_token("ben/calendar.events.owned");
    owned.post(path, hour(2, 9, "Lunch")).await.assert_error(404, "notFound");
    owned.insert(hour(2, 9, "Lunch")).await;
}

#[tokio::test]
async fn point_74_readers_see_private_events_as_busy() {
    let desk = TestService::open().await;
    desk.share("ben@example.com", Some(wireform_store::Role::Reader)).await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "public" }))).await;
    desk.insert(with(hour(2, 9, "Secret"), json!({ "id": "private", "visibility": "private" }))).await;
    let read = async |token: &str, id: &str| {
        let path = format!("/calendar/v3/calendars/ana%40example.com/events/{id}");
        desk.with_token(token).get(&path).await.ok().clone()
    };
    assert_eq!(read("ben/calendar", "public").await["summary"], "Lunch");
    let busy = read("ben/calendar", "private").await;
    assert_eq!((busy.get("summary"), &busy["visibility"]), (None, &json!("private")));
    assert_eq!(busy["start"]["dateTime"], "2026-03-02T09:00:00Z");
    assert!(read("ben/calendar.events.freebusy", "public").await.get("summary").is_none());
    assert_eq!(read("ana/calendar.readonly", "private").await["summary"], "Secret");
    desk.share("ben@example.com", Some(wireform_store::Role::FreeBusyReader)).await;
    assert!(read("ben/calendar", "public").await.get("summary").is_none());
    desk.share("ben@example.com", Some(wireform_store::Role::Writer)).await;
    assert_eq!(read("ben/calendar", "private").await["summary"], "Secret");
}

#[tokio::test]
async fn point_79_colors_are_those_of_the_palette() {
    let desk = TestService::open().await;
    for id in ["0", "12", "01", "red", ""] {
        let lunch = with(hour(2, 9, "Lunch"), json!({ "colorId": id }));
        desk.post("", lunch).await.assert_error(400, "invalid");
    }
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "colorId": "11" }))).await;
}

#[tokio::test]
async fn point_88_a_birthday_says_what_it_is() {
    let desk = TestService::open().await;
    let birthday = json!({
        "eventType": "birthday", "summary": "Ana", "recurrence": ["RRULE:FREQ=YEARLY"],
        "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-03" },
    });
    assert_eq!(desk.insert(birthday).await["birthdayProperties"], json!({ "type": "birthday" }));
}
