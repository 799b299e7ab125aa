//! Statements about formats and values: each with values that have it, and values that do not.

use serde_json::{Value, json};

use super::{WRITES, write};
use crate::desk::{TestService, hour, with};

/// Values of a field that are accepted, and values that are refused.
struct Field {
    query: &'static str,
    accepted: Vec<Value>,
    refused: Vec<Value>,
}

fn field(accepted: Vec<Value>, refused: Vec<Value>) -> Field {
    Field { query: "", accepted, refused }
}

/// Returns fields with each of some values at their only place in a template: the text `?`.
fn each(template: &Value, values: &[&str]) -> Vec<Value> {
    let text = template.to_string();
    let fill = |value: &&str| serde_json::from_str(&text.replace("\"?\"", &json!(value).to_string())).unwrap();
    values.iter().map(fill).collect()
}

fn texts(template: Value, accepted: &[&str], refused: &[&str]) -> Field {
    field(each(&template, accepted), each(&template, refused))
}

fn times() -> Vec<Field> {
    let zoned = |hour: u32| json!({ "dateTime": format!("2026-03-02T{hour:02}:00:00"), "timeZone": "?" });
    let day = |date: &str| json!({ "date": date, "dateTime": null });
    vec![
        texts(
            json!({ "start": { "dateTime": "?" } }),
            &["2026-03-02T08:00:00Z", "2026-03-02T08:00:00.25+01:00", "2026-03-02T08:00:00-00:30"],
            &[
                "2026-03-02 08:00",
                "2026-03-02T25:00:00Z",
                "2026-02-30T08:00:00Z",
                "02.03.2026 08:00",
                "20260302T080000Z",
            ],
        ),
        // A time without an offset requires a time zone.
        texts(json!({ "end": { "dateTime": "?" } }), &["2026-03-02T12:00:00Z"], &["2026-03-02T12:00:00"]),
        texts(
            json!({ "start": zoned(9), "end": zoned(10) }),
            &["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC"],
            &["Mars/Olympus", "CET+1", "Europe/Z\u{fc}rich", "Europe"],
        ),
        texts(
            json!({ "start": day("?"), "end": day("2026-03-09") }),
            &["2026-03-02"],
            &["2026-3-2", "20260302", "2026-02-30", "2026-03-02T00:00:00Z", "02.03.2026"],
        ),
    ]
}

fn recurrence() -> Field {
    let time = |hour: u32| json!({ "dateTime": format!("2026-03-02T{hour:02}:00:00"), "timeZone": "Europe/Berlin" });
    let series = json!({ "start": time(9), "end": time(10), "recurrence": ["RRULE:FREQ=DAILY;COUNT=9", "?"] });
    let lines = ["EXRULE:FREQ=WEEKLY", "RDATE;TZID=Europe/Berlin:20260401T090000", "EXDATE:20260303T080000Z"];
    let refused =
        ["DTSTART:20260302T080000Z", "DTEND:20260302T090000Z", "EXRULE:FREQ=NEVER", "RRULE", "SUMMARY:x", "FREQ=DAILY"];
    texts(series, &lines, &refused)
}

fn people() -> Vec<Field> {
    let guest = |members: Value| json!({ "attendees": [with(json!({ "email": "zoe@example.net" }), members)] });
    vec![
        texts(
            json!({ "attendees": [{ "email": "?" }] }),
            &["zoe@example.net", "\"zoe \u{40}\"@example.net", "zoe+tag@sub.example.net"],
            &["zoe", "zoe@", "@example.net", "zoe@a@example.net", "a b@example.net"],
        ),
        // An attendee who is added requires an address.
        field(vec![json!({ "attendees": [] })], vec![json!({ "attendees": [{ "displayName": "Zoe" }] })]),
        texts(
            guest(json!({ "responseStatus": "?" })),
            &["needsAction", "declined", "tentative", "accepted"],
            &["maybe", "Accepted"],
        ),
        field(vec![guest(json!({ "additionalGuests": 3 }))], vec![guest(json!({ "additionalGuests": "three" }))]),
        field(vec![guest(json!({ "optional": true }))], vec![guest(json!({ "optional": "yes" }))]),
    ]
}

