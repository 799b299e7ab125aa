//! Tests of texts with line ends in files and mails.

use serde_json::{Value, json};
use wireform_store::Accounts as _;

use crate::desk::{TestService, hour, with};
use crate::invitations::inbox;

const LINES: &str = "\r\nX-INJ:1\r\nBcc: evil@x.y\r\n\r\nX-INJ:2\rX-INJ:3\nX-INJ:4\u{85}X-INJ:5";

/// Returns an event with a text in one of its fields, for every field that a file or a mail contains.
fn events(text: &str) -> Vec<Value> {
    let url = format!("https://example.com/a{text}");
    let guest = |members: Value| json!([with(json!({ "email": "ben@example.com" }), members)]);
    let conference = |point: Value, id: &str| {
        json!({ "conferenceData": {
        "conferenceSolution": { "key": { "type": "addOn" }, "name": text }, "entryPoints": [point], "conferenceId": id,
    } })
    };
    let video = json!({ "entryPointType": "video", "uri": "https://example.com/" });
    vec![
        json!({ "summary": text }),
        json!({ "description": text }),
        json!({ "location": text }),
        json!({ "iCalUID": format!("a{text}") }),
        json!({ "visibility": format!("public{text}") }),
        json!({ "transparency": format!("opaque{text}") }),
        json!({ "status": format!("confirmed{text}") }),
        json!({ "source": { "url": url } }),
        json!({ "source": { "url": "https://example.com/", "title": text } }),
        json!({ "attachments": [{ "fileUrl": url }] }),
        json!({ "attachments": [{ "fileUrl": "https://example.com/", "title": text }] }),
        json!({ "attachments": [{ "fileUrl": "https://example.com/", "mimeType": text }] }),
        json!({ "attendees": [{ "email": format!("a@b{text}") }] }),
        json!({ "attendees": [{ "email": format!("\"a{text}\"@example.com") }] }),
        json!({ "attendees": guest(json!({ "displayName": text })) }),
        json!({ "attendees": guest(json!({ "comment": text })) }),
        json!({ "attendees": guest(json!({ "id": text })) }),
        json!({ "organizer": { "email": format!("a@b{text}") } }),
        json!({ "organizer": { "email": "zoe@example.net", "displayName": text } }),
        json!({ "extendedProperties": { "shared": { text: text }, "private": { text: text } } }),
        json!({ "gadget": { "title": text, "display": "icon", "type": "a", "link": url, "iconLink": url } }),
        json!({ "start": { "dateTime": "2026-03-02T09:00:00", "timeZone": format!("Europe/Berlin{text}") } }),
        json!({ "recurrence": [format!("RRULE:FREQ=DAILY;COUNT=2{text}")] }),
        json!({ "recurrence": [format!("RDATE;X-A=b{text}:20260303T090000Z")] }),
        conference(with(video.clone(), json!({ "uri": url })), "a"),
        conference(with(video.clone(), json!({ "label": text, "passcode": text, "pin": text })), "a"),
        conference(video, text),
    ]
}

/// Asserts that no line of a file or a head begins with text of an event.
#[track_caller]
fn assert_lines(text: &str, event: &Value) {
    for line in text.split(['\n', '\r', '\u{85}']) {
        assert!(!line.starts_with("X-INJ") && !line.starts_with("Bcc"), "{event}: {text}");
    }
    assert!(text.replace("\r\n", "").chars().all(|one| !one.is_control()), "{event}: {text:?}");
}

#[tokio::test]
async fn no_text_begins_a_line() {
    let mut accepted = 0;
    for members in events(LINES) {
        for path in [
            "?sendUpdates=all&conferenceDataVersion=1&supportsAttachments=true",
            "/import?conferenceDataVersion=1&supportsAttachments=true",
        ] {
            let desk = TestService::open().await;
            let guests = json!({ "attendees": [{ "email": "ben@example.com" }] });
            let mut event = with(hour(2, 9, "Lunch"), guests);
            if path.starts_with("/import") {
                event = with(event, json!({ "iCalUID": "lunch@example.com" }));
            }
            if members.get("recurrence").is_some() {
                event["start"]["timeZone"] = json!("UTC");
            }
            let response = desk.post(path, with(event, members.clone())).await;
            if response.status != 200 {
                assert_eq!(response.status, 400, "{members}: {}", response.body);
                continue;
            }
            accepted += 1;
            let user = desk.store.user("ana@example.com").await.unwrap();
            assert_lines(&desk.service.export_ics(&user, "ana@example.com").await.unwrap().0, &members);
            for mail in inbox(&desk, "ben@example.com").await {
                assert_lines(&mail.head, &members);
                assert_lines(&mail.calendar, &members);
            }
        }
    }
    assert!(accepted > 20, "{accepted}");
}

#[tokio::test]
async fn a_uid_is_escaped_in_files_and_mails() {
    let desk = TestService::open().await;
    let uid = "a,b;c\\d\\ne:f";
    let event = json!({ "id": "lunch", "iCalUID": uid, "attendees": [{ "email": "ben@example.com" }] });
    desk.post("?sendUpdates=all", with(hour(2, 9, "Lunch"), event)).await.ok();
    let line = "UID:a\\,b\\;c\\\\d\\\\ne:f\r\n";
    let user = desk.store.user("ana@example.com").await.unwrap();
    let file = desk.service.export_ics(&user, "ana@example.com").await.unwrap().0;
    assert!(file.contains(line), "{file}");
    assert!(inbox(&desk, "ben@example.com").await[0].calendar.contains(line));
    let cy = desk.store.user("cy@example.com").await.unwrap();
    let mut importer = desk.service.ics_importer(&cy, "cy@example.com").await.unwrap();
    importer.add("a.ics", file.as_bytes()).await.unwrap();
    importer.finish().await.unwrap();
    assert_eq!(desk.cy().list("").await.0[0]["iCalUID"], uid);
    let reply = format!(
        "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nBEGIN:VEVENT\r\n{line}SEQUENCE:0\r\n\
         ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.com\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    );
    let changed = desk.service.process_replies(user.mailbox, "ben@example.com", reply.as_bytes()).await.unwrap();
    assert_eq!((changed, &desk.event("lunch").await["attendees"][0]["responseStatus"]), (1, &json!("accepted")));
}
