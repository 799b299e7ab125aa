//! Tests of the formats in which a message can be requested.

use serde_json::{Value, json};

use crate::desk::{NOW, TestService, data};

const MAIL: &str = "Received: by a\r\nReceived: by b\r\nFrom: Cy <cy@example.org>\r\nTo: ana@example.com\r\n\
    Subject: A long\r\n\tsubject\r\nContent-Type: Multipart/Mixed; boundary=\"=b\"\r\n\r\npreamble\r\n\
    --=b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n\
    --c\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe\r\n\
    --c\r\nContent-Type: text/html\r\n\r\n<p>Hi</p>\r\n--c--\r\n\
    --=b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=\"r\u{e9}.pdf\"\r\n\
    Content-Transfer-Encoding: base64\r\n\r\nAAEC/w==\r\n\
    --=b\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nInner text\r\n\
    --=b--\r\nepilogue\r\n";

async fn stored() -> (TestService, String) {
    let desk = TestService::open().await;
    let id = desk.insert(MAIL, &["INBOX", "UNREAD"]).await;
    (desk, format!("/users/me/messages/{id}"))
}

fn header<'v>(part: &'v Value, name: &str) -> Vec<&'v str> {
    let headers = part["headers"].as_array().unwrap();
    headers.iter().filter(|header| header["name"] == name).map(|header| header["value"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn minimal_returns_everything_but_the_text() {
    let (desk, path) = stored().await;
    let response = desk.get(&format!("{path}?format=minimal")).await;
    let message = response.ok();
    assert_eq!(message["labelIds"], json!(["INBOX", "UNREAD"]));
    assert_eq!(message["internalDate"].as_str().unwrap().len(), NOW.to_string().len());
    assert_eq!(message["sizeEstimate"], MAIL.len());
    assert_eq!(message["snippet"], "Grüße");
    assert_eq!(message["threadId"], message["id"]);
    assert_eq!(message["historyId"].as_str().unwrap(), desk.history_id().await);
    assert!(message.get("payload").is_none() && message.get("raw").is_none());
}

#[tokio::test]
async fn raw_is_what_came() {
    let (desk, path) = stored().await;
    let response = desk.get(&format!("{path}?format=raw")).await;
    assert_eq!(data(&response.ok()["raw"]), MAIL.as_bytes());
    assert!(response.ok().get("payload").is_none());
}

#[tokio::test]
async fn full_returns_the_parts_of_the_message() {
    let (desk, path) = stored().await;
    let response = desk.get(&path).await;
    let payload = &response.ok()["payload"];
    assert_eq!(payload["partId"], "");
    assert_eq!(payload["mimeType"], "multipart/mixed");
    assert_eq!(header(payload, "Received"), ["by a", "by b"]);
    assert_eq!(header(payload, "Subject"), ["A long\tsubject"]);
    assert_eq!(payload["body"], json!({ "size": 0 }));
    let parts = payload["parts"].as_array().unwrap();
    let kinds: Vec<_> = parts
        .iter()
        .map(|part| (&part["partId"], &part["mimeType"]))
        .map(|(id, kind)| format!("{id} {kind}"))
        .collect();
    assert_eq!(kinds, ["\"0\" \"multipart/alternative\"", "\"1\" \"application/pdf\"", "\"2\" \"message/rfc822\""]);
    let plain = &parts[0]["parts"][0];
    assert_eq!(plain["partId"], "0.0");
    assert_eq!(String::from_utf8(data(&plain["body"]["data"])).unwrap(), "Grüße");
    assert_eq!(plain["body"]["size"], "Grüße".len());
    assert_eq!(data(&parts[0]["parts"][1]["body"]["data"]), b"<p>Hi</p>");
    assert_eq!(parts[1]["filename"], "ré.pdf");
    assert_eq!(parts[1]["body"], json!({ "attachmentId": "part-1", "size": 4 }));
    assert_eq!(header(&parts[2]["parts"][0], "Subject"), ["inner"]);
    assert_eq!(parts[2]["parts"][0]["partId"], "2.0");
    assert_eq!(data(&parts[2]["parts"][0]["body"]["data"]), b"Inner text");
}

#[tokio::test]
async fn metadata_returns_all_or_the_requested_headers() {
    let (desk, path) = stored().await;
    let all = desk.get(&format!("{path}?format=metadata")).await;
    let payload = &all.ok()["payload"];
    assert_eq!(payload["headers"].as_array().unwrap().len(), 6);
    assert!(payload.get("parts").is_none() && payload.get("body").is_none());
    let some = desk.get(&format!("{path}?format=metadata&metadataHeaders=subject&metadataHeaders=RECEIVED")).await;
    let names: Vec<_> =
        some.ok()["payload"]["headers"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["Received", "Received", "Subject"]);
}

#[tokio::test]
async fn a_token_for_metadata_shows_no_text() {
    let (desk, path) = stored().await;
    for token in ["ana/mail.metadata", "ana/https://www.googleapis.com/auth/gmail.metadata"] {
        let desk = desk.with_token(token);
        for format in ["full", "raw"] {
            let response = desk.get(&format!("{path}?format={format}")).await;
            response.assert_error(403, "PERMISSION_DENIED", "forbidden", format);
            response.assert_location("format");
        }
        // The default is one of them.
        desk.get(&path).await.assert_error(403, "PERMISSION_DENIED", "forbidden", "full");
        for format in ["minimal", "metadata"] {
            let response = desk.get(&format!("{path}?format={format}")).await;
            assert!(response.ok().get("snippet").is_none(), "{}", response.body);
        }
        desk.get("/users/me/messages?q=x").await.assert_error(403, "PERMISSION_DENIED", "forbidden", "q");
        desk.get("/users/me/messages?labelIds=INBOX").await.ok();
    }
    assert_eq!(desk.with_token("ana/mail.readonly").get(&path).await.ok()["snippet"], "Grüße");
}

#[tokio::test]
async fn what_is_not_there_and_what_cannot_be() {
    let desk = TestService::open().await;
    let response = desk.get("/users/me/messages/00000000000000aa").await;
    response.assert_error(404, "NOT_FOUND", "notFound", "00000000000000aa");
    for bad in ["x", "00000000000000AA", "ffffffffffffffff", "..%2Fx"] {
        let response = desk.get(&format!("/users/me/messages/{bad}")).await;
        response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", &bad.replace("%2F", "/"));
        response.assert_location("id");
    }
    assert_eq!(desk.get("/users/me/messages/00000000000000aa?format=huge").await.status, 400);
}

#[tokio::test]
async fn a_field_mask_without_text_omits_it() {
    let (desk, path) = stored().await;
    let response = desk.get(&format!("{path}?fields=id,labelIds")).await;
    assert_eq!(response.ok().as_object().unwrap().len(), 2);
    let response = desk.get(&format!("{path}?fields=payload/mimeType")).await;
    assert_eq!(*response.ok(), json!({ "payload": { "mimeType": "multipart/mixed" } }));
}
