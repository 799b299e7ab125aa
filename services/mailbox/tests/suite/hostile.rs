//! Tests with hostile mails and unusual texts.

use std::path::PathBuf;

use serde_json::{Value, json};
use wireform_test_data::requires;

use crate::desk::{TestService, data, encoded, mail};

/// Returns the number of parts of a response, and their depth.
fn size(part: &Value) -> (usize, usize) {
    let below: Vec<_> = part["parts"].as_array().into_iter().flatten().map(size).collect();
    let parts = 1 + below.iter().map(|(parts, _)| parts).sum::<usize>();
    (parts, 1 + below.iter().map(|(_, depth)| *depth).max().unwrap_or(0))
}

/// Stores a mail and reads it in every format; returns its parts.
async fn store_and_read(desk: &TestService, raw: &[u8]) -> Value {
    let response = desk.post("/users/me/messages", mail(raw, &["INBOX"])).await;
    let id = response.ok()["id"].as_str().unwrap().to_owned();
    for format in ["minimal", "metadata"] {
        desk.get(&format!("/users/me/messages/{id}?format={format}")).await.ok();
    }
    assert_eq!(data(&desk.get(&format!("/users/me/messages/{id}?format=raw")).await.ok()["raw"]), raw);
    desk.get(&format!("/users/me/messages/{id}")).await.ok()["payload"].clone()
}

#[tokio::test]
async fn parts_within_parts_have_an_end() {
    let desk = TestService::open().await;
    let deep: String =
        (0..5_000).map(|at| format!("Content-Type: multipart/mixed; boundary=b{at}\r\n\r\n--b{at}\r\n")).collect();
    let (parts, depth) = size(&store_and_read(&desk, deep.as_bytes()).await);
    assert!(parts <= 25 && depth <= 25, "{parts} {depth}");
    let messages = "Content-Type: message/rfc822\r\n\r\n".repeat(50_000);
    let (parts, depth) = size(&store_and_read(&desk, messages.as_bytes()).await);
    assert!(parts <= 25 && depth <= 25, "{parts} {depth}");
    let same = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n".repeat(5_000);
    assert!(size(&store_and_read(&desk, same.as_bytes()).await).0 <= 1_001);
}

#[tokio::test]
async fn the_number_of_returned_parts_is_limited_without_data_loss() {
    let desk = TestService::open().await;
    let many = format!("Content-Type: multipart/mixed; boundary=b\r\n\r\n{}--b--", "--b\r\n\r\nx\r\n".repeat(100_000));
    let payload = store_and_read(&desk, many.as_bytes()).await;
    let parts = payload["parts"].as_array().unwrap();
    assert!((900..=1_001).contains(&parts.len()), "{}", parts.len());
    // The rest is one part at the end.
    let total: usize = parts.iter().map(|part| part["body"]["size"].as_u64().unwrap() as usize).sum();
    assert!(total > many.len() / 2, "{total}");
    let empty = format!("Content-Type: multipart/mixed; boundary=b\r\n\r\n{}", "--b\n".repeat(300_000));
    store_and_read(&desk, empty.as_bytes()).await;
}

#[tokio::test]
async fn the_number_of_returned_headers_is_limited() {
    let desk = TestService::open().await;
    let payload = store_and_read(&desk, format!("{}\r\ntext", "a:\n".repeat(200_000)).as_bytes()).await;
    assert!(payload["headers"].as_array().unwrap().len() <= 4_000);
    let long = format!("Subject: {}\r\nFrom: {}\r\n\r\ntext", "x".repeat(2 << 20), "<a@b>,".repeat(200_000));
    let payload = store_and_read(&desk, long.as_bytes()).await;
    assert_eq!(payload["headers"][0]["value"].as_str().unwrap().len(), 2 << 20);
    // Encoded words that begin and never end: the parser would search for the end of each.
    let begun = format!("Subject: {0}\r\nFrom: {0}\r\nTo: {0}\r\n\r\ntext", "=?aa?q? ".repeat(100_000));
    store_and_read(&desk, begun.as_bytes()).await;
    let folded = format!("Subject: a{}\r\n\r\ntext", "\r\n b".repeat(200_000));
    store_and_read(&desk, folded.as_bytes()).await;
}

