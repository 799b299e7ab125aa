//! Statements about fields that clients cannot set, or cannot change.

use serde_json::{Value, json};

use super::{WRITES, read, write};
use crate::desk::{TestService, hour, series, with};

#[tokio::test]
async fn fields_that_only_the_server_sets_are_ignored() {
    let desk = TestService::open().await;
    let members = json!({
        "etag": "\"forged\"", "created": "2001-01-01T00:00:00Z", "updated": "2001-01-01T00:00:00Z", "locked": true,
        "htmlLink": "https://forged.example.com/", "hangoutLink": "https://forged.example.com/",
        "creator": { "id": "forged", "email": "forged@example.com", "displayName": "forged", "self": false },
        "attendees": [
            { "email": "zoe@example.net", "self": true, "organizer": true, "asyncOperation": "inProgress" },
            { "email": "ana@example.com", "self": false },
        ],
        "attachments": [{ "fileUrl": "https://example.com/a", "fileId": "forged" }],
        "conferenceData": { "signature": "forged", "createRequest": {
            "requestId": "one", "conferenceSolutionKey": { "type": "hangoutsMeet" }, "status": { "statusCode": "success" },
        } },
    });
    let organizer = json!({ "organizer": { "id": "forged", "email": "forged@example.com", "self": true } });
    for operation in WRITES {
        let members = if operation == "import" { members.clone() } else { with(members.clone(), organizer.clone()) };
        let query = "?supportsAttachments=true&conferenceDataVersion=1";
        let written = write(&desk, operation, query, &members).await;
        for event in [written.ok(), &read(&desk, &written).await] {
            assert!(!event.to_string().contains("forged"), "{operation}: {event}");
            for name in ["created", "updated"] {
                assert!(event[name].as_str().unwrap().starts_with("2026-03-01"), "{operation}: {event}");
            }
            for name in ["locked", "hangoutLink"] {
                assert!(event.get(name).is_none(), "{operation} {name}: {event}");
            }
            let is = |at: usize, name: &str| event["attendees"][at].get(name) == Some(&json!(true));
            assert_eq!(
                [is(0, "self"), is(0, "organizer"), is(1, "self")],
                [false, false, true],
                "{operation}: {event}"
            );
            assert!(event["attendees"][0].get("asyncOperation").is_none(), "{operation}: {event}");
            assert_eq!(event["creator"]["self"], true, "{operation}");
            let data = &event["conferenceData"];
            assert_eq!(data["createRequest"]["status"]["statusCode"], "pending", "{operation}: {event}");
            assert!(data.get("signature").is_none(), "{operation}: {event}");
        }
    }
}

/// An import sets the organizer, but not whether they are the user.
#[tokio::test]
async fn an_import_sets_the_organizer() {
    let desk = TestService::open().await;
    let zoe = json!({ "id": "42", "email": "zoe@example.net", "displayName": "Zo\u{eb}" });
    let members = json!({ "organizer": with(zoe.clone(), json!({ "self": true })) });
    let imported = write(&desk, "import", "", &members).await;
    assert_eq!(imported.ok()["organizer"], zoe);
    assert_eq!(read(&desk, &imported).await["organizer"], zoe);
    for email in ["zoe", "zoe@", "@example.net", "a b@example.net"] {
        let refused = write(&desk, "import", "", &json!({ "organizer": { "email": email } })).await;
        refused.assert_error(400, "invalid");
        refused.assert_location("organizer.email");
    }
}

