//! Tests of web apps: the user that they run as, and their visitors.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use script_server::runtime::tokens::TokenSealer;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use wireform_script::ScriptService;
use wireform_script::apis::Authority;
use wireform_script::web::{Visitor, WebRequest, WebResponse};
use wireform_store::{Grant, ScriptRole, TokenKind};

use crate::desk::TestService;
use crate::tame::Shared;

pub(crate) fn app(access: &str, user: &str) -> Value {
    json!({ "webapp": { "access": access, "executeAs": user } })
}

/// Returns a visitor with a token without scopes.
fn token(desk: &TestService, name: &str) -> Visitor {
    let grant = Grant { user: desk.user(name), scopes: Vec::new(), kind: TokenKind::User };
    Visitor { user: grant.user.clone(), authority: Authority::Token(grant) }
}

/// Opens a web app; returns the content of its page.
pub(crate) async fn open(desk: &TestService, deployment: &str, visitor: Option<&str>) -> Result<String, WebResponse> {
    let visitor = visitor.map(|name| token(desk, name));
    match desk.service.open_web_app(deployment, visitor, WebRequest::default()).await.unwrap().0 {
        WebResponse::Page(page) => Ok(page.content),
        other => Err(other),
    }
}

#[tokio::test]
async fn present_files_run_as_the_visitor_and_never_as_their_deployer() {
    let desk = TestService::open().await;
    let id = desk.project("App").await;
    desk.share(&id, "ben", Some(ScriptRole::Write)).await;
    let ben = desk.as_user("ben");
    ben.save(&id, app("ANYONE_ANONYMOUS", "USER_DEPLOYING"), &[("Code", "function doGet() {}")]).await.ok();
    let head = desk.list(&format!("/projects/{id}/deployments"), "deployments").await.remove(0);
    let present = desk.deploy(&id, json!({})).await;
    for deployment in [head["deploymentId"].as_str().unwrap(), &present] {
        assert_eq!(open(&desk, deployment, Some("ben")).await.unwrap(), "ben@example.com|ben@example.com");
        assert_eq!(open(&desk, deployment, Some("dan")).await, Err(WebResponse::NotFound));
        assert_eq!(open(&desk, deployment, None).await, Err(WebResponse::Unauthenticated));
    }
    let version = desk.version(&id).await;
    let pinned = desk.deploy(&id, json!({ "versionNumber": version })).await;
    assert_eq!(open(&desk, &pinned, Some("ben")).await.unwrap(), "ben@example.com|Ana@Example.com");
    assert_eq!(open(&desk, &pinned, None).await.unwrap(), "|Ana@Example.com");
}

#[tokio::test]
async fn an_app_that_runs_as_its_deployer_may_do_what_the_token_of_the_deployment_allows() {
    let desk = TestService::open().await;
    let id = desk.project("App").await;
    desk.save(&id, app("ANYONE", "USER_DEPLOYING"), &[("Code", "function doGet() {}")]).await.ok();
    let version = desk.version(&id).await;
    let schedule = async |deployment: &str| {
        let request = WebRequest { query: "schedule".to_owned(), ..WebRequest::default() };
        match desk.service.open_web_app(deployment, Some(token(&desk, "ben")), request).await.unwrap().0 {
            WebResponse::Page(page) => page.content,
            other => format!("{other:?}"),
        }
    };
    let narrow = desk.as_user("ana/script.deployments");
    let deployment = narrow.deploy(&id, json!({ "versionNumber": version })).await;
    let refused = schedule(&deployment).await;
    assert!(refused.contains("the scopes of the token do not allow triggers"), "{refused}");
    let wide = desk.deploy(&id, json!({ "versionNumber": version })).await;
    assert_eq!(schedule(&wide).await, "scheduled");
    let robot = desk.as_user("ana/robot").deploy(&id, json!({ "versionNumber": version })).await;
    let refused = schedule(&robot).await;
    assert!(refused.contains("the scopes of the token do not allow triggers"), "{refused}");
    // A new deployer gives it the scopes of their own token.
    let config = json!({ "deploymentConfig": { "versionNumber": version } });
    narrow.put(&format!("/projects/{id}/deployments/{wide}"), config).await.ok();
    let refused = schedule(&wide).await;
    assert!(refused.contains("the scopes of the token do not allow triggers"), "{refused}");
}

#[tokio::test]
async fn a_web_app_gets_half_of_the_slots() {
    let desk = TestService::open().await;
    let settings = wireform_script::Settings { concurrency: 1, ..Default::default() };
    let desk = desk.with_service(|service| service.with_settings(settings));
    let id = desk.project("App").await;
    desk.save(&id, app("ANYONE", "USER_ACCESSING"), &[]).await.ok();
    let version = desk.version(&id).await;
    let deployment = desk.deploy(&id, json!({ "versionNumber": version })).await;
    let post = || {
        let (desk, deployment, visitor) = (desk.clone(), deployment.clone(), token(&desk, "ben"));
        let request = WebRequest { post: Some((String::new(), Vec::new())), ..WebRequest::default() };
        tokio::spawn(async move { desk.service.open_web_app(&deployment, Some(visitor), request).await.unwrap().0 })
    };
    let waiting: Vec<_> = (0..4).map(|_| post()).collect();
    let path = format!("/processes:listScriptProcesses?scriptId={id}");
    while desk.list(&path, "processes").await.len() < 4 {
        tokio::task::yield_now().await;
    }
    let refused = tokio::time::timeout(std::time::Duration::from_secs(20), post()).await;
    assert_eq!(refused.expect("it does not wait").unwrap(), WebResponse::Busy);
    desk.engine.gate.add_permits(4);
    for one in waiting {
        one.await.unwrap();
    }
}

