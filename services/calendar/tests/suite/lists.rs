//! Tests of lists: filters, order and pages.

use serde_json::{Value, json};

use crate::desk::{TestService, encoded, hour, ids, series, with};

/// Creates some events of all kinds.
async fn filled() -> TestService {
    let desk = TestService::open().await;
    for (id, day, title) in [("aaaaa", 4, "Tea with Ben"), ("bbbbb", 2, "Lunch"), ("ccccc", 3, "lunch again")] {
        desk.clock.advance(std::time::Duration::from_secs(1));
        desk.insert(with(hour(day, 9, title), json!({ "id": id }))).await;
    }
    let rule = ["RRULE:FREQ=DAILY"];
    desk.clock.advance(std::time::Duration::from_secs(1));
    desk.insert(series("ddddd", "2026-03-03T07:00:00", "2026-03-03T08:00:00", &rule)).await;
    let day = |date: &str| json!({ "date": date });
    desk.clock.advance(std::time::Duration::from_secs(1));
    desk.insert(json!({ "id": "eeeee", "start": day("2026-03-01"), "end": day("2026-03-10"), "summary": "Trip" }))
        .await;
    desk
}

#[tokio::test]
async fn point_41_without_single_events_a_series_is_listed_once() {
    let desk = filled().await;
    assert_eq!(desk.ids("").await, ["aaaaa", "bbbbb", "ccccc", "ddddd", "eeeee"]);
    assert_eq!(desk.ids("maxResults=2").await, ["aaaaa", "bbbbb", "ccccc", "ddddd", "eeeee"]);
}

#[tokio::test]
async fn point_42_a_range_of_time_has_what_overlaps_it() {
    let desk = filled().await;
    let range = "timeMin=2026-03-03T06:30:00Z&timeMax=2026-03-04T09:00:00Z";
    assert_eq!(desk.ids(range).await, ["eeeee", "ddddd", "ccccc"]);
    let single = format!("{range}&singleEvents=true");
    let listed = ["eeeee", "ddddd_20260303T060000Z", "ccccc", "ddddd_20260304T060000Z"];
    assert_eq!(desk.ids(&single).await, listed);
    for size in 1..=5 {
        assert_eq!(desk.ids(&format!("{single}&maxResults={size}")).await, listed, "{size}");
        assert_eq!(desk.ids(&format!("{range}&maxResults={size}")).await.len(), 3, "{size}");
    }
    // An event that ends at the start of the range is not part of it.
    assert!(!desk.ids("timeMin=2026-03-02T10:00:00Z").await.contains(&"bbbbb".to_owned()));
    assert_eq!(desk.ids("timeMax=2026-03-02T09:00:00Z").await, ["eeeee"]);
    let empty = desk.get("?timeMin=2026-03-03T07:00:00Z&timeMax=2026-03-03T07:00:00Z").await;
    assert_eq!(empty.status, 400);
}

#[tokio::test]
async fn point_41_an_endless_series_ends_two_years_beyond_now() {
    let desk = filled().await;
    let (items, _) = desk.list("singleEvents=true&maxResults=2500&orderBy=startTime").await;
    let last = items.last().unwrap()["id"].as_str().unwrap();
    assert_eq!(last, "ddddd_20280331T050000Z");
    let starts: Vec<&str> = items.iter().filter_map(|one| one["start"]["dateTime"].as_str()).collect();
    assert!(starts.is_sorted());
    let far = "singleEvents=true&timeMin=2040-01-01T00:00:00Z&timeMax=2040-01-02T00:00:00Z";
    assert_eq!(desk.ids(far).await, ["ddddd_20400101T060000Z"]);
}

#[tokio::test]
async fn point_43_lists_are_ordered() {
    let desk = filled().await;
    desk.patch("/bbbbb", json!({ "summary": "Dinner" })).await.ok();
    let order = ["aaaaa", "ccccc", "ddddd", "eeeee", "bbbbb"];
    assert_eq!(desk.ids("orderBy=updated").await, order);
    assert_eq!(desk.ids("orderBy=updated&maxResults=1").await, order);
    assert_eq!(desk.get("?orderBy=startTime").await.status, 400);
    let single = desk.ids("singleEvents=true&orderBy=updated&timeMax=2026-03-05T00:00:00Z").await;
    assert_eq!(single, ["aaaaa", "ccccc", "ddddd_20260303T060000Z", "ddddd_20260304T060000Z", "eeeee", "bbbbb"]);
}

