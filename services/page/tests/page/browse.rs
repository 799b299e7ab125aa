//! Tests of access to mail and calendars, and of escaping.

use http::StatusCode;
use serde_json::Value;
use wireform_page::{Contents, PageSettings, router};
use wireform_test_data::requires;

use crate::common::{from, local, page, router_with_text, sample, send};
use crate::pages::{HOSTILE, elements, text_of};

/// All pages of mail, calendars and scripts.
pub const PAGES: [&str; 22] = [
    "/calendar",
    "/calendar?view=month",
    "/calendar?view=day",
    "/calendar?q=x",
    "/calendar?view=busy",
    "/calendar?view=busy-day&user=ben%40example.com",
    "/calendar/event?calendar=ada%40example.com&event=one",
    "/calendar/channels",
    "/mail",
    "/mail?q=subject:x&label=all",
    "/mail?view=conversations",
    "/mail/message?id=0123456789abcdef",
    "/mail/message?id=0123456789abcdef&view=text",
    "/mail/message?id=0123456789abcdef&view=source",
    "/mail/history",
    "/mail/history?until=105",
    "/scripts",
    "/scripts/project?id=one",
    "/scripts/executions",
    "/scripts/executions?id=one",
    "/scripts/execution?number=8",
    "/scripts/execution?number=6",
];

const HERE: (&str, &str) = ("host", "127.0.0.1:8080");

#[tokio::test]
async fn mail_and_calendars_are_only_for_this_machine() {
    let all = PAGES.into_iter().chain([
        "/mail/message/html?id=0123456789abcdef&part=1",
        "/mail/message/eml?id=0123456789abcdef",
        "/mail/attachment?id=0123456789abcdef&part=2",
    ]);
    let public = router(PageSettings { overview_public: true, ..page(Contents::default()) }).expect("pages");
    let off = router(PageSettings { browse: false, ..page(Contents::default()) }).expect("pages");
    for target in all {
        let response = send(&sample(), local(target, &[])).await;
        assert_eq!(response.status, StatusCode::OK, "{target}: {}", response.body);
        for (router, peer, headers) in [
            (&public, "192.0.2.7:1", vec![HERE]),
            (&public, "127.0.0.1:1", vec![("host", "evil.example")]),
            (&public, "127.0.0.1:1", vec![HERE, ("x-forwarded-for", "192.0.2.7")]),
            (&public, "127.0.0.1:1", vec![HERE, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]),
            (&off, "127.0.0.1:1", vec![HERE]),
        ] {
            let response = send(router, from(peer, target, &headers)).await;
            assert_eq!(response.status, StatusCode::FORBIDDEN, "{target} {peer} {headers:?}");
            assert!(!response.body.contains("<bdi>plain"), "{target}: {}", response.body);
        }
    }
}

#[tokio::test]
async fn texts_stay_text_whatever_they_hold() {
    assert_stay_text(&HOSTILE).await;
}

#[requires("corpora/naughty-strings")]
#[tokio::test]
async fn texts_of_others_stay_text_whatever_they_hold() {
    let naughty = naughty();
    assert_stay_text(&naughty.iter().map(String::as_str).collect::<Vec<_>>()).await;
}

async fn assert_stay_text(texts: &[&str]) {
    for target in PAGES {
        let clean = send(&router_with_text("plain"), local(target, &[])).await;
        let elements = shapes(&clean.body);
        for &text in texts {
            let response = send(&router_with_text(text), local(target, &[])).await;
            assert_eq!(response.status, clean.status, "{target} {text:?}: {}", response.body);
            assert_eq!(shapes(&response.body), elements, "{target}: {text:?} adds elements");
            let policy = response.header("content-security-policy");
            let expected = policy.replace(hash(policy), hash(clean.header("content-security-policy")));
            assert_eq!(expected, clean.header("content-security-policy"), "{target} {text:?}");
            if !HOSTILE.contains(&text) {
                continue;
            }
            let shown: String =
                text.chars().map(|c| if "\u{202e}\u{2066}\0".contains(c) { '\u{fffd}' } else { c }).collect();
            assert!(text_of(&response.body).contains(&shown), "{target}: {text:?} is not shown as it is");
        }
    }
}

/// Returns the elements of a page with their attributes, except for the values of URLs, which contain encoded texts,
/// and of other attributes that contain texts.
pub fn shapes(html: &str) -> Vec<String> {
    let html = &without_descriptions(html);
    let names = |tag: &str| {
        let mut words = Vec::new();
        for (place, piece) in tag.split('"').enumerate() {
            if place % 2 == 0 {
                words.push(piece);
            }
        }
        words.join("\"")
    };
    let shapes: Vec<String> = elements(html).into_iter().map(names).collect();
    // URLs in texts are links, whose ends follow their starts because they contain nothing else.
    let is_start = |place: usize| shapes.get(place).is_some_and(|shape| shape == "a href=\" rel=\"");
    let kept = (0..shapes.len()).filter(|place| !(is_start(*place) || *place > 0 && is_start(place - 1)));
    kept.filter_map(|place| shapes.get(place).cloned()).collect()
}

