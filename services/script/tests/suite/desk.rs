//! Service with four users, and a client of it.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use script_server::Principal;
use script_server::runtime::tokens::TokenSealer;
use script_server::runtime::wireform_runtime::Naming;
use script_server::runtime::{AuthError, AuthRequest, Authenticator, Credential, MemoryBudget};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt as _;
use wireform_script::{ScriptService, limits};
use wireform_store::{
    Accounts as _, AnyStore, Clock, Grant, Millis, ScriptRole, Scripts as _, Sqlite, SqliteOptions, TokenKind, User,
};

use crate::tame::{Shared, Tame};

/// Authenticator whose tokens contain their scopes: `ana/script.projects` is a token of Ana for projects, `ana` one for
/// everything, and `ana/robot` one of a service account.
#[derive(Clone)]
struct Tokens(Vec<(&'static str, User)>);

const SCOPES: [&str; 4] = ["script.projects", "script.deployments", "script.metrics", "script.processes"];

impl Authenticator for Tokens {
    async fn authenticate(
        &self,
        credential: Credential<'_>,
        _: &AuthRequest<'_>,
    ) -> std::result::Result<Principal, AuthError> {
        let Credential::Bearer(token) = credential else { return Err(AuthError::Invalid) };
        let (name, scope) = token.split_once('/').unwrap_or((token, ""));
        // A service account has all scopes as well.
        let (robot, scope) = (scope == "robot", if scope == "robot" { "" } else { scope });
        let (_, user) = self.0.iter().find(|(known, _)| *known == name).ok_or(AuthError::Invalid)?;
        let all = SCOPES.iter().copied().chain(["userinfo.email", "calendar"]).filter(|_| scope.is_empty());
        let scopes: Vec<String> = all
            .chain(Some(scope).filter(|scope| !scope.is_empty()))
            .map(|scope| format!("https://www.googleapis.com/auth/{scope}"))
            .chain(Some("https://mail.google.com/".to_owned()).filter(|_| scope.is_empty()))
            .collect();
        let principal = Principal::new(user.address.as_str()).with_scopes(scopes.iter().map(String::as_str));
        if robot {
            return Ok(principal.with_data(Grant { user: user.clone(), scopes, kind: TokenKind::ServiceAccount }));
        }
        Ok(principal.with_data(user.clone()))
    }
}

/// Service and a client that sends requests to it.
#[derive(Clone)]
pub struct TestService {
    pub router: Router,
    pub store: Sqlite,
    pub service: ScriptService<AnyStore>,
    pub clock: Clock,
    pub token: String,
    pub engine: Arc<Tame>,
    tokens: Tokens,
    _folder: Arc<TempDir>,
}

/// Time of the service: 2026-03-04, a Wednesday, noon.
pub const NOW: i64 = 1_772_625_600_000;

impl TestService {
    /// Creates a service; the client is Ana with all scopes.
    pub async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(folder.path(), SqliteOptions::default()).unwrap();
        let clock = Clock::starting_at(Millis(NOW));
        let mut users = Vec::new();
        for (name, address, full) in [
            ("ana", "Ana@Example.com", "Ana"),
            ("ben", "ben@example.com", "Ben"),
            ("cy", "cy@elsewhere.org", "Cy"),
            ("dan", "dan@example.com", "Dan"),
        ] {
            users.push((name, store.add_user(address, full, clock.now()).await.unwrap()));
        }
        let engine = Arc::new(Tame::default());
        let service = ScriptService::new(AnyStore::Sqlite(store.clone()), TokenSealer::new([7; 32]), clock.clone())
            .with_public_url("https://scripts.example.com")
            .with_engine(Shared(engine.clone()));
        let (router, token, tokens) = (Router::new(), "ana".to_owned(), Tokens(users));
        let desk = Self { router, store, service, clock, token, engine, tokens, _folder: Arc::new(folder) };
        desk.with_service(|service| service)
    }

    /// Returns a client of a changed service on the same store.
    pub fn with_service(&self, change: impl FnOnce(ScriptService<AnyStore>) -> ScriptService<AnyStore>) -> Self {
        self.with_names(change(self.service.clone()), Naming::Specification)
    }

    /// Returns a client of the same service with a memory budget.
    pub fn with_budget(&self, budget: MemoryBudget) -> Self {
        let service = self.service.clone().with_budget(budget.clone());
        let server = script_server::server(service.clone()).authenticator(self.tokens.clone()).memory_budget(budget);
        Self { router: wireform_script::router(server), service, ..self.clone() }
    }

    /// Returns a client of the same service with the naming of the public one.
    pub fn public(&self) -> Self {
        self.with_names(self.service.clone(), Naming::Public)
    }

    fn with_names(&self, service: ScriptService<AnyStore>, names: Naming) -> Self {
        let limits = limits(&wireform_script::Settings::default());
        let server = script_server::server(service.clone()).limits(limits).authenticator(self.tokens.clone());
        Self { router: wireform_script::router(server.naming(names)), service, ..self.clone() }
    }

    /// Returns a client of the same service with another token.
    pub fn as_user(&self, token: &str) -> Self {
        Self { token: token.to_owned(), ..self.clone() }
    }

    pub fn user(&self, name: &str) -> User {
        self.tokens.0.iter().find(|(known, _)| *known == name).unwrap().1.clone()
    }

    /// Shares a project of Ana.
    pub async fn share(&self, id: &str, with: &str, role: Option<ScriptRole>) {
        let (project, _) = self.store.find_project(id, self.user("ana").mailbox).await.unwrap().unwrap();
        self.store.share_project(project.number, self.user(with).mailbox, role, self.clock.now()).await.unwrap();
    }

    pub async fn send(&self, method: &str, path: &str, body: Option<Value>, headers: &[(&str, &str)]) -> TestResponse {
        let mut request = Request::builder().method(method).uri(format!("/v1{path}"));
        request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = match body {
            Some(body) => {
                request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string())).unwrap()
            }
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

    /// Asserts that a list or a resource gets a 304 until it changes; returns a tag that is outdated then.
    pub async fn tag(&self, path: &str) -> String {
        let response = self.get(path).await;
        response.ok();
        let tag = response.headers.get(header::ETAG).expect("there is a tag").to_str().unwrap().to_owned();
        assert!(self.is_current(path, &tag).await, "{path}");
        tag
    }

    pub async fn is_current(&self, path: &str, tag: &str) -> bool {
        let response = self.send("GET", path, None, &[("if-none-match", tag)]).await;
        response.status == StatusCode::NOT_MODIFIED
    }

    /// Creates a project; returns its identifier.
    pub async fn project(&self, title: &str) -> String {
        let made = self.post("/projects", json!({ "title": title })).await;
        made.ok()["scriptId"].as_str().unwrap().to_owned()
    }

    /// Replaces the content of a project by a manifest and files of code.
    pub async fn save(&self, id: &str, manifest: Value, scripts: &[(&str, &str)]) -> TestResponse {
        let mut files = vec![json!({ "name": "manifest", "type": "JSON", "source": manifest.to_string() })];
        let script = |(name, source): &(&str, &str)| json!({ "name": name, "type": "SERVER_JS", "source": source });
        files.extend(scripts.iter().map(script));
        self.put(&format!("/projects/{id}/content"), json!({ "files": files })).await
    }

    pub async fn version(&self, id: &str) -> i64 {
        let made = self.post(&format!("/projects/{id}/versions"), json!({})).await;
        made.ok()["versionNumber"].as_i64().unwrap()
    }

    pub async fn deploy(&self, id: &str, config: Value) -> String {
        let made = self.post(&format!("/projects/{id}/deployments"), config).await;
        made.ok()["deploymentId"].as_str().unwrap().to_owned()
    }

    /// Creates a project whose functions a group of users may run.
    pub async fn runnable(&self, access: &str) -> String {
        let id = self.project("Runs").await;
        self.save(&id, json!({ "executionApi": { "access": access } }), &[("Code", "function echo(a) {}")]).await.ok();
        let version = self.version(&id).await;
        self.deploy(&id, json!({ "versionNumber": version })).await;
        id
    }

    pub async fn run(&self, id: &str, function: &str) -> TestResponse {
        self.post(&format!("/scripts/{id}:run"), json!({ "function": function })).await
    }

    /// Reads all pages of a list.
    pub async fn list(&self, path: &str, member: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let mut token = String::new();
        loop {
            let separator = if path.contains('?') { '&' } else { '?' };
            let page = self.get(&format!("{path}{separator}{token}")).await.ok().clone();
            items.extend(page[member].as_array().into_iter().flatten().cloned());
            match page["nextPageToken"].as_str() {
                Some(next) => token = format!("pageToken={next}"),
                None => return items,
            }
        }
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

    /// Asserts that the response is an error with a code; returns its items.
    #[track_caller]
    pub fn refuses(&self, code: u16) -> &Value {
        assert_eq!(self.status.as_u16(), code, "{}", self.body);
        &self.body["error"]
    }
}

/// Truncates a time to its second, because the clock runs during a test.
#[track_caller]
pub fn second(value: &Value) -> &str {
    &value.as_str().expect("a time")[..19]
}

/// Returns the values of a field of objects.
pub fn all<'a>(items: &'a [Value], member: &str) -> Vec<&'a str> {
    items.iter().map(|one| one[member].as_str().unwrap_or_default()).collect()
}
