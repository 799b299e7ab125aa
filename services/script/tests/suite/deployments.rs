//! Tests of deployments: points 41 to 50.

use std::time::Duration;

use serde_json::{Value, json};
use wireform_store::ScriptRole;

use crate::desk::{TestService, all, second};

fn app() -> Value {
    json!({
        "webapp": { "access": "DOMAIN", "executeAs": "USER_DEPLOYING" },
        "executionApi": { "access": "ANYONE" },
    })
}

#[tokio::test]
async fn points_41_to_46_a_deployment_opens_what_the_manifest_of_its_version_says() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    desk.save(&id, app(), &[]).await.ok();
    let version = desk.version(&id).await;
    desk.save(&id, json!({}), &[]).await.ok();
    let path = format!("/projects/{id}/deployments");
    let config =
        json!({ "versionNumber": version, "description": "d", "manifestFileName": "manifest", "scriptId": id });
    let made = desk.post(&path, config.clone()).await.ok().clone();
    let deployment = made["deploymentId"].as_str().unwrap();
    assert_eq!(made["deploymentConfig"], config);
    assert!(second(&made["updateTime"]).starts_with("2026-03-04T12:00"));
    let url = format!("https://scripts.example.com/macros/s/{deployment}/exec");
    let points = json!([
        { "entryPointType": "WEB_APP", "webApp": {
            "url": url, "entryPointConfig": { "access": "DOMAIN", "executeAs": "USER_DEPLOYING" } } },
        { "entryPointType": "EXECUTION_API", "executionApi": { "entryPointConfig": { "access": "ANYONE" } } },
    ]);
    assert_eq!(made["entryPoints"], points);
    assert_eq!(desk.get(&format!("{path}/{deployment}")).await.ok(), &made);
    let saved = desk.post(&path, json!({ "versionNumber": 0 })).await.ok().clone();
    assert_eq!((&saved["entryPoints"], &saved["deploymentConfig"]["versionNumber"]), (&Value::Null, &Value::Null));
    desk.save(&id, app(), &[]).await.ok();
    let saved = desk.get(&format!("{path}/{}", saved["deploymentId"].as_str().unwrap())).await.ok().clone();
    assert_eq!(saved["entryPoints"].as_array().unwrap().len(), 2, "it uses the saved content");
}

#[tokio::test]
async fn points_42_and_43_a_configuration_names_what_there_is() {
    let desk = TestService::open().await;
    let (id, other) = (desk.project("One").await, desk.project("Two").await);
    let path = format!("/projects/{id}/deployments");
    desk.post(&path, json!({ "versionNumber": 1 })).await.refuses(404);
    desk.post(&path, json!({ "scriptId": other })).await.refuses(400);
    desk.post(&path, json!({ "manifestFileName": "Code" })).await.refuses(400);
    desk.post(&path, json!({ "manifestFileName": "appsscript" })).await.ok();
}

#[tokio::test]
async fn points_44_and_45_add_ons_say_what_they_must() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let path = format!("/projects/{id}/deployments");
    desk.save(&id, json!({ "addOns": { "mail": { "name": "N" } } }), &[]).await.ok();
    let error = desk.post(&path, json!({})).await.refuses(400).clone();
    assert!(error["message"].as_str().unwrap().contains("postInstallTipUrl"), "{error}");
    desk.save(&id, json!({ "addOns": { "mail": { "postInstallTipUrl": "https://example.com/tip" } } }), &[]).await.ok();
    let error = desk.post(&path, json!({})).await.refuses(400).clone();
    assert!(error["message"].as_str().unwrap().contains("`name`"), "{error}");
    let common = json!({ "name": "N", "postInstallTipUrl": "https://example.com/tip", "description": "D" });
    let manifest = json!({ "addOns": { "common": common, "mail": { "name": "M" }, "reporting": {} } });
    desk.save(&id, manifest, &[]).await.ok();
    let made = desk.post(&path, json!({})).await.ok().clone();
    let add_on = |kind: &str, title: &str| {
        json!({ "entryPointType": "ADD_ON", "addOn": {
            "addOnType": kind, "title": title, "description": "D", "postInstallTipUrl": "https://example.com/tip" } })
    };
    assert_eq!(made["entryPoints"], json!([add_on("MAIL", "M"), add_on("REPORTING", "N")]));
    let pages = json!({ "helpUrl": "https://example.com/help", "reportIssueUrl": "https://example.com/report" });
    desk.save(&id, json!({ "addOns": { "common": common, "mail": pages } }), &[]).await.ok();
    let shown = desk.get(&format!("{path}/{}", made["deploymentId"].as_str().unwrap())).await.ok().clone();
    let mut expected = add_on("MAIL", "N");
    expected["addOn"].as_object_mut().unwrap().extend(pages.as_object().unwrap().clone());
    assert_eq!(shown["entryPoints"], json!([expected]));
}

