//! Tests of attendees, their copies and their responses.

use std::time::Duration;

use serde_json::{Value, json};

use crate::desk::{TestService, hour, with};

/// Creates an event of Ana's with guests.
async fn invite(desk: &TestService, guests: &[&str], members: Value) -> Value {
    let guests: Vec<Value> = guests.iter().map(|guest| json!({ "email": guest })).collect();
    let event = with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "attendees": guests }));
    desk.insert(with(event, members)).await
}

/// Returns the response status of an attendee.
fn response_status(event: &Value, email: &str) -> Value {
    let attendees = event["attendees"].as_array().unwrap();
    attendees.iter().find(|attendee| attendee["email"] == email).unwrap()["responseStatus"].clone()
}

#[tokio::test]
async fn point_61_guests_have_a_copy_with_the_same_id() {
    let desk = TestService::open().await;
    let event = invite(&desk, &["BEN@example.com", "far@example.net", "ana@example.com"], json!({})).await;
    let copy = desk.ben().event("lunch").await;
    for shared in ["summary", "start", "end", "iCalUID", "created", "sequence"] {
        assert_eq!(copy[shared], event[shared], "{shared}");
    }
    assert_eq!((event["organizer"]["self"].clone(), copy["organizer"].get("self")), (json!(true), None));
    let selves = |event: &Value| {
        let attendees = event["attendees"].as_array().unwrap();
        attendees.iter().map(|attendee| (attendee["self"] == true, attendee["organizer"] == true)).collect::<Vec<_>>()
    };
    assert_eq!(selves(&event), [(false, false), (false, false), (true, true)]);
    assert_eq!(selves(&copy), [(true, false), (false, false), (false, true)]);
    desk.cy().get("/lunch").await.assert_error(404, "notFound");
}

#[tokio::test]
async fn point_61_what_belongs_to_a_copy_stays_on_it() {
    let desk = TestService::open().await;
    invite(&desk, &["ben@example.com"], json!({ "extendedProperties": { "private": { "a": "b" } } })).await;
    let own = json!({
        "transparency": "transparent", "visibility": "private", "colorId": "4",
        "extendedProperties": { "private": { "c": "d" } },
    });
    let ben = desk.ben().patch("/lunch", own).await.ok().clone();
    assert_eq!(ben["extendedProperties"], json!({ "private": { "c": "d" } }));
    let ana = desk.event("lunch").await;
    assert_eq!(ana["extendedProperties"], json!({ "private": { "a": "b" } }));
    for own in ["transparency", "visibility", "colorId"] {
        assert!(ben.get(own).is_some() && ana.get(own).is_none(), "{own}");
    }
}

#[tokio::test]
async fn point_73_a_response_reaches_the_organizer() {
    let desk = TestService::open().await;
    let event = invite(&desk, &["ben@example.com", "cy@example.com"], json!({})).await;
    desk.clock.advance(Duration::from_secs(60));
    let attendees = json!([
        { "email": "ben@example.com", "responseStatus": "accepted", "comment": "Gladly", "additionalGuests": 2 },
        { "email": "cy@example.com" },
    ]);
    let accepted = desk.ben().patch("/lunch", json!({ "attendees": attendees })).await.ok().clone();
    assert_eq!(response_status(&accepted, "ben@example.com"), "accepted");
    for desk in [&desk, &desk.cy()] {
        let seen = desk.event("lunch").await;
        let ben = &seen["attendees"][0];
        assert_eq!((&ben["responseStatus"], &ben["comment"]), (&json!("accepted"), &json!("Gladly")));
        assert_eq!(ben["additionalGuests"], 2);
        assert_ne!(seen["updated"], event["updated"]);
        assert_eq!(seen["sequence"], event["sequence"]);
    }
    assert_ne!(desk.event("lunch").await["etag"], event["etag"]);
}

