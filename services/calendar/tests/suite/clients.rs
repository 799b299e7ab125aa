//! Tests of what programs for the public service expect of responses, beyond the specification.

use serde_json::json;

use crate::desk::{TestService, encoded, hour, series, with};

#[tokio::test]
async fn empty_lists_have_their_members() {
    let desk = TestService::open().await;
    let page = desk.get("").await.ok().clone();
    assert_eq!((&page["items"], &page["defaultReminders"]), (&json!([]), &json!([])));
    desk.insert(series(
        "daily".replace('y', "d").as_str(),
        "2026-03-03T07:00:00",
        "2026-03-03T08:00:00",
        &["RRULE:FREQ=DAILY"],
    ))
    .await;
    let page = desk.get("/daild/instances?timeMax=2026-01-01T00:00:00Z").await.ok().clone();
    assert_eq!((&page["items"], &page["defaultReminders"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn lists_of_instances_have_an_entity_tag() {
    let desk = TestService::open().await;
    desk.insert(series("daild", "2026-03-03T07:00:00", "2026-03-03T08:00:00", &["RRULE:FREQ=DAILY"])).await;
    let first = desk.get("/daild/instances?maxResults=2").await;
    let tag = first.ok()["etag"].as_str().map(str::to_owned);
    assert_eq!(tag.as_deref(), first.headers.get("etag").map(|tag| tag.to_str().unwrap()));
    assert!(tag.is_some());
    let token = first.body["nextPageToken"].as_str().unwrap();
    let next = desk.get(&format!("/daild/instances?maxResults=2&pageToken={token}")).await;
    assert_eq!(next.ok()["etag"].as_str().map(str::to_owned), tag, "pages of one list");
    desk.patch("/daild", json!({ "summary": "Other" })).await.ok();
    assert_ne!(desk.get("/daild/instances?maxResults=2").await.ok()["etag"].as_str().map(str::to_owned), tag);
}

#[tokio::test]
async fn events_have_their_type_and_the_zone_of_their_times() {
    let desk = TestService::open().await;
    let event = desk.insert(with(hour(3, 9, "Tea"), json!({ "id": "aaaaa" }))).await;
    assert_eq!(event["eventType"], "default");
    assert_eq!((&event["start"]["timeZone"], &event["end"]["timeZone"]), (&json!("UTC"), &json!("UTC")));
    let (items, _) = desk.list("").await;
    assert_eq!((&items[0], &items[0]["eventType"]), (&event, &json!("default")));
    // Days have no zone.
    let day = json!({ "start": { "date": "2026-03-03" }, "end": { "date": "2026-03-04" } });
    assert!(desk.insert(day).await["start"].get("timeZone").is_none());
    // The response can be sent back, and so can the event without what it had not: neither changes anything.
    let again = desk.put("/aaaaa", event.clone()).await;
    assert_eq!(again.ok(), &event);
    let mut without = event.clone();
    for time in ["start", "end"] {
        without[time].as_object_mut().unwrap().remove("timeZone");
    }
    without.as_object_mut().unwrap().remove("eventType");
    assert_eq!(desk.put("/aaaaa", without).await.ok(), &event);
}

#[tokio::test]
async fn the_longest_identifier_is_accepted() {
    let desk = TestService::open().await;
    let id = "a".repeat(1_024);
    let event = desk.insert(with(hour(3, 9, "Tea"), json!({ "id": id }))).await;
    assert_eq!(event["id"].as_str(), Some(id.as_str()));
    assert_eq!(desk.event(&id).await, event);
    let series_id = "b".repeat(1_024);
    desk.insert(series(&series_id, "2026-03-03T07:00:00", "2026-03-03T08:00:00", &["RRULE:FREQ=DAILY;COUNT=2"])).await;
    desk.patch(&format!("/{series_id}_20260303T060000Z"), json!({ "summary": "One" })).await.ok();
    let too_long = with(hour(3, 9, "Tea"), json!({ "id": "a".repeat(1_025) }));
    desk.post("", too_long).await.assert_error(400, "invalid");
}

#[tokio::test]
async fn an_instance_is_found_by_its_original_start_whatever_the_horizon() {
    let desk = TestService::open().await;
    desk.insert(series("daild", "2026-03-03T07:00:00", "2026-03-03T08:00:00", &["RRULE:FREQ=DAILY"])).await;
    let find = async |start: &str| {
        let page = desk.get(&format!("/daild/instances?originalStart={}", encoded(start))).await.ok().clone();
        crate::desk::ids(page["items"].as_array().unwrap_or(&Vec::new()))
    };
    assert_eq!(find("2040-01-01T07:00:00+01:00").await, ["daild_20400101T060000Z"]);
    assert_eq!(find("2026-03-04T06:00:00Z").await, ["daild_20260304T060000Z"]);
    assert!(find("2040-01-01T07:30:00+01:00").await.is_empty());
    // Also one that was moved.
    let moved =
        json!({ "start": { "dateTime": "2041-05-01T10:00:00Z" }, "end": { "dateTime": "2041-05-01T11:00:00Z" } });
    desk.patch("/daild_20400101T060000Z", moved).await.ok();
    assert_eq!(find("2040-01-01T07:00:00+01:00").await, ["daild_20400101T060000Z"]);
}

#[tokio::test]
async fn errors_have_the_reasons_and_domains_of_the_public_service() {
    let desk = TestService::open().await;
    let domain = |body: &serde_json::Value| body["error"]["errors"][0]["domain"].clone();
    for path in ["", "/aaaaa/instances"] {
        let range = desk.get(&format!("{path}?timeMin=2026-03-03T07:00:00Z&timeMax=2026-03-03T07:00:00Z")).await;
        range.assert_error(400, "timeRangeEmpty");
        range.assert_location("timeMax");
        assert_eq!(domain(&range.body), "calendar");
    }
    let missing = desk.get("/aaaaa").await;
    assert_eq!(domain(&missing.body), "global");
    let sync = desk.get("?syncToken=none").await;
    sync.assert_error(410, "fullSyncRequired");
    assert_eq!(domain(&sync.body), "calendar");
}

/// Operations of the public service that are not here name themselves, also without a token, and the documentation lists
/// them.
#[tokio::test]
async fn operations_that_are_not_here_name_themselves() {
    let desk = TestService::open().await.with_token("nobody");
    let described: serde_json::Value = serde_json::from_str(calendar_server::OPENAPI).unwrap();
    let missing = described["x-wireform-api"]["unimplemented"].as_object().unwrap();
    assert!(missing.contains_key("acl.list"), "{missing:?}");
    let page = fs_err::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/calendar.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    for (name, line) in missing {
        let (method, path) = line.as_str().unwrap().split_once(' ').unwrap();
        let path: Vec<&str> = path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect();
        let response = desk.send(method, &format!("/calendar/v3{}", path.join("/")), None, &[]).await;
        response.assert_error(501, "notImplemented");
        let message = response.body["error"]["message"].as_str().unwrap();
        assert_eq!(message, format!("the operation `{name}` is not implemented by this server"));
        let (group, method) = name.rsplit_once('.').unwrap();
        let row =
            rows.iter().find(|row| row.starts_with(&format!("| `{group}` |"))).unwrap_or_else(|| panic!("{name}"));
        assert!(row.rsplit('|').nth(1).unwrap().contains(&format!("`{method}`")), "{name}: {row}");
    }
}

#[tokio::test]
async fn a_post_can_stand_for_a_patch() {
    let desk = TestService::open().await;
    desk.insert(with(hour(3, 9, "Tea"), json!({ "id": "aaaaa" }))).await;
    let patch = Some(json!({ "summary": "Coffee" }));
    let response = desk.send("POST", "/aaaaa", patch, &[("x-http-method-override", "PATCH")]).await;
    assert_eq!(response.ok()["summary"], "Coffee");
    assert_eq!(desk.event("aaaaa").await["start"], response.body["start"]);
}
