//! Batches.

use std::time::Duration;

use wireform_client::transport::BoxFuture;
use wireform_client::{Batch, Client, Credentials, ErrorKind, RetryPolicy, Token};
use wireform_client::{CredentialsError, TokenProvider, TransportErrorKind};

use super::sample::*;
use super::script::*;

/// Creates a batch response with these responses, each with its id.
pub fn parts(parts: &[(&str, u16, &str, &str)]) -> Step {
    let part = |(id, status, headers, body): &(&str, u16, &str, &str)| {
        let id = if id.is_empty() { String::new() } else { format!("Content-ID: {id}\r\n") };
        format!("--x\r\nContent-Type: application/http\r\n{id}\r\nHTTP/1.1 {status} Said\r\n{headers}\r\n{body}\r\n")
    };
    let body: String = parts.iter().map(part).chain(["--x--\r\n".to_owned()]).collect();
    respond_with_headers(200, &[("content-type", "multipart/mixed; boundary=x")], body)
}

pub const THING: &str = r#"{"id": "1", "text": "hello"}"#;

pub fn build_with_batches(builder: wireform_client::Builder) -> Client {
    builder.credentials(Credentials::token("a-token")).build().unwrap()
}

#[tokio::test]
async fn each_call_is_a_part_with_its_own_response() {
    let (client, log) = scripted_client(|_| {
        parts(&[
            ("<response-1>", 404, "", &error_body(404, "notFound", "there is none")),
            ("<response-0>", 200, "ETag: \"7\"\r\n", THING),
            ("<response-2>", 200, "", r#"{"id": "new"}"#),
        ])
    });
    let client = build_with_batches(client.base_url("https://sample.example/proxy"));
    let mut batch = Batch::new(&client);
    let (first, second) = (batch.add(client.call(get("a b"))), batch.add(client.call(get("2"))));
    let third = batch.add(client.call(insert("text")));
    let mut responses = batch.send().await;
    // The responses may be in any order.
    assert_eq!(responses.take(third).unwrap().id.as_deref(), Some("new"));
    let error = responses.take(second).unwrap_err();
    assert_eq!((error.operation(), error.status(), error.reason()), ("things.get", Some(404), Some("notFound")));
    let reply = responses.reply(first).unwrap();
    assert_eq!((reply.etag.unwrap().to_string(), reply.value.unwrap().id), ("\"7\"".to_owned(), Some("1".to_owned())));

    let received = log.only();
    assert_eq!((received.method.as_str(), received.target()), ("POST", "/proxy/batch/sample/v1"));
    assert_eq!(received.header("authorization"), Some("Bearer a-token"), "once, for all of them");
    let media_type = received.header("content-type").unwrap();
    let boundary = media_type.strip_prefix("multipart/mixed; boundary=").unwrap();
    let sent: Vec<&str> = received.body.split(&format!("--{boundary}")).collect();
    assert_eq!((sent.len(), sent[0], sent[4]), (5, "", "--\r\n"));
    let head = "\r\nContent-Type: application/http\r\nContent-ID: <0>\r\n\r\nGET /sample/v1/things/a%20b HTTP/1.1\r\n";
    assert!(sent[1].starts_with(head) && sent[1].ends_with("\r\n\r\n"), "{}", sent[1]);
    assert!(
        !received.body.contains("a-token") && sent[3].contains("\r\ncontent-type: application/json\r\n"),
        "{}",
        sent[3]
    );
    assert!(sent[3].contains("\"text\":\"text\""), "{}", sent[3]);
}

#[tokio::test]
async fn calls_beyond_the_limit_are_sent_in_further_batches() {
    let (client, log) = scripted_client(|_| parts(&[("", 200, "", THING), ("", 200, "", THING), ("", 200, "", THING)]));
    let client = build_with_batches(client);
    let mut batch = Batch::new(&client);
    let tickets: Vec<_> = (0..6).map(|index| batch.add(client.call(get(&index.to_string())))).collect();
    assert_eq!((batch.len(), batch.is_empty()), (6, false));
    let mut responses = batch.send().await;
    // Without ids, the responses are in order.
    assert!(tickets.into_iter().all(|ticket| responses.take(ticket).is_ok()));
    assert_eq!(log.count(), 2);
    assert!(log.all()[1].body.contains("/things/5") && !log.all()[1].body.contains("/things/2"));
    assert!(Batch::new(&client).send().await.is_empty());
    assert_eq!(log.count(), 2, "an empty batch sends no request");
}

#[tokio::test(start_paused = true)]
async fn only_idempotent_calls_are_retried() {
    let (client, log) = scripted_client(|number| match number {
        1 => parts(&[
            ("<response-0>", 429, "Retry-After: 7\r\n", ""),
            ("<response-1>", 503, "", ""),
            ("<response-2>", 200, "", THING),
        ]),
        _ => parts(&[("<response-0>", 200, "", THING)]),
    });
    let client = build_with_batches(client);
    let mut batch = Batch::new(&client);
    let (read, write) = (batch.add(client.call(get("1"))), batch.add(client.call(insert("x"))));
    let other = batch.add(client.call(get("2")));
    let mut responses = batch.send().await;
    assert!(responses.take(read).is_ok() && responses.take(other).is_ok());
    let error = responses.take(write).unwrap_err();
    assert_eq!((error.status(), error.attempts()), (Some(503), 1));
    assert_eq!((log.count(), log.pauses()), (2, vec![Duration::from_secs(7)]));
    assert!(!log.all()[1].body.contains("POST"));
}

#[tokio::test(start_paused = true)]
async fn failed_batch_request_fails_every_call() {
    let (client, log) = scripted_client(|_| Step::Fail(TransportErrorKind::Broken));
    let client = build_with_batches(client.retry(RetryPolicy::default().with_max_attempts(2)));
    let mut batch = Batch::new(&client);
    let (read, write) = (batch.add(client.call(get("1"))), batch.add(client.call(insert("x"))));
    let mut responses = batch.send().await;
    let (read, write) = (responses.take(read).unwrap_err(), responses.take(write).unwrap_err());
    assert_eq!((read.attempts(), write.attempts(), log.count()), (2, 1, 2));
    assert!(matches!(write.kind(), ErrorKind::Connection(error) if error.kind() == TransportErrorKind::Broken));
    let (client, _) = scripted_client(|_| Step::Never);
    let client = build_with_batches(client.retry(RetryPolicy::off()));
    let mut batch = Batch::new(&client);
    let read = batch.add(client.call(get("1")));
    assert!(matches!(batch.send().await.take(read).unwrap_err().kind(), ErrorKind::Timeout { .. }));
    let (client, _) = scripted_client(|_| error_response(400, "badRequest", "no batches today"));
    let client = build_with_batches(client);
    let mut batch = Batch::new(&client);
    let read = batch.add(client.call(get("1")));
    let error = batch.send().await.take(read).unwrap_err();
    assert_eq!(error.response().unwrap().message.as_deref(), Some("no batches today"));
}

#[tokio::test]
async fn invalid_batch_response_is_a_protocol_error() {
    for (step, message) in [
        (respond(200, "{}"), "expected `multipart/mixed`"),
        (parts(&[("<response-7>", 200, "", THING)]), "has no part for this call"),
        (
            respond_with_headers(200, &[("content-type", "multipart/mixed; boundary=x")], "--x\r\n"),
            "missing last boundary",
        ),
        (
            respond_with_headers(
                200,
                &[("content-type", "multipart/mixed; boundary=x")],
                "--x\r\nContent-Type: application/http\r\n\r\nhello\r\n--x--",
            ),
            "has no status",
        ),
    ] {
        let step = std::sync::Mutex::new(Some(step));
        let (client, _) = scripted_client(move |_| step.lock().unwrap().take().unwrap());
        let client = build_with_batches(client);
        let mut batch = Batch::new(&client);
        let ticket = batch.add(client.call(get("1")));
        let error = batch.send().await.take(ticket).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Protocol(problem) if problem.contains(message)), "{error}");
    }
}

