//! Tests of streamed responses with large mails, which must equal buffered ones.

use std::io::Read as _;

use axum::body::Body;
use axum::http::{HeaderMap, Request, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::desk::{TestService, data, mail};

/// Returns mails of more than 256 KiB, each with a small one of the same structure.
fn mails(lines: usize) -> Vec<String> {
    let text = "Some words, and =?utf-8?q?more?= of them = \u{e4}\r\n".repeat(lines);
    let encoded: String = STANDARD
        .encode(text.as_bytes())
        .as_bytes()
        .chunks(76)
        .map(|line| format!("{}\r\n", String::from_utf8_lossy(line)))
        .collect();
    let quoted: String = text.bytes().map(|byte| format!("={byte:02X}")).collect::<String>().replace("=0D=0A", "=\r\n");
    let part = |head: &str, body: &str| format!("--=b\r\n{head}\r\n\r\n{body}\r\n");
    let base64 = "Content-Transfer-Encoding: base64";
    vec![
        format!("Subject: plain\r\n\r\n{text}"),
        format!("Subject: encoded\r\n{base64}\r\n\r\n{encoded}"),
        format!("Subject: broken\r\n{base64}\r\n\r\n{encoded}*=={encoded}"),
        format!("Subject: padded\r\n{base64}\r\n\r\nQUI={encoded}QQ==\r\n{encoded}Q"),
        format!("Subject: quoted\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n{quoted}=4"),
        format!("{text}{text}"),
        format!("Subject: {}\r\n\r\nfew words", "long ".repeat(lines * 8)),
        format!(
            "Subject: parts\r\nContent-Type: multipart/mixed; boundary=\"=b\"\r\n\r\n{}{}{}{}{}--=b--\r\n",
            part("Content-Type: text/plain", "few words"),
            part(&format!("Content-Type: application/pdf; name=a.pdf\r\n{base64}"), &encoded),
            part("Content-Type: message/rfc822", &format!("Subject: inner\r\n\r\n{text}")),
            part("Content-Type: text/html", ""),
            part(&format!("Content-Type: image/png\r\n{base64}"), &encoded),
        ),
    ]
}

struct SentResponse {
    headers: HeaderMap,
    body: Vec<u8>,
}

async fn send(desk: &TestService, method: &str, path: &str, headers: &[(&str, &str)]) -> SentResponse {
    let mut request = Request::builder().method(method).uri(format!("/mail/v1{path}"));
    for (name, value) in headers.iter().chain(&[("authorization", "Bearer ana/mail")]) {
        request = request.header(*name, *value);
    }
    let response = desk.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert!(response.status().is_success(), "{path}: {}", response.status());
    let (head, body) = response.into_parts();
    SentResponse { headers: head.headers, body: body.collect().await.unwrap().to_bytes().to_vec() }
}

/// Returns the response of the service for a mail that is completely in memory.
fn expected_response(raw: &str, format: &str, streamed: &Value) -> Value {
    let mut expected = streamed.clone();
    match format {
        "raw" => expected["raw"] = base64::engine::general_purpose::URL_SAFE.encode(raw).into(),
        _ => expected["payload"] = serde_json::to_value(wireform_mailbox::mail::payload(raw.as_bytes())).unwrap(),
    }
    expected
}

#[tokio::test]
async fn what_is_streamed_is_what_is_made_as_a_whole() {
    let desk = TestService::open().await;
    for raw in mails(20_000) {
        let id =
            desk.post("/users/me/messages", mail(raw.as_bytes(), &[])).await.ok()["id"].as_str().unwrap().to_owned();
        for format in ["raw", "full"] {
            let path = format!("/users/me/messages/{id}?format={format}");
            let SentResponse { headers, body } = send(&desk, "GET", &path, &[]).await;
            let parsed: Value = serde_json::from_slice(&body).unwrap();
            let expected = expected_response(&raw, format, &parsed);
            // `assert_eq!` would print too much to read.
            assert!(parsed == expected, "{format} of {:.40}", raw);

            let head = send(&desk, "HEAD", &path, &[]).await;
            assert_eq!(head.headers[header::CONTENT_LENGTH], body.len().to_string());
            assert!(head.body.is_empty());
            assert_eq!(head.headers.get(header::CONTENT_TYPE), headers.get(header::CONTENT_TYPE));

            let zipped = send(&desk, "GET", &path, &[("accept-encoding", "gzip")]).await;
            assert_eq!(zipped.headers[header::CONTENT_ENCODING], "gzip");
            let mut text = Vec::new();
            flate2::read::GzDecoder::new(zipped.body.as_slice()).read_to_end(&mut text).unwrap();
            assert!(text == body, "{format} of {:.40}, compressed", raw);

            let pretty = send(&desk, "GET", &format!("{path}&prettyPrint=true"), &[]).await;
            assert!(pretty.body.starts_with(b"{\n  \"id\": "));
            assert!(
                serde_json::from_slice::<Value>(&pretty.body).unwrap() == parsed,
                "{format} of {:.40}, indented",
                raw
            );
        }
    }
    assert_eq!(desk.budget.held(), 0);
}

#[tokio::test]
async fn members_are_selected() {
    let desk = TestService::open().await;
    let raw = mails(20_000).pop().unwrap();
    let id = desk.post("/users/me/messages", mail(raw.as_bytes(), &[])).await.ok()["id"].as_str().unwrap().to_owned();
    let path = format!("/users/me/messages/{id}");
    let response = desk.get(&format!("{path}?format=raw&fields=id,raw")).await;
    assert_eq!(response.ok().as_object().unwrap().len(), 2);
    assert!(data(&response.ok()["raw"]) == raw.as_bytes());
    let response = desk.get(&format!("{path}?fields=payload/parts(partId,body/size)")).await;
    let sizes: Vec<&Value> =
        response.ok()["payload"]["parts"].as_array().unwrap().iter().map(|part| &part["body"]).collect();
    assert_eq!(*sizes[0], json!({ "size": 9 }));
    assert!(sizes[1]["size"].as_u64().unwrap() > 500_000 && sizes[1].as_object().unwrap().len() == 1);
    let response = desk.get(&format!("{path}?fields=payload/parts/parts/body/data")).await;
    let inner = data(&response.ok()["payload"]["parts"][2]["parts"][0]["body"]["data"]);
    assert!(inner.starts_with(b"Some words"));
    let response = desk.get(&format!("{path}?format=metadata&metadataHeaders=Subject")).await;
    assert_eq!(response.ok()["payload"]["headers"], json!([{ "name": "Subject", "value": "parts" }]));
}

#[tokio::test]
async fn long_headers_are_returned() {
    let desk = TestService::open().await;
    let value = "x".repeat(70_000);
    let headers: String = (0..20).map(|number| format!("X-{number}: {value}\r\n")).collect();
    let id = desk.post("/users/me/messages", mail(format!("{headers}\r\ntext").as_bytes(), &[])).await;
    let path = format!("/users/me/messages/{}", id.ok()["id"].as_str().unwrap());
    for format in ["metadata", "full"] {
        let response = desk.get(&format!("{path}?format={format}")).await;
        let headers = response.ok()["payload"]["headers"].as_array().unwrap();
        assert_eq!(headers.len(), 20);
        assert_eq!(headers[19]["value"], value);
    }
}

#[tokio::test]
async fn a_mail_that_is_deleted_while_it_is_sent_breaks_the_response_off() {
    let desk = TestService::open().await;
    let raw = "x".repeat(3 << 20);
    let id = desk.post("/users/me/messages", mail(raw.as_bytes(), &[])).await.ok()["id"].as_str().unwrap().to_owned();
    let request = Request::builder().uri(format!("/mail/v1/users/me/messages/{id}?format=raw"));
    let request = request.header(header::AUTHORIZATION, "Bearer ana/mail").body(Body::empty()).unwrap();
    let mut body = desk.router.clone().oneshot(request).await.unwrap().into_body();
    body.frame().await.unwrap().unwrap();
    assert_eq!(desk.delete(&format!("/users/me/messages/{id}")).await.status, 204);
    assert!(body.collect().await.is_err());
    assert_eq!(desk.budget.held(), 0);
}
