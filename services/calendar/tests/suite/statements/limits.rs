//! Statements about limits: each with the value at the limit, and the value beyond it.

use serde_json::{Value, json};

use super::{WRITES, write};
use crate::desk::{TestService, hour, series, with};

const CONFERENCES: &str = "?conferenceDataVersion=1";
const ATTACHMENTS: &str = "?supportsAttachments=true";

fn conference(points: Value) -> Value {
    let solution = json!({ "key": { "type": "addOn" }, "name": "Elsewhere" });
    json!({ "conferenceData": { "conferenceSolution": solution, "entryPoints": points } })
}

/// Returns a conference with a solution.
fn of_type(solution: &Value) -> Value {
    json!({ "conferenceData": with(kinds(&["video"])["conferenceData"].clone(), json!({ "conferenceSolution": solution })) })
}

/// Returns a conference with one field of its first entry point.
fn point(name: &str, value: &str) -> Value {
    let video = json!({ "entryPointType": "video", "uri": "https://example.com/room" });
    conference(json!([with(video, json!({ name: value }))]))
}

/// Returns conferences whose entry points have the given types.
fn kinds(kinds: &[&str]) -> Value {
    let uri = |kind: &str| match kind {
        "phone" => "tel:+1-555-0100",
        "sip" => "sip:room@example.com",
        _ => "https://example.com/room",
    };
    let point = |kind: &&str| json!({ "entryPointType": kind, "uri": uri(kind) });
    conference(kinds.iter().map(point).collect())
}

fn addressed(kind: &str, uri: &str) -> Value {
    let other = json!({ "entryPointType": if kind == "phone" { "sip" } else { "phone" } });
    conference(json!([{ "entryPointType": kind, "uri": uri }, other]))
}

fn reminders(count: usize, minutes: i32) -> Value {
    let overrides = vec![json!({ "method": "popup", "minutes": minutes }); count];
    json!({ "reminders": { "useDefault": false, "overrides": overrides } })
}

fn files(count: usize) -> Value {
    json!({ "attachments": vec![json!({ "fileUrl": "https://example.com/a" }); count] })
}

/// Returns fields at their limits, and beyond.
fn limits() -> Vec<(&'static str, Value, Value)> {
    let uri = |length: usize| format!("https://example.com/{}", "x".repeat(length - 20));
    let notes = |length: usize| {
        with(kinds(&["video"])["conferenceData"].clone(), json!({ "notes": "\u{1f600}".repeat(length) }))
    };
    let mut limits = vec![
        (ATTACHMENTS, files(25), files(26)),
        ("", reminders(5, 0), reminders(6, 0)),
        ("", reminders(1, 40_320), reminders(1, 40_321)),
        ("", reminders(1, 0), reminders(1, -1)),
        (CONFERENCES, point("uri", &uri(1_300)), point("uri", &uri(1_301))),
        (CONFERENCES, point("label", &"\u{e9}".repeat(512)), point("label", &"\u{e9}".repeat(513))),
        (CONFERENCES, json!({ "conferenceData": notes(2_048) }), json!({ "conferenceData": notes(2_049) })),
        (CONFERENCES, kinds(&["video", "phone", "phone", "phone", "sip", "more"]), kinds(&["video", "video"])),
        (CONFERENCES, kinds(&["sip"]), kinds(&["sip", "sip"])),
        (CONFERENCES, kinds(&["phone", "more"]), kinds(&["phone", "more", "more"])),
        (CONFERENCES, kinds(&["phone"]), kinds(&["more"])),
        (CONFERENCES, kinds(&["video"]), kinds(&["pigeon"])),
        (CONFERENCES, addressed("video", "http://example.com"), addressed("video", "tel:+1")),
        (CONFERENCES, addressed("more", "https://example.com"), addressed("more", "ftp://example.com")),
        (CONFERENCES, addressed("phone", "tel:+12345678,,,12345678;1234"), addressed("phone", "https://example.com")),
        (CONFERENCES, addressed("sip", "sip:1@example.com"), addressed("sip", "sips:1@example.com")),
        (CONFERENCES, kinds(&["video"]), conference(json!([]))),
        (CONFERENCES, kinds(&["video"]), json!({ "conferenceData": { "notes": "nothing to join" } })),
        (CONFERENCES, of_type(&json!({ "name": "Elsewhere" })), of_type(&json!({ "key": { "type": "pigeon" } }))),
        ("", json!({ "gadget": { "width": 1, "height": 1 } }), json!({ "gadget": { "width": 0 } })),
        ("", json!({ "gadget": { "width": 1, "height": 1 } }), json!({ "gadget": { "height": 0 } })),
        ("", json!({ "gadget": { "display": "icon" } }), json!({ "gadget": { "display": "banner" } })),
        ("", json!({ "gadget": { "display": "chip" } }), json!({ "gadget": { "preferences": { "a": 1 } } })),
    ];
    for code in ["meetingCode", "accessCode", "passcode", "password", "pin"] {
        limits.push((CONFERENCES, point(code, &"\u{e9}".repeat(128)), point(code, &"\u{e9}".repeat(129))));
    }
    limits
}

#[tokio::test]
async fn values_at_their_limits_are_accepted_and_those_beyond_are_refused() {
    let desk = TestService::open().await;
    for (query, accepted, refused) in limits() {
        for operation in WRITES {
            let written = write(&desk, operation, query, &accepted).await;
            assert_eq!(written.status, 200, "{operation} {accepted}: {}", written.body);
            let written = write(&desk, operation, query, &refused).await;
            assert_eq!(written.status, 400, "{operation} {refused}: {}", written.body);
            let field = refused.as_object().unwrap().keys().next().unwrap();
            let location = written.body["error"]["errors"][0]["location"].as_str().unwrap_or_default();
            assert!(location.starts_with(field), "{field}: {}", written.body);
        }
    }
}

#[tokio::test]
async fn an_id_has_5_to_1024_characters_of_its_alphabet() {
    let desk = TestService::open().await;
    let imported = |id: &str| with(hour(2, 9, "Lunch"), json!({ "id": id, "iCalUID": super::new_uid() }));
    let (longest, long) = ("v".repeat(1_024), "v".repeat(1_025));
    for id in ["abcde", "01239", "vvvvv", &longest] {
        assert_eq!(desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": id }))).await["id"], id);
        assert_eq!(desk.event(id).await["id"], id);
        assert_eq!(desk.ben().post("/import", imported(id)).await.ok()["id"], id);
    }
    // The identifier of an instance is longer than that of its series.
    let of = series(&"u".repeat(1_024), "2026-03-09T09:00:00", "2026-03-09T10:00:00", &["RRULE:FREQ=DAILY;COUNT=2"]);
    let instance = format!("{}_20260310T080000Z", desk.insert(of).await["id"].as_str().unwrap());
    assert_eq!(desk.patch(&format!("/{instance}"), json!({ "summary": "Other" })).await.ok()["id"], instance);
    // A UID is as long as one that is derived from the longest identifier.
    for (length, status) in [(1_033, 200), (1_034, 400)] {
        let event = with(hour(2, 9, "Lunch"), json!({ "iCalUID": "u".repeat(length) }));
        assert_eq!(desk.post("/import", event).await.status, status);
    }
    for id in ["", "abcd", "abcdw", "Abcde", "abcd-", "abcd_", "abc de", "abcd\u{e9}", &long] {
        for refused in [
            desk.post("", with(hour(2, 9, "Lunch"), json!({ "id": id }))).await,
            desk.post("/import", imported(id)).await,
        ] {
            refused.assert_error(400, "invalid");
            refused.assert_location("id");
        }
    }
}
