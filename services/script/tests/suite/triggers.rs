//! Tests of time-based triggers: point 65.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use wireform_script::schedule::Schedule;
use wireform_store::{Millis, ScriptRole};

use crate::desk::{TestResponse, TestService, all};

async fn schedule(desk: &TestService, id: &str, schedule: Value) -> TestResponse {
    desk.post(&format!("/scripts/{id}:run"), json!({ "function": "schedule", "parameters": [schedule] })).await
}

/// Waits until a number of time-based executions have ended, and returns their users.
async fn fired(desk: &TestService, id: &str, count: usize) -> Vec<Value> {
    let filter = "scriptProcessFilter.types=TIME_DRIVEN&scriptProcessFilter.statuses=COMPLETED";
    let failed = "scriptProcessFilter.types=TIME_DRIVEN&scriptProcessFilter.statuses=FAILED";
    loop {
        let mut all = desk.list(&format!("/processes:listScriptProcesses?scriptId={id}&{filter}"), "processes").await;
        all.extend(desk.list(&format!("/processes:listScriptProcesses?scriptId={id}&{failed}"), "processes").await);
        if all.len() >= count {
            return all;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn point_65_a_trigger_runs_by_the_clock_of_the_services() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    let made = schedule(&desk, &id, json!({ "every_minutes": 10 })).await;
    assert!(made.ok()["response"]["result"].is_string(), "{}", made.body);
    assert_eq!(desk.run(&id, "triggers").await.ok()["response"]["result"], 1);
    assert_eq!(desk.service.run_due_triggers().await.unwrap(), 0, "nothing is due yet");
    desk.clock.advance(Duration::from_secs(601));
    let several: Vec<usize> = {
        let servers = (0..4).map(|_| desk.service.run_due_triggers());
        futures(servers).await.into_iter().map(Result::unwrap).collect()
    };
    assert_eq!(several.iter().sum::<usize>(), 1, "one of several servers runs it");
    let processes = fired(&desk, &id, 1).await;
    assert_eq!(all(&processes, "functionName"), ["fired"]);
    assert_eq!(desk.service.run_due_triggers().await.unwrap(), 0);
    desk.clock.advance(Duration::from_secs(6_000));
    assert_eq!(desk.service.run_due_triggers().await.unwrap(), 1, "missed times are not repeated");
    assert_eq!(desk.service.run_due_triggers().await.unwrap(), 0);
    fired(&desk, &id, 2).await;
}

async fn futures<T: Send + 'static>(all: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut done = Vec::new();
    for one in all {
        done.push(one.await);
    }
    done
}

#[tokio::test]
async fn a_trigger_that_fires_once_is_gone_then() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    schedule(&desk, &id, json!({ "at": crate::desk::NOW + 60_000 })).await.ok();
    desk.clock.advance(Duration::from_secs(61));
    assert_eq!(desk.service.run_due_triggers().await.unwrap(), 1);
    fired(&desk, &id, 1).await;
    assert_eq!(desk.run(&id, "triggers").await.ok()["response"]["result"], 0);
}

#[tokio::test]
async fn a_trigger_after_a_time_fires_by_the_clock_of_the_services() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    schedule(&desk, &id, json!({ "after": 60_000 })).await.ok();
    desk.clock.advance(Duration::from_secs(50));
    assert_eq!(desk.service.run_due_triggers().await.unwrap(), 0);
    desk.clock.advance(Duration::from_secs(11));
    assert_eq!(desk.service.run_due_triggers().await.unwrap(), 1);
    fired(&desk, &id, 1).await;
    assert_eq!(desk.run(&id, "triggers").await.ok()["response"]["result"], 0);
}

#[tokio::test]
async fn programs_add_triggers_in_the_zone_of_the_manifest() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    desk.save(&id, json!({ "timeZone": "Europe/Berlin" }), &[("Code", "function f() {}")]).await.ok();
    let nine = Schedule { cron: Some("0 9 * * *".to_owned()), ..Schedule::default() };
    let added = desk.service.add_trigger_as(&desk.user("ana"), &id, "f", nine.clone()).await.unwrap();
    // Noon in UTC is after nine, and nine in Berlin is eight.
    assert_eq!(added.settings.due, Some(Millis(crate::desk::NOW + 20 * 60 * 60 * 1_000)));
    let refused = desk.service.add_trigger_as(&desk.user("ben"), &id, "f", nine).await.unwrap_err();
    assert_eq!(refused.status(), 404);
    let never = Schedule { cron: Some("0 0 31 2 *".to_owned()), ..Schedule::default() };
    let refused = desk.service.add_trigger_as(&desk.user("ana"), &id, "f", never).await.unwrap_err();
    assert_eq!((refused.status().as_u16(), refused.message()), (400, "the schedule never fires"));
}

