//! A service with four users, somebody who asks, and an engine that does what functions are called.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use script_server::Principal;
use script_server::runtime::tokens::TokenSealer;
use script_server::runtime::wireform_runtime::Names;
use script_server::runtime::{AuthError, AuthRequest, Authenticator, Credential};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::Semaphore;
use tower::ServiceExt as _;
use wireform_script::engine::{Analysis, Boxed, Engine, Exception, Function, Outcome, Run, SyntaxFlaw};
use wireform_script::host::{Host, Scope, Severity};
use wireform_script::{ScriptService, limits};
use wireform_store::{Accounts as _, Clock, Millis, ScriptRole, Scripts as _, Sqlite, SqliteOptions, User};

/// Tokens say what they allow: `ana/script.projects` is Ana's, for projects; `ana` is for everything.
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
        let (_, user) = self.0.iter().find(|(known, _)| *known == name).ok_or(AuthError::Invalid)?;
        let all = SCOPES.iter().copied().chain(["userinfo.email", "calendar"]).filter(|_| scope.is_empty());
        let scopes: Vec<String> = all
            .chain(Some(scope).filter(|scope| !scope.is_empty()))
            .map(|scope| format!("https://www.googleapis.com/auth/{scope}"))
            .chain(Some("https://mail.google.com/".to_owned()).filter(|_| scope.is_empty()))
            .collect();
        let scopes = scopes.iter().map(String::as_str);
        Ok(Principal::new(user.address.as_str()).with_scopes(scopes).with_data(user.clone()))
    }
}

fn analysis(source: &str) -> Analysis {
    let found = source.lines().enumerate().filter_map(|(at, line)| {
        if line.contains("!!") {
            let line = u32::try_from(at + 1).unwrap();
            return Some(Err(SyntaxFlaw { message: "unexpected token".to_owned(), line, column: 3 }));
        }
        let (name, rest) = line.strip_prefix("function ")?.split_once('(')?;
        let parameters = rest.split_once(')')?.0.split(',').map(str::trim).filter(|name| !name.is_empty());
        Some(Ok(Function { name: name.to_owned(), parameters: parameters.map(str::to_owned).collect() }))
    });
    found.collect()
}

/// An engine that reads `function name(a, b)` off the start of lines, and does what the name of a function says.
#[derive(Debug)]
pub struct Tame {
    /// A run of `wait` goes on when one is added.
    pub gate: Semaphore,
    pub started: AtomicUsize,
    pub analyzed: AtomicUsize,
}

impl Engine for Tame {
    fn analyze(&self, files: Vec<(String, String)>) -> Boxed<'_, Result<Vec<Analysis>, String>> {
        self.analyzed.fetch_add(files.len(), Ordering::SeqCst);
        Box::pin(async move { Ok(files.iter().map(|(_, source)| analysis(source)).collect()) })
    }

    fn run(&self, run: Run, host: Arc<dyn Host>) -> Boxed<'_, Outcome> {
        self.started.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            match run.function.as_str() {
                "echo" => Outcome::Returned(Some(Value::Array(run.parameters))),
                "nothing" => Outcome::Returned(None),
                "code" => Outcome::Returned(Some(described(&run.code))),
                "who" => Outcome::Returned(Some(json!(host.effective_user()))),
                "doGet" if run.parameters[0]["queryString"] == "schedule" => {
                    let schedule = serde_json::from_value(json!({ "every_hours": 1 })).unwrap();
                    let made = host.add_trigger("fired".to_owned(), schedule).await;
                    let content = made.map_or_else(|refused| refused, |_| "scheduled".to_owned());
                    Outcome::Returned(Some(json!({ "$output": { "content": content, "mime_type": "text/plain" } })))
                }
                "doGet" => {
                    let content = format!("{}|{}", host.active_user(), host.effective_user());
                    Outcome::Returned(Some(json!({ "$output": { "content": content, "mime_type": "text/plain" } })))
                }
                "count" => Outcome::Returned(Some(json!(count(&*host).await))),
                "lock" => {
                    Outcome::Returned(Some(json!(host.lock(Scope::Script, std::time::Duration::ZERO).await.unwrap())))
                }
                "schedule" => {
                    let schedule = serde_json::from_value(run.parameters[0].clone()).unwrap();
                    let function = run.parameters.get(1).and_then(Value::as_str).unwrap_or("fired");
                    let made = host.add_trigger(function.to_owned(), schedule).await;
                    made.map_or_else(
                        |message| Outcome::Threw(Exception::of_platform(message)),
                        |trigger| Outcome::Returned(Some(json!(trigger.id))),
                    )
                }
                "triggers" => Outcome::Returned(Some(json!(host.triggers().await.unwrap().len()))),
                "slow" => Outcome::TimedOut,
                "wait" | "doPost" => {
                    self.gate.acquire().await.unwrap().forget();
                    Outcome::Returned(None)
                }
                "log" => {
                    host.log(Severity::Info, "before".to_owned());
                    self.gate.acquire().await.unwrap().forget();
                    host.log(Severity::Error, "after".to_owned());
                    Outcome::Returned(None)
                }
                "flood" => {
                    (0..20_000).for_each(|_| host.log(Severity::Debug, String::new()));
                    Outcome::Returned(None)
                }
                "crash" => panic!("the engine has a fault"),
                name => Outcome::Threw(Exception {
                    message: format!("TypeError: {name}"),
                    class: Some("TypeError".to_owned()),
                    stack: vec![("inner".to_owned(), 3), (name.to_owned(), 7)],
                }),
            }
        })
    }
}

