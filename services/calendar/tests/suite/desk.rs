//! Service with three users, and a client of it.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use calendar_server::Principal;
use calendar_server::runtime::tokens::TokenSealer;
use calendar_server::runtime::{AuthError, AuthRequest, Authenticator, Credential, MemoryBudget};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt as _;
use wireform_calendar::{CalendarService, MailPreparer, limits};
use wireform_mailbox::mail::{self, Arrival};
use wireform_mailbox::principal;
use wireform_store::{
    Accounts as _, AnyStore, Calendars as _, Clock, Grant, Label, Millis, NewMessage, Role, Sqlite, SqliteOptions,
    SystemLabel, TokenKind, User,
};

/// Authenticator whose tokens contain their scopes: `ana/calendar` is a token of Ana with the scope for everything.
#[derive(Clone)]
struct Tokens(Vec<(&'static str, User)>);

impl Authenticator for Tokens {
    async fn authenticate(
        &self,
        credential: Credential<'_>,
        _: &AuthRequest<'_>,
    ) -> std::result::Result<Principal, AuthError> {
        let Credential::Bearer(token) = credential else { return Err(AuthError::Invalid) };
        let (name, scope) = token.split_once('/').ok_or(AuthError::Invalid)?;
        // `robot:ana/calendar` is a token of a service account, which may do what Ana may do.
        let (kind, name) = match name.split_once(':') {
            None => (TokenKind::User, name),
            Some(("robot", name)) => (TokenKind::ServiceAccount, name),
            Some((_, name)) => (TokenKind::Delegated, name),
        };
        let (_, user) = self.0.iter().find(|(known, _)| *known == name).ok_or(AuthError::Invalid)?;
        let scope = format!("https://www.googleapis.com/auth/{scope}");
        Ok(principal(&Grant { user: user.clone(), scopes: vec![scope], kind }))
    }
}

/// Preparation of mail that arrives in an inbox.
#[derive(Debug)]
struct Mails;

impl MailPreparer for Mails {
    fn prepare(&self, raw: Vec<u8>) -> NewMessage {
        let labels = vec![Label::System(SystemLabel::Inbox), Label::System(SystemLabel::Unread)];
        mail::prepare(raw, Arrival { labels, ..Arrival::default() }).message
    }
}

/// Service and a client that sends requests to it.
#[derive(Clone)]
pub struct TestService {
    pub router: Router,
    pub store: Sqlite,
    pub service: CalendarService<AnyStore>,
    pub clock: Clock,
    pub token: String,
    tokens: Tokens,
    _folder: Arc<TempDir>,
}

/// 2026-03-01, noon.
pub const NOW: i64 = 1_772_366_400_000;

impl TestService {
    /// Creates a service; the client is Ana with all scopes.
    pub async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(folder.path(), SqliteOptions::default()).unwrap();
        let clock = Clock::starting_at(Millis(NOW));
        let mut users = Vec::new();
        for (name, address, full) in
            [("ana", "Ana@Example.com", "Ana"), ("ben", "ben@example.com", "Ben"), ("cy", "cy@example.com", "Cy")]
        {
            users.push((name, store.add_user(address, full, clock.now()).await.unwrap()));
        }
        let service = CalendarService::new(AnyStore::Sqlite(store.clone()), TokenSealer::new([7; 32]), clock.clone())
            .with_public_url("https://calendar.example.com")
            .with_mail(Mails);
        let (router, token, tokens) = (Router::new(), "ana/calendar".to_owned(), Tokens(users));
        let desk = Self { router, store, service, clock, token, tokens, _folder: Arc::new(folder) };
        desk.with_service(|service| service)
    }

    /// Returns a client of a changed service on the same store.
    pub fn with_service(&self, change: impl FnOnce(CalendarService<AnyStore>) -> CalendarService<AnyStore>) -> Self {
        let service = change(self.service.clone());
        let server = calendar_server::server(service.clone()).limits(limits()).authenticator(self.tokens.clone());
        Self { router: wireform_calendar::router(server), service, ..self.clone() }
    }

    /// Returns a client of the same service with a memory budget.
    pub fn with_budget(&self, budget: MemoryBudget) -> Self {
        let server = calendar_server::server(self.service.clone()).limits(limits()).authenticator(self.tokens.clone());
        Self { router: wireform_calendar::router(server.memory_budget(budget)), ..self.clone() }
    }

    /// Returns a client of the same service with another token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: token.to_owned(), ..self.clone() }
    }

    pub fn ben(&self) -> Self {
        self.with_token("ben/calendar")
    }

    pub fn cy(&self) -> Self {
        self.with_token("cy/calendar")
    }

    /// Shares the calendar of Ana with another user.
    pub async fn share(&self, with: &str, role: Option<Role>) {
        let user = self.store.user(with).await.unwrap().mailbox;
        let found = self.store.find_calendars(vec!["ana@example.com".to_owned()], user).await.unwrap();
        let calendar = found[0].as_ref().unwrap().0.number;
        self.store.share_calendar(calendar, user, role).await.unwrap();
    }

    /// Runs due jobs; returns their number.
    pub async fn run_jobs(&self) -> usize {
        self.service.run_jobs().await.unwrap()
    }

    pub async fn send(&self, method: &str, path: &str, body: Option<Value>, headers: &[(&str, &str)]) -> TestResponse {
        self.send_bytes(method, path, body.map(|body| body.to_string().into_bytes()), headers).await
    }

    /// Sends a body that need not be JSON.
    pub async fn send_bytes(
        &self,
        method: &str,
        path: &str,
        body: Option<Vec<u8>>,
        headers: &[(&str, &str)],
    ) -> TestResponse {
        let path = if path.starts_with("/calendar") {
            path.to_owned()
        } else {
            format!("/calendar/v3/calendars/primary/events{path}")
        };
        let mut request = Request::builder().method(method).uri(path);
        request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = match body {
            Some(body) => request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body)).unwrap(),
            None => request.body(Body::empty()).unwrap(),
        };
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let text = body.collect().await.unwrap().to_bytes();
        let body = if text.is_empty() { Value::Null } else { serde_json::from_slice(&text).unwrap() };
        TestResponse { status: parts.status, headers: parts.headers, body }
    }

    pub async fn get(&self, path: &str) -> TestResponse {
        self.send("GET", path, None, &[]).await
    }

    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send("DELETE", path, None, &[]).await
    }

    pub async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.send("POST", path, Some(body), &[]).await
    }

    pub async fn put(&self, path: &str, body: Value) -> TestResponse {
        self.send("PUT", path, Some(body), &[]).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> TestResponse {
        self.send("PATCH", path, Some(body), &[]).await
    }

    /// Creates an event; returns it.
    pub async fn insert(&self, event: Value) -> Value {
        self.post("", event).await.ok().clone()
    }

    /// Reads an event.
    pub async fn event(&self, id: &str) -> Value {
        self.get(&format!("/{id}")).await.ok().clone()
    }

    /// Reads all pages of a list; returns its items, and the last page.
    pub async fn list(&self, query: &str) -> (Vec<Value>, Value) {
        let mut items = Vec::new();
        let mut token = String::new();
        loop {
            let page = self.get(&format!("?{query}{token}")).await.ok().clone();
            items.extend(page["items"].as_array().into_iter().flatten().cloned());
            match page["nextPageToken"].as_str() {
                Some(next) => token = format!("&pageToken={next}"),
                None => return (items, page),
            }
        }
    }

    /// Lists all events of a calendar, in one page.
    pub async fn list_of(&self, calendar: &str) -> (Vec<Value>, Value) {
        let page =
            self.get(&format!("/calendar/v3/calendars/{calendar}/events?maxResults=2500&showDeleted=true")).await;
        let page = page.ok().clone();
        (page["items"].as_array().cloned().unwrap_or_default(), page)
    }

    /// Returns the identifiers of a list.
    pub async fn ids(&self, query: &str) -> Vec<String> {
        ids(&self.list(query).await.0)
    }
}

