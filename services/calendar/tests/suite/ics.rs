//! Tests of iCalendar files.

use serde_json::{Value, json};
use wireform_calendar::IcsReport;
use wireform_store::{Accounts as _, CalendarSettings, Calendars as _, NewCalendar};

use crate::desk::{TestService, hour, ids, series, with};

/// Returns a file with events.
pub fn file(events: &[&str]) -> String {
    let events: String = events.iter().map(|event| format!("BEGIN:VEVENT\n{event}\nEND:VEVENT\n")).collect();
    format!("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Test//EN\n{events}END:VCALENDAR\n").replace('\n', "\r\n")
}

pub async fn import_into(desk: &TestService, calendar: &str, files: &[&str]) -> IcsReport {
    let user = desk.store.user("ana@example.com").await.unwrap();
    let mut importer = desk.service.ics_importer(&user, calendar).await.unwrap();
    for (at, file) in files.iter().enumerate() {
        importer.add(&format!("{at}.ics"), file.as_bytes()).await.unwrap();
    }
    importer.finish().await.unwrap()
}

pub async fn import(desk: &TestService, file: &str) -> IcsReport {
    import_into(desk, "ana@example.com", &[file]).await
}

pub async fn export(desk: &TestService, calendar: &str) -> String {
    let user = desk.store.user("ana@example.com").await.unwrap();
    desk.service.export_ics(&user, calendar).await.unwrap().0
}

async fn calendar(desk: &TestService, id: &str) {
    let owner = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let (summary, time_zone) = (id.to_owned(), "Europe/Berlin".to_owned());
    let calendar =
        NewCalendar { id: Some(id.to_owned()), owner, summary, time_zone, settings: CalendarSettings::default() };
    desk.store.add_calendar(calendar, desk.clock.now()).await.unwrap();
}

/// Returns the messages about losses.
pub fn loss_messages(report: &IcsReport) -> Vec<String> {
    report.losses.listed().iter().map(ToString::to_string).collect()
}

/// Returns the event with a UID.
pub async fn by_uid(desk: &TestService, uid: &str) -> Value {
    let (items, _) = desk.list(&format!("iCalUID={uid}")).await;
    assert_eq!(items.len(), 1, "{uid}: {items:?}");
    items[0].clone()
}

pub const MEETING: &str = "UID:meeting\nDTSTAMP:20260101T000000Z\nDTSTART;TZID=Europe/Berlin:20260302T090000\n\
    DURATION:PT1H30M\nSEQUENCE:2\nSUMMARY:Plans\\, and\\n more\nDESCRIPTION:A long\n  line\nLOCATION:Room 5\n\
    STATUS:TENTATIVE\nCLASS:PRIVATE\nTRANSP:TRANSPARENT\nURL:https://example.com/plans\n\
    ORGANIZER;CN=\"Far, Away\":mailto:far@example.net\n\
    ATTENDEE;CN=Ana;PARTSTAT=ACCEPTED;ROLE=OPT-PARTICIPANT;RSVP=TRUE:MAILTO:ana@example.com\n\
    ATTENDEE;CUTYPE=ROOM;PARTSTAT=DECLINED:mailto:room@example.net\nCREATED:20260101T120000Z\n\
    BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT15M\nEND:VALARM\nBEGIN:VALARM\nACTION:EMAIL\nTRIGGER;RELATED=START:-P1D\nEND:VALARM";

#[tokio::test]
async fn an_event_has_what_its_file_says() {
    let desk = TestService::open().await;
    let report = import(&desk, &file(&[MEETING])).await;
    assert_eq!((report.stored, loss_messages(&report)), (1, vec![]));
    let event = by_uid(&desk, "meeting").await;
    let expected = json!({
        "summary": "Plans, and\n more", "description": "A long line", "location": "Room 5", "status": "tentative",
        "visibility": "private", "transparency": "transparent", "sequence": 2, "privateCopy": true,
        "start": { "dateTime": "2026-03-02T08:00:00Z", "timeZone": "Europe/Berlin" },
        "end": { "dateTime": "2026-03-02T09:30:00Z", "timeZone": "Europe/Berlin" },
        "organizer": { "email": "far@example.net", "displayName": "Far, Away" },
        "attendees": [
            { "email": "ana@example.com", "displayName": "Ana", "self": true, "optional": true, "responseStatus": "accepted" },
            { "email": "room@example.net", "resource": true, "responseStatus": "declined" },
        ],
        "source": { "url": "https://example.com/plans" }, "created": "2026-01-01T12:00:00Z",
        "reminders": { "useDefault": false, "overrides": [
            { "method": "popup", "minutes": 15 }, { "method": "email", "minutes": 1440 },
        ] },
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&event[name], value, "{name}");
    }
}