#[tokio::test]
async fn a_visitor_without_a_token_is_known_to_apps_that_are_theirs() {
    let desk = TestService::open().await;
    let id = desk.project("App").await;
    desk.save(&id, app("ANYONE", "USER_ACCESSING"), &[]).await.ok();
    let version = desk.version(&id).await;
    let deployment = desk.deploy(&id, json!({ "versionNumber": version })).await;
    let visit = async |name: &str| {
        let visitor = Visitor { user: desk.user(name), authority: Authority::Full };
        desk.service.open_web_app(&deployment, Some(visitor), WebRequest::default()).await.unwrap().0
    };
    assert!(matches!(visit("ana").await, WebResponse::Page(_)));
    assert_eq!(visit("ben").await, WebResponse::Unauthenticated);
    assert_eq!(open(&desk, &deployment, Some("ben")).await.unwrap(), "ben@example.com|ben@example.com");
    assert_eq!(open(&desk, &deployment, Some("cy")).await.unwrap(), "|cy@elsewhere.org", "of another domain");
    desk.share(&id, "ben", Some(ScriptRole::Read)).await;
    assert!(matches!(visit("ben").await, WebResponse::Page(_)));
}

#[tokio::test]
async fn temporary_keys_distinguish_users_without_identifying_them() {
    let desk = TestService::open().await;
    let (mut scripts, mut deployments) = (Vec::new(), Vec::new());
    for title in ["App", "Other app"] {
        let id = desk.project(title).await;
        desk.save(&id, app("ANYONE_ANONYMOUS", "USER_DEPLOYING"), &[]).await.ok();
        let version = desk.version(&id).await;
        deployments.push(desk.deploy(&id, json!({ "versionNumber": version })).await);
        scripts.push(id);
    }
    let key = async |desk: &TestService, deployment: &str, visitor: Option<&str>| {
        let visitor = visitor.map(|name| token(desk, name));
        let request = WebRequest { query: "key".to_owned(), ..WebRequest::default() };
        match desk.service.open_web_app(deployment, visitor, request).await.unwrap().0 {
            WebResponse::Page(page) => page.content,
            other => format!("{other:?}"),
        }
    };
    let cy = key(&desk, &deployments[0], Some("cy")).await;
    assert_eq!(cy.len(), 43, "also of a user of another domain, whose address the script does not see");
    assert_eq!(key(&desk, &deployments[0], Some("cy")).await, cy);
    assert_ne!(key(&desk, &deployments[0], Some("ben")).await, cy);
    assert_ne!(key(&desk, &deployments[1], Some("cy")).await, cy);
    assert_eq!(key(&desk, &deployments[0], None).await, "");
    // A user cannot be identified by trying all users: all inputs are known, except for the secret of the store.
    let period = desk.clock.now().0.div_euclid(30 * 24 * 60 * 60 * 1_000);
    for user in 0..100 {
        assert_ne!(URL_SAFE_NO_PAD.encode(Sha256::digest(format!("{} {user} {period}", scripts[0]))), cy);
    }
    // Another server on the same store generates the same key.
    let other = ScriptService::new(
        wireform_store::AnyStore::Sqlite(desk.store.clone()),
        TokenSealer::new([8; 32]),
        desk.clock.clone(),
    )
    .with_engine(Shared(desk.engine.clone()));
    assert_eq!(key(&desk.with_service(|_| other), &deployments[0], Some("cy")).await, cy);
    desk.clock.advance(std::time::Duration::from_secs(30 * 24 * 60 * 60));
    assert_ne!(key(&desk, &deployments[0], Some("cy")).await, cy);
}

#[tokio::test]
async fn a_script_knows_the_address_of_its_web_app() {
    let desk = TestService::open().await;
    let id = desk.project("App").await;
    let url = async |id: &str| {
        let body = json!({ "function": "url", "devMode": true });
        desk.post(&format!("/scripts/{id}:run"), body).await.ok()["response"]["result"].clone()
    };
    assert_eq!(url(&id).await, Value::Null);
    desk.save(&id, app("ANYONE", "USER_ACCESSING"), &[]).await.ok();
    let at = |deployment: &str| json!(format!("https://scripts.example.com/macros/s/{deployment}/exec"));
    assert_eq!(url(&id).await, Value::Null, "no version is deployed");
    let version = desk.version(&id).await;
    let first = desk.deploy(&id, json!({ "versionNumber": version })).await;
    assert_eq!(url(&id).await, at(&first));
    desk.clock.advance(std::time::Duration::from_secs(1));
    let last = desk.deploy(&id, json!({ "versionNumber": version })).await;
    assert_eq!(url(&id).await, at(&last), "the most recently changed one");
}