#[tokio::test]
async fn point_65_an_organizer_cannot_respond_for_guests_with_a_calendar() {
    let desk = TestService::open().await;
    let guests = json!([
        { "email": "ben@example.com", "responseStatus": "accepted" },
        { "email": "far@example.net", "responseStatus": "accepted" },
    ]);
    let event = desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "attendees": guests }))).await;
    assert_eq!(response_status(&event, "ben@example.com"), "needsAction");
    assert_eq!(response_status(&event, "far@example.net"), "accepted");
    desk.ben().patch("/lunch", json!({ "attendeesOmitted": true, "attendees": [{ "email": "ben@example.com", "responseStatus": "declined" }] })).await.ok();
    let set = |status: &str| {
        json!({ "attendees": [
        { "email": "ben@example.com", "responseStatus": status }, { "email": "far@example.net", "responseStatus": "declined" },
    ] })
    };
    let event = desk.patch("/lunch", set("accepted")).await.ok().clone();
    assert_eq!(
        (response_status(&event, "ben@example.com"), response_status(&event, "far@example.net")),
        (json!("declined"), json!("declined"))
    );
    let event = desk.patch("/lunch", set("needsAction")).await.ok().clone();
    assert_eq!(response_status(&event, "ben@example.com"), "needsAction");
}

#[tokio::test]
async fn point_63_addresses_are_unique_regardless_of_case() {
    let desk = TestService::open().await;
    let twice = json!({ "attendees": [{ "email": "g@example.net" }, { "email": "G@Example.net" }] });
    desk.post("", with(hour(2, 9, "Lunch"), twice)).await.assert_error(400, "invalid");
    invite(&desk, &["g@example.net"], json!({})).await;
    let other = json!({ "attendees": [{ "email": "G@EXAMPLE.net", "comment": "x" }] });
    let event = desk.patch("/lunch", other).await.ok().clone();
    assert_eq!(event["attendees"][0]["email"], "g@example.net");
}