#[tokio::test]
async fn point_42_what_was_updated_since_has_deleted_events() {
    let desk = filled().await;
    let since = desk.event("ddddd").await["updated"].as_str().unwrap().to_owned();
    desk.delete("/aaaaa").await;
    let query = format!("updatedMin={}", encoded(&since));
    assert_eq!(desk.ids(&query).await, ["ddddd", "eeeee", "aaaaa"]);
    let far = wireform_store::Millis(crate::desk::NOW + 40 * 86_400_000);
    wireform_store::Maintenance::clean_up(&desk.store, far).await.unwrap();
    let response = desk.get(&format!("?{query}")).await;
    response.assert_error(410, "updatedMinTooLongAgo");
    response.assert_location("updatedMin");
}

#[tokio::test]
async fn point_22_deleted_events_are_listed_if_requested() {
    let desk = filled().await;
    desk.delete("/bbbbb").await;
    assert_eq!(desk.ids("").await.len(), 4);
    let (items, _) = desk.list("showDeleted=true").await;
    assert_eq!((items.len(), &items[1]["status"], &items[1]["summary"]), (5, &json!("cancelled"), &json!("Lunch")));
    let range = "singleEvents=true&timeMax=2026-03-03T00:00:00Z";
    assert_eq!(desk.ids(range).await, ["eeeee"]);
    assert_eq!(desk.ids(&format!("{range}&showDeleted=true")).await, ["eeeee", "bbbbb"]);
}

#[tokio::test]
async fn point_14_events_are_found_by_their_identifier_on_all_calendars() {
    let desk = filled().await;
    desk.patch("/ddddd_20260304T060000Z", json!({ "summary": "Moved" })).await.ok();
    let query = format!("iCalUID={}", encoded("ddddd@wireform"));
    assert_eq!(desk.ids(&query).await, ["ddddd", "ddddd_20260304T060000Z"]);
    let single = format!("{query}&singleEvents=true&timeMax=2026-03-06T00:00:00Z");
    let mut found = desk.ids(&single).await;
    found.sort();
    assert_eq!(found, ["ddddd_20260303T060000Z", "ddddd_20260304T060000Z", "ddddd_20260305T060000Z"]);
}

#[tokio::test]
async fn point_40_words_are_found_in_titles_places_and_people() {
    let desk = filled().await;
    assert_eq!(desk.ids("q=LUNCH").await, ["bbbbb", "ccccc"]);
    assert_eq!(desk.ids("q=again%20lunch").await, ["ccccc"]);
    desk.patch("/aaaaa", json!({ "location": "Roof", "attendees": [{ "email": "zoe@example.net" }] })).await.ok();
    assert_eq!(desk.ids("q=roof").await, ["aaaaa"]);
    assert_eq!(desk.ids("q=zoe").await, ["aaaaa"]);
    assert!(desk.ids("q=nothing").await.is_empty());
    // Words of private events are not found by those who may not see them.
    desk.patch("/bbbbb", json!({ "visibility": "private" })).await.ok();
    desk.share("ben@example.com", Some(wireform_store::Role::Reader)).await;
    let found = desk.ben().get("/calendar/v3/calendars/ana%40example.com/events?q=lunch").await.ok().clone();
    assert_eq!(ids(found["items"].as_array().unwrap()), ["ccccc"]);
}

#[tokio::test]
async fn point_81_events_are_found_by_extended_properties() {
    let desk = filled().await;
    let properties = json!({ "private": { "a": "1", "b": "2" }, "shared": { "c": "x=y" } });
    desk.patch("/aaaaa", json!({ "extendedProperties": properties })).await.ok();
    desk.patch("/bbbbb", json!({ "extendedProperties": { "private": { "a": "1" } } })).await.ok();
    assert_eq!(desk.ids("privateExtendedProperty=a%3D1").await, ["aaaaa", "bbbbb"]);
    assert_eq!(desk.ids("privateExtendedProperty=a%3D1&privateExtendedProperty=b%3D2").await, ["aaaaa"]);
    assert_eq!(desk.ids("sharedExtendedProperty=c%3Dx%3Dy").await, ["aaaaa"]);
    assert!(desk.ids("privateExtendedProperty=c%3Dx%3Dy").await.is_empty());
}

#[tokio::test]
async fn point_40_events_are_listed_by_their_type() {
    let desk = filled().await;
    let focus = json!({ "id": "focus".replace('u', "a").replace('s', "t"), "eventType": "focusTime" });
    desk.insert(with(hour(5, 9, "Focus"), focus)).await;
    assert_eq!(desk.ids("eventTypes=focusTime").await, ["focat"]);
    assert_eq!(desk.ids("eventTypes=focusTime&eventTypes=default").await.len(), 6);
}

