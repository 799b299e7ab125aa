//! Tests of runs: points 51 to 64 and 17.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use wireform_script::Settings;
use wireform_store::{Clock, ExecutionState, NewExecution, ScriptRole, Scripts as _, ServerNumber};

use crate::desk::{TestService, all};

async fn processes(desk: &TestService) -> Vec<Value> {
    desk.list("/processes", "processes").await
}

async fn statuses(desk: &TestService) -> Vec<String> {
    all(&processes(desk).await, "processStatus").into_iter().map(str::to_owned).collect()
}

/// Waits until a condition is met.
pub(crate) async fn until(check: impl AsyncFn() -> bool) {
    while !check().await {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn points_54_and_55_parameters_go_in_and_results_come_out() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let parameters = json!(["a", 1.5, [null, true], { "b": null }, false]);
    let body = json!({ "function": "echo", "parameters": parameters, "sessionState": "old" });
    let done = desk.post(&format!("/scripts/{id}:run"), body).await.ok().clone();
    let kind = "type.googleapis.com/google.apps.script.v1.ExecutionResponse";
    assert_eq!(done, json!({ "done": true, "response": { "@type": kind, "result": parameters } }));
    let nothing = desk.run(&id, "nothing").await.ok().clone();
    assert_eq!(nothing, json!({ "done": true, "response": { "@type": kind } }));
    assert_eq!(desk.run(&id, "who").await.ok()["response"]["result"], "Ana@Example.com");
}

#[tokio::test]
async fn points_56_and_59_an_exception_is_one_execution_error() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let done = desk.run(&id, "broken").await.ok().clone();
    let error = json!({
        "@type": "type.googleapis.com/google.apps.script.v1.ExecutionError",
        "errorMessage": "TypeError: broken",
        "errorType": "TypeError",
        "scriptStackTraceElements": [{ "function": "inner", "lineNumber": 3 }, { "function": "broken", "lineNumber": 7 }],
    });
    assert_eq!(done, json!({ "done": true, "error": { "code": 3, "message": "ScriptError", "details": [error] } }));
    let slow = desk.run(&id, "slow").await.ok().clone();
    assert_eq!(slow["error"]["code"], 10);
    assert_eq!(slow["error"]["details"][0]["errorMessage"], "Exceeded maximum execution time");
    assert_eq!(statuses(&desk).await, ["TIMED_OUT", "FAILED"]);
}

#[tokio::test]
async fn point_57_a_call_that_is_malformed_has_another_body() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let path = format!("/scripts/{id}:run");
    for body in [json!({}), json!({ "function": "f()" }), json!({ "function": "f", "parameters": [null] })] {
        let error = desk.post(&path, body).await.refuses(400).clone();
        assert_eq!(error["code"], 400);
    }
    desk.run("none", "f").await.refuses(404);
    assert!(processes(&desk).await.is_empty(), "nothing has run");
}

#[tokio::test]
async fn point_17_access_determines_who_may_run() {
    let desk = TestService::open().await;
    for (access, may) in [
        ("MYSELF", [true, false, false]),
        ("DOMAIN", [true, true, false]),
        ("ANYONE", [true, true, true]),
        ("ANYONE_ANONYMOUS", [true, true, true]),
    ] {
        let id = desk.runnable(access).await;
        for (name, may) in ["ana", "ben", "cy"].into_iter().zip(may) {
            let status = desk.as_user(name).run(&id, "echo").await.status.as_u16();
            assert_eq!(status, if may { 200 } else { 404 }, "{access} {name}");
        }
        desk.as_user("nobody").run(&id, "echo").await.refuses(401);
    }
    let cy = processes(&desk.as_user("cy")).await;
    assert_eq!(all(&cy, "userAccessLevel"), ["NONE", "NONE"]);
}