#[tokio::test]
async fn point_45_a_deployment_that_follows_what_is_saved_shows_no_add_on_that_is_not_whole() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let path = format!("/projects/{id}/deployments");
    let whole = json!({ "name": "N", "postInstallTipUrl": "https://example.com/tip" });
    desk.save(&id, json!({ "addOns": { "mail": whole } }), &[]).await.ok();
    desk.deploy(&id, json!({})).await;
    desk.save(&id, json!({ "addOns": { "mail": { "name": "N" }, "reporting": whole } }), &[]).await.ok();
    let listed = desk.list(&path, "deployments").await;
    assert_eq!(listed.len(), 2);
    for one in listed {
        let kinds: Vec<_> =
            one["entryPoints"].as_array().unwrap().iter().map(|one| &one["addOn"]["addOnType"]).collect();
        assert_eq!(kinds, ["REPORTING"]);
    }
}

#[tokio::test]
async fn points_17_and_50_the_domain_is_that_of_the_deployer() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    desk.share(&id, "cy", Some(ScriptRole::Write)).await;
    desk.save(&id, json!({ "executionApi": { "access": "DOMAIN" } }), &[]).await.ok();
    let version = desk.version(&id).await;
    let cy = desk.as_user("cy");
    cy.deploy(&id, json!({ "versionNumber": version })).await;
    cy.run(&id, "echo").await.ok();
    for name in ["ana", "ben"] {
        desk.as_user(name).run(&id, "echo").await.refuses(404);
    }
}

#[tokio::test]
async fn points_47_and_50_an_update_replaces_everything_and_makes_its_caller_the_deployer() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    desk.share(&id, "ben", Some(ScriptRole::Write)).await;
    desk.save(&id, json!({ "executionApi": { "access": "MYSELF" } }), &[]).await.ok();
    let version = desk.version(&id).await;
    let deployment = desk.deploy(&id, json!({ "versionNumber": version, "description": "old" })).await;
    let path = format!("/projects/{id}/deployments/{deployment}");
    desk.as_user("ben").run(&id, "echo").await.refuses(404);
    desk.clock.advance(Duration::from_secs(300));
    let body = json!({ "deploymentConfig": { "versionNumber": version } });
    let changed = desk.as_user("ben").put(&path, body).await.ok().clone();
    assert!(second(&changed["updateTime"]).starts_with("2026-03-04T12:05"));
    assert_eq!(changed["deploymentId"], json!(deployment));
    assert_eq!(changed["deploymentConfig"].get("description"), None);
    desk.as_user("ben").run(&id, "echo").await.ok();
    desk.run(&id, "echo").await.refuses(404);
    desk.put(&path, json!({ "deploymentConfig": { "versionNumber": 9 } })).await.refuses(404);
    desk.put(&format!("/projects/{id}/deployments/none"), json!({})).await.refuses(404);
}

#[tokio::test]
async fn point_48_a_deployment_is_deleted_once() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let deployment = desk.deploy(&id, json!({})).await;
    let path = format!("/projects/{id}/deployments/{deployment}");
    assert_eq!(desk.delete(&path).await.ok(), &json!({}));
    desk.delete(&path).await.refuses(404);
    desk.get(&path).await.refuses(404);
    desk.put(&path, json!({})).await.refuses(404);
    let other = desk.project("Two").await;
    let foreign = desk.deploy(&other, json!({})).await;
    desk.delete(&format!("/projects/{id}/deployments/{foreign}")).await.refuses(404);
}

#[tokio::test]
async fn point_49_every_project_has_a_head_that_stays() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let path = format!("/projects/{id}/deployments");
    let mut expected = Vec::new();
    for _ in 0..3 {
        expected.insert(0, desk.deploy(&id, json!({})).await);
    }
    for size in [1, 2, 50] {
        let listed = desk.list(&format!("{path}?pageSize={size}"), "deployments").await;
        assert_eq!(listed[0]["deploymentConfig"].get("versionNumber"), None);
        assert_eq!(all(&listed[1..], "deploymentId"), expected, "{size}");
        let head = format!("{path}/{}", listed[0]["deploymentId"].as_str().unwrap());
        desk.get(&head).await.ok();
        desk.delete(&head).await.refuses(400);
        desk.put(&head, json!({ "deploymentConfig": {} })).await.refuses(400);
    }
}
