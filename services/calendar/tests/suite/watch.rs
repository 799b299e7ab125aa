//! Tests of opening and stopping channels.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use wireform_store::{Channels as _, Millis, Role};

use crate::desk::{NOW, TestResponse, TestService};
use crate::hook::{change, notify, open};

const DAY: u64 = 24 * 60 * 60;

async fn stop(desk: &TestService, channel: &Value) -> TestResponse {
    let body = json!({ "id": channel["id"], "resourceId": channel["resourceId"] });
    desk.post("/calendar/v3/channels/stop", body).await
}

#[tokio::test]
async fn point_100_the_response_contains_the_opened_channel() {
    let (desk, hook) = open().await;
    let opened = hook.watch(&desk, "c-1", "").await;
    let uri = "https://calendar.example.com/calendar/v3/calendars/Ana%40Example.com/events";
    let expiration = (NOW.cast_unsigned() + 7 * DAY * 1_000).to_string();
    let (resource, stated) =
        (opened["resourceId"].clone(), opened["expiration"].as_str().unwrap().parse::<u64>().unwrap());
    assert!(stated >= expiration.parse::<u64>().unwrap() && resource.as_str().unwrap().len() == 32, "{opened}");
    let expected = json!({
        "kind": "api#channel", "id": "c-1", "resourceId": resource, "resourceUri": uri, "token": "token of c-1",
        "expiration": opened["expiration"],
    });
    assert_eq!(opened, expected);
    notify(&desk).await;
    let (notification, headers) = hook.last();
    assert_eq!((notification.number, notification.state.to_string().as_str()), (1, "sync"));
    let header = |name: &str| headers.get(name).unwrap().to_str().unwrap().to_owned();
    assert_eq!(header("x-goog-channel-id"), "c-1");
    assert_eq!(header("x-goog-channel-token"), "token of c-1");
    assert_eq!(header("x-goog-message-number"), "1");
    assert_eq!(header("x-goog-resource-id"), resource.as_str().unwrap());
    assert_eq!(header("x-goog-resource-uri"), uri);
    assert_eq!(header("x-goog-resource-state"), "sync");
    assert!(header("x-goog-channel-expiration").ends_with(" GMT"));
    assert_eq!(header("content-length"), "0");
    assert!(hook.address.contains(&header("host")));
}

#[tokio::test]
async fn point_100_identifiers_are_unique_while_a_channel_lives() {
    let (desk, hook) = open().await;
    let opened = hook.watch(&desk, "c", "").await;
    let taken = hook.open_channel(&desk, "c", "", json!({})).await;
    taken.assert_error(400, "channelIdNotUnique");
    taken.assert_location("id");
    hook.open_channel(&desk.ben(), "c", "", json!({})).await.ok();
    assert_eq!(stop(&desk, &opened).await.status, 204);
    hook.open_channel(&desk, "c", "", json!({ "params": { "ttl": "60" } })).await.ok();
    hook.open_channel(&desk, "c", "", json!({})).await.assert_error(400, "channelIdNotUnique");
    desk.clock.advance(Duration::from_secs(61));
    hook.open_channel(&desk, "c", "", json!({})).await.ok();
}

#[tokio::test]
async fn point_100_only_owners_can_stop_channels() {
    let (desk, hook) = open().await;
    let opened = hook.watch(&desk, "c", "").await;
    notify(&desk).await;
    stop(&desk.ben(), &opened).await.assert_error(404, "notFound");
    stop(&desk, &json!({ "id": "c", "resourceId": "other" })).await.assert_error(404, "notFound");
    stop(&desk, &json!({ "id": "d", "resourceId": opened["resourceId"] })).await.assert_error(404, "notFound");
    change(&desk, "first").await;
    let stopped = stop(&desk, &opened).await;
    assert_eq!((stopped.status.as_u16(), &stopped.body), (204, &Value::Null));
    stop(&desk, &opened).await.assert_error(404, "notFound");
    change(&desk, "second").await;
    notify(&desk).await;
    assert_eq!(hook.numbers("c"), [1], "no more notifications are sent, not even those that were due");
}

#[tokio::test]
async fn a_resource_is_a_calendar_with_the_filters_of_its_list() {
    let (desk, hook) = open().await;
    let mut resources = BTreeSet::new();
    for (at, query) in ["", "?eventTypes=default", "?q=Lunch", "?timeMin=2026-03-01T00:00:00Z", "?singleEvents=true"]
        .into_iter()
        .enumerate()
    {
        let first = hook.watch(&desk, &format!("a{at}"), query).await;
        let again = hook.watch(&desk, &format!("b{at}"), query).await;
        assert_eq!(first["resourceId"], again["resourceId"]);
        resources.insert(first["resourceId"].to_string());
    }
    assert_eq!(resources.len(), 5);
    let one = hook.watch(&desk, "x", "?eventTypes=default&eventTypes=birthday&maxResults=3").await;
    let other = hook.watch(&desk, "y", "?eventTypes=birthday&eventTypes=default&timeZone=Europe/Berlin").await;
    assert_eq!(one["resourceId"], other["resourceId"]);
    let uri = one["resourceUri"].as_str().unwrap();
    assert!(uri.ends_with("/events?eventTypes=birthday&eventTypes=default"), "{uri}");
    desk.share("ben@example.com", Some(Role::Reader)).await;
    let body = json!({ "id": "z", "type": "web_hook", "address": hook.address });
    let shared = desk.ben().post("/calendar/v3/calendars/ana@example.com/events/watch", body).await.ok().clone();
    assert!(shared["resourceId"].is_string() && shared.get("token").is_none());
}

