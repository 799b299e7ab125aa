//! Tests of executions that an operator cancels.

use std::sync::atomic::Ordering;
use std::time::Duration;

use script_server::types::ProcessStatus;
use serde_json::{Value, json};
use wireform_script::{Settings, cancel_execution};
use wireform_store::{
    Error, ExecutionFilter, ExecutionNumber, ExecutionQuery, ExecutionScope, ProjectNumber, Scripts as _,
};

use crate::desk::{TestResponse, TestService, all};
use crate::runs::until;

async fn statuses(desk: &TestService) -> Vec<String> {
    all(&desk.list("/processes", "processes").await, "processStatus").into_iter().map(str::to_owned).collect()
}

/// Returns the number of a project, and that of its latest execution.
async fn latest(desk: &TestService, id: &str) -> (ProjectNumber, ExecutionNumber) {
    let (project, _) = desk.store.find_project(id, desk.user("ana").mailbox).await.unwrap().unwrap();
    let scope = ExecutionScope::Project(project.number);
    let query = ExecutionQuery { scope, filter: ExecutionFilter::default(), after: None, limit: 1 };
    (project.number, desk.store.executions(query).await.unwrap().executions[0].number)
}

/// Cancels the latest execution of a project, as another process with the same store does.
async fn cancel_latest(desk: &TestService, id: &str) -> bool {
    let (project, number) = latest(desk, id).await;
    cancel_execution(&desk.store, &desk.clock, project, number).await.unwrap().is_none()
}

fn start(desk: &TestService, id: &str) -> tokio::task::JoinHandle<TestResponse> {
    let (desk, id) = (desk.clone(), id.to_owned());
    tokio::spawn(async move { desk.run(&id, "wait").await })
}

async fn ended(run: tokio::task::JoinHandle<TestResponse>) -> Value {
    let response = tokio::time::timeout(Duration::from_secs(20), run).await.expect("the run ends").unwrap();
    response.ok().clone()
}

fn canceled() -> Value {
    let details = json!([{
        "@type": "type.googleapis.com/google.apps.script.v1.ExecutionError",
        "errorMessage": "The execution was cancelled",
        "errorType": "ScriptError",
    }]);
    json!({ "done": true, "error": { "code": 1, "message": "The execution was cancelled", "details": details } })
}

#[tokio::test]
async fn an_execution_that_is_canceled_stops_and_its_caller_gets_an_error() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let run = start(&desk, &id);
    until(async || statuses(&desk).await == ["RUNNING"] && desk.engine.started.load(Ordering::SeqCst) == 1).await;
    assert!(cancel_latest(&desk, &id).await);
    assert_eq!(statuses(&desk).await, ["CANCELED"]);
    assert_eq!(ended(run).await, canceled());
    assert_eq!(statuses(&desk).await, ["CANCELED"]);
    let (project, number) = latest(&desk, &id).await;
    let status = cancel_execution(&desk.store, &desk.clock, project, number).await.unwrap();
    assert_eq!(status, Some(ProcessStatus::Canceled), "it has ended");
    // The engine does not wait any more: the permit is left for the next run.
    desk.engine.gate.add_permits(1);
    ended(start(&desk, &id)).await;
    let metrics = desk.get(&format!("/projects/{id}/metrics?metricsGranularity=DAILY")).await.ok().clone();
    assert_eq!(metrics["totalExecutions"][0]["value"], "2", "{metrics}");
    assert_eq!(metrics["failedExecutions"][0]["value"], "0", "{metrics}");
}

#[tokio::test]
async fn an_execution_that_waits_is_canceled_without_starting() {
    let desk = TestService::open().await;
    let settings = Settings { concurrency: 1, ..Settings::default() };
    let desk = desk.with_service(|service| service.with_settings(settings));
    let id = desk.runnable("MYSELF").await;
    let first = start(&desk, &id);
    until(async || statuses(&desk).await == ["RUNNING"]).await;
    let second = start(&desk, &id);
    until(async || statuses(&desk).await == ["DELAYED", "RUNNING"]).await;
    assert!(cancel_latest(&desk, &id).await);
    assert_eq!(ended(second).await, canceled(), "it does not wait for the first");
    desk.engine.gate.add_permits(1);
    ended(first).await;
    assert_eq!(statuses(&desk).await, ["CANCELED", "COMPLETED"]);
    assert_eq!(desk.engine.started.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_execution_that_ends_while_it_is_canceled_has_one_status() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    for round in 0..20 {
        let run = start(&desk, &id);
        until(async || statuses(&desk).await.first().is_some_and(|status| status == "RUNNING")).await;
        desk.engine.gate.add_permits(1);
        if round % 2 == 0 {
            tokio::task::yield_now().await;
        }
        let was_canceled = cancel_latest(&desk, &id).await;
        let done = ended(run).await;
        assert_eq!(done == canceled(), was_canceled, "{done}");
        assert_eq!(statuses(&desk).await[0], if was_canceled { "CANCELED" } else { "COMPLETED" });
    }
}

#[tokio::test]
async fn only_executions_of_the_project_are_canceled_and_those_of_a_removed_one_stop() {
    let desk = TestService::open().await;
    let (id, other) = (desk.runnable("MYSELF").await, desk.project("Other").await);
    let run = start(&desk, &id);
    until(async || statuses(&desk).await == ["RUNNING"]).await;
    let (project, number) = latest(&desk, &id).await;
    let (elsewhere, _) = desk.store.find_project(&other, desk.user("ana").mailbox).await.unwrap().unwrap();
    for (project, number) in [(elsewhere.number, number), (project, ExecutionNumber(number.0 + 1))] {
        let refused = cancel_execution(&desk.store, &desk.clock, project, number).await;
        assert!(matches!(refused, Err(Error::NotFound { what: "execution", .. })), "{refused:?}");
    }
    desk.store.remove_project(&id).await.unwrap();
    assert_eq!(ended(run).await, canceled());
}

#[tokio::test]
async fn a_pause_cancels_what_runs_and_lets_nothing_start() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    drop(desk.service.pause_executions().await.expect("nothing runs"));
    let run = start(&desk, &id);
    until(async || statuses(&desk).await == ["RUNNING"] && desk.engine.started.load(Ordering::SeqCst) == 1).await;
    let pause = desk.service.pause_executions().await.expect("the execution ends");
    assert_eq!(ended(run).await, canceled());
    assert_eq!(statuses(&desk).await, ["CANCELED"]);
    assert_eq!(desk.run(&id, "wait").await.status.as_u16(), 429, "as if too many ran");
    drop(pause);
    let run = start(&desk, &id);
    until(async || desk.engine.started.load(Ordering::SeqCst) == 2).await;
    assert!(cancel_latest(&desk, &id).await);
    assert_eq!(ended(run).await, canceled());
}
