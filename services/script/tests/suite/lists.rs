//! Tests of lists: points 5, 7 to 9 and 70.

use serde_json::Value;
use wireform_store::{DeploymentSettings, ExecutionState, NewExecution, Scripts as _, ServerNumber};

use crate::desk::TestService;

/// Number of items of each list; deployments have the head in addition.
const COUNT: usize = 203;

/// Lists of a project with many items: their paths, the field of the items, and the field that identifies an item.
async fn full(desk: &TestService) -> Vec<(String, &'static str, &'static str)> {
    let id = desk.project("Long").await;
    let user = desk.user("ana").mailbox;
    let (project, _) = desk.store.find_project(&id, user).await.unwrap().unwrap();
    for number in 0..COUNT {
        let (project, now) = (project.number, desk.clock.now());
        desk.store.add_version(project, String::new(), 1_000, now).await.unwrap();
        desk.store.add_deployment(project, DeploymentSettings::default(), user, now).await.unwrap();
        start(desk, project, &format!("f{number}")).await;
    }
    vec![
        (format!("/projects/{id}/versions?"), "versions", "versionNumber"),
        (format!("/projects/{id}/deployments?"), "deployments", "deploymentId"),
        ("/processes?".to_owned(), "processes", "functionName"),
        (format!("/processes:listScriptProcesses?scriptId={id}&"), "processes", "functionName"),
    ]
}

async fn start(desk: &TestService, project: wireform_store::ProjectNumber, function: &str) {
    let execution = NewExecution {
        project,
        user: desk.user("ana").mailbox,
        title: String::new(),
        function: function.to_owned(),
        deployment: String::new(),
        kind: 2,
        access: 4,
        runtime: 1,
        state: ExecutionState { status: 3, is_final: true },
        server: ServerNumber(1),
    };
    desk.store.start_execution(execution, desk.clock.now()).await.unwrap();
}

fn items(page: &Value, member: &str, name: &str) -> Vec<Value> {
    page[member].as_array().into_iter().flatten().map(|item| item[name].clone()).collect()
}

#[tokio::test]
async fn points_8_and_70_pages_have_50_items_and_200_at_most() {
    let desk = TestService::open().await;
    for (path, member, _) in full(&desk).await {
        for (size, expected) in [("", 50), ("pageSize=7", 7), ("pageSize=201", 200), ("pageSize=9000000000", 200)] {
            let page = desk.get(&format!("{path}{size}")).await.ok().clone();
            assert_eq!(page[member].as_array().unwrap().len(), expected, "{path}{size}");
            assert!(page["nextPageToken"].is_string(), "{path}{size}");
        }
    }
}

#[tokio::test]
async fn points_5_7_and_9_pages_of_any_size_neither_repeat_nor_lose_items_while_others_write() {
    let desk = TestService::open().await;
    for (path, member, name) in full(&desk).await {
        let whole = desk.list(&format!("{path}pageSize=200"), member).await;
        let whole: Vec<_> = whole.iter().map(|item| item[name].clone()).collect();
        let mut found = Vec::new();
        let mut token = String::new();
        for size in [60, 1, 200] {
            let page = format!("{path}pageSize={size}{token}");
            desk.tag(&page).await;
            let page = desk.get(&page).await.ok().clone();
            found.extend(items(&page, member, name));
            token = page["nextPageToken"].as_str().map(|token| format!("&pageToken={token}")).unwrap_or_default();
            desk.clock.advance(std::time::Duration::from_secs(1));
            if let Some(id) = path.strip_prefix("/projects/").and_then(|path| path.split('/').next()) {
                desk.version(id).await;
                desk.deploy(id, serde_json::json!({})).await;
            } else {
                let other = desk.runnable("MYSELF").await;
                desk.run(&other, "echo").await.ok();
            }
        }
        assert_eq!((&found, token.as_str()), (&whole, ""), "{path}");
    }
}
