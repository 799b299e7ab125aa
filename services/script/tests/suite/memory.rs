//! Memory of results, pages, code and files.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response, header};
use http_body_util::BodyExt as _;
use script_server::runtime::MemoryBudget;
use serde_json::{Value, json};
use tower::ServiceExt as _;
use wireform_script::web::{WebRequest, WebResponse};

use crate::desk::TestService;
use crate::web::app;

/// Length of a result, a page or a file.
const LENGTH: u64 = 500 << 10;

/// Memory of one user, which half of the budget is.
const USER: u64 = 4 << 20;

fn budget() -> MemoryBudget {
    MemoryBudget::new(2 * USER).with_wait(Duration::ZERO)
}

/// Sends a request, and returns the response unread.
async fn unread(desk: &TestService, method: &str, path: &str, body: Value) -> Response<Body> {
    let request = Request::builder().method(method).uri(format!("/v1{path}"));
    let request = request.header(header::AUTHORIZATION, format!("Bearer {}", desk.token));
    let request = match body {
        Value::Null => request.body(Body::empty()),
        body => request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string())),
    };
    desk.router.clone().oneshot(request.unwrap()).await.unwrap()
}

async fn read(response: Response<Body>) -> String {
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn unread_results_of_runs_stay_within_the_budget() {
    let budget = budget();
    let desk = TestService::open().await.with_budget(budget.clone());
    let id = desk.runnable("ANYONE").await;
    let path = format!("/scripts/{id}:run");
    let call = json!({ "function": "long", "parameters": [LENGTH] });
    let mut held = Vec::new();
    // A run cannot be repeated like a request: what it lacks memory for is an exception.
    let failed = loop {
        let (before, response) = (budget.held(), unread(&desk, "POST", &path, call.clone()).await);
        assert_eq!(response.status().as_u16(), 200);
        if budget.held() == before {
            break read(response).await;
        }
        held.push(response);
        assert!(held.len() < 20);
    };
    assert!(failed.contains("no memory"), "{failed}");
    assert!(held.len() > 3 && budget.held() > held.len() as u64 * LENGTH, "{} {}", held.len(), budget.held());
    assert!(budget.peak() <= USER, "{}", budget.peak());
    // Small results need none, and other users have their own.
    assert!(desk.run(&id, "echo").await.ok()["done"].as_bool().unwrap());
    let other = unread(&desk.as_user("ben"), "POST", &path, call.clone()).await;
    assert!(read(other).await.contains("xxxx"));
    for response in held {
        assert!(read(response).await.contains("xxxx"));
    }
    assert_eq!(budget.held(), 0);
    assert!(read(unread(&desk, "POST", &path, call).await).await.contains("xxxx"));
}

#[tokio::test]
async fn results_beyond_the_memory_of_a_user_are_an_exception() {
    let desk = TestService::open().await.with_budget(budget());
    let id = desk.runnable("MYSELF").await;
    let call = json!({ "function": "long", "parameters": [USER / 2] });
    let response = unread(&desk, "POST", &format!("/scripts/{id}:run"), call).await;
    assert!(read(response).await.contains("no memory"));
}

#[tokio::test]
async fn pages_of_web_apps_hold_memory_of_their_deployer() {
    let budget = budget();
    let desk = TestService::open().await.with_budget(budget.clone());
    let id = desk.project("App").await;
    desk.save(&id, app("ANYONE_ANONYMOUS", "USER_DEPLOYING"), &[]).await.ok();
    let version = desk.version(&id).await;
    let deployment = desk.deploy(&id, json!({ "versionNumber": version })).await;
    let visit = async || {
        let request = WebRequest { query: "long".to_owned(), ..WebRequest::default() };
        desk.service.open_web_app(&deployment, None, request).await.unwrap()
    };
    let mut held = Vec::new();
    let failed = loop {
        match visit().await {
            (WebResponse::Page(page), share) => held.push((page, share.expect("it is long"))),
            (failed, _) => break failed,
        }
        assert!(held.len() < 20);
    };
    assert_eq!(failed, WebResponse::Failed("no memory".to_owned()));
    assert!(held.len() > 3 && budget.peak() <= USER, "{} {}", held.len(), budget.peak());
    assert_eq!(budget.held(), held.len() as u64 * LENGTH);
    // The deployer has none left, and others have.
    assert!(
        read(unread(&desk, "GET", &format!("/projects/{id}/content"), Value::Null).await).await.contains("manifest")
    );
    let own = desk.as_user("ben").runnable("MYSELF").await;
    let call = json!({ "function": "long", "parameters": [LENGTH] });
    assert!(
        read(unread(&desk.as_user("ben"), "POST", &format!("/scripts/{own}:run"), call).await).await.contains("xxxx")
    );
    drop(held);
    assert!(matches!(visit().await, (WebResponse::Page(_), Some(_))));
    assert_eq!(budget.held(), 0);
}

#[tokio::test]
async fn unread_files_stay_within_the_budget() {
    let budget = budget();
    let desk = TestService::open().await;
    let id = desk.project("Long").await;
    let source = format!("// {}", "x".repeat(usize::try_from(LENGTH).unwrap()));
    desk.save(&id, json!({}), &[("Code", &source)]).await.ok();
    let version = desk.version(&id).await;
    let desk = desk.with_budget(budget.clone());
    for path in [format!("/projects/{id}/content"), format!("/projects/{id}/content?versionNumber={version}")] {
        let mut held = Vec::new();
        let refused = loop {
            let response = unread(&desk, "GET", &path, Value::Null).await;
            match response.status().as_u16() {
                200 => held.push(response),
                _ => break response,
            }
            if held.len() == 1 {
                // What is held is the text; it was more while it was read and written.
                assert!(budget.peak() >= 3 * LENGTH, "{} {path}", budget.peak());
            }
            assert!(held.len() < 20, "{path}");
        };
        assert_eq!(refused.status().as_u16(), 503, "{path}");
        assert!(refused.headers().contains_key(header::RETRY_AFTER));
        assert!(held.len() > 3 && budget.held() > held.len() as u64 * LENGTH, "{} {}", held.len(), budget.held());
        assert!(budget.peak() <= USER, "{}", budget.peak());
        for response in held {
            assert!(read(response).await.contains("xxxx"));
        }
        assert_eq!(budget.held(), 0);
    }
}

#[tokio::test]
async fn code_takes_memory_before_it_is_read() {
    let budget = budget();
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let source = format!("// {}", "x".repeat(usize::try_from(LENGTH).unwrap()));
    desk.save(&id, json!({ "executionApi": { "access": "MYSELF" } }), &[("Code", &source)]).await.ok();
    let version = desk.version(&id).await;
    desk.deploy(&id, json!({ "versionNumber": version })).await;
    let desk = desk.with_budget(budget.clone());
    let other = budget.share("Ana@Example.com");
    other.reserve(USER - LENGTH).await.unwrap();
    let failed = read(unread(&desk, "POST", &format!("/scripts/{id}:run"), json!({ "function": "echo" })).await).await;
    assert!(failed.contains("no memory for the code"), "{failed}");
    drop(other);
    let run = read(unread(&desk, "POST", &format!("/scripts/{id}:run"), json!({ "function": "echo" })).await).await;
    assert!(run.contains("\"response\""), "{run}");
    assert!(budget.peak() >= 3 * LENGTH);
    assert_eq!(budget.held(), 0);
}

#[tokio::test]
async fn a_long_manifest_is_not_parsed() {
    let desk = TestService::open().await;
    let id = desk.project("Manifest").await;
    let libraries = |count: usize| format!(r#"{{"dependencies":{{"libraries":[{}]}}}}"#, vec!["{}"; count].join(","));
    let save = async |source: String| {
        let files = json!([{ "name": "manifest", "type": "JSON", "source": source }]);
        desk.put(&format!("/projects/{id}/content"), json!({ "files": files })).await.body.to_string()
    };
    let refused = save(libraries(1_000_000)).await;
    assert!(refused.contains("a manifest can have at most 64 KiB"), "{refused}");
    assert!(!refused.contains("libraries"), "{refused}");
    let refused = save(libraries(51)).await;
    assert!(refused.contains("libraries") && refused.contains("50"), "{refused}");
    // Blanks do not matter, only the length does.
    let longest = format!("{{{}}}", " ".repeat((64 << 10) - 2));
    assert!(!save(longest.clone()).await.contains("error"));
    assert!(save(format!("{longest} ")).await.contains("at most 64 KiB"));
}
