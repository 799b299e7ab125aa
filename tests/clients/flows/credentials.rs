//! Who asks: tokens, keys, and what becomes of them when something goes wrong.

use axum::response::Response;
use wireform_client::{BuildError, Credentials};

use super::in_turn;
use crate::calls::{ALL, Kind, PLAIN};
use crate::clients::{Setup, TOKEN, WAYS, Way};
use crate::server::{Recorded, error, json, typed};

const KEY: &str = "a-key&with=signs+in/it";

#[tokio::test]
async fn a_key_is_sent_where_it_is_enough_and_refused_elsewhere() {
    let mut enough = Vec::new();
    for way in WAYS {
        let setup = Setup { credentials: Credentials::api_key(KEY), ..Setup::new(way) };
        let running = setup.start(|_| json(200, "{}")).await;
        for entry in ALL {
            let result = (entry.full)(&running.clients, PLAIN).await;
            if entry.facts().api_key {
                assert!(result.is_ok(), "{}: {result:?}", entry.name());
                let request = running.log.only();
                assert_eq!((request.parameter("key").as_deref(), request.header("authorization")), (Some(KEY), None));
                enough.push(entry.operation);
            } else {
                let failure = result.expect_err("a key is not enough");
                assert_eq!((failure.kind, failure.attempts), (Kind::Credentials, 0), "{failure:?}");
                assert!(running.log.take().is_empty(), "{}", entry.name());
            }
        }
    }
    enough.dedup();
    assert_eq!(enough[..3], ["events.get", "events.instances", "events.list"]);
}

#[tokio::test]
async fn who_shows_nothing_sends_nothing_of_it() {
    let setup = Setup { credentials: Credentials::None, ..Setup::new(Way::Sockets) };
    let running = setup.start(|_| json(200, "{}")).await;
    for entry in ALL {
        (entry.minimal)(&running.clients, PLAIN).await.expect("an answer");
        let request = running.log.only();
        assert_eq!((request.header("authorization"), request.parameter("key")), (None, None), "{}", entry.name());
    }
}

/// A secret as JSON may spell it.
fn escaped(text: &str) -> String {
    text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect()
}

/// Ways in which a server in trouble repeats what it was sent.
const ECHOES: &[fn(&Recorded) -> Response] = &[
    |request| typed(500, "text/html", format!("{:?} {}", request.headers, request.target)),
    |request| {
        let said = format!("{:?} {}", request.headers, request.target);
        let body = serde_json::json!({ "error": { "code": 500, "message": said, "errors": [{ "reason": said }] } });
        json(500, body.to_string())
    },
    |request| {
        let said = format!("{} {:?}", request.header("authorization").unwrap_or_default(), request.parameter("key"));
        json(500, format!(r#"{{"error":{{"code":500,"message":"{}"}}}}"#, escaped(&said)))
    },
];

#[tokio::test]
async fn no_error_contains_a_secret() {
    let encoded = "a-key%26with%3Dsigns%2Bin%2Fit";
    let table = [(Credentials::token(TOKEN), [TOKEN, TOKEN]), (Credentials::api_key(KEY), [KEY, encoded])];
    for echo in ECHOES {
        for (credentials, secrets) in &table {
            let setup = Setup { credentials: credentials.clone(), ..Setup::new(Way::Sockets) };
            let running = setup.start(echo).await;
            for entry in ALL {
                let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("an error");
                let said = [&failure.display, &failure.debug, &failure.raw].map(String::as_str);
                let said = said.into_iter().chain(failure.message.as_deref()).chain(failure.reason.as_deref());
                for text in said {
                    assert!(!secrets.iter().any(|secret| text.contains(secret)), "{}: {text}", entry.name());
                }
            }
        }
    }
}

/// The token is always the same here, so asking with it again would be of no use.
#[tokio::test]
async fn a_token_that_is_refused_and_cannot_be_replaced_is_not_shown_again() {
    let running = Setup::new(Way::InProcess).start(in_turn(ALL.iter().map(|_| error(401, None, None)))).await;
    for entry in ALL {
        let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("nobody is let in");
        assert_eq!((failure.yes.as_slice(), running.log.take().len()), (&["unauthorized"][..], 1), "{failure:?}");
    }
}

#[test]
fn credentials_are_not_sent_over_a_network_without_encryption() {
    let builder = || calendar_client::Client::builder().credentials(Credentials::token(TOKEN));
    for address in ["http://example.com", "http://10.0.0.1", "http://localhost.example.com"] {
        assert!(matches!(builder().base_url(address).build(), Err(BuildError::Insecure { .. })), "{address}");
    }
    for address in ["https://example.com", "http://localhost:1", "http://127.0.0.1:1/x/", "http://[::1]:1"] {
        let client = builder().base_url(address).build().expect(address);
        assert!(!format!("{client:?}").contains(TOKEN));
    }
}

/// What a token is asked for is what the API has, by the names that the server speaks.
#[tokio::test]
async fn a_client_asks_for_the_scopes_of_its_api() {
    let client = mailbox_client::Client::builder().names(wireform_client::Naming::Public).build().expect("a client");
    let scopes: Vec<&str> = client.runtime().scopes().collect();
    let expected = ["https://mail.google.com/", "gmail.modify", "gmail.readonly", "gmail.metadata"];
    assert!(scopes.iter().zip(expected).all(|(scope, end)| scope.ends_with(end)), "{scopes:?}");
    let client = mailbox_client::Client::builder().scopes(["mail.readonly", "https://example.com/other"]).build();
    let client = client.expect("a client");
    let scopes: Vec<&str> = client.runtime().scopes().collect();
    assert_eq!(scopes, ["https://www.googleapis.com/auth/mail.readonly", "https://example.com/other"]);
}
