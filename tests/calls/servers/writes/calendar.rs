//! Calendar service with one event, and values for its tests.

use std::sync::{Arc, Mutex, PoisonError};

use calendar_server::{requests, service, types};
use serde_json::{Value, json};
use wireform_runtime::{Request, WriteRequest};
use wireform_server::{Context, Error, Result, WriteResult};

/// Calendar with one event, with the minimum that every service does.
#[derive(Clone)]
pub struct Calendar(Arc<Mutex<types::Event>>);

impl Calendar {
    pub fn of(stored: &Value) -> Self {
        let event = types::runtime::json::from_str(&stored.to_string()).expect("an event");
        Self(Arc::new(Mutex::new(event)))
    }

    fn create<R>(request: &R, context: &Context) -> Result<types::Event>
    where
        R: WriteRequest<Resource = types::Event> + Request<Response = types::Event>,
    {
        let (event, _) = context.prepare(request, None)?;
        Ok(event.into())
    }

    fn change<R>(&self, request: &R, context: &Context) -> WriteResult<R>
    where
        R: WriteRequest<Resource = types::Event> + Request<Response = types::Event>,
    {
        let mut stored = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (event, admission) = context.prepare(request, Some(&stored))?;
        *stored = event;
        Ok(admission.reply(stored.clone()))
    }
}

impl service::CalendarList for Calendar {}
impl service::Calendars for Calendar {}
impl service::Channels for Calendar {}
impl service::Colors for Calendar {}
impl service::Freebusy for Calendar {}
impl service::Settings for Calendar {}

impl service::Events for Calendar {
    async fn insert(&self, request: requests::EventsInsert, context: &Context) -> Result<types::Event> {
        Self::create(&request, context)
    }

    async fn import(&self, request: requests::EventsImport, context: &Context) -> Result<types::Event> {
        Self::create(&request, context)
    }

    async fn update(&self, request: requests::EventsUpdate, context: &Context) -> WriteResult<requests::EventsUpdate> {
        self.change(&request, context)
    }

    async fn patch(&self, request: requests::EventsPatch, context: &Context) -> WriteResult<requests::EventsPatch> {
        // Like a service that runs its transactions on another thread.
        let (calendar, context) = (self.clone(), context.detached());
        let changed = tokio::task::spawn_blocking(move || calendar.change(&request, &context)).await;
        changed.map_err(Error::internal)?
    }
}

/// Conference of another provider.
pub fn conference(id: &str) -> Value {
    json!({
        "conferenceId": id, "conferenceSolution": {"key": {"type": "addOn"}},
        "entryPoints": [{"entryPointType": "video", "uri": "https://x"}],
    })
}

pub fn stored() -> Value {
    json!({
        "id": "abcde", "etag": "\"1\"", "iCalUID": "u@x", "summary": "tea",
        "start": {"dateTime": "2026-03-02T10:00:00Z"}, "end": {"dateTime": "2026-03-02T11:00:00Z"},
        "colorId": "1", "eventLabelId": "old",
        "attachments": [{"fileUrl": "https://x/old", "fileId": "f"}],
        "conferenceData": conference("old"),
    })
}

pub fn body() -> Value {
    json!({
        "iCalUID": "u@x", "summary": "coffee",
        "start": {"dateTime": "2026-03-02T10:00:00Z"}, "end": {"dateTime": "2026-03-02T11:00:00Z"},
        "colorId": "2", "eventLabelId": "new",
        "attachments": [{"fileUrl": "https://x/new"}],
        "conferenceData": conference("new"),
    })
}

/// Returns color, label, attachment and conference of an event.
pub fn parameter_dependent_fields(event: &Value) -> Value {
    json!([
        event["colorId"],
        event["eventLabelId"],
        event["attachments"][0]["fileUrl"],
        event["conferenceData"]["conferenceId"]
    ])
}
