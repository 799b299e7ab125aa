//! Tests of versions: points 7 to 9 and 36 to 40.

use serde_json::{Value, json};
use wireform_script::Settings;
use wireform_store::Maintenance as _;

use crate::desk::{TestService, second};

fn numbers(versions: &[Value]) -> Vec<i64> {
    versions.iter().map(|version| version["versionNumber"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn points_37_to_39_versions_count_up_also_without_a_change() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let path = format!("/projects/{id}/versions");
    let made =
        desk.post(&path, json!({ "description": "first", "versionNumber": 77, "scriptId": "x" })).await.ok().clone();
    let expected = json!({
        "scriptId": id, "versionNumber": 1, "description": "first", "createTime": made["createTime"],
    });
    assert_eq!(made, expected);
    assert!(second(&made["createTime"]).starts_with("2026-03-04T12:00"));
    assert_eq!(desk.version(&id).await, 2);
    assert_eq!(desk.get(&format!("{path}/1")).await.ok(), &expected);
    for number in ["0", "-1", "3"] {
        desk.get(&format!("{path}/{number}")).await.refuses(404);
    }
    desk.get(&format!("{path}/first")).await.refuses(400);
}

#[tokio::test]
async fn point_40_a_project_has_so_many_versions() {
    let desk = TestService::open().await;
    let desk = desk.with_service(|service| service.with_settings(Settings { versions: 2, ..Settings::default() }));
    let id = desk.project("One").await;
    desk.version(&id).await;
    desk.version(&id).await;
    let error = desk.post(&format!("/projects/{id}/versions"), json!({})).await.refuses(400).clone();
    assert!(error["message"].as_str().unwrap().contains("at most 2 versions"), "{error}");
}

#[tokio::test]
async fn points_7_to_9_pages_go_from_the_newest_to_the_oldest() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    for _ in 0..7 {
        desk.version(&id).await;
    }
    let path = format!("/projects/{id}/versions");
    for size in [1, 3, 7, 200, 1_000_000] {
        let all = desk.list(&format!("{path}?pageSize={size}"), "versions").await;
        assert_eq!(numbers(&all), [7, 6, 5, 4, 3, 2, 1], "{size}");
    }
    for size in ["0", "-1", "x"] {
        desk.get(&format!("{path}?pageSize={size}")).await.refuses(400);
    }
    let page = desk.get(&format!("{path}?pageSize=3")).await.ok().clone();
    let token = page["nextPageToken"].as_str().unwrap();
    desk.version(&id).await;
    let next = desk.get(&format!("{path}?pageSize=2&pageToken={token}")).await.ok().clone();
    assert_eq!(numbers(next["versions"].as_array().unwrap()), [4, 3], "including data created meanwhile");
    let other = desk.project("Two").await;
    desk.get(&format!("/projects/{other}/versions?pageToken={token}")).await.refuses(400);
    desk.get(&format!("{path}?pageToken={token}x")).await.refuses(400);
    desk.store.begin_epoch().await.unwrap();
    desk.get(&format!("{path}?pageToken={token}")).await.refuses(410);
}