#[tokio::test]
async fn a_channel_stops_with_the_right_to_see_the_calendar() {
    let (desk, hook) = open().await;
    let path = "/calendar/v3/calendars/ana@example.com/events/watch";
    let body = json!({ "id": "ben", "type": "web_hook", "address": hook.address });
    desk.ben().post(path, body.clone()).await.assert_error(404, "notFound");
    desk.share("ben@example.com", Some(Role::FreeBusyReader)).await;
    desk.with_token("ben/calendar.app.created").post(path, body.clone()).await.assert_error(404, "notFound");
    let opened = desk.ben().post(path, body.clone()).await.ok().clone();
    desk.share("ben@example.com", None).await;
    change(&desk, "secret").await;
    assert_eq!(desk.service.send_notifications().await.unwrap(), 0);
    stop(&desk.ben(), &opened).await.assert_error(404, "notFound");
}

#[tokio::test]
async fn channels_expire_after_a_week_and_within_a_month() {
    let (desk, hook) = open().await;
    let now = || desk.clock.now().0;
    let day = |days: i64| days * 86_400_000;
    for (at, members, expected) in [
        (0, json!({}), day(7)),
        (1, json!({ "params": { "ttl": "3600" } }), 3_600_000),
        (2, json!({ "params": { "ttl": "99999999999999999" } }), day(30)),
        (3, json!({ "expiration": (NOW + day(400)).to_string() }), day(30)),
        (4, json!({ "expiration": (NOW + day(2)).to_string(), "params": { "ttl": "864000" } }), day(2)),
        (5, json!({ "expiration": (NOW + day(20)).to_string(), "params": { "ttl": "86400" } }), day(1)),
    ] {
        let before = now();
        let opened = hook.open_channel(&desk, &format!("c{at}"), "", members).await.ok().clone();
        let expiration: i64 = opened["expiration"].as_str().unwrap().parse().unwrap();
        let expected_range =
            if at == 4 { NOW + expected..=NOW + expected } else { before + expected..=now() + expected };
        assert!(expected_range.contains(&expiration), "{at}: {opened}");
    }
    for (members, at) in [
        (json!({ "params": { "ttl": "soon" } }), "params.ttl"),
        (json!({ "params": { "ttl": "-1" } }), "params.ttl"),
        (json!({ "params": { "ttl": "0" } }), "params.ttl"),
        (json!({ "expiration": NOW.to_string() }), "expiration"),
        (json!({ "expiration": "-5" }), "expiration"),
    ] {
        let refused = hook.open_channel(&desk, "late", "", members).await;
        refused.assert_error(400, "invalid");
        refused.assert_location(at);
    }
    desk.clock.set(Millis(NOW + day(31)));
    assert_eq!(desk.service.send_notifications().await.unwrap(), 0, "they have expired");
}

#[tokio::test]
async fn what_cannot_stand_in_a_header_is_refused() {
    let (desk, hook) = open().await;
    let (long_id, long_token) = ("i".repeat(65), "t".repeat(257));
    for (members, at) in [
        (json!({ "id": "" }), "id"),
        (json!({ "id": "a b" }), "id"),
        (json!({ "id": "a\r\nb" }), "id"),
        (json!({ "id": long_id }), "id"),
        (json!({ "token": "a\nb" }), "token"),
        (json!({ "token": "é" }), "token"),
        (json!({ "token": " a" }), "token"),
        (json!({ "token": long_token }), "token"),
        (json!({ "type": "carrier_pigeon" }), "type"),
    ] {
        let refused = hook.open_channel(&desk, "c", "", members.clone()).await;
        assert_eq!(refused.status, 400, "{members}");
        refused.assert_location(at);
        assert!(!refused.body.to_string().contains("ttt"), "{}", refused.body);
    }
}

#[tokio::test]
async fn a_user_has_a_bound_of_channels() {
    let (desk, hook) = open().await;
    for number in 0..100 {
        hook.open_channel(&desk, &format!("c{number}"), "", json!({})).await.ok();
    }
    hook.open_channel(&desk, "beyond", "", json!({})).await.assert_error(403, "quotaExceeded");
    hook.open_channel(&desk.ben(), "beyond", "", json!({})).await.ok();
}

/// Tokens appear neither in channels nor in logs.
#[tokio::test]
async fn tokens_are_not_shown() {
    let (desk, hook) = open().await;
    hook.watch(&desk, "c", "").await;
    let shown = format!("{:?} {:?}", desk.store.channels(None).await.unwrap(), desk.service);
    assert!(shown.contains("ChannelToken(…)") && !shown.contains("token of c"), "{shown}");
}