/// Asserts that updates and patches with a field are refused and change nothing, and that updates without it keep it.
async fn assert_fixed(desk: &TestService, id: &str, changes: &[Value]) {
    let event = desk.event(id).await;
    let path = format!("/{id}");
    for members in changes {
        for refused in
            [desk.patch(&path, members.clone()).await, desk.put(&path, with(event.clone(), members.clone())).await]
        {
            refused.assert_error(400, "invalid");
            let name = members.as_object().unwrap().keys().next().unwrap();
            let errors = refused.body["error"]["errors"].as_array().unwrap();
            let is_about = |error: &Value| error["location"].as_str().unwrap().starts_with(name);
            assert!(errors.iter().any(is_about), "{members}: {}", refused.body);
        }
        let mut without = event.clone();
        without.as_object_mut().unwrap().retain(|name, _| members.get(name).is_none());
        assert_eq!(*desk.put(&path, without).await.ok(), event, "{members}");
    }
    assert_eq!(desk.event(id).await, event);
}

#[tokio::test]
async fn fields_that_are_fixed_at_creation_do_not_change() {
    let desk = TestService::open().await;
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }))).await;
    let day = json!({ "date": "2026-03-02" });
    assert_fixed(
        &desk,
        "lunch",
        &[
            json!({ "id": "other" }),
            json!({ "recurringEventId": "other" }),
            json!({ "originalStartTime": day }),
            json!({ "privateCopy": true }),
            json!({ "eventType": "workingLocation" }),
            json!({ "birthdayProperties": { "type": "birthday" } }),
        ],
    )
    .await;
    let rule = ["RRULE:FREQ=DAILY;COUNT=3"];
    desk.insert(series("seris", "2026-03-09T09:00:00", "2026-03-09T10:00:00", &rule)).await;
    let original = json!({ "originalStartTime": { "dateTime": "2026-03-11T08:00:00Z", "timeZone": "Europe/Berlin" } });
    for id in ["seris_20260310T080000Z", "seris_20260311T080000Z"] {
        if id.contains("0311") {
            desk.patch(&format!("/{id}"), json!({ "summary": "Other" })).await.ok();
        }
        let changes = [json!({ "id": "other" }), json!({ "recurringEventId": "other" })];
        assert_fixed(&desk, id, &changes).await;
    }
    assert_fixed(&desk, "seris_20260310T080000Z", &[original]).await;
    let birthday = json!({
        "id": "birth", "eventType": "birthday", "start": day, "end": { "date": "2026-03-03" },
        "recurrence": ["RRULE:FREQ=YEARLY"],
    });
    desk.insert(birthday).await;
    let types = ["anniversary", "custom", "other", "self"];
    let types = types.map(|kind| json!({ "birthdayProperties": { "type": kind } }));
    assert_fixed(&desk, "birth", &types).await;
}

/// What the creator of an event has stated as its source is not changed by other writers.
#[tokio::test]
async fn only_the_creator_changes_the_source() {
    let desk = TestService::open().await;
    desk.share("ben@example.com", Some(wireform_store::Role::Writer)).await;
    let source = json!({ "url": "https://example.com/", "title": "Page" });
    let (path, other) =
        ("/calendar/v3/calendars/ana@example.com/events", json!({ "url": "https://example.net/", "title": "Other" }));
    for (id, stored) in [("aaaaa", json!({ "source": source })), ("bbbbb", json!({}))] {
        desk.insert(with(hour(2, 9, "Lunch"), with(stored.clone(), json!({ "id": id })))).await;
        let path = format!("{path}/{id}");
        for sent in [json!({}), json!({ "source": null }), json!({ "source": other })] {
            desk.ben().patch(&path, sent.clone()).await.ok();
            desk.ben().put(&path, with(hour(2, 9, "Lunch"), sent)).await.ok();
            assert_eq!(desk.event(id).await.get("source"), stored.get("source"), "{id}");
        }
        assert_eq!(desk.patch(&path, json!({ "source": other })).await.ok()["source"], other);
    }
    // The creator is the one who created the event, and not the owner of the calendar.
    let event = with(hour(2, 9, "Lunch"), json!({ "id": "ccccc", "source": source }));
    assert_eq!(desk.ben().post(path, event).await.ok()["source"], source);
    assert!(desk.event("ccccc").await.get("source").is_none());
}