/// Returns a page without the descriptions of events, which may contain HTML; their elements are checked here.
fn without_descriptions(html: &str) -> String {
    let mut pieces = html.split("<div class=\"rich");
    let mut rest = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (description, after) = piece.split_once("</div></dd>").expect("a description ends");
        for tag in elements(description) {
            let name = tag.trim_start_matches('/').split(' ').next().unwrap_or_default();
            let is_plain = tag == name || tag == format!("/{name}");
            let is_link = ["http://", "https://", "mailto:"].iter().any(|scheme| {
                tag.to_lowercase().starts_with(&format!("a href=\"{scheme}"))
                    && tag.ends_with("\" rel=\"noopener noreferrer\"")
            });
            assert!(
                !["script", "style", "img", "iframe", "svg"].contains(&name) && (is_plain || is_link),
                "{tag} in {html}"
            );
        }
        rest.push_str(&format!("<div class=\"text\" dir=\"auto\"></div></dd>{after}"));
    }
    rest
}

fn hash(policy: &str) -> &str {
    policy.split('\'').find(|word| word.starts_with("sha256-")).unwrap_or("none at all")
}

/// The list of naughty strings, which is stored next to the repository.
fn naughty() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora/naughty-strings/blns.json");
    let text = std::fs::read_to_string(path).expect("a file");
    let all: Vec<String> = serde_json::from_str(&text).expect("a list of strings");
    assert!(all.len() > 400, "the list has {} strings", all.len());
    // Empty values are omitted from some pages, with their elements.
    all.into_iter().filter(|text| !text.trim().is_empty()).collect()
}

#[tokio::test]
async fn pages_hold_nothing_that_runs() {
    for target in PAGES {
        let response = send(&sample(), local(target, &[])).await;
        let policy = response.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{target}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{target}: {policy}");
        assert_eq!(
            (response.header("cache-control"), response.header("x-content-type-options")),
            ("no-store", "nosniff")
        );
        for inline in ["<script>", " onclick", " style=", "javascript:"] {
            assert!(!response.body.contains(inline), "{target} has {inline}");
        }
    }
}

#[tokio::test]
async fn errors_of_an_address_are_shown() {
    for (target, status, expected) in [
        ("/calendar?date=yesterday", 400, "`yesterday` is not a day"),
        ("/calendar?date=-000500-01-01", 400, "is not a day"),
        ("/calendar?date=9999-12-31", 400, "is not a day"),
        ("/calendar?view=year", 400, "View `year` not found"),
        ("/calendar?user=nobody%40example.com", 404, "User `nobody@example.com` not found"),
        ("/calendar?calendar=secret", 404, "Calendar `secret` not found, or not visible to ada@example.com"),
        ("/calendar?user=ben%40example.com&calendar=ada%40example.com", 404, "not visible to ben@example.com"),
        ("/calendar/event?calendar=ada%40example.com", 400, "contains no event"),
        ("/calendar/event?calendar=ada%40example.com&event=unknown", 404, "The service returned 404: plain"),
        ("/calendar/channels?user=nobody%40example.com", 404, "User `nobody@example.com` not found"),
        ("/mail?label=wrong", 404, "The service returned 404: plain"),
        ("/mail/message", 400, "contains no message"),
        ("/mail/message?id=gone", 404, "The service returned 404: plain"),
        ("/mail/message/html?id=0123456789abcdef&part=7", 404, "Message part not found"),
        ("/mail/message?id=0123456789abcdef&view=pdf", 400, "View `pdf` not found"),
        ("/mail?view=people", 400, "View `people` not found"),
        ("/mail/attachment?id=0123456789abcdef&part=0", 404, "Attachment not found"),
        ("/mail/attachment?id=0123456789abcdef&part=4", 413, "too large to be downloaded here"),
        ("/scripts/execution?number=10", 404, "There is no execution 10 that this user can see."),
        ("/scripts/execution", 400, "`` is not the number of an execution."),
        ("/scripts/executions?page=x", 400, "`x` is not the number of an execution."),
        ("/scripts/executions?id=hidden", 404, "Project `hidden` not found, or not visible to ada@example.com."),
        ("/mail/history?until=x", 400, "is not a history number"),
    ] {
        let response = send(&sample(), local(target, &[])).await;
        assert_eq!(response.status.as_u16(), status, "{target}: {}", response.body);
        assert!(text_of(&response.body).contains(expected), "{target}: {}", response.body);
        assert!(response.body.contains("role=\"alert\""), "{target}: {}", response.body);
    }
    for target in ["/calendar?date=0001-01-01", "/calendar?date=9998-12-31", "/calendar?view=month&date=9998-12-31"] {
        assert_eq!(send(&sample(), local(target, &[])).await.status, StatusCode::OK, "{target}");
    }
}

#[tokio::test]
async fn what_is_new_is_for_pages_of_this_server_and_programs() {
    for target in ["/mail/history/records?start=100", "/mail/rows?start=100"] {
        assert_for_pages_and_programs(target).await;
    }
}

async fn assert_for_pages_and_programs(target: &str) {
    for (headers, status) in [
        (vec![], 403),
        (vec![("sec-fetch-site", "none")], 403),
        (vec![("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")], 403),
        (vec![("sec-fetch-site", "same-origin")], 200),
        (vec![("x-wireform-program", "1")], 200),
    ] {
        let response = send(&sample(), local(target, &headers)).await;
        assert_eq!(response.status.as_u16(), status, "{headers:?}: {}", response.body);
        let body: Value = serde_json::from_str(&response.body).expect("JSON");
        assert_eq!(body["error"]["code"].as_u64(), (status != 200).then_some(403));
    }
}
