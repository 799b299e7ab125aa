//! Tests of the platform of runs: properties, locks, logs and the clock.

use serde_json::json;
use wireform_script::states;
use wireform_store::{LogQuery, LogScope, Scripts as _};

use crate::desk::TestService;
use crate::runs::until;

#[tokio::test]
async fn scripts_keep_properties_for_all_and_for_each_user_and_give_locks_back() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    let count = async |name: &str| desk.as_user(name).run(&id, "count").await.ok()["response"]["result"].clone();
    assert_eq!((count("ana").await, count("ben").await, count("ana").await), (json!(101), json!(201), json!(302)));
    for _ in 0..2 {
        assert_eq!(desk.run(&id, "lock").await.ok()["response"]["result"], true);
    }
}

#[tokio::test]
async fn logs_are_kept_while_a_run_goes_on_and_within_bounds() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let (project, _) = desk.store.find_project(&id, desk.user("ana").mailbox).await.unwrap().unwrap();
    let read = async || {
        let query = LogQuery { project: project.number, scope: LogScope::Latest, limit: 20_000 };
        desk.store.log(query).await.unwrap()
    };
    let runs = tokio::spawn({
        let (desk, id) = (desk.clone(), id.clone());
        async move { desk.run(&id, "log").await.ok().clone() }
    });
    until(async || !read().await.is_empty()).await;
    let entry = read().await.remove(0);
    assert_eq!((entry.text.as_str(), states::severity(entry.severity), entry.index), ("before", "INFO", 0));
    desk.engine.gate.add_permits(1);
    runs.await.unwrap();
    let entry = read().await.remove(1);
    assert_eq!((entry.text.as_str(), states::severity(entry.severity), entry.index), ("after", "ERROR", 1));
    desk.run(&id, "flood").await.ok();
    let all = read().await;
    assert_eq!(all.len(), 2 + 10_001);
    assert!(all.last().unwrap().text.contains("not kept"), "the end notes that lines were omitted");
}

#[tokio::test]
async fn uncaught_exceptions_are_logged_unless_disabled() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let (project, _) = desk.store.find_project(&id, desk.user("ana").mailbox).await.unwrap().unwrap();
    let read = async || {
        let query = LogQuery { project: project.number, scope: LogScope::Latest, limit: 100 };
        let all = desk.store.log(query).await.unwrap();
        all.into_iter().map(|entry| format!("{} {}", states::severity(entry.severity), entry.text)).collect::<Vec<_>>()
    };
    for function in ["broken", "slow", "echo"] {
        desk.run(&id, function).await.ok();
    }
    let broken = "ERROR TypeError: TypeError: broken\n    at inner (line 3)\n    at broken (line 7)";
    assert_eq!(read().await, [broken, "ERROR Exceeded maximum execution time"]);
    desk.save(&id, json!({ "exceptionLogging": "NONE" }), &[]).await.ok();
    let body = json!({ "function": "broken", "devMode": true });
    let done = desk.post(&format!("/scripts/{id}:run"), body).await.ok().clone();
    assert_eq!(done["error"]["code"], 3);
    assert_eq!(read().await.len(), 2);
}

#[tokio::test]
async fn scripts_have_the_clock_of_the_services() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    assert_eq!(desk.run(&id, "ahead").await.ok()["response"]["result"], desk.clock.offset_millis());
    assert_ne!(desk.clock.offset_millis(), 0);
}
