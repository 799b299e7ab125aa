//! Tests with hostile inputs.

use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use wireform_test_data::requires;

use crate::desk::{TestResponse, TestService, encoded, hour, with};

/// Reads a corpus of public test data, which is stored next to the repository.
pub fn corpus(path: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora").join(path);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn bytes(case: &Value) -> Vec<u8> {
    if let Some(plain) = case["b64"].as_str() {
        return STANDARD.decode(plain).unwrap();
    }
    let packed = STANDARD.decode(case["zlib_b64"].as_str().unwrap()).unwrap();
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(&*packed).read_to_end(&mut bytes).unwrap();
    bytes
}

/// Returns whether a response is a success, or a well-formed client error.
fn is_sound(response: &TestResponse) -> bool {
    let status = response.status.as_u16();
    let is_error = response.body["error"]["code"] == status && response.body["error"]["message"].is_string();
    (200..300).contains(&status) || ((400..500).contains(&status) && is_error)
}

/// Asserts that everything can be read in every way.
async fn reads(desk: &TestService, what: &str) {
    for path in [
        "",
        "?showDeleted=true&orderBy=updated",
        "?singleEvents=true&orderBy=startTime&timeMin=2026-01-01T00:00:00Z&timeMax=2026-02-01T00:00:00Z&maxResults=50",
        "?singleEvents=true&timeMin=9998-01-01T00:00:00Z&maxResults=50",
        "?q=a",
    ] {
        let response = desk.get(path).await;
        assert_eq!(response.status.as_u16(), 200, "{what} {path}: {}", response.body);
    }
}

#[requires("corpora/hostile")]
#[tokio::test]
async fn every_body_is_stored_or_refused() {
    let cases = corpus("hostile/event-bodies.json");
    let (mut stored, mut refused) = (0, 0);
    for case in &cases {
        let desk = TestService::open().await;
        let id = case["id"].as_str().unwrap();
        for (method, path) in [("POST", ""), ("POST", "/import"), ("PUT", "/lunch"), ("PATCH", "/lunch")] {
            if method != "POST" && path == "/lunch" {
                let lunch = with(hour(2, 9, "Lunch"), json!({ "id": "lunch" }));
                desk.post("", lunch).await;
            }
            let response = desk.send_bytes(method, path, Some(bytes(case)), &[]).await;
            assert!(is_sound(&response), "{id} {method} {path}: {} {}", response.status, response.body);
            *if response.status.is_success() { &mut stored } else { &mut refused } += 1;
        }
        reads(&desk, id).await;
    }
    assert!(stored > 20 && refused > 20, "{stored} {refused}");
}

#[tokio::test]
async fn any_text_comes_back_or_is_refused() {
    let own = [
        "",
        " ",
        "\u{0}",
        "\u{202e}",
        "\u{feff}",
        "'; DROP TABLE entries; --",
        "<script>alert(1)</script>",
        "%00",
        "../..",
    ];
    assert_comes_back_or_is_refused(&own.map(|text| json!(text))).await;
}

#[requires("corpora/naughty-strings")]
#[tokio::test(flavor = "multi_thread")]
async fn any_text_of_others_comes_back_or_is_refused() {
    let texts = corpus("naughty-strings/blns.json");
    // Few texts for each service, because lists examine all events.
    let parts = texts.chunks(20).map(<[Value]>::to_vec);
    let parts: Vec<_> =
        parts.map(|texts| tokio::spawn(async move { assert_comes_back_or_is_refused(&texts).await })).collect();
    for part in parts {
        part.await.unwrap();
    }
}

async fn assert_comes_back_or_is_refused(texts: &[Value]) {
    let desk = TestService::open().await;
    for text in texts {
        written(&desk, text).await;
        asked_for(&desk, &encoded(text.as_str().unwrap())).await;
    }
    reads(&desk, "any text").await;
}

/// Sends a text as a field of events.
async fn written(desk: &TestService, text: &Value) {
    let members = json!({
        "summary": text, "description": text, "location": text,
        "extendedProperties": { "private": { "p": text }, "shared": { "s": text } },
        "attendees": [{ "email": "guest@example.net", "displayName": text, "comment": text }],
    });
    let response = desk.post("", with(hour(2, 9, "Lunch"), members.clone())).await;
    assert!(is_sound(&response), "{text}: {}", response.body);
    if response.status.is_success() {
        let read = desk.event(response.body["id"].as_str().unwrap()).await;
        for member in ["summary", "description", "location", "extendedProperties"] {
            assert_eq!(read[member], members[member], "{member}");
        }
        // An empty comment is none.
        assert_eq!(read["attendees"][0].get("comment").unwrap_or(&json!("")), text);
    }
    for members in [json!({ "id": text }), json!({ "iCalUID": text }), json!({ "recurrence": [text] })] {
        let response = desk.post("", with(hour(2, 9, "Lunch"), members)).await;
        assert!(is_sound(&response), "{text}: {}", response.body);
    }
}

/// Sends a text as a parameter, or as part of a path.
async fn asked_for(desk: &TestService, text: &str) {
    for path in [
        format!("?q={text}&maxResults=3"),
        format!("?privateExtendedProperty=p%3D{text}&maxResults=3"),
        format!("?iCalUID={text}"),
        format!("?pageToken={text}"),
        format!("?syncToken={text}"),
        format!("?timeZone={text}&maxResults=3"),
        format!("/x{text}"),
        format!("/x{text}/instances"),
        format!("/calendar/v3/calendars/x{text}/events"),
    ] {
        let response = desk.get(&path).await;
        assert!(is_sound(&response), "{path}: {} {}", response.status, response.body);
    }
}