#[tokio::test]
async fn point_52_what_is_deployed_runs_and_what_is_saved_for_an_owner_in_development() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let manifest = json!({ "executionApi": { "access": "ANYONE" }, "timeZone": "Europe/Berlin" });
    let mut deployed = Vec::new();
    for source in ["1", "2"] {
        desk.save(&id, manifest.clone(), &[("Code", source)]).await.ok();
        let version = desk.version(&id).await;
        deployed.push(desk.deploy(&id, json!({ "versionNumber": version })).await);
        desk.clock.advance(std::time::Duration::from_secs(1));
    }
    desk.save(&id, manifest, &[("Code", "saved")]).await.ok();
    let run = async |desk: &TestService, id: &str, dev_mode: bool| {
        let body = json!({ "function": "code", "devMode": dev_mode });
        let done = desk.post(&format!("/scripts/{id}:run"), body).await.ok().clone();
        assert_eq!(done["response"]["result"]["zone"], "Europe/Berlin");
        done["response"]["result"]["scripts"][0][1].as_str().unwrap().to_owned()
    };
    let ben = desk.as_user("ben");
    assert_eq!(run(&desk, &id, false).await, "2", "the newest");
    assert_eq!(run(&desk, &id, true).await, "saved");
    assert_eq!(run(&ben, &id, true).await, "2", "users other than the owner run the deployed version");
    assert_eq!(run(&ben, &deployed[0], false).await, "1", "a deployment by its own identifier");
    let config = json!({ "deploymentConfig": { "versionNumber": 1 } });
    desk.put(&format!("/projects/{id}/deployments/{}", deployed[0]), config).await.ok();
    assert_eq!(run(&ben, &id, false).await, "1", "the most recently changed one");
    let by_deployment =
        desk.list(&format!("/processes?userProcessFilter.deploymentId={}", deployed[1]), "processes").await;
    assert_eq!(by_deployment.len(), 2, "all runs of the project by Ana, also those of other deployments");
    let head = desk.list(&format!("/projects/{id}/deployments"), "deployments").await.remove(0);
    let head = head["deploymentId"].as_str().unwrap();
    assert_eq!(run(&desk, head, false).await, "saved");
    ben.run(head, "code").await.refuses(404);
}

#[tokio::test]
async fn point_52_readers_of_a_project_learn_what_is_missing_to_run_it() {
    let desk = TestService::open().await;
    let id = desk.project("Not deployed").await;
    desk.share(&id, "ben", Some(ScriptRole::Read)).await;
    let head = desk.list(&format!("/projects/{id}/deployments"), "deployments").await.remove(0);
    let head = head["deploymentId"].as_str().unwrap();
    for (name, target, part) in [
        ("ana", id.as_str(), "has no deployment whose `executionApi` admits you"),
        ("ben", &id, "has no deployment whose `executionApi` admits you"),
        ("ana", head, "no `executionApi` of the deployment"),
        ("ben", head, "no `executionApi` of the deployment"),
        ("cy", &id, "not found"),
        ("cy", head, "not found"),
    ] {
        let response = desk.as_user(name).run(target, "code").await;
        let error = response.refuses(404);
        let message = error["errors"][0]["message"].as_str().unwrap();
        assert!(message.contains(target) && message.contains(part), "{name}: {message}");
        assert_eq!(message.contains("devMode"), name == "ana", "only owners run the saved content: {message}");
        assert_eq!(
            (&error["errors"][0]["reason"], &error["errors"][0]["location"]),
            (&json!("notFound"), &json!("scriptId"))
        );
    }
    let private = desk.runnable("MYSELF").await;
    desk.share(&private, "ben", Some(ScriptRole::Write)).await;
    let message = desk.as_user("ben").run(&private, "code").await.refuses(404)["message"].clone();
    assert!(message.as_str().unwrap().contains("has no deployment whose `executionApi` admits you"), "{message}");
}

#[tokio::test]
async fn point_61_each_run_is_a_process_from_its_start() {
    let desk = TestService::open().await;
    let settings = Settings { concurrency: 1, ..Settings::default() };
    let desk = desk.with_service(|service| service.with_settings(settings));
    let id = desk.runnable("MYSELF").await;
    let run = || {
        tokio::spawn({
            let (desk, id) = (desk.clone(), id.clone());
            async move { desk.run(&id, "wait").await }
        })
    };
    let first = run();
    until(async || statuses(&desk).await == ["RUNNING"]).await;
    let second = run();
    until(async || statuses(&desk).await == ["DELAYED", "RUNNING"]).await;
    assert_eq!(desk.engine.started.load(Ordering::SeqCst), 1, "the second one waits");
    desk.engine.gate.add_permits(1);
    first.await.unwrap().ok();
    until(async || statuses(&desk).await == ["RUNNING", "COMPLETED"]).await;
    desk.engine.gate.add_permits(1);
    second.await.unwrap().ok();
    assert_eq!(statuses(&desk).await, ["COMPLETED", "COMPLETED"]);
    assert_eq!(all(&processes(&desk).await, "processType"), ["EXECUTION_API", "EXECUTION_API"]);
}

#[tokio::test]
async fn point_61_an_administrator_disables_executions() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    desk.service.enable_executions(false).await.unwrap();
    let done = desk.run(&id, "echo").await.ok().clone();
    assert!(done["error"]["details"][0]["errorMessage"].as_str().unwrap().contains("disabled by an administrator"));
    assert_eq!(desk.engine.started.load(Ordering::SeqCst), 0);
    desk.service.enable_executions(true).await.unwrap();
    desk.run(&id, "echo").await.ok();
    assert_eq!(statuses(&desk).await, ["COMPLETED", "EXECUTION_DISABLED"]);
}

