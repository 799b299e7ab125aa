//! Tests of metrics: points 73 to 76.

use std::time::Duration;

use serde_json::{Value, json};

use crate::desk::TestService;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn values(metrics: &Value, name: &str) -> Vec<u64> {
    let values = metrics[name].as_array().unwrap();
    values.iter().map(|one| one["value"].as_str().unwrap_or("0").parse().unwrap()).collect()
}

#[tokio::test]
async fn points_73_to_75_days_and_weeks_are_counted() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    let other = desk.deploy(&id, json!({ "versionNumber": 1 })).await;
    for (name, function) in [("ana", "echo"), ("ana", "broken"), ("ben", "slow")] {
        desk.as_user(name).run(&id, function).await.ok();
    }
    desk.clock.advance(DAY);
    let first = desk.list(&format!("/projects/{id}/deployments"), "deployments").await.remove(2);
    desk.run(first["deploymentId"].as_str().unwrap(), "echo").await.ok();
    let read = async |query: &str| desk.get(&format!("/projects/{id}/metrics?{query}")).await.ok().clone();
    let daily = read("metricsGranularity=DAILY").await;
    assert_eq!(values(&daily, "totalExecutions"), [1, 3, 0, 0, 0, 0, 0]);
    assert_eq!(values(&daily, "failedExecutions"), [0, 2, 0, 0, 0, 0, 0]);
    assert_eq!(values(&daily, "activeUsers"), [1, 2, 0, 0, 0, 0, 0]);
    let interval = &daily["activeUsers"][1];
    assert_eq!(
        (&interval["startTime"], &interval["endTime"]),
        (&json!("2026-03-04T00:00:00Z"), &json!("2026-03-05T00:00:00Z"))
    );
    assert_eq!(interval["value"], "2");
    let weekly = read("metricsGranularity=WEEKLY").await;
    assert_eq!(values(&weekly, "totalExecutions"), [4, 0, 0, 0]);
    assert_eq!(values(&weekly, "activeUsers"), [2, 0, 0, 0]);
    assert_eq!(weekly["activeUsers"][0]["startTime"], "2026-03-02T00:00:00Z");
    let of_other = read(&format!("metricsGranularity=DAILY&metricsFilter.deploymentId={other}")).await;
    assert_eq!(values(&of_other, "totalExecutions"), [0, 3, 0, 0, 0, 0, 0]);
    let none = read("metricsGranularity=DAILY&metricsFilter.deploymentId=none").await;
    assert_eq!(values(&none, "totalExecutions"), [0; 7]);
    for wrong in ["", "metricsGranularity=UNSPECIFIED_GRANULARITY", "metricsGranularity=HOURLY"] {
        desk.get(&format!("/projects/{id}/metrics?{wrong}")).await.refuses(400);
    }
    let response = desk.get(&format!("/projects/{id}/metrics?metricsGranularity=UNSPECIFIED_GRANULARITY")).await;
    let message = response.refuses(400)["message"].to_string();
    assert!(message.contains("must not be `UNSPECIFIED_GRANULARITY` in a request"), "{message}");
}