#[tokio::test]
async fn the_same_file_again_changes_nothing() {
    let desk = TestService::open().await;
    let series = "UID:series\nDTSTART:20260302T090000Z\nDTEND:20260302T100000Z\nRRULE:FREQ=DAILY;COUNT=5\nSUMMARY:S";
    let exception =
        "UID:series\nRECURRENCE-ID:20260303T090000Z\nDTSTART:20260303T120000Z\nDTEND:20260303T130000Z\nSUMMARY:Moved";
    let orphan = "UID:gone\nRECURRENCE-ID:20260303T090000Z\nDTSTART:20260303T120000Z\nSUMMARY:Alone";
    let file = file(&[MEETING, series, exception, orphan]);
    let report = import(&desk, &file).await;
    assert_eq!((report.stored, report.losses.total()), (4, 1), "{:?}", loss_messages(&report));
    let before = desk.list("").await;
    let again = import(&desk, &file).await;
    assert_eq!((again.stored, again.replaced, again.known), (0, 0, 4));
    assert_eq!(desk.list("").await.0, before.0);
    // Deleted events stay deleted.
    let id = before.0.iter().find(|event| event["summary"] == "Alone").unwrap()["id"].as_str().unwrap();
    desk.delete(&format!("/{id}")).await;
    let again = import(&desk, &file).await;
    assert_eq!((again.stored, again.replaced, again.known), (0, 0, 4));
    assert_eq!(desk.list("q=Alone").await.0, [json!(null); 0]);
    let newer = import(&desk, &file.replace("SUMMARY:S\r\n", "SUMMARY:T\r\nSEQUENCE:1\r\n")).await;
    assert_eq!((newer.replaced, newer.known), (1, 3));
    assert_eq!(ids(&desk.list("q=Moved").await.0).len(), 1);
}

#[tokio::test]
async fn series_have_exceptions_and_cancelled_instances() {
    let desk = TestService::open().await;
    let events = [
        "UID:s\nDTSTART;TZID=W. Europe Standard Time:20260302T090000\nDTEND;TZID=W. Europe Standard Time:20260302T100000\n\
         RRULE:FREQ=WEEKLY;COUNT=6\nEXDATE;TZID=W. Europe Standard Time:20260309T090000\n\
         EXDATE;TZID=W. Europe Standard Time:20260406T090000\nSUMMARY:Weekly",
        "UID:s\nRECURRENCE-ID;TZID=W. Europe Standard Time:20260316T090000\nDTSTART;TZID=W. Europe Standard Time:20260317T110000\n\
         DTEND;TZID=W. Europe Standard Time:20260317T120000\nSUMMARY:Later",
        "UID:s\nRECURRENCE-ID:20260323T080000Z\nDTSTART:20260323T080000Z\nSTATUS:CANCELLED",
        "UID:s\nRECURRENCE-ID:20260324T080000Z\nDTSTART:20260324T080000Z\nSUMMARY:None",
    ];
    let report = import(&desk, &file(&events)).await;
    assert_eq!((report.stored, report.omitted), (3, 1), "{:?}", loss_messages(&report));
    let (items, _) = desk.list("singleEvents=true&orderBy=startTime&timeMax=2027-01-01T00:00:00Z").await;
    let starts: Vec<_> = items.iter().map(|item| item["start"]["dateTime"].as_str().unwrap()).collect();
    assert_eq!(starts, ["2026-03-02T08:00:00Z", "2026-03-17T10:00:00Z", "2026-03-30T07:00:00Z"]);
    assert_eq!(items[1]["originalStartTime"]["dateTime"], "2026-03-16T08:00:00Z");
    assert_eq!(by_uid_series(&desk).await["recurrence"].as_array().unwrap().len(), 2, "dates are put together");
    let (_, page) = desk.list("").await;
    let cancelled = desk.get("?showDeleted=true&syncToken=").await;
    assert!(page["nextSyncToken"].is_string() && cancelled.status != 500);
}

async fn by_uid_series(desk: &TestService) -> Value {
    let (items, _) = desk.list("iCalUID=s").await;
    items.into_iter().find(|item| item.get("recurrence").is_some()).unwrap()
}