#[tokio::test]
async fn point_62_a_client_that_goes_away_does_not_stop_its_run() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let client = tokio::spawn({
        let (desk, id) = (desk.clone(), id.clone());
        async move { desk.run(&id, "wait").await }
    });
    until(async || statuses(&desk).await == ["RUNNING"]).await;
    client.abort();
    assert!(client.await.is_err());
    desk.engine.gate.add_permits(1);
    until(async || statuses(&desk).await == ["COMPLETED"]).await;
}

#[tokio::test]
async fn point_48_runs_of_a_deployment_that_is_deleted_go_on() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let deployment = desk.list(&format!("/projects/{id}/deployments"), "deployments").await.remove(1);
    let deployment = deployment["deploymentId"].as_str().unwrap().to_owned();
    let run = tokio::spawn({
        let (desk, id) = (desk.clone(), deployment.clone());
        async move { desk.run(&id, "wait").await }
    });
    until(async || statuses(&desk).await == ["RUNNING"]).await;
    desk.delete(&format!("/projects/{id}/deployments/{deployment}")).await.ok();
    desk.engine.gate.add_permits(1);
    run.await.unwrap().ok();
    let filter = format!("/processes?userProcessFilter.deploymentId={deployment}");
    assert_eq!(all(&desk.list(&filter, "processes").await, "processStatus"), ["COMPLETED"], "point 71");
}

#[tokio::test]
async fn point_63_a_fault_of_the_engine_is_a_failed_process() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    assert_eq!(desk.run(&id, "crash").await.ok()["error"]["details"][0]["errorType"], "ScriptError");
    assert_eq!(statuses(&desk).await, ["FAILED"]);
    desk.run(&id, "echo").await.ok();
}

#[tokio::test]
async fn point_67_runs_of_a_server_that_is_gone_have_failed_and_those_of_others_go_on() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let (project, _) = desk.store.find_project(&id, desk.user("ana").mailbox).await.unwrap().unwrap();
    let state = ExecutionState { status: 1, is_final: false };
    let start = |server: i64| NewExecution {
        project: project.number,
        user: desk.user("ana").mailbox,
        title: "Runs".to_owned(),
        function: format!("on {server}"),
        deployment: String::new(),
        kind: 2,
        access: 4,
        runtime: 1,
        state,
        server: ServerNumber(server),
    };
    desk.store.start_execution(start(1), desk.clock.now()).await.unwrap();
    desk.store.start_execution(start(2), desk.clock.now()).await.unwrap();
    let later = Clock::system().now().saturating_add(std::time::Duration::from_secs(60));
    desk.store.renew_server_lease(ServerNumber(2), later).await.unwrap();
    assert_eq!(desk.service.maintain_executions().await.unwrap(), 1);
    let listed = processes(&desk).await;
    assert_eq!(all(&listed, "functionName"), ["on 2", "on 1"]);
    assert_eq!(all(&listed, "processStatus"), ["RUNNING", "FAILED"]);
}

#[tokio::test]
async fn point_16_a_writer_in_development_mode_runs_what_is_deployed() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    desk.share(&id, "ben", Some(ScriptRole::Write)).await;
    desk.save(&id, json!({}), &[("Code", "saved")]).await.ok();
    let body = json!({ "function": "code", "devMode": true });
    let done = desk.as_user("ben").post(&format!("/scripts/{id}:run"), body).await.ok().clone();
    assert_ne!(done["response"]["result"]["scripts"][0][1], "saved");
}

#[tokio::test]
async fn what_waits_is_bounded_and_what_is_refused_is_no_execution() {
    let desk = TestService::open().await;
    let settings = Settings { concurrency: 1, ..Settings::default() };
    let desk = desk.with_service(|service| service.with_settings(settings));
    let id = desk.runnable("MYSELF").await;
    let run = || {
        let (desk, id) = (desk.clone(), id.clone());
        tokio::spawn(async move { desk.run(&id, "wait").await })
    };
    let waiting: Vec<_> = (0..6).map(|_| run()).collect();
    until(async || processes(&desk).await.len() == 6).await;
    let refused = tokio::time::timeout(std::time::Duration::from_secs(20), run()).await;
    let refused = refused.expect("it does not wait").unwrap();
    assert_eq!(refused.refuses(429)["errors"][0]["reason"], "rateLimitExceeded", "{}", refused.body);
    assert_eq!(processes(&desk).await.len(), 6);
    desk.engine.gate.add_permits(6);
    for run in waiting {
        run.await.unwrap().ok();
    }
    desk.run(&id, "echo").await.ok();
}
