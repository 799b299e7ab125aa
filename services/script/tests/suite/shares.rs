//! Fair shares of users in concurrent executions.

use std::sync::atomic::Ordering;

use serde_json::json;
use wireform_script::Settings;
use wireform_script::web::WebRequest;

use crate::desk::TestService;
use crate::runs::until;
use crate::web::app;

/// Many executions of one user that do not end leave some to others.
#[tokio::test]
async fn sleeping_runs_of_one_user_do_not_delay_others() {
    let desk = TestService::open().await;
    let settings = Settings { concurrency: 4, ..Settings::default() };
    let desk = desk.with_service(|service| service.with_settings(settings));
    let id = desk.runnable("MYSELF").await;
    let sleeping: Vec<_> = (0..6)
        .map(|_| {
            let (desk, id) = (desk.clone(), id.clone());
            tokio::spawn(async move { desk.run(&id, "wait").await })
        })
        .collect();
    until(async || desk.engine.started.load(Ordering::SeqCst) == 3).await;
    let ben = desk.as_user("ben");
    let own = ben.runnable("MYSELF").await;
    ben.run(&own, "echo").await.ok();
    assert_eq!(desk.engine.started.load(Ordering::SeqCst), 4, "those of Ana wait for each other");
    desk.engine.gate.add_permits(6);
    for run in sleeping {
        run.await.unwrap().ok();
    }
}

/// The calls of anonymous visitors count for the user who has deployed the web app.
#[tokio::test]
async fn a_web_app_counts_for_its_deployer() {
    let desk = TestService::open().await;
    let settings = Settings { concurrency: 4, ..Settings::default() };
    let desk = desk.with_service(|service| service.with_settings(settings));
    let id = desk.project("App").await;
    desk.save(&id, app("ANYONE_ANONYMOUS", "USER_DEPLOYING"), &[]).await.ok();
    let version = desk.version(&id).await;
    let deployment = desk.deploy(&id, json!({ "versionNumber": version })).await;
    let visit = || {
        let (desk, deployment) = (desk.clone(), deployment.clone());
        let request = WebRequest { post: Some((String::new(), Vec::new())), ..WebRequest::default() };
        tokio::spawn(async move { desk.service.open_web_app(&deployment, None, request).await.unwrap().0 })
    };
    let visits: Vec<_> = (0..6).map(|_| visit()).collect();
    until(async || desk.engine.started.load(Ordering::SeqCst) == 3).await;
    let ben = desk.as_user("ben");
    let own = ben.runnable("MYSELF").await;
    ben.run(&own, "echo").await.ok();
    desk.engine.gate.add_permits(6);
    for visit in visits {
        visit.await.unwrap();
    }
}
