//! Tests of limits: points 40, 51 and 58.

use std::time::Duration;

use serde_json::json;
use wireform_script::{Settings, limits};

use crate::desk::TestService;

#[test]
fn points_40_and_58_settings_are_those_of_the_page_about_scripts() {
    let expected = Settings {
        versions: 2_000,
        run_time: Duration::from_secs(360),
        memory: 64 << 20,
        output: 10 << 20,
        concurrency: 30,
    };
    assert_eq!(Settings::default(), expected);
}

#[test]
fn point_51_a_request_lasts_longer_than_a_run_that_waits_for_its_turn() {
    for seconds in [1, 360, 7_200] {
        let settings = Settings { run_time: Duration::from_secs(seconds), ..Settings::default() };
        assert!(limits(&settings).request_time > 2 * settings.run_time, "{seconds}");
    }
}

#[tokio::test]
async fn point_58_runs_have_the_limits_of_the_settings() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let limits = async |desk: &TestService| desk.run(&id, "limits").await.ok()["response"]["result"].clone();
    assert_eq!(limits(&desk).await, json!([360, 64 << 20, 10 << 20]));
    let settings = Settings { run_time: Duration::from_secs(5), memory: 1 << 20, output: 1_000, ..Settings::default() };
    let desk = desk.with_service(|service| service.with_settings(settings));
    assert_eq!(limits(&desk).await, json!([5, 1 << 20, 1_000]));
}
