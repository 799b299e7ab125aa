//! Tests of attachments, and of the character encodings of texts.

use serde_json::{Value, json};

use crate::desk::{TestService, data, mail};

/// Returns a mail with parts: their headers and their bodies.
fn multipart(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut raw = b"Subject: parts\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n".to_vec();
    for (head, body) in parts {
        raw.extend_from_slice(format!("--b\r\n{head}\r\n\r\n").as_bytes());
        raw.extend_from_slice(body);
        raw.extend_from_slice(b"\r\n");
    }
    raw.extend_from_slice(b"--b--\r\n");
    raw
}

/// Stores a mail; returns the path of the message and its payload.
async fn stored(desk: &TestService, raw: &[u8]) -> (String, Value) {
    let id = desk.post("/users/me/messages", mail(raw, &[])).await.ok()["id"].as_str().unwrap().to_owned();
    let path = format!("/users/me/messages/{id}");
    let payload = desk.get(&path).await.ok()["payload"].clone();
    (path, payload)
}

/// Returns the data of the attachment of a part.
async fn attachment(desk: &TestService, path: &str, part: &Value) -> Vec<u8> {
    let body = &part["body"];
    assert!(body.get("data").is_none(), "{body}");
    let found = desk.get(&format!("{path}/attachments/{}", body["attachmentId"].as_str().unwrap())).await.ok().clone();
    let data = data(&found["data"]);
    assert_eq!((found["size"].as_u64(), &found["size"]), (Some(data.len() as u64), &body["size"]));
    data
}

/// Small messages are in memory at once, and large ones are streamed.
#[tokio::test]
async fn parts_with_a_file_name_are_read_separately() {
    let desk = TestService::open().await;
    for size in [10, 100 << 10, 600 << 10] {
        let bytes: Vec<u8> = (0..size).map(|place| b'a' + u8::try_from(place % 26).unwrap()).collect();
        let inner =
            multipart(&[("Content-Type: image/png; name=in.png\r\nContent-Transfer-Encoding: base64", b"AAEC")]);
        let inner = String::from_utf8(inner).unwrap().replace("boundary=b", "boundary=c").replace("--b", "--c");
        let raw = multipart(&[
            ("Content-Type: text/plain", b"Hi"),
            ("Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf", &bytes),
            ("Content-Type: message/rfc822; name=m.eml", inner.as_bytes()),
            ("Content-Type: text/csv; charset=iso-8859-1; name=t.csv", b"caf\xe9"),
            ("Content-Type: image/png; name=empty.png", b""),
            ("Content-Type: image/png", &bytes),
        ]);
        let (path, payload) = stored(&desk, &raw).await;
        let parts = payload["parts"].as_array().unwrap();
        assert_eq!(data(&parts[0]["body"]["data"]), b"Hi");
        assert!(attachment(&desk, &path, &parts[1]).await == bytes);
        assert!(attachment(&desk, &path, &parts[2]).await == inner.as_bytes());
        assert_eq!(attachment(&desk, &path, &parts[2]["parts"][0]["parts"][0]).await, [0, 1, 2]);
        assert_eq!(attachment(&desk, &path, &parts[3]).await, b"caf\xe9");
        assert_eq!(parts[4]["body"], json!({ "attachmentId": "part-4", "size": 0 }));
        assert_eq!(desk.get(&format!("{path}/attachments/part-4")).await.ok()["size"], 0);
        // A part without a name is data, whatever it is.
        assert!(data(&parts[5]["body"]["data"]) == bytes);
        for id in ["part-0", "part-5", "part-9", "part-1.0", "part-x", "1", "part--1"] {
            let missing = desk.get(&format!("{path}/attachments/{id}")).await;
            missing.assert_error(404, "NOT_FOUND", "notFound", id);
            missing.assert_location("id");
        }
    }
    assert_eq!(desk.budget.held(), 0);
}

#[tokio::test]
async fn a_whole_message_can_be_an_attachment() {
    let desk = TestService::open().await;
    let (path, payload) = stored(&desk, b"Content-Type: image/png; name=a.png\r\n\r\nxyz").await;
    assert_eq!(payload["body"], json!({ "attachmentId": "part-", "size": 3 }));
    assert_eq!(attachment(&desk, &path, &payload).await, b"xyz");
}

#[tokio::test]
async fn attachments_need_access_to_text() {
    let desk = TestService::open().await;
    let (path, _) = stored(&desk, b"Content-Type: image/png; name=a.png\r\n\r\nxyz").await;
    let path = format!("{path}/attachments/part-");
    for scope in ["mail.metadata", "mail.compose"] {
        let refused = desk.with_token(&format!("ana/{scope}")).get(&path).await;
        refused.assert_error(403, "PERMISSION_DENIED", "insufficientPermissions", "scope");
    }
    desk.with_token("ana/mail.readonly").get(&path).await.ok();
    desk.with_token("ben/mail").get(&path).await.assert_error(404, "NOT_FOUND", "notFound", "message");
    let missing = desk.get("/users/me/messages/x/attachments/part-").await;
    missing.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "x");
    missing.assert_location("messageId");
}

#[tokio::test]
async fn texts_are_in_utf_8() {
    let desk = TestService::open().await;
    for (head, bytes, text) in [
        ("text/plain; charset=iso-8859-1", &b"Gr\xfc\xdfe"[..], "Grüße"),
        ("text/html; charset=\"Windows-1251\"", b"\xcf\xf0", "Пр"),
        ("text/plain; charset=iso-2022-jp", b"\x1b$B$3$s\x1b(B.", "こん."),
        ("text/plain; charset=utf-8", "é".as_bytes(), "é"),
        ("text/plain", "é".as_bytes(), "é"),
    ] {
        let head = format!("Content-Type: {head}");
        let long: Vec<u8> = bytes.repeat(40 << 10);
        let raw = multipart(&[(&head, bytes), (&head, &long)]);
        let (path, payload) = stored(&desk, &raw).await;
        let parts = payload["parts"].as_array().unwrap();
        assert_eq!(String::from_utf8(data(&parts[0]["body"]["data"])).unwrap(), text, "{head}");
        assert_eq!(parts[0]["body"]["size"], text.len(), "{head}");
        assert!(data(&parts[1]["body"]["data"]) == text.repeat(40 << 10).as_bytes(), "{head}");
        // The header names the encoding of the message as it was sent.
        assert_eq!(parts[0]["headers"][0]["value"], head.strip_prefix("Content-Type: ").unwrap());
        assert!(data(&desk.get(&format!("{path}?format=raw")).await.ok()["raw"]) == raw);
    }
    // Nothing is changed if the encoding is unknown, or if the bytes are not a text.
    for head in ["text/plain; charset=nobody-knows", "image/png; charset=iso-8859-1"] {
        let (_, payload) = stored(&desk, &multipart(&[(&format!("Content-Type: {head}"), b"\xfc")])).await;
        assert_eq!(data(&payload["parts"][0]["body"]["data"]), b"\xfc", "{head}");
    }
}
