//! Tests of messages, and of the history of a mailbox.

use serde_json::Value;

use crate::common::{ApiResponse, local, sample, send};
use crate::services::MESSAGE;

async fn get_page(target: &str) -> ApiResponse {
    let response = send(&sample(), local(target, &[("x-wireform-program", "1")])).await;
    assert_eq!(response.status, 200, "{target}: {}", response.body);
    response
}

#[tokio::test]
async fn a_mailbox_lists_what_is_there() {
    let html = get_page("/mail?q=x%26y&label=Label_1").await.body;
    for piece in [
        "<h1><bdi>plain</bdi></h1>",
        "value=\"x&amp;y\"",
        "aria-current=\"page\"><span class=\"dot l0\"></span><bdi>plain</bdi> <b class=\"count\">3<",
        "<li class=\"unread\">",
        "<time datetime=\"2026-03-04T08:30:00Z\" title=\"4 March 2026, 08:30 GMT\">08:30</time>",
        "label=Label_1&amp;q=x%26y&amp;page=next%2Bpage\" rel=\"next\"",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
    assert_eq!(html.matches("href=\"/mail/message").count(), 1, "one of two messages is gone: {html}");
}

#[tokio::test]
async fn a_message_has_its_parts() {
    let html = get_page(&format!("/mail/message?id={MESSAGE}")).await.body;
    for piece in [
        "<dt>From</dt><dd><bdi>plain</bdi></dd>",
        "<dt>Received</dt><dd>Wednesday, 4 March 2026, 08:30 GMT</dd>",
        "<div class=\"text\" dir=\"auto\">plain &lt;link rel=x&gt;</div>",
        "<iframe sandbox=\"\" src=\"/mail/message/html?user=ada%40example.com&amp;id=0123456789abcdef&amp;part=1\"",
        "<li><b><bdi>plain</bdi></b> <small>application/pdf, 9 bytes</small></li>",
        "<summary>As the API returns it</summary>",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
}

#[tokio::test]
async fn a_part_in_html_can_do_nothing() {
    let response = get_page(&format!("/mail/message/html?id={MESSAGE}&part=1")).await;
    assert!(response.body.ends_with("<b>bold</b><x-script>1</x-script>"), "{}", response.body);
    let policy = response.header("content-security-policy");
    for rule in ["sandbox;", "default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert!(!policy.contains("allow") && !policy.contains("script-src"), "{policy}");
    assert_eq!(response.header("referrer-policy"), "no-referrer");
    assert_eq!(response.header("x-dns-prefetch-control"), "off");
}

#[tokio::test]
async fn a_history_has_its_newest_records_first() {
    let html = get_page("/mail/history").await.body;
    let (newest, oldest) = (html.find("id=\"record-110\""), html.find("id=\"record-105\""));
    assert!(newest.is_some() && newest < oldest, "{html}");
    for piece in [
        "data-feed=\"/mail/history/records?user=ada%40example.com\" data-next=\"110\"",
        "<code>gone</code> <small>deleted since</small>",
        "<li>and 5 more changes</li>",
        "until=100\" rel=\"next\">Older",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
    // An older page ends where the newer one began, and does not change.
    let html = get_page("/mail/history?until=105").await.body;
    assert!(html.contains("record-105") && !html.contains("record-110") && !html.contains("data-feed"), "{html}");
}

#[tokio::test]
async fn new_records_are_returned_once() {
    for (start, count, next) in [("100", 2, "110"), ("110", 0, "110")] {
        let response = get_page(&format!("/mail/history/records?start={start}")).await;
        assert_eq!(response.header("content-type"), "application/json; charset=UTF-8");
        let body: Value = serde_json::from_str(&response.body).expect("JSON");
        assert_eq!((&body["count"], &body["next"], &body["more"]), (&count.into(), &next.into(), &false.into()));
        assert_eq!(body["rows"].as_str().expect("rows").matches("<li id=\"record-").count(), count);
    }
}
