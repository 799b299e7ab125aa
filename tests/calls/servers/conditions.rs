//! Conditional requests to a service that stores one event and checks conditions before it changes the event.

use std::sync::{Arc, Mutex, PoisonError};

use http::StatusCode;
use wireform_client::Credentials;
use wireform_client::transport::in_process;
use wireform_runtime::WriteRequest;
use wireform_server::axum::Router;
use wireform_server::{Context, Error, Result, WriteResult};

use calendar_server::{requests, service, types};

use crate::desk::{TOKEN, Tokens};
use crate::valid::{self, Valid};
use crate::wire::{TestResponse, send, with};

/// Calendar with at most one event, whose entity tag is its version number.
#[derive(Clone)]
struct StoredEvent {
    kept: Arc<Mutex<Option<types::Event>>>,
}

impl StoredEvent {
    fn new() -> Self {
        let event: types::Event = types::runtime::json::from_str(
            r#"{"id":"abcde","etag":"\"1\"","summary":"tea","start":{"dateTime":"2026-03-02T10:00:00Z"},"end":{"dateTime":"2026-03-02T11:00:00Z"}}"#,
        )
        .expect("an event");
        Self { kept: Arc::new(Mutex::new(Some(event))) }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Option<types::Event>) -> T) -> T {
        work(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn create<R>(&self, request: &R, context: &Context) -> Result<types::Event>
    where
        R: WriteRequest<Resource = types::Event, Response = types::Event>,
    {
        let (event, _) = context.prepare(request, None)?;
        Ok(event.into())
    }

    fn change<R>(&self, request: &R, context: &Context) -> WriteResult<R>
    where
        R: WriteRequest<Resource = types::Event, Response = types::Event>,
    {
        self.with(|kept| {
            let stored = kept.as_ref().ok_or_else(missing)?;
            let (event, admission) = context.prepare(request, Some(stored))?;
            let event = next_version(stored, event);
            *kept = Some(event.clone());
            Ok(admission.reply(event))
        })
    }

    fn router(&self) -> Router {
        calendar_server::server(self.clone()).authenticator(Tokens).router()
    }
}

fn missing() -> Error {
    Error::not_found("there is no such event").with_reason("notFound")
}

/// Returns the event with the entity tag of the next version.
fn next_version(stored: &types::Event, event: types::Event) -> types::Event {
    let version: u32 = stored.etag.as_deref().and_then(|tag| tag.trim_matches('"').parse().ok()).unwrap_or(0);
    event.with_etag(format!("\"{}\"", version + 1))
}

impl service::CalendarList for StoredEvent {}
impl service::Calendars for StoredEvent {}
impl service::Channels for StoredEvent {}
impl service::Colors for StoredEvent {}
impl service::Freebusy for StoredEvent {}
impl service::Settings for StoredEvent {}

impl service::Events for StoredEvent {
    async fn get(&self, _request: requests::EventsGet, _context: &Context) -> Result<types::Event> {
        self.with(|kept| kept.clone().map(Into::into).ok_or_else(missing))
    }

    async fn insert(&self, request: requests::EventsInsert, context: &Context) -> Result<types::Event> {
        self.create(&request, context)
    }

    async fn import(&self, request: requests::EventsImport, context: &Context) -> Result<types::Event> {
        self.create(&request, context)
    }

    async fn update(&self, request: requests::EventsUpdate, context: &Context) -> WriteResult<requests::EventsUpdate> {
        self.change(&request, context)
    }

    async fn patch(&self, request: requests::EventsPatch, context: &Context) -> WriteResult<requests::EventsPatch> {
        self.change(&request, context)
    }

    async fn delete(&self, request: requests::EventsDelete, context: &Context) -> WriteResult<requests::EventsDelete> {
        self.with(|kept| {
            let stored = kept.as_ref().ok_or_else(missing)?;
            let admission = context.admit_as::<requests::EventsGet, _>(&request, stored)?;
            *kept = None;
            Ok(admission.reply(()))
        })
    }
}

async fn send_with(router: &Router, valid: Valid, header: (&str, &str)) -> TestResponse {
    send(router, with(valid, &[("authorization", &format!("Bearer {TOKEN}")), header])).await
}

#[tokio::test]
async fn a_read_of_what_is_known_is_a_304() {
    let router = StoredEvent::new().router();
    let get = valid::of("calendar", "events.get");
    for known in ["\"1\"", "W/\"1\"", "\"0\", \"1\"", "*"] {
        let got = send_with(&router, get, ("if-none-match", known)).await;
        assert_eq!((got.status, got.body.len()), (StatusCode::NOT_MODIFIED, 0), "{known}");
        assert_eq!(got.header("etag"), Some("\"1\""), "{known}");
    }
    for unknown in ["\"2\"", "\"0\", \"3\""] {
        let got = send_with(&router, get, ("if-none-match", unknown)).await;
        assert_eq!((got.status, got.header("etag")), (StatusCode::OK, Some("\"1\"")), "{unknown}");
    }
    let got = send_with(&router, get, ("if-none-match", "no tag")).await;
    assert_eq!(got.status, StatusCode::BAD_REQUEST, "{got:?}");
}

#[tokio::test]
async fn a_write_of_another_version_is_a_412() {
    for operation in ["events.update", "events.patch", "events.delete"] {
        let stored_event = StoredEvent::new();
        let write = valid::of("calendar", operation);
        for other in ["\"0\"", "W/\"1\"", "\"2\", \"3\""] {
            let got = send_with(&stored_event.router(), write, ("if-match", other)).await;
            assert_eq!(got.status, StatusCode::PRECONDITION_FAILED, "{operation} {other}");
            assert_eq!(got.reason(), "conditionNotMet", "{got:?}");
            assert_eq!(
                stored_event.with(|kept| kept.as_ref().and_then(|event| event.etag.clone())).as_deref(),
                Some("\"1\"")
            );
        }
        let got = send_with(&stored_event.router(), write, ("if-match", "\"1\"")).await;
        assert!(got.status.is_success(), "{operation}: {got:?}");
        assert_ne!(
            stored_event.with(|kept| kept.as_ref().and_then(|event| event.etag.clone())).as_deref(),
            Some("\"1\"")
        );
    }
}

#[tokio::test]
async fn the_generated_client_changes_what_it_has_read_and_tries_again() {
    let stored_event = StoredEvent::new();
    let client: calendar_client::Client = calendar_client::Client::builder()
        .base_url("http://localhost")
        .credentials(Credentials::token(TOKEN))
        .transport(in_process(stored_event.router()))
        .build()
        .expect("a client");
    let mut disturbed = false;
    let changed = client
        .events()
        .get("primary", "abcde")
        .update_with(|event| {
            if !std::mem::replace(&mut disturbed, true) {
                // Another client changes the event first, once.
                stored_event.with(|kept| *kept = kept.take().map(|event| next_version(&event.clone(), event)));
            }
            event.summary = Some("coffee".into());
        })
        .send()
        .await
        .expect("the second time it succeeds");
    assert_eq!(changed.summary.as_deref(), Some("coffee"));
    assert_eq!(changed.etag.as_deref(), Some("\"3\""));
}

#[tokio::test]
async fn a_rule_over_what_is_stored_is_the_servers() {
    let stored_event = StoredEvent::new();
    stored_event.with(|kept| kept.as_mut().map(|event| event.locked = Some(true)));
    let got = send_with(&stored_event.router(), valid::of("calendar", "events.update"), ("if-match", "*")).await;
    assert_eq!(got.status, StatusCode::BAD_REQUEST, "{got:?}");
    let text = got.json().to_string();
    assert!(text.contains("locked event cannot be changed"), "{text}");
}

/// The client replaces an event without optional and output-only fields.
#[tokio::test]
async fn what_no_client_can_say_stays_as_it_is_stored() {
    let stored_event = StoredEvent::new();
    stored_event.with(|kept| {
        let Some(event) = kept else { panic!("there is an event") };
        event.created = types::runtime::DateTime::parse("2026-01-01T00:00:00Z").ok();
        event.event_type = Some("focusTime".into());
    });
    let got = send_with(&stored_event.router(), valid::of("calendar", "events.update"), ("if-match", "\"1\"")).await;
    assert_eq!(got.status, StatusCode::OK, "{got:?}");
    let body = got.json();
    assert_eq!((body["id"].as_str(), body["eventType"].as_str()), (Some("abcde"), Some("focusTime")), "{body}");
    assert_eq!(body["created"], "2026-01-01T00:00:00Z", "{body}");
    assert_eq!(body["summary"], "tea \" é😀", "{body}");
}