fn described(code: &wireform_script::engine::Code) -> Value {
    let scripts: Vec<_> = code.scripts.iter().map(|(name, source)| json!([name, source])).collect();
    let libraries: serde_json::Map<String, Value> =
        code.libraries.iter().map(|(name, code)| (name.clone(), described(code))).collect();
    json!({ "scripts": scripts, "libraries": libraries, "zone": code.time_zone })
}

async fn count(host: &dyn Host) -> u64 {
    let mut counts = Vec::new();
    for scope in [Scope::Script, Scope::User] {
        let old = host.properties(scope).await.unwrap().get("n").map_or(0, |n| n.parse().unwrap());
        let new = [("n".to_owned(), Some((old + 1_u64).to_string()))].into();
        host.set_properties(scope, new, false).await.unwrap();
        counts.push(old + 1);
    }
    counts[0] * 100 + counts[1]
}

/// The service, and who asks it.
#[derive(Clone)]
pub struct Desk {
    pub router: Router,
    pub store: Sqlite,
    pub service: ScriptService<Sqlite>,
    pub clock: Clock,
    pub token: String,
    pub engine: Arc<Tame>,
    tokens: Tokens,
    _folder: Arc<TempDir>,
}

/// 2026-03-04, a Wednesday, noon.
pub const NOW: i64 = 1_772_625_600_000;

#[derive(Debug)]
struct Shared(Arc<Tame>);

impl Engine for Shared {
    fn analyze(&self, files: Vec<(String, String)>) -> Boxed<'_, Result<Vec<Analysis>, String>> {
        self.0.analyze(files)
    }

    fn run(&self, run: Run, host: Arc<dyn Host>) -> Boxed<'_, Outcome> {
        self.0.run(run, host)
    }
}

impl Desk {
    /// Ana asks, who may do everything with what is hers.
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
        let engine =
            Arc::new(Tame { gate: Semaphore::new(0), started: AtomicUsize::new(0), analyzed: AtomicUsize::new(0) });
        let service = ScriptService::new(store.clone(), TokenSealer::new([7; 32]), clock.clone())
            .with_public_url("https://scripts.example.com")
            .with_engine(Shared(engine.clone()));
        let (router, token, tokens) = (Router::new(), "ana".to_owned(), Tokens(users));
        let desk = Self { router, store, service, clock, token, engine, tokens, _folder: Arc::new(folder) };
        desk.with_service(|service| service)
    }

    /// The service as it is changed, on the same store.
    pub fn with_service(&self, change: impl FnOnce(ScriptService<Sqlite>) -> ScriptService<Sqlite>) -> Self {
        self.with_names(change(self.service.clone()), Names::Specification)
    }

    /// The same service in the spelling of the public one.
    pub fn public(&self) -> Self {
        self.with_names(self.service.clone(), Names::Public)
    }

    fn with_names(&self, service: ScriptService<Sqlite>, names: Names) -> Self {
        let limits = limits(&wireform_script::Settings::default());
        let server = script_server::server(service.clone()).limits(limits).authenticator(self.tokens.clone());
        Self { router: server.names(names).router(), service, ..self.clone() }
    }

    /// The same service, asked with another token.
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

    pub async fn send(&self, method: &str, path: &str, body: Option<Value>, headers: &[(&str, &str)]) -> Answer {
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
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None, &[]).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, None, &[]).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, Some(body), &[]).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send("PUT", path, Some(body), &[]).await
    }

    /// That a list or a resource is answered 304 until something changes; returns a tag that is outdated then.
    pub async fn tag(&self, path: &str) -> String {
        let answer = self.get(path).await;
        answer.ok();
        let tag = answer.headers.get(header::ETAG).expect("there is a tag").to_str().unwrap().to_owned();
        assert!(self.is_current(path, &tag).await, "{path}");
        tag
    }

    pub async fn is_current(&self, path: &str, tag: &str) -> bool {
        let answer = self.send("GET", path, None, &[("if-none-match", tag)]).await;
        answer.status == StatusCode::NOT_MODIFIED
    }

    /// Creates a project; returns its identifier.
    pub async fn project(&self, title: &str) -> String {
        let made = self.post("/projects", json!({ "title": title })).await;
        made.ok()["scriptId"].as_str().unwrap().to_owned()
    }

    /// Replaces the content of a project by a manifest and files of code.
    pub async fn save(&self, id: &str, manifest: Value, scripts: &[(&str, &str)]) -> Answer {
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

    /// A project whose functions a group of users may run.
    pub async fn runnable(&self, access: &str) -> String {
        let id = self.project("Runs").await;
        self.save(&id, json!({ "executionApi": { "access": access } }), &[("Code", "function echo(a) {}")]).await.ok();
        let version = self.version(&id).await;
        self.deploy(&id, json!({ "versionNumber": version })).await;
        id
    }

    pub async fn run(&self, id: &str, function: &str) -> Answer {
        self.post(&format!("/scripts/{id}:run"), json!({ "function": function })).await
    }

    /// Lists all pages of a list.
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

/// What was answered.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Answer {
    /// The body of a success.
    #[track_caller]
    pub fn ok(&self) -> &Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        &self.body
    }

    /// That it is an error with that code; returns its items.
    #[track_caller]
    pub fn refuses(&self, code: u16) -> &Value {
        assert_eq!(self.status.as_u16(), code, "{}", self.body);
        &self.body["error"]
    }
}

/// A time to its second: the clock goes on while a test runs.
#[track_caller]
pub fn second(value: &Value) -> &str {
    &value.as_str().expect("a time")[..19]
}

/// The values of a member of objects.
pub fn all<'a>(items: &'a [Value], member: &str) -> Vec<&'a str> {
    items.iter().map(|one| one[member].as_str().unwrap_or_default()).collect()
}
