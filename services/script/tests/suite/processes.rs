//! Tests of lists of processes: points 65 to 72. Filters are tested with the store.

use std::time::Duration;

use serde_json::json;
use wireform_store::{ScriptRole, Scripts as _};

use crate::desk::{TestService, all, second};

#[tokio::test]
async fn points_66_and_68_processes_say_what_has_run() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    desk.share(&id, "ben", Some(ScriptRole::Read)).await;
    desk.run(&id, "echo").await.ok();
    desk.clock.advance(Duration::from_secs(1));
    desk.as_user("ben").run(&id, "other").await.ok();
    let path = format!("/processes:listScriptProcesses?scriptId={id}");
    let listed = desk.list(&path, "processes").await;
    let expected = json!({
        "projectName": "Runs", "functionName": "echo", "processType": "EXECUTION_API", "processStatus": "COMPLETED",
        "startTime": listed[1]["startTime"], "duration": listed[1]["duration"], "userAccessLevel": "OWNER",
        "runtimeVersion": "V8",
    });
    assert_eq!(listed[1], expected);
    assert!(second(&listed[1]["startTime"]).starts_with("2026-03-04T12:00"));
    assert!(listed[1]["duration"].as_str().unwrap().ends_with('s'));
    assert_eq!((listed.len(), &listed[0]["userAccessLevel"]), (2, &json!("READ")));
    assert_eq!(desk.as_user("ben").list(&path, "processes").await.len(), 2, "readers see those of all users");
    assert_eq!(all(&desk.as_user("ben").list("/processes", "processes").await, "functionName"), ["other"]);
    desk.get("/processes:listScriptProcesses?scriptId=none").await.refuses(404);
}

#[tokio::test]
async fn point_66_the_name_of_the_project_and_the_access_are_those_of_that_time() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    desk.share(&id, "ben", Some(ScriptRole::Write)).await;
    let ben = desk.as_user("ben");
    ben.run(&id, "first").await.ok();
    let (project, _) = desk.store.find_project(&id, desk.user("ana").mailbox).await.unwrap().unwrap();
    let (title, user) = ("Renamed".to_owned(), desk.user("ana").mailbox);
    desk.store.set_project_title(project.number, title, user, desk.clock.now()).await.unwrap();
    desk.share(&id, "ben", None).await;
    desk.clock.advance(Duration::from_secs(1));
    ben.run(&id, "second").await.ok();
    let listed = ben.list("/processes", "processes").await;
    assert_eq!(all(&listed, "projectName"), ["Renamed", "Runs"]);
    assert_eq!(all(&listed, "userAccessLevel"), ["NONE", "WRITE"]);
}

#[tokio::test]
async fn point_69_all_filters_hold_at_once() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    for function in ["echo", "broken", "slow"] {
        desk.run(&id, function).await.ok();
        desk.clock.advance(Duration::from_secs(600));
    }
    let other = desk.runnable("ANYONE").await;
    desk.run(&other, "echo").await.ok();
    let user = async |filter: &str| {
        let listed = desk.list(&format!("/processes?{}", filter.replace('*', "userProcessFilter.")), "processes").await;
        all(&listed, "functionName").join(" ")
    };
    assert_eq!(user("").await, "echo slow broken echo");
    assert_eq!(user(&format!("*scriptId={id}")).await, "slow broken echo");
    assert_eq!(user("*scriptId=none").await, "");
    assert_eq!(user("*deploymentId=none").await, "", "point 72");
    assert_eq!(user("*functionName=broken").await, "broken");
    assert_eq!(user("*functionName=ro").await, "", "a part of a name is another name");
    assert_eq!(user("*projectName=un&*functionName=echo").await, "echo echo");
    assert_eq!(user("*statuses=FAILED&*statuses=TIMED_OUT").await, "slow broken");
    assert_eq!(user("*types=EDITOR&*types=EXECUTION_API&*userAccessLevels=OWNER").await, "echo slow broken echo");
    assert_eq!(user("*userAccessLevels=NONE").await, "");
    assert_eq!(user("*startTime=2026-03-04T12:10:00Z&*endTime=2026-03-04T14:25:00%2B02:00").await, "slow broken");
    let listed = desk.list("/processes", "processes").await;
    let start = listed[1]["startTime"].as_str().unwrap();
    assert_eq!(user(&format!("*startTime={start}")).await, "echo slow", "the bound is included");
    let after = start.replace('Z', "0001Z");
    assert_eq!(user(&format!("*startTime={after}")).await, "echo");
    let script = format!("/processes:listScriptProcesses?scriptId={id}&scriptProcessFilter.statuses=FAILED");
    assert_eq!(all(&desk.list(&script, "processes").await, "functionName"), ["broken"]);
    for wrong in ["userProcessFilter.statuses=DONE", "userProcessFilter.startTime=2026-03-04T12:00:00", "pageSize=0"] {
        desk.get(&format!("/processes?{wrong}")).await.refuses(400);
    }
}

#[tokio::test]
async fn point_70_pages_are_bound_to_their_list() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    for _ in 0..5 {
        desk.run(&id, "echo").await.ok();
    }
    assert_eq!(desk.list("/processes?pageSize=2", "processes").await.len(), 5);
    let page = desk.get("/processes?pageSize=2").await.ok().clone();
    let token = page["nextPageToken"].as_str().unwrap();
    desk.get(&format!("/processes?pageToken={token}&userProcessFilter.functionName=x")).await.refuses(400);
    desk.as_user("ben").get(&format!("/processes?pageToken={token}")).await.refuses(400);
}

