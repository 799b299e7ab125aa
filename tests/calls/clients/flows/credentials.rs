//! Credentials of requests, and their secrecy in errors.

use axum::response::Response;
use wireform_client::{BuildError, Credentials};

use super::in_turn;
use crate::calls::{ALL, Kind, PLAIN};
use crate::clients::{Setup, TOKEN, TRANSPORTS, TransportKind};
use crate::server::{RecordedRequest, error, json, typed};

const KEY: &str = "a-key&with=signs+in/it";

#[tokio::test]
async fn an_api_key_is_sent_only_where_it_suffices() {
    let mut keyed = Vec::new();
    for transport in TRANSPORTS {
        let setup = Setup { credentials: Credentials::api_key(KEY), ..Setup::new(transport) };
        let harness = setup.start(|_| json(200, "{}")).await;
        for entry in ALL {
            let result = (entry.full)(&harness.clients, PLAIN).await;
            if entry.facts().api_key {
                assert!(result.is_ok(), "{}: {result:?}", entry.name());
                let request = harness.log.only();
                assert_eq!((request.parameter("key").as_deref(), request.header("authorization")), (Some(KEY), None));
                keyed.push(entry.operation);
            } else {
                let failure = result.expect_err("an API key does not suffice");
                assert_eq!((failure.kind, failure.attempts), (Kind::Credentials, 0), "{failure:?}");
                assert!(harness.log.take().is_empty(), "{}", entry.name());
            }
        }
    }
    keyed.dedup();
    assert_eq!(keyed[..3], ["events.get", "events.instances", "events.list"]);
}

#[tokio::test]
async fn a_client_without_credentials_sends_none() {
    let setup = Setup { credentials: Credentials::None, ..Setup::new(TransportKind::Sockets) };
    let harness = setup.start(|_| json(200, "{}")).await;
    for entry in ALL {
        (entry.minimal)(&harness.clients, PLAIN).await.expect("a response");
        let request = harness.log.only();
        assert_eq!((request.header("authorization"), request.parameter("key")), (None, None), "{}", entry.name());
    }
}

/// Returns a secret with every character escaped in JSON.
fn escaped(text: &str) -> String {
    text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect()
}

/// Error responses that repeat the credentials of the request.
const ECHOES: &[fn(&RecordedRequest) -> Response] = &[
    |request| typed(500, "text/html", format!("{:?} {}", request.headers, request.target)),
    |request| {
        let echo = format!("{:?} {}", request.headers, request.target);
        let body = serde_json::json!({ "error": { "code": 500, "message": echo, "errors": [{ "reason": echo }] } });
        json(500, body.to_string())
    },
    |request| {
        let echo = format!("{} {:?}", request.header("authorization").unwrap_or_default(), request.parameter("key"));
        json(500, format!(r#"{{"error":{{"code":500,"message":"{}"}}}}"#, escaped(&echo)))
    },
];

#[tokio::test]
async fn no_error_contains_a_secret() {
    let encoded = "a-key%26with%3Dsigns%2Bin%2Fit";
    let table = [(Credentials::token(TOKEN), [TOKEN, TOKEN]), (Credentials::api_key(KEY), [KEY, encoded])];
    for echo in ECHOES {
        for (credentials, secrets) in &table {
            let setup = Setup { credentials: credentials.clone(), ..Setup::new(TransportKind::Sockets) };
            let harness = setup.start(echo).await;
            for entry in ALL {
                let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("an error");
                let texts = [&failure.display, &failure.debug, &failure.raw].map(String::as_str);
                let texts = texts.into_iter().chain(failure.message.as_deref()).chain(failure.reason.as_deref());
                for text in texts {
                    assert!(!secrets.iter().any(|secret| text.contains(secret)), "{}: {text}", entry.name());
                }
            }
        }
    }
}

/// A fixed token cannot be refreshed, so sending the request again would be useless.
#[tokio::test]
async fn a_rejected_fixed_token_is_not_sent_again() {
    let harness = Setup::new(TransportKind::InProcess).start(in_turn(ALL.iter().map(|_| error(401, None, None)))).await;
    for entry in ALL {
        let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("an unauthorized error");
        assert_eq!(
            (failure.predicates.as_slice(), harness.log.take().len()),
            (&["unauthorized"][..], 1),
            "{failure:?}"
        );
    }
}

#[test]
fn credentials_are_not_sent_over_a_network_without_encryption() {
    let builder = || calendar_client::Client::builder().credentials(Credentials::token(TOKEN));
    for url in ["http://example.com", "http://10.0.0.1", "http://localhost.example.com"] {
        assert!(matches!(builder().base_url(url).build(), Err(BuildError::Insecure { .. })), "{url}");
    }
    for url in ["https://example.com", "http://localhost:1", "http://127.0.0.1:1/x/", "http://[::1]:1"] {
        let client = builder().base_url(url).build().expect(url);
        assert!(!format!("{client:?}").contains(TOKEN));
    }
}

/// A token is requested for the scopes of the API, in the naming of the server.
#[tokio::test]
async fn a_client_requests_the_scopes_of_its_api() {
    let client = mailbox_client::Client::builder().naming(wireform_client::Naming::Public).build().expect("a client");
    let scopes: Vec<&str> = client.runtime().scopes().collect();
    let expected = ["https://mail.google.com/", "gmail.modify", "gmail.readonly", "gmail.metadata"];
    assert!(scopes.iter().zip(expected).all(|(scope, end)| scope.ends_with(end)), "{scopes:?}");
    let client = mailbox_client::Client::builder().scopes(["mail.readonly", "https://example.com/other"]).build();
    let client = client.expect("a client");
    let scopes: Vec<&str> = client.runtime().scopes().collect();
    assert_eq!(scopes, ["https://www.googleapis.com/auth/mail.readonly", "https://example.com/other"]);
}