#[tokio::test]
async fn point_64_whether_an_attendee_is_a_resource_is_settled_when_it_is_added() {
    let desk = TestService::open().await;
    let room = json!({ "attendees": [{ "email": "room@example.net", "resource": true }] });
    desk.insert(with(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" })), room)).await;
    let other = json!({ "attendees": [{ "email": "room@example.net" }] });
    assert_eq!(desk.patch("/lunch", other).await.ok()["attendees"][0]["resource"], true);
}

#[tokio::test]
async fn point_66_an_update_with_attendees_omitted_changes_only_the_response() {
    let desk = TestService::open().await;
    invite(&desk, &["ben@example.com", "cy@example.com", "far@example.net"], json!({})).await;
    let ben = desk.ben();
    let short = ben.get("/lunch?maxAttendees=1").await.ok().clone();
    assert_eq!((&short["attendeesOmitted"], short["attendees"].as_array().unwrap().len()), (&json!(true), 1));
    let mut sent = short;
    sent["attendees"][0]["responseStatus"] = json!("tentative");
    ben.put("/lunch", sent).await.ok();
    let event = desk.event("lunch").await;
    assert_eq!(event["attendees"].as_array().unwrap().len(), 3);
    assert_eq!(response_status(&event, "ben@example.com"), "tentative");
    // Point 47: as many as the request allows.
    assert!(ben.get("/lunch?maxAttendees=3").await.ok().get("attendeesOmitted").is_none());
}

#[tokio::test]
async fn point_69_guests_change_what_they_may() {
    let desk = TestService::open().await;
    invite(&desk, &["ben@example.com", "far@example.net"], json!({ "guestsCanInviteOthers": false })).await;
    let ben = desk.ben();
    let guests = |extra: Value| {
        let mut guests = vec![json!({ "email": "ben@example.com" }), json!({ "email": "far@example.net" })];
        guests.extend(extra.as_array().unwrap().iter().cloned());
        json!({ "attendees": guests })
    };
    for change in [
        json!({ "summary": "Dinner" }),
        json!({ "start": { "dateTime": "2026-03-02T08:00:00Z" } }),
        json!({ "status": "tentative" }),
        json!({ "extendedProperties": { "shared": { "a": "b" } } }),
        json!({ "attendees": [{ "email": "ben@example.com" }] }),
        json!({ "attendees": [{ "email": "ben@example.com" }, { "email": "far@example.net", "responseStatus": "accepted" }] }),
        guests(json!([{ "email": "cy@example.com" }])),
    ] {
        ben.patch("/lunch", change).await.assert_error(403, "forbiddenForNonOrganizer");
    }
    desk.patch("/lunch", json!({ "guestsCanInviteOthers": true })).await.ok();
    ben.patch("/lunch", guests(json!([{ "email": "cy@example.com" }]))).await.ok();
    assert_eq!(desk.cy().event("lunch").await["summary"], "Lunch");
    desk.patch("/lunch", json!({ "guestsCanModify": true })).await.ok();
    ben.patch("/lunch", json!({ "summary": "Dinner" })).await.ok();
    assert_eq!(desk.event("lunch").await["summary"], "Dinner");
}

#[tokio::test]
async fn point_69_guests_who_do_not_see_each_other() {
    let desk = TestService::open().await;
    let hidden = json!({ "guestsCanSeeOtherGuests": false });
    invite(&desk, &["ben@example.com", "cy@example.com", "ana@example.com"], hidden).await;
    let seen = desk.ben().event("lunch").await;
    let emails: Vec<&str> =
        seen["attendees"].as_array().unwrap().iter().map(|guest| guest["email"].as_str().unwrap()).collect();
    assert_eq!((emails, &seen["attendeesOmitted"]), (vec!["ben@example.com", "ana@example.com"], &json!(true)));
    assert_eq!(desk.event("lunch").await["attendees"].as_array().unwrap().len(), 3);
    // Sending an event back does not remove guests that the sender cannot see.
    let mut sent = seen;
    sent["attendees"][0]["responseStatus"] = json!("accepted");
    desk.ben().put("/lunch", sent).await.ok();
    let event = desk.event("lunch").await;
    assert_eq!(
        (event["attendees"].as_array().unwrap().len(), response_status(&event, "ben@example.com")),
        (3, json!("accepted"))
    );
}

#[tokio::test]
async fn point_72_a_guest_who_deletes_declines_and_hides() {
    let desk = TestService::open().await;
    invite(&desk, &["ben@example.com", "cy@example.com"], json!({})).await;
    assert_eq!(desk.ben().delete("/lunch").await.status, 204);
    let event = desk.event("lunch").await;
    assert_eq!(
        (&event["status"], response_status(&event, "ben@example.com")),
        (&json!("confirmed"), json!("declined"))
    );
    let gone = desk.ben().event("lunch").await;
    assert_eq!((&gone["status"], gone.get("summary")), (&json!("cancelled"), None));
    desk.ben().delete("/lunch").await.assert_error(410, "deleted");
    // The guest is shown again when their copy is restored.
    let back = desk.ben().patch("/lunch", json!({ "status": "confirmed" })).await;
    assert_eq!(back.ok()["summary"], "Lunch");
}

#[tokio::test]
async fn point_72_an_organizer_who_deletes_cancels_all_copies() {
    let desk = TestService::open().await;
    invite(&desk, &["ben@example.com"], json!({})).await;
    assert_eq!(desk.delete("/lunch").await.status, 204);
    let copy = desk.ben().event("lunch").await;
    assert_eq!((&copy["status"], copy.get("summary")), (&json!("cancelled"), None));
    desk.ben().patch("/lunch", json!({ "status": "confirmed" })).await.assert_error(403, "forbiddenForNonOrganizer");
    desk.patch("/lunch", json!({ "status": "confirmed" })).await.ok();
    assert_eq!(desk.ben().event("lunch").await["summary"], "Lunch");
}

#[tokio::test]
async fn point_61_former_guests_lose_their_copy() {
    let desk = TestService::open().await;
    invite(&desk, &["ben@example.com"], json!({})).await;
    desk.patch("/lunch", json!({ "attendees": [] })).await.ok();
    assert_eq!(desk.ben().event("lunch").await["status"], "cancelled");
    let again = json!({ "attendees": [{ "email": "ben@example.com" }] });
    desk.patch("/lunch", again).await.ok();
    assert_eq!(desk.ben().event("lunch").await["status"], "confirmed");
}

#[tokio::test]
async fn point_59_a_private_copy_is_not_shared() {
    let desk = TestService::open().await;
    let event = invite(&desk, &["ben@example.com"], json!({ "privateCopy": true })).await;
    assert_eq!(event["privateCopy"], true);
    desk.ben().get("/lunch").await.assert_error(404, "notFound");
}

#[tokio::test]
async fn point_13_a_copy_gets_another_id_if_it_is_taken() {
    let desk = TestService::open().await;
    desk.ben().insert(with(hour(3, 9, "Ben's"), json!({ "id": "lunch" }))).await;
    invite(&desk, &["ben@example.com"], json!({})).await;
    assert_eq!(desk.ben().event("lunch").await["summary"], "Ben's");
}