/// Provider of numbered tokens.
#[derive(Default)]
struct Numbered(std::sync::atomic::AtomicUsize);

impl TokenProvider for Numbered {
    fn token<'a>(&'a self, _scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        let number = self.0.load(std::sync::atomic::Ordering::SeqCst);
        Box::pin(async move { Token::new(format!("token-{number}")) })
    }

    fn invalidate(&self, _token: &Token) {
        self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    }
}

#[tokio::test]
async fn rejected_token_is_renewed_once() {
    let (client, log) = scripted_client(|number| match number {
        1 => parts(&[("<response-0>", 401, "", ""), ("<response-1>", 401, "", "")]),
        _ => parts(&[("<response-0>", 200, "", THING), ("<response-1>", 401, "", "")]),
    });
    let client = client.credentials(Numbered::default()).build().unwrap();
    let mut batch = Batch::new(&client);
    let (write, read) = (batch.add(client.call(insert("x"))), batch.add(client.call(get("1"))));
    let mut responses = batch.send().await;
    assert!(responses.take(write).is_ok());
    assert_eq!(responses.take(read).unwrap_err().status(), Some(401));
    let tokens: Vec<_> =
        log.all().iter().map(|received| received.header("authorization").unwrap().to_owned()).collect();
    assert_eq!(tokens, ["Bearer token-0", "Bearer token-1"]);
}

#[tokio::test]
async fn a_ticket_is_for_its_own_batch() {
    let (client, log) = scripted_client(|_| parts(&[("<response-0>", 200, "", THING)]));
    let client = build_with_batches(client);
    let (mut one, mut other) = (Batch::new(&client), Batch::new(&client));
    let (mine, foreign) = (one.add(client.call(get("1"))), other.add(client.call(get("1"))));
    let mut responses = one.send().await;
    assert!(matches!(responses.take(foreign).unwrap_err().kind(), ErrorKind::Protocol(_)));
    assert!(responses.take(mine).is_ok());
    assert_eq!(log.count(), 1);
    assert!(format!("{other:?}").contains("things.get"));
}

#[tokio::test]
async fn invalid_call_does_not_affect_others() {
    let (client, log) = scripted_client(|_| parts(&[("<response-0>", 200, "", THING)]));
    let client = build_with_batches(client);
    let mut wrong = client.call(get("1"));
    wrong.set_parameter("nowhere", "x");
    let mut batch = Batch::new(&client);
    let (wrong, right) = (batch.add(wrong), batch.add(client.call(get("2"))));
    let mut responses = batch.send().await;
    assert!(matches!(responses.take(wrong).unwrap_err().kind(), ErrorKind::Option(_)));
    assert!(responses.take(right).is_ok());
    assert!(log.only().body.contains("/things/2"));
}