fn values() -> Vec<Field> {
    let property = |value: Value| json!({ "extendedProperties": { "private": { "a": value } } });
    let shared = |value: Value| json!({ "extendedProperties": { "shared": value } });
    let reminder = |reminder: Value| json!({ "reminders": { "useDefault": false, "overrides": [reminder] } });
    vec![
        texts(json!({ "status": "?" }), &["confirmed", "tentative"], &["maybe", "Confirmed"]),
        texts(json!({ "transparency": "?" }), &["opaque", "transparent"], &["free", "busy"]),
        texts(json!({ "visibility": "?" }), &["default", "public", "private", "confidential"], &["secret"]),
        texts(json!({ "eventType": "?" }), &["default"], &["party", "regular"]),
        texts(json!({ "colorId": "?" }), &["1", "11"], &["0", "12", "red"]),
        texts(
            json!({ "source": { "url": "?", "title": "Page" } }),
            &["http://example.com/", "https://example.com/"],
            &["ftp://example.com/", "mailto:a@example.com", "example.com"],
        ),
        field(vec![json!({ "sequence": 1 })], vec![json!({ "sequence": -1 }), json!({ "sequence": "first" })]),
        field(vec![property(json!("1"))], vec![property(json!(1)), property(json!({})), property(json!([]))]),
        field(vec![shared(json!({}))], vec![shared(json!(["a"])), shared(json!("a"))]),
        field(
            vec![json!({ "guestsCanModify": true })],
            ["guestsCanModify", "guestsCanInviteOthers", "guestsCanSeeOtherGuests", "endTimeUnspecified"]
                .map(|name| json!({ name: "yes" }))
                .into(),
        ),
        field(
            ["email", "popup"].map(|method| reminder(json!({ "method": method, "minutes": 5 }))).into(),
            vec![
                reminder(json!({ "method": "sms", "minutes": 5 })),
                reminder(json!({ "minutes": 5 })),
                reminder(json!({ "method": "popup" })),
            ],
        ),
        Field {
            query: "?supportsAttachments=true",
            ..texts(
                json!({ "attachments": [{ "fileUrl": "https://example.com/a", "mimeType": "?" }] }),
                &["application/pdf", "application/vnd.oasis.opendocument.text"],
                &["pdf", "application/"],
            )
        },
        Field {
            query: "?supportsAttachments=true",
            ..field(
                vec![json!({ "attachments": [{ "fileUrl": "https://drive.google.com/file/d/1/view" }] })],
                vec![json!({ "attachments": [{ "title": "A" }] }), json!({ "attachments": [{ "fileUrl": "a" }] })],
            )
        },
    ]
}

#[tokio::test]
async fn values_have_their_formats_in_every_write() {
    let desk = TestService::open().await;
    let fields = times().into_iter().chain([recurrence()]).chain(people()).chain(values());
    for Field { query, accepted, refused } in fields {
        for operation in WRITES {
            for members in &accepted {
                let written = write(&desk, operation, query, members).await;
                assert_eq!(written.status, 200, "{operation} {members}: {}", written.body);
            }
            for members in &refused {
                // An import makes every event a `default` one, of whatever type it was.
                if operation == "import" && members.get("eventType").is_some() {
                    continue;
                }
                // The stored time has a zone, which a patch keeps.
                if operation == "patch" && members == &json!({ "end": { "dateTime": "2026-03-02T12:00:00" } }) {
                    continue;
                }
                let written = write(&desk, operation, query, members).await;
                assert_eq!(written.status, 400, "{operation} {members}: {}", written.body);
                let field = members.as_object().unwrap().keys().next_back().unwrap();
                let location = written.body["error"]["errors"][0]["location"].as_str().unwrap_or_default();
                assert!(members.get(location.split(['.', '[']).next().unwrap()).is_some(), "{field}: {}", written.body);
            }
        }
    }
}

#[tokio::test]
async fn an_import_requires_a_uid_and_other_writes_do_not() {
    let desk = TestService::open().await;
    for operation in ["insert", "update", "patch"] {
        assert!(write(&desk, operation, "", &json!({})).await.ok()["iCalUID"].is_string());
    }
    let uid = json!({ "iCalUID": "040000008200E00074C5B7101A82E008-\u{e9} x" });
    assert_eq!(write(&desk, "import", "", &uid).await.ok()["iCalUID"], uid["iCalUID"]);
    let refused = desk.post("/import", hour(2, 9, "Lunch")).await;
    refused.assert_error(400, "required");
    refused.assert_location("iCalUID");
}
