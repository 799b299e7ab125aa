//! Statements about types of events and their properties.

use serde_json::{Value, json};
use wireform_store::Accounts as _;

use super::super::moves::team;
use crate::desk::{TestService, hour, with};

/// Fields with the properties of one type of event each.
const PROPERTIES: [&str; 4] =
    ["workingLocationProperties", "outOfOfficeProperties", "focusTimeProperties", "birthdayProperties"];

/// Returns an event of a type with its properties.
fn event(kind: &str, properties: &Value) -> Value {
    let event = with(hour(2, 9, "Special"), json!({ "eventType": kind, (format!("{kind}Properties")): properties }));
    let day = |date: &str| json!({ "date": date });
    let whole = json!({ "start": day("2026-03-02"), "end": day("2026-03-03") });
    match kind {
        "default" => hour(2, 9, "Regular"),
        "workingLocation" => with(event, whole),
        "birthday" => with(with(event, whole), json!({ "recurrence": ["RRULE:FREQ=YEARLY"] })),
        _ => event,
    }
}

fn special() -> Vec<(&'static str, Value)> {
    let office = json!({
        "label": "Main", "buildingId": "no such building", "floorId": "5", "floorSectionId": "5 B", "deskId": "5 B 1",
    });
    let place = |kind: &str, details: Value| ("workingLocation", json!({ "type": kind, kind: details }));
    let mut special = vec![
        ("birthday", json!({ "type": "birthday" })),
        place("officeLocation", office),
        place("officeLocation", json!({ "label": "Main" })),
        place("customLocation", json!({ "label": "Beach" })),
    ];
    for any in [json!({}), json!(true), json!(0), json!("here"), json!([1, null]), json!({ "a": { "b": 1.5 } })] {
        special.push(place("homeOffice", any));
    }
    for mode in ["declineNone", "declineAllConflictingInvitations", "declineOnlyNewConflictingInvitations"] {
        let properties = json!({ "autoDeclineMode": mode, "declineMessage": "Not now, \u{e9}" });
        special.push(("outOfOffice", properties.clone()));
        for status in ["available", "doNotDisturb"] {
            special.push(("focusTime", with(properties.clone(), json!({ "chatStatus": status }))));
        }
    }
    special
}

#[tokio::test]
async fn events_of_each_type_are_stored_with_their_properties() {
    let desk = TestService::open().await;
    for (kind, properties) in special() {
        let sent = event(kind, &properties);
        let name = format!("{kind}Properties");
        let stored = desk.insert(sent.clone()).await;
        let path = format!("/{}", stored["id"].as_str().unwrap());
        let patched = desk.patch(&path, json!({ "summary": "Patched" })).await.ok().clone();
        let put = desk.put(&path, sent).await.ok().clone();
        for event in [stored, patched, put, desk.get(&path).await.ok().clone()] {
            assert_eq!((&event["eventType"], &event[&name]), (&json!(kind), &properties));
            assert!(PROPERTIES.iter().all(|other| *other == name || event.get(*other).is_none()), "{event}");
        }
        assert!(desk.ids(&format!("eventTypes={kind}")).await.contains(&path[1..].to_owned()));
        desk.delete(&path).await;
    }
}

/// They concern one calendar, and only the client says how a birthday that it creates is shown.
#[tokio::test]
async fn special_events_have_no_attendees() {
    let desk = TestService::open().await;
    let guests = json!({ "attendees": [{ "email": "ben@example.com" }] });
    for kind in ["birthday", "focusTime", "outOfOffice", "workingLocation"] {
        let (_, properties) = special().into_iter().find(|(other, _)| *other == kind).unwrap();
        let sent = event(kind, &properties);
        let stored = desk.insert(sent.clone()).await;
        assert_eq!((stored.get("visibility"), stored.get("transparency")), (None, None));
        let path = format!("/{}", stored["id"].as_str().unwrap());
        let invited = with(sent, guests.clone());
        for refused in [
            desk.post("", invited.clone()).await,
            desk.put(&path, invited).await,
            desk.patch(&path, guests.clone()).await,
        ] {
            refused.assert_error(400, "invalid");
            refused.assert_location("attendees");
        }
    }
    assert_eq!(desk.ben().ids("").await, [""; 0]);
}

#[tokio::test]
async fn properties_can_be_changed_and_are_only_for_their_type() {
    let desk = TestService::open().await;
    let special: Vec<_> = special().into_iter().filter(|(kind, _)| *kind != "birthday").collect();
    for (kind, properties) in special.iter().chain([&("default", json!({}))]) {
        let sent = event(kind, properties);
        let path = format!("/{}", desk.insert(sent.clone()).await["id"].as_str().unwrap());
        for (other, values) in &special {
            let members = json!({ (format!("{other}Properties")): values });
            let (patched, put) =
                (desk.patch(&path, members.clone()).await, desk.put(&path, with(sent.clone(), members.clone())).await);
            let inserted = desk.post("", with(sent.clone(), members.clone())).await;
            for (at, response) in [put, inserted, patched].into_iter().enumerate() {
                if other == kind {
                    // A patch leaves details that it does not name.
                    let found = &response.ok()[format!("{kind}Properties")];
                    assert!(found == values || at == 2, "{found}");
                    assert_eq!(
                        ["type", "autoDeclineMode"].map(|name| &found[name]),
                        ["type", "autoDeclineMode"].map(|name| &values[name])
                    );
                } else {
                    response.assert_error(400, "invalid");
                    response.assert_location(&format!("{other}Properties"));
                }
            }
        }
        let birthday = json!({ "birthdayProperties": { "type": "birthday" } });
        assert_eq!(desk.post("", with(sent, birthday)).await.status, 400);
        desk.delete(&path).await;
    }
    // Only focus time has a chat status.
    let away = json!({ "autoDeclineMode": "declineNone", "chatStatus": "doNotDisturb" });
    let stored = desk.post("", event("outOfOffice", &away)).await.ok().clone();
    assert_eq!(stored["outOfOfficeProperties"], json!({ "autoDeclineMode": "declineNone" }));
}

