//! Tests of statements of the specification that the other tests do not cover: runs and processes.

use std::time::Duration;

use script_server::types::ProcessType;
use serde_json::json;

use super::file;
use crate::desk::{TestService, all};
use crate::runs::until;

#[tokio::test]
async fn the_defaults_of_a_run_are_the_deployed_version_and_no_arguments() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let manifest = json!({ "executionApi": { "access": "MYSELF" } });
    let page = file("Page", "HTML", "function page() {}");
    let files = [file("manifest", "JSON", &manifest.to_string()), page, file("Code", "SERVER_JS", "deployed")];
    desk.put(&format!("/projects/{id}/content"), json!({ "files": files })).await.ok();
    let version = desk.version(&id).await;
    desk.deploy(&id, json!({ "versionNumber": version })).await;
    desk.save(&id, manifest, &[("Code", "saved")]).await.ok();
    let code = desk.run(&id, "code").await.ok()["response"]["result"]["scripts"].clone();
    assert_eq!(code, json!([["Code", "deployed"]]), "and HTML is no code of the server");
    assert_eq!(desk.run(&id, "echo").await.ok()["response"]["result"], json!([]));
}

#[tokio::test]
async fn an_exception_without_a_type_or_a_stack_has_neither() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let kind = "type.googleapis.com/google.apps.script.v1.ExecutionError";
    let expected = json!([{ "@type": kind, "errorMessage": "no type" }]);
    assert_eq!(desk.run(&id, "untyped").await.ok()["error"]["details"], expected);
}

#[tokio::test]
async fn the_response_to_a_run_comes_when_its_function_has_ended() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let run = tokio::spawn({
        let (desk, id) = (desk.clone(), id.clone());
        async move { desk.run(&id, "wait").await }
    });
    let is_running = async || {
        let listed = desk.list("/processes", "processes").await;
        all(&listed, "processStatus") == ["RUNNING"]
    };
    until(is_running).await;
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    assert!(!run.is_finished() && is_running().await, "no response says that it is running");
    desk.engine.gate.add_permits(1);
    assert_eq!(run.await.unwrap().ok()["done"], true);
}

#[tokio::test]
async fn a_process_has_the_type_of_what_started_it() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let (ana, listed) = (desk.user("ana"), format!("/processes:listScriptProcesses?scriptId={id}"));
    for (kind, name) in [
        (ProcessType::AddOn, "ADD_ON"),
        (ProcessType::ExecutionApi, "EXECUTION_API"),
        (ProcessType::TimeDriven, "TIME_DRIVEN"),
        (ProcessType::Trigger, "TRIGGER"),
        (ProcessType::WebApp, "WEBAPP"),
        (ProcessType::Editor, "EDITOR"),
        (ProcessType::SimpleTrigger, "SIMPLE_TRIGGER"),
        (ProcessType::Menu, "MENU"),
        (ProcessType::BatchTask, "BATCH_TASK"),
    ] {
        desk.service.run_as(&ana, &id, kind, (name.to_lowercase(), Vec::new())).await.unwrap();
        let found = desk.list(&format!("{listed}&scriptProcessFilter.types={name}"), "processes").await;
        assert_eq!(
            (all(&found, "processType"), all(&found, "functionName")),
            (vec![name], vec![&*name.to_lowercase()])
        );
    }
    assert_eq!(desk.list(&listed, "processes").await.len(), 9);
}

#[tokio::test]
async fn filters_of_both_lists_select_the_same() {
    let desk = TestService::open().await;
    let (id, other) = (desk.runnable("MYSELF").await, desk.runnable("MYSELF").await);
    for function in ["echo", "broken", "slow"] {
        desk.run(&id, function).await.ok();
        desk.clock.advance(Duration::from_secs(600));
    }
    let running = tokio::spawn({
        let (desk, id) = (desk.clone(), id.clone());
        async move { desk.run(&id, "wait").await }
    });
    let of_user = format!("/processes?userProcessFilter.scriptId={id}&");
    until(async || desk.list(&of_user, "processes").await.len() == 4).await;
    desk.run(&other, "other").await.ok();
    for (filter, expected) in [
        ("", "wait slow broken echo"),
        ("*startTime=2026-03-04T12:20:00Z", "wait slow"),
        ("*endTime=2026-03-04T12:15:00Z", "broken echo"),
        ("*endTime=2027-01-01T00:00:00Z", "slow broken echo"),
        ("*startTime=2026-03-04T12:05:00Z&*endTime=2026-03-04T12:15:00Z", "broken"),
        ("*statuses=RUNNING", "wait"),
        ("*statuses=FAILED&*statuses=COMPLETED", "broken echo"),
        ("*types=EXECUTION_API&*types=MENU", "wait slow broken echo"),
        ("*types=MENU", ""),
        ("*userAccessLevels=OWNER&*userAccessLevels=READ", "wait slow broken echo"),
        ("*userAccessLevels=READ", ""),
    ] {
        let of_script = format!("/processes:listScriptProcesses?scriptId={id}&");
        for (list, prefix) in [(&of_user, "userProcessFilter."), (&of_script, "scriptProcessFilter.")] {
            let listed = desk.list(&format!("{list}{}", filter.replace('*', prefix)), "processes").await;
            assert_eq!(all(&listed, "functionName").join(" "), expected, "{prefix} {filter}");
        }
    }
    desk.engine.gate.add_permits(1);
    running.await.unwrap().ok();
}

#[tokio::test]
async fn filters_by_project_and_by_script_are_those_of_the_list_of_a_user() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let other = desk.post("/projects", json!({ "title": "Other" })).await.ok()["scriptId"].clone();
    desk.run(&id, "echo").await.ok();
    for (filter, expected) in [("projectName=Runs", 1), ("projectName=Other", 0), ("scriptId=*", 1), ("scriptId=+", 0)]
    {
        let filter = filter.replace('*', &id).replace('+', other.as_str().unwrap());
        let listed = desk.list(&format!("/processes?userProcessFilter.{filter}"), "processes").await;
        assert_eq!(listed.len(), expected, "{filter}");
        let refused =
            desk.get(&format!("/processes:listScriptProcesses?scriptId={id}&scriptProcessFilter.{filter}")).await;
        let message = refused.refuses(400)["message"].as_str().unwrap();
        let parameter = format!("scriptProcessFilter.{}", filter.split('=').next().unwrap());
        assert!(message.contains(&parameter) && message.contains("is unknown"), "{message}");
    }
}