#[tokio::test]
async fn losses_are_reported_with_their_locations() {
    let desk = TestService::open().await;
    let events = [
        "UID:a\nDTSTART:20260302T090000Z\nCATEGORIES:WORK\nX-OTHER:1\nATTENDEE:urn:uuid:1\n\
         ATTENDEE;PARTSTAT=DELEGATED:mailto:d@example.net\nRRULE:FREQ=NEVER\nSTATUS:MAYBE\nURL:ftp://example.com",
        "UID:b\nSUMMARY:No start",
        "DTSTART;TZID=Nowhere:20260302T090000\nSUMMARY:No uid\nnonsense",
        "UID:c\nDTSTART:20260302T090000Z\nDTEND:20260301T090000Z\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:PT1H\nEND:VALARM",
        "UID:d\nDTSTART:20260302T090000Z\nSTATUS:CANCELLED",
    ];
    let text = file(&events).replace("END:VCALENDAR", "BEGIN:VTODO\r\nUID:todo\r\nEND:VTODO\r\nEND:VCALENDAR");
    let report = import(&desk, &text).await;
    assert_eq!((report.stored, report.omitted), (3, 1), "{:?}", loss_messages(&report));
    let counts: std::collections::BTreeMap<_, _> = report.losses.counts().into_iter().collect();
    let names =
        ["CATEGORIES", "X-OTHER", "RRULE", "STATUS", "URL", "UID", "DTSTART", "nonsense", "DTEND", "VALARM", "VTODO"];
    for name in names {
        assert_eq!(counts.get(name), Some(&1), "{name}: {:?}", loss_messages(&report));
    }
    assert_eq!((counts["ATTENDEE"], counts["VEVENT"]), (2, 2));
    assert!(
        loss_messages(&report).contains(&"0.ics:7: `CATEGORIES`: the property is not kept".to_owned()),
        "{:?}",
        loss_messages(&report)
    );
    assert!(loss_messages(&report).iter().any(|loss| loss.contains("unknown time zone `Nowhere`")));
}

/// Inserts events with all fields that a file can hold into the calendar `one`.
async fn insert_varied_events(desk: &TestService) {
    let post = async |event: Value| {
        let path = "/calendar/v3/calendars/one/events?conferenceDataVersion=1&supportsAttachments=true";
        desk.post(path, event).await.ok().clone()
    };
    post(with(hour(2, 9, "Gr\u{fc}\u{df}e; a, b\\c\n\"d\""), json!({
        "location": "x".repeat(300), "description": "\u{1f600}".repeat(100), "colorId": "4", "visibility": "public",
        "transparency": "transparent", "status": "tentative", "guestsCanModify": true, "guestsCanInviteOthers": false,
        "extendedProperties": { "private": { "a": "b\n;" }, "shared": { "c": "d" } },
        "reminders": { "useDefault": false, "overrides": [{ "method": "email", "minutes": 10 }] },
        "attendees": [{ "email": "far@example.net", "displayName": "F: \"ar\"", "optional": true, "responseStatus": "accepted",
            "comment": "Yes; \"gladly\"", "additionalGuests": 2 }, { "email": "room@example.net", "resource": true }],
        "attachments": [{ "fileUrl": "https://example.com/a;b,c", "title": "A, b", "mimeType": "text/plain" }],
        "source": { "url": "https://example.com/", "title": "Page" },
        "gadget": { "title": "Weather", "width": 3, "preferences": { "a": "b" } },
    }))).await;
    post(json!({ "summary": "Days", "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-05" },
        "reminders": { "useDefault": false } }))
    .await;
    let rules = ["RRULE:FREQ=WEEKLY;BYDAY=MO,WE", "EXDATE;TZID=Europe/Berlin:20260311T090000"];
    post(series("seria", "2026-03-02T09:00:00", "2026-03-02T10:00:00", &rules)).await;
    let path = "/calendar/v3/calendars/one/events/seria_20260304T080000Z";
    desk.patch(path, json!({ "summary": "Other", "location": "Elsewhere" })).await.ok();
    desk.delete("/calendar/v3/calendars/one/events/seria_20260309T080000Z").await;
    // An hour that occurs twice on the clock.
    post(
        json!({ "summary": "Twice", "start": { "dateTime": "2026-10-25T02:30:00+01:00", "timeZone": "Europe/Berlin" },
        "end": { "dateTime": "2026-10-25T03:30:00+01:00", "timeZone": "Europe/Berlin" } }),
    )
    .await;
}