#[tokio::test]
async fn point_49_a_list_says_what_is_known_of_the_calendar() {
    let desk = filled().await;
    desk.share("ben@example.com", Some(wireform_store::Role::Reader)).await;
    let page = desk.get("?maxResults=1").await.ok().clone();
    assert_eq!((&page["kind"], &page["summary"]), (&json!("calendar#events"), &json!("Ana")));
    assert_eq!((&page["timeZone"], &page["accessRole"]), (&json!("UTC"), &json!("owner")));
    assert!(page["updated"].is_string() && page.get("nextSyncToken").is_none());
    let ben = desk.ben().get("/calendar/v3/calendars/ana%40example.com/events").await.ok().clone();
    assert_eq!(ben["accessRole"], "reader");
}

#[tokio::test]
async fn point_72_hidden_invitations_are_listed_if_requested() {
    let desk = TestService::open().await;
    let guests = json!({ "id": "lunch", "attendees": [{ "email": "ben@example.com" }] });
    desk.insert(with(hour(2, 9, "Lunch"), guests)).await;
    desk.ben().delete("/lunch").await;
    assert!(desk.ben().ids("").await.is_empty());
    let (items, _) = desk.ben().list("showHiddenInvitations=true").await;
    assert_eq!((items.len(), &items[0]["status"], &items[0]["summary"]), (1, &json!("confirmed"), &json!("Lunch")));
}

#[tokio::test]
async fn point_48_a_list_that_has_not_changed_is_not_sent_again() {
    let desk = filled().await;
    let first = desk.get("").await;
    let tag = first.headers["etag"].to_str().unwrap();
    assert_eq!(desk.send("GET", "", None, &[("If-None-Match", tag)]).await.status, 304);
    desk.patch("/aaaaa", json!({ "summary": "Changed" })).await.ok();
    assert_eq!(desk.send("GET", "", None, &[("If-None-Match", tag)]).await.status, 200);
}

#[tokio::test]
async fn point_42_many_events_at_one_time_are_all_listed() {
    let desk = TestService::open().await;
    for _ in 0..120 {
        desk.insert(hour(2, 9, "Same")).await;
    }
    for query in ["singleEvents=true&maxResults=50", "timeMin=2026-03-02T00:00:00Z&maxResults=7", "maxResults=50"] {
        let mut listed = desk.ids(query).await;
        listed.sort();
        listed.dedup();
        assert_eq!(listed.len(), 120, "{query}");
    }
}

#[tokio::test]
async fn page_tokens_are_for_their_list() {
    let desk = filled().await;
    let page = desk.get("?maxResults=1").await.ok().clone();
    let token = page["nextPageToken"].as_str().unwrap();
    desk.get(&format!("?maxResults=3&pageToken={token}")).await.ok();
    assert_eq!(desk.get(&format!("?singleEvents=true&pageToken={token}")).await.status, 400);
    assert_eq!(desk.ben().get(&format!("?pageToken={token}")).await.status, 400);
    let none: Value = json!([]);
    assert_ne!(page["items"], none);
}

#[tokio::test]
async fn point_40_words_are_found_after_many_instances() {
    let desk = TestService::open().await;
    let rule = ["RRULE:FREQ=DAILY;COUNT=400"];
    desk.insert(series("ddddd", "2026-03-02T07:00:00", "2026-03-02T08:00:00", &rule)).await;
    desk.patch("/ddddd_20270301T060000Z", json!({ "summary": "needle" })).await.ok();
    desk.insert(with(hour(3, 9, "needle"), json!({ "id": "aaaaa" }))).await;
    for size in [1, 2, 250] {
        let found = desk.ids(&format!("singleEvents=true&q=needle&maxResults={size}")).await;
        assert_eq!(found, ["aaaaa", "ddddd_20270301T060000Z"], "{size}");
    }
    assert_eq!(desk.ids("singleEvents=true&q=ddddd&maxResults=7").await.len(), 399);
}

