//! Service with two users, and a client of it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use http_body_util::BodyExt as _;
use mailbox_server::Principal;
use mailbox_server::runtime::tokens::TokenSealer;
use mailbox_server::runtime::{AuthError, AuthRequest, Authenticator, Credential, MemoryBudget};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt as _;
use wireform_mailbox::{MAX_TEXT_BYTES, MailboxService, RAW_FIELD, limits, principal, upload_sessions};
use wireform_store::{
    Accounts as _, Backend, Clock, Error, Grant, Millis, Operation, Result, SearchScheduler, Sqlite, SqliteOptions,
    TokenKind, User,
};

/// Store that fails on request.
#[derive(Clone)]
pub struct FaultyStore {
    inner: Sqlite,
    /// Errors of the next operations.
    faults: Arc<Mutex<VecDeque<(When, Error)>>>,
}

/// Operation that fails.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// The next operation.
    Now,
    /// The operation after a number of operations that write mail.
    After(usize),
}

impl Backend for FaultyStore {
    async fn perform<O: Operation>(&self, operation: O) -> Result<O::Output> {
        if let Some(error) = self.next_error(operation.weight()) {
            return Err(error);
        }
        self.inner.perform(operation).await
    }

    fn search_scheduler(&self) -> &SearchScheduler {
        self.inner.search_scheduler()
    }
}

impl FaultyStore {
    fn next_error(&self, weight: usize) -> Option<Error> {
        let mut faults = self.faults.lock().unwrap();
        let when = &mut faults.front_mut()?.0;
        match when {
            When::Now => {}
            When::After(count) if weight > 0 && *count > 0 => {
                *count -= 1;
                return None;
            }
            When::After(0) if weight > 0 => {}
            _ => return None,
        }
        faults.pop_front().map(|(_, error)| error)
    }
}