/// Response of the service.
#[derive(Debug)]
pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

impl TestResponse {
    /// Returns the body of a success.
    #[track_caller]
    pub fn ok(&self) -> &Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        &self.body
    }

    /// Asserts that the response is an error with a code and a reason.
    #[track_caller]
    pub fn assert_error(&self, code: u16, reason: &str) {
        assert_eq!(self.status.as_u16(), code, "{}", self.body);
        let error = &self.body["error"];
        assert_eq!(error["errors"][0]["reason"], reason, "{error}");
    }

    /// Asserts the location of the error within the request.
    #[track_caller]
    pub fn assert_location(&self, location: &str) {
        assert_eq!(self.body["error"]["errors"][0]["location"], location, "{}", self.body);
    }
}

pub fn ids(items: &[Value]) -> Vec<String> {
    items.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

/// Percent-encodes a text for a query.
pub fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Returns an event of an hour on a day of March 2026.
pub fn hour(day: u32, hour: u32, title: &str) -> Value {
    json!({
        "summary": title,
        "start": { "dateTime": format!("2026-03-{day:02}T{hour:02}:00:00Z") },
        "end": { "dateTime": format!("2026-03-{day:02}T{:02}:00:00Z", hour + 1) },
    })
}

/// Returns a series of instances of an hour, in Berlin.
pub fn series(id: &str, start: &str, end: &str, rules: &[&str]) -> Value {
    json!({
        "id": id,
        "summary": id,
        "start": { "dateTime": start, "timeZone": "Europe/Berlin" },
        "end": { "dateTime": end, "timeZone": "Europe/Berlin" },
        "recurrence": rules,
    })
}

/// Returns an object with further fields.
pub fn with(mut object: Value, members: Value) -> Value {
    for (name, value) in members.as_object().unwrap() {
        object[name] = value.clone();
    }
    object
}