#[tokio::test]
async fn point_42_bounds_hold_in_every_order() {
    let desk = filled().await;
    // `bbbbb` ends, and an instance of `ddddd` ends, at the start of the range.
    let found = desk.ids("orderBy=updated&timeMin=2026-03-02T10:00:00Z&timeMax=2026-03-03T06:00:00Z").await;
    assert_eq!(found, ["eeeee"]);
    let range = "singleEvents=true&timeMin=2026-03-03T07:00:00Z&timeMax=2026-03-04T06:00:00Z";
    assert_eq!(desk.ids(range).await, ["eeeee", "ccccc"]);
    assert_eq!(desk.ids(&format!("{range}&orderBy=updated")).await, ["ccccc", "eeeee"]);
}

#[tokio::test]
async fn point_26_a_time_that_is_shown_twice_is_found_at_the_first() {
    let desk = TestService::open().await;
    let time = |hour: &str| json!({ "dateTime": format!("2026-10-25T{hour}:30:00"), "timeZone": "Europe/Berlin" });
    desk.insert(json!({ "id": "aaaaa", "start": time("02"), "end": time("04") })).await;
    assert_eq!(desk.ids("timeMin=2026-10-25T00:00:00Z&timeMax=2026-10-25T01:00:00Z").await, ["aaaaa"]);
    assert!(desk.ids("timeMax=2026-10-25T00:30:00Z").await.is_empty());
}

#[tokio::test]
async fn point_35_an_instance_whose_exception_was_dropped_is_listed_in_every_order() {
    let desk = TestService::open().await;
    let rule = ["RRULE:FREQ=DAILY;COUNT=3"];
    desk.insert(series("ddddd", "2026-03-03T07:00:00", "2026-03-03T08:00:00", &rule)).await;
    desk.patch("/ddddd_20260305T060000Z", json!({ "summary": "Moved" })).await.ok();
    for recurrence in [["RRULE:FREQ=DAILY;COUNT=2"], rule] {
        desk.patch("/ddddd", json!({ "recurrence": recurrence })).await.ok();
    }
    for query in ["singleEvents=true", "singleEvents=true&orderBy=updated"] {
        assert_eq!(desk.ids(query).await.len(), 3, "{query}");
    }
    assert_eq!(desk.get("/ddddd/instances").await.ok()["items"].as_array().unwrap().len(), 3);
}

/// A list has the requested order with any filters.
#[tokio::test]
async fn point_43_instances_that_were_updated_since_a_time_are_in_the_order_of_their_start() {
    let desk = filled().await;
    let since = desk.event("ccccc").await["updated"].as_str().unwrap().to_owned();
    desk.delete("/ccccc").await;
    let query =
        format!("singleEvents=true&orderBy=startTime&timeMax=2026-03-05T00:00:00Z&updatedMin={}", encoded(&since));
    let expected = ["eeeee", "ddddd_20260303T060000Z", "ccccc", "ddddd_20260304T060000Z"];
    for size in [1, 2, 250] {
        assert_eq!(desk.ids(&format!("{query}&maxResults={size}")).await, expected, "{size}");
    }
    // A deleted series is listed by its instances.
    desk.delete("/ddddd").await;
    assert_eq!(desk.ids(&query).await, expected);
    assert!(desk.list(&query).await.0.iter().skip(1).all(|event| event["status"] == "cancelled"));
}

#[tokio::test]
async fn point_42_an_invitation_removed_since_a_time_is_listed() {
    let desk = TestService::open().await;
    let guests = json!({ "id": "lunch", "attendees": [{ "email": "ben@example.com" }] });
    let since = desk.insert(with(hour(2, 9, "Lunch"), guests)).await["updated"].as_str().unwrap().to_owned();
    desk.ben().delete("/lunch").await;
    let (items, _) = desk.ben().list(&format!("updatedMin={}", encoded(&since))).await;
    assert_eq!((ids(&items), &items[0]["status"]), (vec!["lunch".to_owned()], &json!("cancelled")));
}

/// The number of listed attendees does not affect which attendees a search finds.
#[tokio::test]
async fn point_40_omitted_attendees_are_found() {
    let desk = filled().await;
    let guests = json!({ "attendees": [{ "email": "zoe@example.net" }, { "email": "ben@example.com" }] });
    desk.patch("/aaaaa", guests).await.ok();
    let (items, _) = desk.list("q=zoe&maxAttendees=1").await;
    assert_eq!((ids(&items), &items[0]["attendeesOmitted"]), (vec!["aaaaa".to_owned()], &json!(true)));
    // A guest does not find attendees that they cannot see.
    desk.patch("/aaaaa", json!({ "guestsCanSeeOtherGuests": false })).await.ok();
    assert_eq!(desk.ben().ids("q=zoe").await, [""; 0]);
}
