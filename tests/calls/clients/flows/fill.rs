//! Values that a client generates: the identifier of a create request, by which the service recognizes a repeated
//! request.

use calendar_client::types::runtime::Merge as _;
use calendar_client::types::{ConferenceData, CreateConferenceRequest, Event, EventPatch};
use wireform_client::{Credentials, CredentialsError, RetryPolicy, Token, TokenProvider};

use super::in_turn;
use crate::clients::{Setup, TRANSPORTS, TransportKind};
use crate::server::{RecordedRequest, error, json};

fn event_with_conference() -> Event {
    Event::default()
        .with_conference_data(ConferenceData::default().with_create_request(CreateConferenceRequest::default()))
}

/// Returns the generated identifier of a request.
fn id(request: &RecordedRequest) -> String {
    let body = request.json();
    let id = body["conferenceData"]["createRequest"]["requestId"].as_str();
    id.unwrap_or_else(|| panic!("no identifier: {body}")).to_owned()
}

fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    let version = text.split('-').nth(2).is_some_and(|group| group.starts_with('4'));
    version && lengths == [8, 4, 4, 4, 12] && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

#[tokio::test]
async fn every_create_request_gets_an_identifier() {
    for transport in TRANSPORTS {
        let harness = Setup::new(transport).start(|_| json(200, "{}")).await;
        let events = harness.clients.calendar.events();
        let patch: EventPatch = Event::default().diff(&event_with_conference()).expect("a difference");
        events.insert("primary", event_with_conference()).send().await.expect("a response");
        events.import("primary", event_with_conference()).send().await.expect("a response");
        events.update("primary", "abc", event_with_conference()).send().await.expect("a response");
        events.patch("primary", "abc", patch).send().await.expect("a response");
        let ids: Vec<String> = harness.log.take().iter().map(id).collect();
        assert!(ids.len() == 4 && ids.iter().all(|id| is_uuid(id)), "{ids:?}");
        let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len(), "{ids:?}");
    }
}

#[tokio::test]
async fn a_given_identifier_is_kept() {
    let harness = Setup::new(TransportKind::InProcess).start(|_| json(200, "{}")).await;
    let request = CreateConferenceRequest::default().with_request_id("mine");
    let event = Event::default().with_conference_data(ConferenceData::default().with_create_request(request));
    harness.clients.calendar.events().insert("primary", event).send().await.expect("a response");
    assert_eq!(id(&harness.log.only()), "mine");
}

#[tokio::test]
async fn nothing_is_generated_without_a_create_request() {
    let harness = Setup::new(TransportKind::InProcess).start(|_| json(200, "{}")).await;
    let event = Event::default().with_conference_data(ConferenceData::default());
    harness.clients.calendar.events().insert("primary", event).send().await.expect("a response");
    assert_eq!(harness.log.only().json(), serde_json::json!({ "conferenceData": {} }));
}

/// Retries send the same identifier; separate calls have different ones.
#[tokio::test(start_paused = true)]
async fn retries_send_the_same_identifier() {
    let setup = Setup { retry: RetryPolicy::default(), ..Setup::new(TransportKind::InProcess) };
    let responses = [error(503, None, None), error(500, None, None), json(200, "{}"), json(200, "{}")];
    let harness = setup.start(in_turn(responses)).await;
    let call = harness.clients.calendar.events().update("primary", "abc", event_with_conference());
    call.clone().send().await.expect("the third attempt");
    call.send().await.expect("the first attempt");
    let ids: Vec<String> = harness.log.take().iter().map(id).collect();
    assert_eq!((&ids[0], &ids[0]), (&ids[1], &ids[2]));
    assert_ne!(ids[0], ids[3]);
}

/// Returns a different token each time.
struct Tokens(std::sync::atomic::AtomicU32);

impl TokenProvider for Tokens {
    fn token<'a>(
        &'a self,
        _scopes: &'a [&'a str],
    ) -> wireform_client::transport::BoxFuture<'a, Result<Token, CredentialsError>> {
        let number = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Box::pin(async move { Token::new(format!("token-number-{number}")) })
    }
}

/// A rejected token is refreshed once, even for requests that are never retried otherwise.
#[tokio::test]
async fn a_refreshed_token_keeps_the_identifier() {
    let setup = Setup { credentials: Credentials::provider(Tokens(0.into())), ..Setup::new(TransportKind::InProcess) };
    let harness = setup.start(in_turn([error(401, None, None), json(200, "{}")])).await;
    harness
        .clients
        .calendar
        .events()
        .insert("primary", event_with_conference())
        .send()
        .await
        .expect("the second attempt");
    let requests = harness.log.take();
    assert_eq!(id(&requests[0]), id(&requests[1]));
    let tokens: Vec<_> = requests.iter().map(|request| request.header("authorization")).collect();
    assert_eq!(tokens, [Some("Bearer token-number-0"), Some("Bearer token-number-1")]);
}