#[tokio::test]
async fn an_export_comes_back_as_it_was() {
    let desk = TestService::open().await;
    for id in ["one", "two", "three"] {
        calendar(&desk, id).await;
    }
    insert_varied_events(&desk).await;
    let text = export(&desk, "one").await;
    assert!(text.split("\r\n").all(|line| line.len() <= 75), "{text}");
    let report = import_into(&desk, "two", &[&text]).await;
    assert_eq!((report.stored, loss_messages(&report)), (6, vec![]), "{text}");
    let events = async |calendar: &str| {
        let (mut items, _) = desk.list_of(calendar).await;
        for item in &mut items {
            let item = item.as_object_mut().unwrap();
            for name in ["id", "etag", "htmlLink", "updated", "recurringEventId", "privateCopy", "organizer"] {
                item.remove(name);
            }
            for attendee in item.get_mut("attendees").and_then(Value::as_array_mut).into_iter().flatten() {
                attendee.as_object_mut().unwrap().remove("self");
            }
        }
        items.sort_by_key(|item| (item["summary"].to_string(), item["originalStartTime"].to_string()));
        items
    };
    let (first, second) = (events("one").await, events("two").await);
    let zoneless = |mut items: Vec<Value>| {
        // Files have no fractions of seconds.
        items.iter_mut().for_each(|item| drop(item.as_object_mut().unwrap().remove("created")));
        // The second of two equal local times can only be written in UTC.
        for item in items.iter_mut().filter(|item| item["summary"] == "Twice") {
            item["start"].as_object_mut().unwrap().remove("timeZone");
            item["end"].as_object_mut().unwrap().remove("timeZone");
        }
        items
    };
    for (one, other) in zoneless(first).iter().zip(&zoneless(second.clone())) {
        assert_eq!(one, other, "{text}");
    }
    import_into(&desk, "three", &[&export(&desk, "two").await]).await;
    assert_eq!(events("three").await, second);
}

#[tokio::test]
async fn many_files_are_stored_in_few_changes() {
    let desk = TestService::open().await;
    let one = |at: usize| file(&[&format!("UID:u{at}\nDTSTART:20260302T090000Z\nSUMMARY:E{at}")]);
    let files: Vec<String> = (0..450).map(one).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let before = history(&desk).await;
    assert_eq!(import_into(&desk, "ana@example.com", &files).await.stored, 450);
    assert_eq!(history(&desk).await - before, 3);
}

async fn history(desk: &TestService) -> u64 {
    let mailbox = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let found = desk.store.find_calendars(vec!["ana@example.com".to_owned()], mailbox).await.unwrap();
    found[0].as_ref().unwrap().0.history.0
}

#[tokio::test]
async fn files_that_mean_harm_have_an_end() {
    let desk = TestService::open().await;
    let begin = "BEGIN:VCALENDAR\r\n";
    let texts = [
        String::new(),
        "\0".repeat(100_000),
        begin.repeat(50_000),
        format!("{begin}{}", "BEGIN:VEVENT\r\n".repeat(50_000)),
        file(&[&format!("UID:long\nDTSTART:20260302T090000Z\nSUMMARY:{}", "x".repeat(1 << 20))]),
        file(&[&format!("UID:many\nDTSTART:20260302T090000Z\n{}", "X-A:1\n".repeat(30_000))]),
        file(&[&format!("UID:guests\nDTSTART:20260302T090000Z{}", (0..300).map(|at| format!("\nATTENDEE:mailto:g{at}@example.net")).collect::<String>())]),
        file(&[&format!("UID:{}\nDTSTART:99991231T235959Z\nDURATION:P9999999W", "u".repeat(5_000))]),
        file(&["UID:fast\nDTSTART:20260302T090000Z\nRRULE:FREQ=SECONDLY", "UID:rdate\nDTSTART:20260302T090000Z\nRDATE;VALUE=PERIOD:x/y"]),
        file(&["UID:old\nDTSTART;TZID=Europe/Berlin:00010101T000000\nDTEND:00010101"]),
        "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Z\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETTO:+0117\n\
         RRULE:FREQ=SECONDLY\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:z\nDTSTART;TZID=Z:20260302T090000\nEND:VEVENT\nEND:VCALENDAR".to_owned(),
        file(&["UID:extras\nDTSTART:20260302T090000Z\nX-WIREFORM-EVENT:{\"extendedProperties\":7", "UID:big\nDTSTART:20260302T090000Z\nX-WIREFORM-EVENT:{\"conferenceData\":{\"notes\":\"x\"}}"]),
    ];
    for text in &texts {
        import(&desk, text).await;
    }
    let many = import(&desk, &texts[6]).await;
    assert_eq!(many.losses.counts(), [("ATTENDEE", 100)]);
}
