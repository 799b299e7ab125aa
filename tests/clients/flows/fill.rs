//! Values that a client fills in: the identifier of a create request, by which the service recognizes a repeated one.

use calendar_client::types::runtime::Merge as _;
use calendar_client::types::{ConferenceData, CreateConferenceRequest, Event, EventPatch};
use wireform_client::{Credentials, CredentialsError, RetryPolicy, Token, TokenProvider};

use super::in_turn;
use crate::clients::{Setup, WAYS, Way};
use crate::server::{Recorded, error, json};

fn event_with_conference() -> Event {
    Event::default()
        .with_conference_data(ConferenceData::default().with_create_request(CreateConferenceRequest::default()))
}

/// The identifier that a request was sent with.
fn id(request: &Recorded) -> String {
    let body = request.json();
    let id = body["conferenceData"]["createRequest"]["requestId"].as_str();
    id.unwrap_or_else(|| panic!("there is no identifier: {body}")).to_owned()
}

fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    let version = text.split('-').nth(2).is_some_and(|group| group.starts_with('4'));
    version && lengths == [8, 4, 4, 4, 12] && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

#[tokio::test]
async fn every_create_request_gets_an_identifier() {
    for way in WAYS {
        let running = Setup::new(way).start(|_| json(200, "{}")).await;
        let events = running.clients.calendar.events();
        let patch: EventPatch = Event::default().diff(&event_with_conference()).expect("they differ");
        events.insert("primary", event_with_conference()).send().await.expect("an answer");
        events.import("primary", event_with_conference()).send().await.expect("an answer");
        events.update("primary", "abc", event_with_conference()).send().await.expect("an answer");
        events.patch("primary", "abc", patch).send().await.expect("an answer");
        let ids: Vec<String> = running.log.take().iter().map(id).collect();
        assert!(ids.len() == 4 && ids.iter().all(|id| is_uuid(id)), "{ids:?}");
        let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len(), "{ids:?}");
    }
}

#[tokio::test]
async fn an_identifier_that_is_given_stays() {
    let running = Setup::new(Way::InProcess).start(|_| json(200, "{}")).await;
    let request = CreateConferenceRequest::default().with_request_id("mine");
    let event = Event::default().with_conference_data(ConferenceData::default().with_create_request(request));
    running.clients.calendar.events().insert("primary", event).send().await.expect("an answer");
    assert_eq!(id(&running.log.only()), "mine");
}

#[tokio::test]
async fn nothing_is_filled_in_without_a_create_request() {
    let running = Setup::new(Way::InProcess).start(|_| json(200, "{}")).await;
    let event = Event::default().with_conference_data(ConferenceData::default());
    running.clients.calendar.events().insert("primary", event).send().await.expect("an answer");
    assert_eq!(running.log.only().json(), serde_json::json!({ "conferenceData": {} }));
}

/// A retry sends the same identifier; two calls have two identifiers.
#[tokio::test(start_paused = true)]
async fn the_identifier_stays_the_same_as_long_as_the_call_is_repeated() {
    let setup = Setup { retry: RetryPolicy::default(), ..Setup::new(Way::InProcess) };
    let responses = [error(503, None, None), error(500, None, None), json(200, "{}"), json(200, "{}")];
    let running = setup.start(in_turn(responses)).await;
    let call = running.clients.calendar.events().update("primary", "abc", event_with_conference());
    call.clone().send().await.expect("the third time");
    call.send().await.expect("at once");
    let ids: Vec<String> = running.log.take().iter().map(id).collect();
    assert_eq!((&ids[0], &ids[0]), (&ids[1], &ids[2]));
    assert_ne!(ids[0], ids[3]);
}

/// Gives another token each time.
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

/// A token that is refused is replaced, even for what is never repeated otherwise.
#[tokio::test]
async fn the_identifier_stays_the_same_with_another_token() {
    let setup = Setup { credentials: Credentials::provider(Tokens(0.into())), ..Setup::new(Way::InProcess) };
    let running = setup.start(in_turn([error(401, None, None), json(200, "{}")])).await;
    running.clients.calendar.events().insert("primary", event_with_conference()).send().await.expect("the second time");
    let requests = running.log.take();
    assert_eq!(id(&requests[0]), id(&requests[1]));
    let tokens: Vec<_> = requests.iter().map(|request| request.header("authorization")).collect();
    assert_eq!(tokens, [Some("Bearer token-number-0"), Some("Bearer token-number-1")]);
}
