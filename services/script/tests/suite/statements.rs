//! Tests of statements of the specification that the other tests do not cover: fields, values and access.

mod runs;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};
use tower::ServiceExt as _;
use wireform_store::{ScriptRole, Scripts as _};

use crate::desk::TestService;
use crate::web::open;

fn file(name: &str, kind: &str, source: &str) -> Value {
    json!({ "name": name, "type": kind, "source": source })
}

/// Creates a project with a version and a deployment; returns their identifiers.
async fn deployed(desk: &TestService) -> (String, i64, String) {
    let id = desk.runnable("MYSELF").await;
    let version = desk.version(&id).await;
    let deployment = desk.deploy(&id, json!({ "versionNumber": version })).await;
    (id, version, deployment)
}

/// Requests of all operations.
async fn operations(desk: &TestService) -> Vec<(&'static str, String, Option<Value>)> {
    let (id, version, deployment) = deployed(desk).await;
    let project = format!("/projects/{id}");
    let files = json!({ "files": [file("manifest", "JSON", "{}")] });
    vec![
        ("POST", "/projects".to_owned(), Some(json!({}))),
        ("GET", project.clone(), None),
        ("GET", format!("{project}/content"), None),
        ("GET", format!("{project}/metrics?metricsGranularity=DAILY"), None),
        ("POST", format!("{project}/versions"), Some(json!({}))),
        ("GET", format!("{project}/versions"), None),
        ("GET", format!("{project}/versions/{version}"), None),
        ("POST", format!("{project}/deployments"), Some(json!({}))),
        ("GET", format!("{project}/deployments"), None),
        ("GET", format!("{project}/deployments/{deployment}"), None),
        ("POST", format!("/scripts/{id}:run"), Some(json!({ "function": "echo" }))),
        ("GET", "/processes".to_owned(), None),
        ("GET", format!("/processes:listScriptProcesses?scriptId={id}"), None),
        ("PUT", format!("{project}/deployments/{deployment}"), Some(json!({ "deploymentConfig": {} }))),
        ("DELETE", format!("{project}/deployments/{deployment}"), None),
        ("PUT", format!("{project}/content"), Some(files)),
    ]
}

#[tokio::test]
async fn bodies_of_requests_and_responses_are_json() {
    let desk = TestService::open().await;
    let operations = operations(&desk).await;
    assert_eq!(operations.len(), 16);
    let is_json = |headers: &axum::http::HeaderMap| {
        headers[header::CONTENT_TYPE].to_str().is_ok_and(|kind| kind.starts_with("application/json"))
    };
    for (method, path, body) in &operations {
        if let Some(body) = body {
            let request = Request::builder().method(*method).uri(format!("/v1{path}"));
            let request =
                request.header(header::AUTHORIZATION, "Bearer ana").header(header::CONTENT_TYPE, "text/plain");
            let request = request.body(Body::from(body.to_string())).unwrap();
            let refused = desk.router.clone().oneshot(request).await.unwrap();
            assert_eq!(refused.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "{method} {path}");
            assert!(is_json(refused.headers()), "{method} {path}");
        }
        let response = desk.send(method, path, body.clone(), &[]).await;
        response.ok();
        assert!(is_json(&response.headers) && response.body.is_object(), "{method} {path}: {response:?}");
    }
}

