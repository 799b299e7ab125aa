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
        "<li class=\"unread\" data-id=\"0123456789abcdef\">",
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
        "&amp;view=html\" aria-current=\"page\">HTML</a>",
        "&amp;view=text\">Text</a>",
        "&amp;view=source\">Source</a>",
        "<iframe sandbox=\"\" src=\"/mail/message/html?user=ada%40example.com&amp;id=0123456789abcdef&amp;part=1\"",
        "<li><b><bdi>plain</bdi></b> <small>application/pdf, 7 bytes</small> <a href=\"/mail/attachment?user=ada%40example.com\
         &amp;id=0123456789abcdef&amp;part=2\" download>Download<span class=\"sr\"> plain</span></a></li>",
        "<b><bdi>été.png</bdi></b> <small>image/png, 7 bytes</small> <a href=\"/mail/attachment?user=ada%40example.com\
         &amp;id=0123456789abcdef&amp;part=3&amp;open=true\" target=\"_blank\" rel=\"noopener\">Open",
        "<b><bdi>huge.csv</bdi></b> <small>text/csv, 12.0 MiB</small> <small>too large to be downloaded here",
        "<h2>Conversation (2)</h2>",
        "<li><a href=\"/mail/message?user=ada%40example.com&amp;id=first\"><bdi>plain</bdi></a> <small>4 Mar 2026, 08:30</small>",
        "id=0123456789abcdef\" aria-current=\"page\"><bdi>plain</bdi></a>",
        "<summary>As the API returns it</summary>",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
}

#[tokio::test]
async fn a_message_is_shown_as_text_and_as_it_is_stored() {
    let text = get_page(&format!("/mail/message?id={MESSAGE}&view=text")).await.body;
    assert!(text.contains("<div class=\"text\" dir=\"auto\">plain &lt;link rel=x&gt;</div>"), "{text}");
    assert!(!text.contains("<iframe"), "{text}");
    let source = get_page(&format!("/mail/message?id={MESSAGE}&view=source")).await.body;
    assert!(source.contains("<pre tabindex=\"0\">Subject: &lt;b&gt;\r\n\r\n\u{fffd}\r\n</pre>"), "{source}");
    let whole = get_page(&format!("/mail/message/eml?id={MESSAGE}")).await;
    assert_eq!(whole.header("content-disposition"), "attachment; filename=\"plain.eml\"; filename*=UTF-8''plain.eml");
    assert_eq!(whole.header("content-type"), "application/octet-stream");
    assert!(whole.body.starts_with("Subject: <b>\r\n"), "{}", whole.body);
}

#[tokio::test]
async fn attachments_are_downloaded_and_opened_if_they_are_harmless() {
    for (query, kind, way) in [
        ("part=2", "application/octet-stream", "attachment; filename=\"plain\"; filename*=UTF-8''plain"),
        // What could run is a download, whatever is requested.
        ("part=2&open=true", "application/octet-stream", "attachment; filename=\"plain\"; filename*=UTF-8''plain"),
        ("part=3", "application/octet-stream", "attachment; filename=\"_t_.png\"; filename*=UTF-8''%C3%A9t%C3%A9.png"),
        ("part=3&open=true", "image/png", "inline; filename=\"_t_.png\"; filename*=UTF-8''%C3%A9t%C3%A9.png"),
    ] {
        let response = get_page(&format!("/mail/attachment?id={MESSAGE}&{query}")).await;
        assert_eq!(response.body, "<b>one</", "{query}");
        assert_eq!((response.header("content-type"), response.header("content-disposition")), (kind, way), "{query}");
        assert_eq!(response.header("x-content-type-options"), "nosniff");
        let policy = response.header("content-security-policy");
        assert!(policy.starts_with("sandbox; default-src 'none'") && !policy.contains("script"), "{policy}");
        assert_eq!(response.header("cross-origin-resource-policy"), "same-origin");
    }
}

#[tokio::test]
async fn conversations_are_rows_with_the_number_of_their_messages() {
    let html = get_page("/mail?view=conversations&label=Label_1").await.body;
    for piece in [
        "view=conversations\" aria-current=\"page\">Conversations</a>",
        "<span><bdi>plain</bdi></span> <small>2<span class=\"sr\"> messages</span></small></span>",
        "label=Label_1&amp;view=conversations&amp;page=next%2Bpage\" rel=\"next\"",
        "<input type=\"hidden\" name=\"view\" value=\"conversations\">",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
    assert_eq!(html.matches("href=\"/mail/message").count(), 1, "one of two conversations is gone: {html}");
}

#[tokio::test]
async fn a_list_is_updated_when_its_mailbox_has_changed() {
    let html = get_page("/mail?label=Label_1&q=x").await.body;
    let feed = "<ol class=\"messages\" data-feed=\"/mail/rows?user=ada%40example.com&amp;label=Label_1&amp;q=x\" data-next=\"110\"";
    assert!(html.contains(feed), "{html}");
    let older = get_page("/mail?page=2").await.body;
    assert!(!older.contains("data-feed"), "an older page does not change: {older}");
    let body = async |start: &str| -> Value {
        serde_json::from_str(&get_page(&format!("/mail/rows?label=Label_1&start={start}")).await.body).expect("JSON")
    };
    let same = body("110").await;
    assert_eq!((&same["count"], &same["next"], &same["rows"]), (&0.into(), &"110".into(), &Value::Null));
    let changed = body("100").await;
    assert_eq!((&changed["count"], &changed["next"]), (&1.into(), &"110".into()));
    assert!(
        changed["rows"].as_str().is_some_and(|rows| rows.starts_with("<li class=\"unread\" data-id=")),
        "{changed}"
    );
    assert!(changed["labels"].as_str().is_some_and(|labels| labels.contains("<b class=\"count\">3<")), "{changed}");
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
