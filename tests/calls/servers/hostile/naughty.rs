//! Strings of the Big List of Naughty Strings and others, in paths, queries and bodies.

use http::StatusCode;
use serde_json::{Value, json};
use wireform_test_data::requires;
use wireform_tests::shared;

use super::{EVENTS, get, post, send_twice};
use crate::desk::Desk;
use crate::wire::TestResponse;

fn strings() -> Vec<String> {
    let file = shared("corpora/naughty-strings/blns.json");
    let mut list: Vec<String> =
        serde_json::from_slice(&fs_err::read(file).expect("a file")).expect("a list of strings");
    list.extend(
        ["\u{0}", "a\u{0}b", "\r\nx: y", "%2F", "%", "+", " ", "a/b", "a;b", "a&b=c#d", "\u{10ffff}", "\u{feff}"]
            .map(str::to_owned),
    );
    list
}

/// Percent-encodes every byte that is not a letter or digit, as the strictest clients do.
fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).into() } else { format!("%{byte:02X}") })
        .collect()
}

/// Percent-encodes only bytes that a path cannot contain literally (RFC 3986, section 3.3).
fn encode_minimally(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).into() } else { format!("%{byte:02X}") }).collect()
}

/// Returns the decoded segments of a path.
fn segments(target: &str) -> Vec<String> {
    let path = target.split('?').next().unwrap_or_default();
    let decoded = path.split('/').map(|segment| {
        // Outside of forms, a plus sign does not stand for a space.
        let form = format!("a={}", segment.replace('+', "%2B"));
        url::form_urlencoded::parse(form.as_bytes()).next().expect("a pair").1.into_owned()
    });
    decoded.collect()
}

/// Returns the values of a query parameter.
fn values(target: &str, name: &str) -> Vec<String> {
    let query = target.split_once('?').map_or("", |(_, query)| query);
    url::form_urlencoded::parse(query.as_bytes())
        .filter(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
        .collect()
}

/// Asserts that an error response is about one location alone.
fn assert_names(got: &TestResponse, location: &str, what: &str) {
    assert_eq!(got.status, StatusCode::BAD_REQUEST, "{what}: {got:?}");
    for item in got.json()["error"]["errors"].as_array().expect("a list") {
        let found = item["location"].as_str().unwrap_or_default();
        assert!(found == location || found.starts_with(&format!("{location}[")), "{what}: {found} is not {location}");
    }
}

#[requires("corpora/naughty-strings")]
#[tokio::test]
async fn naughty_strings_in_paths_arrive_or_are_refused_by_name() {
    let strings = strings();
    let desk = Desk::samples();
    let (mut reached, mut refused) = (0, 0);
    for (text, variable) in strings.iter().flat_map(|text| [(text, encode(text)), (text, encode_minimally(text))]) {
        let places = [
            (format!("/calendar/v3/calendars/{variable}/events/abcde"), 4, "calendarId"),
            (format!("/calendar/v3/calendars/primary/events/{variable}"), 6, "eventId"),
            (format!("/mail/v1/users/{variable}/history?startHistoryId=1"), 4, "userId"),
            (format!("/v1/projects/{variable}/content"), 3, "scriptId"),
        ];
        for (target, place, name) in places {
            let (got, received) = send_twice(&desk, &target, || get(&target)).await;
            match received {
                Some(received) => {
                    assert_eq!(segments(&received.wire.target)[place], *text, "{target}");
                    reached += 1;
                }
                // An empty text is not a segment.
                None if text.is_empty() => assert_eq!(got.status, StatusCode::NOT_FOUND, "{target}"),
                None => {
                    assert_names(&got, name, &target);
                    refused += 1;
                }
            }
        }
    }
    assert!(reached > 2000 && refused > 800, "{reached} {refused}");
}

#[requires("corpora/naughty-strings")]
#[tokio::test]
async fn naughty_strings_in_queries_arrive_or_are_refused_by_name() {
    let strings = strings();
    let desk = Desk::samples();
    let (mut reached, mut refused) = (0, 0);
    let places = [
        (EVENTS, "q"),
        (EVENTS, "timeZone"),
        (EVENTS, "timeMin"),
        (EVENTS, "eventTypes"),
        (EVENTS, "sharedExtendedProperty"),
        (EVENTS, "maxResults"),
        (EVENTS, "showDeleted"),
        ("/v1/processes", "userProcessFilter.functionName"),
        ("/v1/projects/a/versions", "pageToken"),
    ];
    for text in &strings {
        let form: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
        for (path, name) in places {
            for value in [&encode(text), &form] {
                let target = format!("{path}?{name}={value}");
                let (got, received) = send_twice(&desk, &target, || get(&target)).await;
                match received {
                    Some(received) => {
                        let found = values(&received.wire.target, name);
                        // Only numbers, booleans and times have several notations.
                        let written = !matches!(name, "maxResults" | "showDeleted" | "timeMin");
                        assert!(!written || found == [text.clone()], "{target}: {found:?}");
                        reached += 1;
                    }
                    None => {
                        assert_names(&got, name, &target);
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(reached > 2000 && refused > 2000, "{reached} {refused}");
}

#[requires("corpora/naughty-strings")]
#[tokio::test]
async fn naughty_strings_in_bodies_arrive_or_are_refused_by_name() {
    let strings = strings();
    let desk = Desk::samples();
    let (mut reached, mut refused) = (0, 0);
    for text in &strings {
        let places = [
            (json!({ "summary": text }), "/summary", "summary"),
            (json!({ "description": text }), "/description", "description"),
            (json!({ "id": text }), "/id", "id"),
            (json!({ "attendees": [{ "email": text }] }), "/attendees/0/email", "attendees"),
            (
                json!({ "attendees": [{ "email": "a@example.com", "comment": text }] }),
                "/attendees/0/comment",
                "attendees",
            ),
            (json!({ "start": { "date": "2026-03-02", "timeZone": text } }), "/start/timeZone", "start.timeZone"),
            (json!({ "recurrence": [text] }), "/recurrence/0", "recurrence"),
            (
                json!({ "extendedProperties": { "private": { "a": text } } }),
                "/extendedProperties/private/a",
                "extendedProperties.private",
            ),
            (json!({ "extendedProperties": { "private": { text: "a" } } }), "", "extendedProperties.private"),
        ];
        for (members, pointer, name) in places {
            let mut body = json!({ "start": { "date": "2026-03-02" }, "end": { "date": "2026-03-03" } });
            for (member, value) in members.as_object().expect("members") {
                body[member] = value.clone();
            }
            let sent = body.to_string();
            let (got, received) = send_twice(&desk, &sent, || post(EVENTS, sent.clone())).await;
            match received {
                Some(received) => {
                    let received_body: Value =
                        serde_json::from_slice(received.wire.body.as_deref().expect("a body")).expect("JSON");
                    assert_eq!(received_body.pointer(pointer), body.pointer(pointer), "{sent}");
                    reached += 1;
                }
                None => {
                    let location = got.json()["error"]["errors"][0]["location"].as_str().unwrap_or_default().to_owned();
                    assert!(location.starts_with(name), "{sent}: {location}");
                    refused += 1;
                }
            }
        }
    }
    assert!(reached > 1500 && refused > 1500, "{reached} {refused}");
}