#[tokio::test]
async fn a_trigger_of_a_user_without_rights_is_removed_and_runs_nothing() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    desk.share(&id, "ben", Some(ScriptRole::Read)).await;
    schedule(&desk.as_user("ben"), &id, json!({ "every_hours": 1 })).await.ok();
    desk.share(&id, "ben", None).await;
    desk.clock.advance(Duration::from_secs(3_601));
    let before = desk.engine.started.load(Ordering::SeqCst);
    assert_eq!(desk.service.run_due_triggers().await.unwrap(), 1);
    assert_eq!(desk.engine.started.load(Ordering::SeqCst), before);
    assert_eq!(desk.as_user("ben").run(&id, "triggers").await.ok()["response"]["result"], 0);
}

#[tokio::test]
async fn a_user_without_a_role_adds_no_trigger() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    let refused = schedule(&desk.as_user("ben"), &id, json!({ "every_hours": 1 })).await;
    assert!(refused.body.to_string().contains("only users with access to the script"), "{}", refused.body);
    assert_eq!(desk.as_user("ben").run(&id, "triggers").await.ok()["response"]["result"], 0);
}

#[tokio::test]
async fn a_user_has_so_many_triggers_and_schedules_make_sense() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    let wrong = schedule(&desk, &id, json!({ "every_minutes": 0 })).await;
    assert_eq!(wrong.ok()["error"]["details"][0]["errorMessage"], "invalid interval of 0 minutes, expected 1 to 366");
    for _ in 0..20 {
        schedule(&desk, &id, json!({ "every_days": 1 })).await.ok()["response"].as_object().unwrap();
    }
    let many = schedule(&desk, &id, json!({ "every_days": 1 })).await;
    assert!(many.ok()["error"]["details"][0]["errorMessage"].as_str().unwrap().contains("at most 20 triggers"));
}

#[tokio::test]
async fn a_trigger_is_left_out_while_its_last_run_goes_on() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    let body = json!({ "function": "schedule", "parameters": [{ "every_minutes": 10 }, "wait"] });
    desk.post(&format!("/scripts/{id}:run"), body).await.ok();
    let all = format!("/processes:listScriptProcesses?scriptId={id}&scriptProcessFilter.types=TIME_DRIVEN");
    for _ in 0..5 {
        desk.clock.advance(Duration::from_secs(601));
        assert_eq!(desk.service.run_due_triggers().await.unwrap(), 1);
        while desk.list(&all, "processes").await.is_empty() {
            tokio::task::yield_now().await;
        }
        desk.run(&id, "echo").await.ok();
    }
    assert_eq!(desk.list(&all, "processes").await.len(), 1);
    desk.engine.gate.add_permits(1_000);
    // The trigger runs at its next time.
    while desk.list(&all, "processes").await.len() < 2 {
        desk.clock.advance(Duration::from_secs(601));
        desk.service.run_due_triggers().await.unwrap();
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_token_for_less_than_a_trigger_may_do_makes_none() {
    let desk = TestService::open().await;
    let id = desk.runnable("ANYONE").await;
    let made = schedule(&desk.as_user("ana/robot"), &id, json!({ "every_hours": 1 })).await;
    assert!(made.body.to_string().contains("a service account cannot create triggers"), "{}", made.body);
    for token in ["ana/userinfo.email", "ana/calendar"] {
        let made = schedule(&desk.as_user(token), &id, json!({ "every_hours": 1 })).await;
        let refused = made.body.to_string().contains("the scopes of the token do not allow triggers");
        assert!(refused || made.status == 403, "{token}: {}", made.body);
    }
    assert_eq!(desk.run(&id, "triggers").await.ok()["response"]["result"], 0);
}
