//! Tests of heartbeats of servers: point 67.

use std::time::Duration;

use script_server::types::ProcessType;
use wireform_store::session::Session;
use wireform_store::{Access, Backend as _, Operation};

use crate::desk::{TestService, all};

/// Lets the heartbeats of all servers expire long ago.
struct LetSignsEnd;

impl Operation for LetSignsEnd {
    type Output = u64;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> wireform_store::Result<u64> {
        session.run("UPDATE script_servers SET until = 1", &[]).await
    }
}

/// Counts the servers with a valid heartbeat.
struct CountSigns;

impl Operation for CountSigns {
    type Output = i64;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> wireform_store::Result<i64> {
        session.rows("SELECT count(*) FROM script_servers WHERE until > 1", &[]).await?[0].int(0)
    }
}

/// Waits until a heartbeat is sent, for longer than its interval.
async fn sign(desk: &TestService) {
    let given = async {
        while desk.store.perform(CountSigns).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), given).await.expect("no signal is sent");
}

#[tokio::test]
async fn point_67_a_run_of_a_command_that_outlasts_the_sign_of_its_program_goes_on() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let run = tokio::spawn({
        let (service, user, id) = (desk.service.clone(), desk.user("ana"), id.clone());
        async move { service.run_as(&user, &id, ProcessType::Editor, ("wait".to_owned(), Vec::new())).await }
    });
    let statuses = async || {
        let listed = desk.list("/processes", "processes").await;
        all(&listed, "processStatus").into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    while statuses().await != ["RUNNING"] {
        tokio::task::yield_now().await;
    }
    assert_eq!(desk.store.perform(LetSignsEnd).await.unwrap(), 1);
    sign(&desk).await;
    let settings = wireform_script::Settings::default();
    let other = desk.with_service(|service| service.with_settings(settings)).service;
    assert_eq!(other.maintain_executions().await.unwrap(), 0);
    assert_eq!(statuses().await, ["RUNNING"]);
    desk.engine.gate.add_permits(1);
    run.await.unwrap().unwrap();
    assert_eq!(statuses().await, ["COMPLETED"]);
}

#[tokio::test]
async fn point_67_a_run_whose_program_gives_no_sign_has_failed() {
    let desk = TestService::open().await;
    let id = desk.runnable("MYSELF").await;
    let run = tokio::spawn({
        let (desk, id) = (desk.clone(), id.clone());
        async move { desk.run(&id, "wait").await }
    });
    while desk.list("/processes", "processes").await.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(desk.store.perform(LetSignsEnd).await.unwrap(), 1);
    let settings = wireform_script::Settings::default();
    let other = desk.with_service(|service| service.with_settings(settings)).service;
    assert_eq!(other.maintain_executions().await.unwrap(), 1);
    desk.engine.gate.add_permits(1);
    run.await.unwrap().ok();
    assert_eq!(all(&desk.list("/processes", "processes").await, "processStatus"), ["FAILED"], "the end is known");
}