/// Authenticator whose tokens contain their scopes: `ana/mail` is a token of Ana with the scope for everything.
struct Tokens(Vec<(&'static str, User)>);

impl Authenticator for Tokens {
    async fn authenticate(
        &self,
        credential: Credential<'_>,
        _: &AuthRequest<'_>,
    ) -> std::result::Result<Principal, AuthError> {
        let Credential::Bearer(token) = credential else { return Err(AuthError::Invalid) };
        let (name, scope) = token.split_once('/').ok_or(AuthError::Invalid)?;
        let (_, user) = self.0.iter().find(|(known, _)| *known == name).ok_or(AuthError::Invalid)?;
        Ok(principal(&Grant { user: user.clone(), scopes: vec![scope.to_owned()], kind: TokenKind::User }))
    }
}

/// Service and a client that sends requests to it.
pub struct TestService {
    pub router: Router,
    pub store: FaultyStore,
    pub clock: Clock,
    pub ana: User,
    pub token: String,
    pub budget: MemoryBudget,
    _folder: Arc<TempDir>,
}

/// 2026-03-01, noon.
pub const NOW: i64 = 1_772_366_400_000;

impl TestService {
    /// Creates a service; the client is Ana with all scopes.
    pub async fn open() -> Self {
        Self::with_budget(None).await
    }

    pub async fn with_budget(budget: Option<MemoryBudget>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inner = Sqlite::open(folder.path(), SqliteOptions::default()).unwrap();
        let store = FaultyStore { inner, faults: Arc::default() };
        let clock = Clock::starting_at(Millis(NOW));
        let ana = store.add_user("Ana@Example.com", "Ana", clock.now()).await.unwrap();
        let ben = store.add_user("ben@example.com", "Ben", clock.now()).await.unwrap();
        let mut service = MailboxService::new(store.clone(), TokenSealer::new([7; 32]), clock.clone());
        if let Some(budget) = budget {
            service = service.with_budget(budget);
        }
        let budget = service.budget();
        let tokens = Tokens(vec![("ana", ana.clone()), ("ben", ben)]);
        let server = mailbox_server::server(service).limits(limits()).memory_budget(budget.clone());
        let server =
            server.decode_streaming(RAW_FIELD, MAX_TEXT_BYTES).upload_sessions(upload_sessions()).authenticator(tokens);
        let router = server.router();
        Self { router, store, budget, clock, ana, token: "ana/mail".to_owned(), _folder: Arc::new(folder) }
    }

    /// Returns a client of the same service with another token.
    pub fn with_token(&self, token: &str) -> Self {
        Self {
            router: self.router.clone(),
            store: self.store.clone(),
            clock: self.clock.clone(),
            ana: self.ana.clone(),
            token: token.to_owned(),
            budget: self.budget.clone(),
            _folder: Arc::clone(&self._folder),
        }
    }

    /// Makes the next operation of the store fail with an error.
    pub fn fail(&self, error: Error) {
        self.store.faults.lock().unwrap().push_back((When::Now, error));
    }

    /// Makes the operation after a number of operations that write mail fail with an error.
    pub fn fail_after(&self, writes: usize, error: Error) {
        self.store.faults.lock().unwrap().push_back((When::After(writes), error));
    }

    pub async fn send(&self, request: Request<Body>) -> TestResponse {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let text = body.collect().await.unwrap().to_bytes();
        let body = if text.is_empty() { Value::Null } else { serde_json::from_slice(&text).unwrap() };
        TestResponse { status: parts.status, headers: parts.headers, body }
    }

    fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        // Complete paths are used unchanged.
        let path = if path.starts_with("/gmail") { path.to_owned() } else { format!("/mail/v1{path}") };
        Request::builder().method(method).uri(path).header(header::AUTHORIZATION, format!("Bearer {}", self.token))
    }

    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send(self.request("DELETE", path).body(Body::empty()).unwrap()).await
    }

    pub async fn write(&self, method: &str, path: &str, body: Value) -> TestResponse {
        let request = self.request(method, path).header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.write("POST", path, body).await
    }

    /// Sends a request without a body, as `trash` accepts it.
    pub async fn post_empty(&self, path: &str) -> TestResponse {
        self.send(self.request("POST", path).body(Body::empty()).unwrap()).await
    }

    /// Stores a mail with labels; returns its identifier.
    pub async fn insert(&self, raw: &str, labels: &[&str]) -> String {
        let response = self.post("/users/me/messages", mail(raw.as_bytes(), labels)).await;
        response.ok()["id"].as_str().unwrap().to_owned()
    }

    /// Creates a label; returns its identifier.
    pub async fn label(&self, name: &str) -> String {
        self.post("/users/me/labels", json!({ "name": name })).await.ok()["id"].as_str().unwrap().to_owned()
    }

    /// Returns the identifiers of the messages that a search finds, in the order of the response.
    pub async fn find(&self, query: &str) -> Vec<String> {
        let path = format!("/users/me/messages?q={}", encoded(query));
        ids(&self.get(&path).await.ok()["messages"])
    }

    /// Returns the labels of a message.
    pub async fn labels_of(&self, id: &str) -> Vec<String> {
        texts(&self.get(&format!("/users/me/messages/{id}?format=minimal")).await.ok()["labelIds"])
    }

    pub async fn history_id(&self) -> String {
        self.get("/users/me/profile").await.ok()["historyId"].as_str().unwrap().to_owned()
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

    /// Asserts that the response is an error with a code, a status and a reason, whose message contains a text.
    #[track_caller]
    pub fn assert_error(&self, code: u16, status: &str, reason: &str, names: &str) {
        assert_eq!(self.status.as_u16(), code, "{}", self.body);
        let error = &self.body["error"];
        assert_eq!(error["code"], code, "{error}");
        assert_eq!(error["status"], status, "{error}");
        assert_eq!(error["errors"][0]["reason"], reason, "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(names), "`{message}` does not name `{names}`");
    }

    /// Asserts the location of the error within the request.
    #[track_caller]
    pub fn assert_location(&self, location: &str) {
        assert_eq!(self.body["error"]["errors"][0]["location"], location, "{}", self.body);
    }
}

/// Returns the body that stores a mail.
pub fn mail(raw: &[u8], labels: &[&str]) -> Value {
    json!({ "raw": URL_SAFE.encode(raw), "labelIds": labels })
}

/// Returns a mail with a subject.
pub fn plain(subject: &str) -> String {
    format!("From: Cy <cy@example.org>\r\nTo: ana@example.com\r\nSubject: {subject}\r\n\r\nText of {subject}.\r\n")
}

pub fn ids(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

pub fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(|one| one.as_str().unwrap().to_owned()).collect()
}

/// Percent-encodes a text for a query.
pub fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Returns the bytes of a base64url field.
pub fn data(value: &Value) -> Vec<u8> {
    let text = value.as_str().unwrap().trim_end_matches('=');
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).unwrap()
}