#[tokio::test]
async fn empty_and_default_values_are_left_out() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let project = format!("/projects/{id}");
    for list in ["/processes".to_owned(), format!("{project}/versions")] {
        assert_eq!(desk.get(&list).await.ok(), &json!({}), "{list}");
    }
    let fields = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let version = desk.post(&format!("{project}/versions"), json!({})).await.ok().clone();
    assert_eq!(fields(&version), ["createTime", "scriptId", "versionNumber"]);
    let deployment = desk.post(&format!("{project}/deployments"), json!({})).await.ok().clone();
    assert_eq!(fields(&deployment["deploymentConfig"]), ["manifestFileName", "scriptId"]);
    assert_eq!(fields(&deployment), ["deploymentConfig", "deploymentId", "updateTime"]);
    desk.save(&id, json!({}), &[("Code", "1")]).await.ok();
    let content = desk.get(&format!("{project}/content")).await.ok().clone();
    let expected = ["createTime", "lastModifyUser", "name", "source", "type", "updateTime"];
    assert!(content["files"].as_array().unwrap().iter().all(|file| fields(file) == expected), "{content}");
    assert_eq!(content["files"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_project_is_bound_to_the_parent_that_its_request_names() {
    let desk = TestService::open().await;
    let bound = desk.post("/projects", json!({ "title": "Bound", "parentId": "sheet" })).await.ok().clone();
    let shown = desk.get(&format!("/projects/{}", bound["scriptId"].as_str().unwrap())).await.ok().clone();
    assert_eq!((&shown["parentId"], &shown["title"]), (&json!("sheet"), &json!("Bound")));
    for body in [json!({}), json!({ "parentId": "" }), json!({ "parentId": null })] {
        let alone = desk.post("/projects", body.clone()).await.ok().clone();
        assert_eq!(alone.get("parentId"), None, "{body}");
    }
}

/// Values that requests contain where only the server sets them never come back.
#[tokio::test]
async fn fields_of_the_server_are_ignored_in_requests() {
    let desk = TestService::open().await;
    let (id, version, deployment) = deployed(&desk).await;
    let (project, time) = (format!("/projects/{id}"), "1999-01-01T00:00:00Z");
    let user = json!({ "email": "forged@example.com", "name": "forged" });
    let set = json!({ "values": [{ "name": "forged" }] });
    let forge = |mut value: Value| {
        let forged = json!({
            "createTime": time, "updateTime": time, "lastModifyUser": user, "creator": user, "functionSet": set,
            "deploymentId": "forged", "versionNumber": version,
            "entryPoints": [{ "entryPointType": "WEB_APP", "webApp": { "url": "https://forged.example.com" } }],
        });
        value.as_object_mut().unwrap().extend(forged.as_object().unwrap().clone());
        value
    };
    let files = [file("manifest", "JSON", "{}"), file("Code", "SERVER_JS", "function own() {}")].map(forge);
    let config = json!({ "deploymentConfig": { "versionNumber": version } });
    for (method, path, body) in [
        ("POST", "/projects".to_owned(), forge(json!({ "scriptId": "forged" }))),
        ("PUT", format!("{project}/content"), json!({ "files": files })),
        ("POST", format!("{project}/versions"), forge(json!({ "scriptId": "forged" }))),
        ("POST", format!("{project}/deployments"), forge(json!({}))),
        ("PUT", format!("{project}/deployments/{deployment}"), forge(config)),
    ] {
        let written = desk.send(method, &path, Some(body), &[]).await.ok().to_string();
        assert!(!written.contains("forged") && !written.contains("1999"), "{method} {path}: {written}");
    }
    let next = desk.post(&format!("{project}/versions"), forge(json!({}))).await.ok().clone();
    assert_eq!(next["versionNumber"], version + 2, "the server counts");
}

#[tokio::test]
async fn values_that_are_not_to_be_used_are_refused() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let web = |access: &str, user: &str| json!({ "webapp": { "access": access, "executeAs": user } });
    for (manifest, status) in [
        (web("ANYONE", "USER_ACCESSING"), 200),
        (web("UNKNOWN_ACCESS", "USER_ACCESSING"), 400),
        (web("ANYONE", "UNKNOWN_EXECUTE_AS"), 400),
        (json!({ "executionApi": { "access": "ANYONE" } }), 200),
        (json!({ "executionApi": { "access": "UNKNOWN_ACCESS" } }), 400),
    ] {
        let saved = desk.save(&id, manifest.clone(), &[]).await;
        assert_eq!(saved.status.as_u16(), status, "{manifest}: {}", saved.body);
        if status == 400 {
            assert_eq!(saved.body["error"]["errors"][0]["location"], "files[0].source", "{}", saved.body);
        }
    }
}

#[tokio::test]
async fn the_last_modifier_of_a_file_is_shown_as_the_profile_allows() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    for name in ["ben", "cy"] {
        desk.share(&id, name, Some(ScriptRole::Read)).await;
    }
    let modifier = async |name: &str| {
        let content = desk.as_user(name).get(&format!("/projects/{id}/content")).await;
        content.ok()["files"][0]["lastModifyUser"].clone()
    };
    let (ana, photo) = (desk.user("ana").mailbox, "https://example.com/ana.png");
    desk.store.set_profile(ana, false, Some(photo.to_owned())).await.unwrap();
    let whole = json!({ "email": "Ana@Example.com", "domain": "Example.com", "name": "Ana", "photoUrl": photo });
    assert_eq!(modifier("ben").await, whole);
    assert_eq!(modifier("cy").await, json!({ "email": "Ana@Example.com" }));
    desk.store.set_profile(ana, true, None).await.unwrap();
    assert_eq!(modifier("ben").await, Value::Null);
}

/// The deployer is a writer and not the owner, Ana: `MYSELF` and `USER_DEPLOYING` are about the deployer.
#[tokio::test]
async fn access_to_both_kinds_of_entry_points_is_that_of_the_deployer() {
    let desk = TestService::open().await;
    for (access, admitted) in [
        ("MYSELF", [true, false, false, false, false]),
        ("DOMAIN", [true, true, true, false, false]),
        ("ANYONE", [true, true, true, true, false]),
        ("ANYONE_ANONYMOUS", [true, true, true, true, true]),
    ] {
        let id = desk.project(access).await;
        desk.share(&id, "ben", Some(ScriptRole::Write)).await;
        let ben = desk.as_user("ben");
        let manifest = json!({
            "webapp": { "access": access, "executeAs": "USER_DEPLOYING" }, "executionApi": { "access": access },
        });
        ben.save(&id, manifest, &[("Code", "function doGet() {}")]).await.ok();
        let version = ben.version(&id).await;
        let deployment = ben.deploy(&id, json!({ "versionNumber": version })).await;
        for (visitor, admitted) in ["ben", "ana", "dan", "cy", ""].into_iter().zip(admitted) {
            let named = Some(visitor).filter(|name| !name.is_empty());
            let page = open(&desk, &deployment, named).await;
            let deployer = page.as_ref().is_ok_and(|page| page.ends_with("|ben@example.com"));
            assert_eq!((page.is_ok(), deployer), (admitted, admitted), "{access} {visitor}: {page:?}");
            let run = desk.as_user(named.unwrap_or("nobody")).run(&deployment, "echo").await.status.as_u16();
            let expected = if named.is_none() {
                401
            } else if admitted {
                200
            } else {
                404
            };
            assert_eq!(run, expected, "{access} {visitor}");
        }
    }
}
