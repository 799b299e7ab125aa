//! Tests of projects, roles and profiles: points 1 to 23 and 33.

use serde_json::{Value, json};
use wireform_store::{ScriptRole, Scripts as _};

use crate::desk::{TestService, second};

#[tokio::test]
async fn points_18_to_22_a_project_is_created_and_read() {
    let desk = TestService::open().await;
    let made = desk.post("/projects", json!({ "title": "One", "parentId": "a stored file" })).await.ok().clone();
    let id = made["scriptId"].as_str().unwrap();
    assert_eq!(id.len(), 44, "it cannot be guessed");
    assert_eq!((&made["title"], &made["parentId"]), (&json!("One"), &json!("a stored file")));
    assert!(second(&made["createTime"]).starts_with("2026-03-04T12:00"));
    assert_eq!(made["createTime"], made["updateTime"]);
    assert_eq!(made["creator"]["email"], "Ana@Example.com");
    assert_eq!(desk.get(&format!("/projects/{id}")).await.ok(), &made);
    let again = desk.post("/projects", json!({ "parentId": "a stored file" })).await.ok().clone();
    assert_eq!(again["title"], "Untitled project");
    assert_ne!(again["scriptId"], made["scriptId"]);
    desk.post("/projects", json!({ "parentId": "x".repeat(200) })).await.ok();
    desk.post("/projects", json!({ "parentId": "x".repeat(201) })).await.refuses(400);
}

#[tokio::test]
async fn point_22_content_title_and_sharing_move_the_time_and_nothing_else_does() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let (project, _) = desk.store.find_project(&id, desk.user("ana").mailbox).await.unwrap().unwrap();
    let moved = async |what: &str| {
        let updated = desk.get(&format!("/projects/{id}")).await.ok()["updateTime"].clone();
        let minute = second(&updated)[14..16].to_owned();
        desk.clock.advance(std::time::Duration::from_secs(60));
        format!("{what} {minute}")
    };
    assert_eq!(moved("created").await, "created 00");
    desk.save(&id, json!({}), &[]).await.ok();
    assert_eq!(moved("content").await, "content 01");
    desk.save(&id, json!({}), &[]).await.ok();
    assert_eq!(moved("equal content").await, "equal content 02");
    desk.version(&id).await;
    assert_eq!(moved("version").await, "version 02");
    desk.deploy(&id, json!({})).await;
    assert_eq!(moved("deployment").await, "deployment 02");
    let (title, user) = ("Other".to_owned(), desk.user("ana").mailbox);
    desk.store.set_project_title(project.number, title, user, desk.clock.now()).await.unwrap();
    assert_eq!(moved("title").await, "title 05");
    desk.share(&id, "ben", Some(ScriptRole::Read)).await;
    assert_eq!(moved("sharing").await, "sharing 06");
}

#[tokio::test]
async fn point_21_a_project_starts_with_its_manifest() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let content = desk.get(&format!("/projects/{id}/content")).await.ok().clone();
    assert_eq!(content["scriptId"], json!(id));
    let files = content["files"].as_array().unwrap();
    assert_eq!((files.len(), &files[0]["name"], &files[0]["type"]), (1, &json!("manifest"), &json!("JSON")));
    assert!(files[0].get("functionSet").is_none());
    let source: Value = serde_json::from_str(files[0]["source"].as_str().unwrap()).unwrap();
    assert_eq!(source["runtimeVersion"], "V8");
}

#[tokio::test]
async fn point_15_missing_access_looks_like_an_unknown_id() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let ben = desk.as_user("ben");
    let unknown = ben.get("/projects/none").await.refuses(404).to_string();
    let foreign = ben.get(&format!("/projects/{id}")).await.refuses(404).to_string();
    assert_eq!(foreign, unknown.replace("none", &id));
    for (method, path, body) in [
        ("GET", "content", None),
        ("PUT", "content", Some(json!({ "files": [{ "name": "manifest", "type": "JSON", "source": "{}" }] }))),
        ("GET", "metrics?metricsGranularity=DAILY", None),
        ("GET", "versions", None),
        ("GET", "versions/1", None),
        ("POST", "versions", Some(json!({}))),
        ("GET", "deployments", None),
        ("GET", "deployments/x", None),
        ("POST", "deployments", Some(json!({}))),
        ("PUT", "deployments/x", Some(json!({}))),
        ("DELETE", "deployments/x", None),
    ] {
        ben.send(method, &format!("/projects/{id}/{path}"), body, &[]).await.refuses(404);
    }
    ben.get(&format!("/processes:listScriptProcesses?scriptId={id}")).await.refuses(404);
    ben.run(&id, "f").await.refuses(404);
}