#[tokio::test]
async fn point_69_unspecified_values_select_what_has_them() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    desk.run(&id, "echo").await.ok();
    for (list, prefix) in [("/processes?", "user"), ("/processes:listScriptProcesses?scriptId=", "script")] {
        let list = if prefix == "user" { list.to_owned() } else { format!("{list}{id}&") };
        for (name, unspecified, value) in [
            ("statuses", "PROCESS_STATUS_UNSPECIFIED", "COMPLETED"),
            ("types", "PROCESS_TYPE_UNSPECIFIED", "EXECUTION_API"),
            ("userAccessLevels", "USER_ACCESS_LEVEL_UNSPECIFIED", "OWNER"),
        ] {
            let filter = format!("{list}{prefix}ProcessFilter.{name}={unspecified}");
            assert!(desk.list(&filter, "processes").await.is_empty(), "{filter}");
            let with_another = format!("{filter}&{prefix}ProcessFilter.{name}={value}");
            assert_eq!(desk.list(&with_another, "processes").await.len(), 1, "{with_another}");
        }
    }
}

#[tokio::test]
async fn points_69_and_71_a_deployment_selects_the_processes_of_its_project() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    let deployments = desk.list(&format!("/projects/{id}/deployments"), "deployments").await;
    let ids = all(&deployments, "deploymentId").into_iter().map(str::to_owned).collect::<Vec<_>>();
    let (head, first) = (&ids[0], &ids[1]);
    let second = desk.deploy(&id, json!({ "versionNumber": 1 })).await;
    desk.run(first, "first").await.ok();
    desk.clock.advance(Duration::from_secs(1));
    desk.post(&format!("/scripts/{id}:run"), json!({ "function": "saved", "devMode": true })).await.ok();
    let other = desk.runnable("ANYONE").await;
    let elsewhere = desk.list(&format!("/projects/{other}/deployments"), "deployments").await;
    desk.run(&other, "elsewhere").await.ok();
    let names = async |desk: &TestService, list: &str, prefix: &str, deployment: &str| {
        let path = format!("{list}{prefix}ProcessFilter.deploymentId={deployment}");
        all(&desk.list(&path, "processes").await, "functionName").join(" ")
    };
    let script = format!("/processes:listScriptProcesses?scriptId={id}&");
    for deployment in [head, first, &second] {
        assert_eq!(names(&desk, "/processes?", "user", deployment).await, "saved first");
        assert_eq!(names(&desk, &script, "script", deployment).await, "saved first");
    }
    let of_other = format!("/processes?userProcessFilter.scriptId={other}&");
    assert_eq!(names(&desk, &of_other, "user", first).await, "", "the deployment is of another project");
    assert_eq!(names(&desk, &script, "script", elsewhere[0]["deploymentId"].as_str().unwrap()).await, "");
    for unknown in ["none", "%00"] {
        assert_eq!(names(&desk, "/processes?", "user", unknown).await, "");
        assert_eq!(names(&desk, &script, "script", unknown).await, "");
    }
    desk.as_user("ben").run(&id, "of-ben").await.ok();
    for deployment in [first, &second] {
        desk.delete(&format!("/projects/{id}/deployments/{deployment}")).await.ok();
    }
    assert_eq!(names(&desk, "/processes?", "user", first).await, "saved first");
    assert_eq!(
        names(&desk.as_user("ben"), "/processes?", "user", first).await,
        "of-ben",
        "another user ran through it"
    );
    assert_eq!(names(&desk, &script, "script", first).await, "of-ben saved first");
}

#[tokio::test]
async fn the_tag_of_a_list_changes_with_the_deployment_or_script_that_it_is_filtered_by() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    desk.run(&id, "echo").await.ok();
    for (list, prefix) in [("/processes?", "user"), ("/processes:listScriptProcesses?scriptId=", "script")] {
        let list = if prefix == "user" { list.to_owned() } else { format!("{list}{id}&") };
        let unused = desk.deploy(&id, json!({ "versionNumber": 1 })).await;
        let filtered = format!("{list}{prefix}ProcessFilter.deploymentId={unused}");
        let tag = desk.tag(&filtered).await;
        assert_eq!(desk.list(&filtered, "processes").await.len(), 1, "{filtered}");
        desk.delete(&format!("/projects/{id}/deployments/{unused}")).await.ok();
        assert!(!desk.is_current(&filtered, &tag).await, "{filtered}");
        assert!(desk.list(&filtered, "processes").await.is_empty(), "{filtered}");
    }
    let of_script = format!("/processes?userProcessFilter.scriptId={id}");
    let tag = desk.tag(&of_script).await;
    desk.store.remove_project(&id).await.unwrap();
    assert!(!desk.is_current(&of_script, &tag).await);
}

#[tokio::test]
async fn point_70_the_pages_of_a_deployment_go_on_when_it_is_deleted() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    for _ in 0..3 {
        desk.run(&id, "echo").await.ok();
    }
    for (list, prefix) in [("/processes?", "user"), ("/processes:listScriptProcesses?scriptId=", "script")] {
        let list = if prefix == "user" { list.to_owned() } else { format!("{list}{id}&") };
        let unused = desk.deploy(&id, json!({ "versionNumber": 1 })).await;
        let filtered = format!("{list}{prefix}ProcessFilter.deploymentId={unused}&pageSize=2");
        let first = desk.get(&filtered).await.ok().clone();
        desk.delete(&format!("/projects/{id}/deployments/{unused}")).await.ok();
        let next = format!("{filtered}&pageToken={}", first["nextPageToken"].as_str().unwrap());
        let listed = desk.get(&next).await.ok()["processes"].as_array().map_or(0, Vec::len);
        assert_eq!(listed, 1, "{filtered}");
    }
}