#[tokio::test]
async fn values_of_properties_are_checked() {
    let desk = TestService::open().await;
    for (kind, properties) in [
        ("workingLocation", json!({ "type": "beach" })),
        ("workingLocation", json!({ "homeOffice": {} })),
        ("workingLocation", json!({ "type": "officeLocation", "officeLocation": { "label": 5 } })),
        ("outOfOffice", json!({ "autoDeclineMode": "declineSome" })),
        ("focusTime", json!({ "chatStatus": "away" })),
        ("focusTime", json!({ "autoDeclineMode": "none" })),
        ("birthday", json!({ "type": "wedding" })),
    ] {
        let sent = event(kind, &properties);
        let refused = desk.post("", sent.clone()).await;
        assert_eq!(refused.status, 400, "{sent}");
        let location = refused.body["error"]["errors"][0]["location"].as_str().unwrap();
        assert!(location.starts_with(&format!("{kind}Properties.")), "{}", refused.body);
    }
}

/// An event from mail arises from a mail, and a birthday lasts a whole day.
#[tokio::test]
async fn some_events_cannot_be_created() {
    let desk = TestService::open().await;
    for kind in ["fromGmail", "fromMail"] {
        let refused = desk.post("", with(hour(2, 9, "Flight"), json!({ "eventType": kind }))).await;
        refused.assert_error(400, "invalid");
        refused.assert_location("eventType");
    }
    let timed = json!({ "timeZone": "UTC", "dateTime": "2026-03-02T09:00:00Z" });
    let yearly = json!({ "eventType": "birthday", "recurrence": ["RRULE:FREQ=YEARLY"], "start": timed, "end": timed });
    desk.post("", yearly).await.assert_error(400, "invalid");
    let birthday = desk.insert(event("birthday", &json!({}))).await;
    assert_eq!(birthday["birthdayProperties"], json!({ "type": "birthday" }));
    let path = format!("/{}", birthday["id"].as_str().unwrap());
    let timed =
        json!({ "start": with(timed.clone(), json!({ "date": null })), "end": with(timed, json!({ "date": null })) });
    desk.patch(&path, timed).await.assert_error(400, "invalid");
}

#[tokio::test]
async fn an_import_makes_a_default_event_of_every_type() {
    let desk = TestService::open().await;
    let from_mail = [("fromGmail", json!({})), ("fromMail", json!({}))];
    for (kind, properties) in special().into_iter().chain(from_mail) {
        let uid = super::new_uid();
        let sent = with(event(kind, &properties), json!({ "iCalUID": uid }));
        let imported = desk.post("/import", sent).await.ok().clone();
        for event in [&imported, &desk.event(imported["id"].as_str().unwrap()).await] {
            assert!(event.get("eventType").is_none_or(|kind| kind == "default"), "{event}");
            assert!(PROPERTIES.iter().all(|name| event.get(*name).is_none()), "{event}");
            assert_eq!((&event["iCalUID"], &event["privateCopy"]), (&json!(uid), &json!(true)));
        }
    }
    for kind in ["birthday", "focusTime", "outOfOffice", "workingLocation", "fromGmail"] {
        assert_eq!(desk.ids(&format!("eventTypes={kind}")).await, [""; 0]);
    }
}

#[tokio::test]
async fn only_default_events_are_moved() {
    let desk = TestService::open().await;
    team(&desk).await;
    let ana = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let mail = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:flight\r\nDTSTAMP:20260301T120000Z\r\n\
        DTSTART:20260305T090000Z\r\nDTEND:20260305T100000Z\r\nORGANIZER:mailto:far@example.net\r\n\
        ATTENDEE:mailto:ana@example.com\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    assert_eq!(desk.service.process_invitations(ana, "far@example.net", mail.as_bytes()).await.unwrap(), 1);
    let mut events = desk.list("").await.0;
    assert_eq!(events[0]["eventType"], "fromGmail");
    for kind in ["birthday", "focusTime", "outOfOffice", "workingLocation"] {
        let (_, properties) = special().into_iter().find(|(other, _)| *other == kind).unwrap();
        events.push(desk.insert(event(kind, &properties)).await);
    }
    for event in events {
        let path = format!("/{}", event["id"].as_str().unwrap());
        let refused = desk.send("POST", &format!("{path}/move?destination=team%40example.com"), None, &[]).await;
        assert_eq!(refused.status, 400, "{}", refused.body);
        refused.assert_location("eventId");
        assert_eq!(*desk.get(&path).await.ok(), event);
    }
    let path = format!("/{}", desk.insert(event("default", &json!({}))).await["id"].as_str().unwrap());
    desk.send("POST", &format!("{path}/move?destination=team%40example.com"), None, &[]).await.ok();
}