#[tokio::test]
async fn point_16_readers_read_and_writers_write() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    desk.share(&id, "ben", Some(ScriptRole::Read)).await;
    let ben = desk.as_user("ben");
    for path in ["", "/content", "/versions", "/deployments"] {
        ben.get(&format!("/projects/{id}{path}")).await.ok();
    }
    ben.get(&format!("/processes:listScriptProcesses?scriptId={id}")).await.ok();
    ben.save(&id, json!({}), &[]).await.refuses(403);
    ben.post(&format!("/projects/{id}/versions"), json!({})).await.refuses(403);
    ben.post(&format!("/projects/{id}/deployments"), json!({})).await.refuses(403);
    let deployment = format!("/projects/{id}/deployments/{}", desk.deploy(&id, json!({})).await);
    ben.put(&deployment, json!({ "deploymentConfig": {} })).await.refuses(403);
    ben.delete(&deployment).await.refuses(403);
    ben.get(&format!("/projects/{id}/metrics?metricsGranularity=DAILY")).await.refuses(403);
    desk.share(&id, "ben", Some(ScriptRole::Write)).await;
    ben.save(&id, json!({}), &[]).await.ok();
    ben.version(&id).await;
    ben.deploy(&id, json!({})).await;
    ben.put(&deployment, json!({ "deploymentConfig": {} })).await.ok();
    ben.delete(&deployment).await.ok();
    ben.get(&format!("/projects/{id}/metrics?metricsGranularity=DAILY")).await.ok();
    desk.share(&id, "ben", None).await;
    ben.get(&format!("/projects/{id}")).await.refuses(404);
}

#[tokio::test]
async fn point_12_tokens_need_the_scopes_of_the_operation() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let read_only = desk.as_user("ana/script.projects.readonly");
    read_only.get(&format!("/projects/{id}/content")).await.ok();
    read_only.post("/projects", json!({})).await.refuses(403);
    read_only.get(&format!("/projects/{id}/deployments")).await.refuses(403);
    desk.as_user("ana/script.projects").run(&id, "f").await.refuses(403);
    desk.as_user("nobody").get(&format!("/projects/{id}")).await.refuses(401);
}

#[tokio::test]
async fn point_33_profiles_show_what_their_users_allow() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    for name in ["ben", "cy"] {
        desk.share(&id, name, Some(ScriptRole::Read)).await;
    }
    let creator = async |name: &str| {
        let read = desk.as_user(name).get(&format!("/projects/{id}")).await;
        read.ok()["creator"].clone()
    };
    let whole = json!({ "email": "Ana@Example.com", "domain": "Example.com", "name": "Ana" });
    assert_eq!((creator("ana").await, creator("ben").await), (whole.clone(), whole.clone()));
    assert_eq!(creator("cy").await, json!({ "email": "Ana@Example.com" }));
    let ana = desk.user("ana").mailbox;
    let photo = "https://example.com/ana.png";
    desk.store.set_profile(ana, false, Some(photo.to_owned())).await.unwrap();
    assert_eq!(creator("ben").await["photoUrl"], photo);
    desk.store.set_profile(ana, true, None).await.unwrap();
    assert_eq!((creator("ana").await, creator("ben").await), (whole, Value::Null));
}

#[tokio::test]
async fn points_5_and_6_reads_take_conditions_and_selections() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let version = desk.version(&id).await;
    let deployment = desk.deploy(&id, json!({ "versionNumber": version })).await;
    let project = format!("/projects/{id}");
    let tag = desk.tag(&project).await;
    desk.tag(&format!("{project}/content")).await;
    desk.tag(&format!("{project}/versions/{version}")).await;
    desk.tag(&format!("{project}/deployments/{deployment}")).await;
    desk.tag(&format!("{project}/metrics?metricsGranularity=WEEKLY")).await;
    desk.share(&id, "ben", Some(ScriptRole::Read)).await;
    desk.clock.advance(std::time::Duration::from_secs(1));
    desk.share(&id, "ben", None).await;
    assert!(!desk.is_current(&project, &tag).await, "sharing moves updateTime");
    let some = desk.get(&format!("{project}?fields=title")).await.ok().clone();
    assert_eq!(some, json!({ "title": "One" }));
    let (versions, deployments) = (format!("{project}/versions"), format!("{project}/deployments"));
    let (first, second) = (desk.tag(&versions).await, desk.tag(&deployments).await);
    desk.version(&id).await;
    assert!(!desk.is_current(&versions, &first).await);
    assert!(!desk.is_current(&deployments, &second).await);
    let processes = format!("/processes:listScriptProcesses?scriptId={id}");
    let (of_script, own) = (desk.tag(&processes).await, desk.tag("/processes").await);
    let id = desk.runnable("MYSELF").await;
    let of_other = format!("/processes:listScriptProcesses?scriptId={id}");
    let before = desk.tag(&of_other).await;
    desk.run(&id, "echo").await.ok();
    assert!(desk.is_current(&processes, &of_script).await, "it is another script");
    assert!(!desk.is_current(&of_other, &before).await);
    assert!(!desk.is_current("/processes", &own).await);
}

#[tokio::test]
async fn point_13_api_keys_are_not_sufficient() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    for uri in [
        format!("/v1/projects/{id}?key=ana"),
        format!("/v1/projects/{id}/content?key=ana"),
        "/v1/processes?key=ana".to_owned(),
    ] {
        let request =
            axum::http::Request::get(&uri).header("x-goog-api-key", "ana").body(axum::body::Body::empty()).unwrap();
        let response = tower::ServiceExt::oneshot(desk.router.clone(), request).await.unwrap();
        assert_eq!(response.status(), 401, "{uri}");
    }
}