#[tokio::test]
async fn malformed_mails_are_stored_and_returned() {
    let desk = TestService::open().await;
    let mails: &[&[u8]] = &[
        b"\0",
        b"\xff\xfe\x00",
        b"no header at all",
        b"Subject",
        b"Content-Type: multipart/mixed; boundary=\"\"\r\n\r\n--\r\n\r\nx",
        b"Content-Type: multipart/mixed\r\n\r\n--b\r\n",
        b"Content-Type: text/plain; charset=nonsense\r\n\r\n\xff",
        b"Content-Type: text/plain; charset=\r\n\r\nx",
        b"Content-Type: ///;;==\"\r\n\r\nx",
        b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\nU3ViamVjdDogeA==",
        b"Subject: =?utf-16?b?/////w==?= =?x?q?=?= =?\r\n\r\n",
        b"Content-Disposition: attachment; filename*0*=utf-8''%ff; filename*1=\"\r\n\r\nx",
        b"Date: Sun, 99 Xxx 99999999999999999999 99:99:99 +9999\r\n\r\n",
        b"Message-ID: <\r\nReferences: <<<<>>>> <>\r\n\r\n",
        b"From: \"\\\"<a@b\r\n\r\n<<<<html><script>",
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n=\r\n==3=",
    ];
    for raw in mails {
        let payload = store_and_read(&desk, raw).await;
        assert!(payload["mimeType"].as_str().unwrap().contains('/'), "{payload}");
    }
    let listed = desk.get("/users/me/messages").await;
    assert_eq!(listed.ok()["messages"].as_array().unwrap().len(), mails.len());
}

/// Reads a public corpus of texts that break programs.
fn corpus(path: &str) -> Value {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora").join(path);
    serde_json::from_str(&fs_err::read_to_string(file).unwrap()).unwrap()
}

#[tokio::test]
async fn naughty_texts_go_anywhere() {
    let texts = json!([
        "",
        "undefined",
        "\u{0}",
        "\u{202e}rtl",
        "<script>",
        "' OR 1=1 --",
        "𝕳",
        "ﷺ",
        "../../etc/passwd",
        "%00"
    ]);
    assert_round_trip(&texts).await;
}

#[requires("corpora/naughty-strings")]
#[tokio::test]
async fn naughty_texts_of_others_go_anywhere() {
    assert_round_trip(&corpus("naughty-strings/blns.json")).await;
}

async fn assert_round_trip(texts: &Value) {
    let desk = TestService::open().await;
    for text in texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap()) {
        store_and_read(&desk, format!("Subject: {text}\r\nFrom: {text}\r\n{text}: x\r\n\r\n{text}").as_bytes()).await;
        let searched = desk.get(&format!("/users/me/messages?q={}", encoded(text))).await;
        assert!(searched.status.as_u16() < 500, "{text:?}: {}", searched.body);
        let label = desk.post("/users/me/labels", json!({ "name": text })).await;
        assert!([200, 400, 409].contains(&label.status.as_u16()), "{text:?}: {}", label.body);
        for path in ["messages", "labels"] {
            let response = desk.get(&format!("/users/me/{path}/x{}", encoded(text))).await;
            assert!([400, 404].contains(&response.status.as_u16()), "{text:?}: {}", response.body);
        }
        let stored =
            desk.post("/users/me/messages", json!({ "raw": text, "labelIds": [text], "threadId": text })).await;
        assert!((400..500).contains(&stored.status.as_u16()), "{text:?}: {}", stored.body);
    }
}

#[tokio::test]
async fn addresses_that_are_hard_to_read_are_no_reason_to_fail() {
    let own = ["\"\"@", "a@[::1]", "(c)a(c)@(c)b", "\"\\\"\"@x", "<<a@b>>", "a@b,,;:c"];
    assert_no_failures(own.into_iter()).await;
}

#[requires("corpora/email")]
#[tokio::test]
async fn addresses_of_others_that_are_hard_to_read_are_no_reason_to_fail() {
    let found = corpus("email/isemail-tests.json").to_string();
    assert_no_failures(found.split("\\n")).await;
}

async fn assert_no_failures<'t>(texts: impl Iterator<Item = &'t str>) {
    let desk = TestService::open().await;
    for text in texts.flat_map(|text| text.split('"')).take(2_000) {
        let raw = format!("From: {text}\r\nTo: <{text}>\r\nMessage-ID: {text}\r\nReferences: {text}\r\n\r\n");
        let _ = wireform_mailbox::mail::prepare(raw.into_bytes(), wireform_mailbox::mail::Arrival::default());
        let response = desk.get(&format!("/users/{}/profile", encoded(&format!("x{text}")))).await;
        assert!((400..500).contains(&response.status.as_u16()), "{text:?}: {}", response.body);
    }
}
