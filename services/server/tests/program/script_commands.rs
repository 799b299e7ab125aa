//! Tests of the commands of script projects.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::program::{Home, Server, read_json};

const USER: [&str; 2] = ["--user", "ada@example.com"];

/// Creates a store with a project of one source file, deployed for all users; returns its identifier.
fn seed(home: &Home, code: &str) -> String {
    let seed = json!({ "users": [
        { "address": "ben@example.com" },
        { "address": "ada@example.com", "scripts": [{
            "title": "Sums", "manifest": { "executionApi": { "access": "ANYONE" } }, "files": { "Code": code },
            "deployed": true, "shares": {},
        }] },
    ] });
    home.run(&["seed", home.file("seed.yaml", &seed.to_string()).to_str().expect("a path")]);
    home.list(&["scripts", "list"])[0]["id"].as_str().expect("a project").to_owned()
}

#[tokio::test]
async fn a_folder_that_is_watched_is_pushed_whenever_it_changes() {
    let home = Home::new();
    let id = seed(&home, "function f() { return 1; }");
    let folder = home.path("folder");
    let at = folder.to_str().expect("a path");
    home.run(&[&["scripts", "pull", &id, at][..], &USER].concat());
    // A file appears atomically.
    let write = |text: &str| {
        fs_err::rename(home.file("new", text), folder.join("Code.js")).expect("the file is replaced");
    };
    let result = || {
        let done = home.run(&[&["scripts", "run", &id, "f"][..], &USER].concat());
        serde_json::from_str::<Value>(&done).expect("JSON")["response"]["result"].clone()
    };
    let mut watch = home.start(&[&["scripts", "watch", at][..], &USER].concat());
    assert_eq!(watch.line(), format!("2 files are in the project {id}"));
    write("function f() { return 2; }");
    assert_eq!(watch.line(), format!("2 files are in the project {id}"));
    assert_eq!(result(), 2);
    write("function f() {\n  return * 3; }");
    assert_eq!(watch.line(), "not pushed: nothing was stored");
    let error = watch.line();
    assert!(error.starts_with("Code.js: Syntax error") && error.contains("line: 2"), "{error}");
    assert_eq!(result(), 2, "the stored content stays");
    write("function f() { return 4; }");
    assert_eq!(watch.line(), format!("2 files are in the project {id}"));
    fs_err::remove_file(folder.join("Code.js")).expect("it was there");
    assert_eq!(watch.line(), format!("1 file is in the project {id}"));
}

const SLOW: &str = "
    function slow() {
      const properties = PropertiesService.getScriptProperties();
      console.log('before');
      while (!properties.getProperty('go')) Utilities.sleep(50);
      console.warn('after');
    }
    function go() { PropertiesService.getScriptProperties().setProperty('go', 'yes'); }";

async fn run(server: &Server, id: &str, function: &str) -> Value {
    let (status, done) = server.post(&format!("/v1/scripts/{id}:run"), &json!({ "function": function })).await;
    assert_eq!(status, StatusCode::OK, "{done}");
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logs_that_are_followed_go_on_with_what_comes() {
    let home = Home::new();
    let id = seed(&home, SLOW);
    let server = std::sync::Arc::new(home.serve(&USER));
    let mut of_project = home.start(&["scripts", "logs", &id, "--follow"]);
    let slow = tokio::spawn({
        let (server, id) = (std::sync::Arc::clone(&server), id.clone());
        async move { run(&server, &id, "slow").await }
    });
    let before = of_project.line();
    let number = home.list(&["scripts", "runs", &id])[0]["number"].to_string();
    assert!(before.ends_with(&format!(" {number} INFO    before")), "{before}");
    assert_eq!(home.list(&["scripts", "runs", &id])[0]["status"], "RUNNING");
    let mut of_execution = home.start(&["scripts", "logs", &id, "--execution", &number, "--follow"]);
    assert_eq!(of_execution.line(), before);
    run(&server, &id, "go").await;
    for follower in [&mut of_project, &mut of_execution] {
        let after = follower.line();
        assert!(after.ends_with(&format!(" {number} WARNING after")), "{after}");
    }
    slow.await.expect("it has ended");
    run(&server, &id, "slow").await;
    assert!(of_project.line().ends_with("before"), "a line of another execution");
    assert!(of_project.line().ends_with("after"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_execution_is_canceled_by_a_command() {
    let home = Home::new();
    let id = seed(&home, "function forever() { console.log('begun'); for (;;) {} }");
    let server = std::sync::Arc::new(home.serve(&USER));
    let mut log = home.start(&["scripts", "logs", &id, "--follow"]);
    let forever = tokio::spawn({
        let (server, id) = (std::sync::Arc::clone(&server), id.clone());
        async move { run(&server, &id, "forever").await }
    });
    assert!(log.line().ends_with("begun"));
    let number = home.list(&["scripts", "runs", &id])[0]["number"].to_string();
    let by_page = async |user: &str, number: &str| {
        let number: i64 = number.parse().expect("a number");
        let request = server.request(Method::POST, "/scripts/cancel").header("x-wireform-program", "1");
        let response = request.json(&json!({ "user": user, "execution": number })).send().await;
        let (status, body) = read_json(response.expect("a response")).await;
        (status.as_u16(), body["error"]["message"].as_str().unwrap_or_default().to_owned())
    };
    let unseen = |number: &str| (404, format!("There is no execution {number} that this user can see."));
    assert_eq!(by_page("ben@example.com", &number).await, unseen(&number));
    home.run(&["scripts", "share", &id, "--with", "ben@example.com", "--role", "reader"]);
    let forbidden = (403, format!("This user may not cancel the execution {number}."));
    assert_eq!(by_page("ben@example.com", &number).await, forbidden);
    assert_eq!(by_page("ada@example.com", "77").await, unseen("77"));
    let message = home.run(&["scripts", "cancel", &id, &number]);
    assert_eq!(message.trim_end(), format!("the execution {number} is cancelled"));
    let done = tokio::time::timeout(std::time::Duration::from_secs(60), forever).await.expect("it stops");
    let error = done.expect("a response")["error"].clone();
    assert_eq!((&error["code"], &error["message"]), (&json!(1), &json!("The execution was cancelled")), "{error}");
    assert_eq!(home.list(&["scripts", "runs", &id])[0]["status"], "CANCELED");
    let has_ended = (409, format!("The execution {number} has ended: cancelled."));
    assert_eq!(by_page("ada@example.com", &number).await, has_ended);
    let ended = format!("the execution `{number}` has ended: CANCELED");
    assert!(home.refused(&["scripts", "cancel", &id, &number]).contains(&ended));
    let unknown = format!("project `{id}` has no execution `77`");
    for command in [&["cancel", &id, "77"][..], &["logs", &id, "--execution", "77"]] {
        let refused = home.refused(&[&["scripts"], command].concat());
        assert!(refused.contains(&unknown), "{command:?}: {refused}");
    }
    for command in ["runs", "logs"] {
        assert!(home.refused(&["scripts", command, &id, "--limit", "0"]).contains("1.."), "{command}");
    }
    home.refused(&["scripts", "cancel", "none", &number]);
}

#[tokio::test]
async fn projects_are_renamed_shared_and_removed() {
    let home = Home::new();
    let id = seed(&home, "function f() { return 1; }");
    home.run(&["scripts", "rename", &id, "Renamed"]);
    assert_eq!(home.list(&["scripts", "list", "--user", "ada@example.com"])[0]["title"], "Renamed");
    assert_eq!(home.list(&["scripts", "list", "--user", "ben@example.com"]), json!([]));
    let folder = home.path("folder");
    let pull = ["scripts", "pull", &id, folder.to_str().expect("a path"), "--user", "ben@example.com"];
    home.refused(&pull);
    home.run(&["scripts", "share", &id, "--with", "ben@example.com", "--role", "reader"]);
    home.run(&pull);
    assert_eq!(home.list(&["scripts", "shares", &id]), json!([{ "user": "ben@example.com", "role": "reader" }]));
    home.refused(&["scripts", "push", folder.to_str().expect("a path"), "--user", "ben@example.com"]);
    home.run(&["scripts", "share", &id, "--with", "ben@example.com", "--role", "none"]);
    assert_eq!(home.list(&["scripts", "shares", &id]), json!([]));
    home.refused(&pull);
    home.run(&["scripts", "remove", &id]);
    assert_eq!(home.list(&["scripts", "list"]), json!([]));
    home.refused(&["scripts", "remove", &id]);
}

#[tokio::test]
async fn runs_are_disabled_and_have_a_kind_and_triggers_are_listed() {
    let home = Home::new();
    let code = "function f() { return ScriptApp.newTrigger('f').timeBased().everyHours(1).create().getUniqueId(); }";
    let id = seed(&home, code);
    let run = |more: &[&str]| {
        let done = home.run(&[&["scripts", "run", &id, "f"], &USER[..], more].concat());
        serde_json::from_str::<Value>(&done).expect("JSON")
    };
    home.run(&["scripts", "executions", "off"]);
    let refused = run(&[])["error"]["details"][0]["errorMessage"].to_string();
    assert!(refused.contains("disabled by an administrator"), "{refused}");
    home.run(&["scripts", "executions", "on"]);
    let trigger = run(&["--kind", "SIMPLE_TRIGGER"])["response"]["result"].clone();
    let runs = home.list(&["scripts", "runs", &id]);
    let of = |at: usize| (runs[at]["status"].as_str().expect("a text"), runs[at]["type"].as_str().expect("a text"));
    assert_eq!((of(0), of(1)), (("COMPLETED", "SIMPLE_TRIGGER"), ("EXECUTION_DISABLED", "EDITOR")));
    let triggers = home.list(&["scripts", "triggers", &id]);
    let trigger = json!({ "id": trigger, "user": "ada@example.com", "function": "f", "due": triggers[0]["due"] });
    assert_eq!(triggers, json!([trigger]));
    assert_eq!(home.run(&["scripts", "retention", "40d"]), "executions are kept: 40d");
    assert_eq!(home.run(&["scripts", "retention", "12h"]), "executions are kept: 12h");
}

/// Returns the arguments of a command that adds a trigger.
fn schedule<'a>(id: &'a str, times: &[&'a str]) -> Vec<&'a str> {
    [&["scripts", "schedule", id, "f"][..], &USER, times].concat()
}

#[tokio::test]
async fn triggers_are_made_by_commands_and_seeds_and_fire() {
    let home = Home::new();
    let code = "function f(e) { console.log(`fired in ${e.year} by ${e.triggerUid}`); }";
    let seed = json!({ "users": [{ "address": "ada@example.com", "scripts": [{
        "title": "Sums", "manifest": { "timeZone": "Europe/Berlin" }, "files": { "Code": code },
        "triggers": [{ "function": "f", "every": "10m" }, { "function": "f", "cron": "0 9 * * MON-FRI" }],
    }] }] });
    home.run(&["seed", home.file("seed.yaml", &seed.to_string()).to_str().expect("a path")]);
    let id = home.list(&["scripts", "list"])[0]["id"].as_str().expect("a project").to_owned();
    assert_eq!(home.list(&["scripts", "triggers", &id]).as_array().map(Vec::len), Some(2));
    let schedule = |times| schedule(&id, times);
    let made = home.run(&schedule(&["--at", "2030-01-01T00:00:00Z"]));
    assert!(made.ends_with("runs f first at 2030-01-01T00:00:00Z"), "{made}");
    let zoned = home.run(&schedule(&["--cron", "0 12 1 1 *", "--time-zone", "Asia/Tokyo"]));
    assert!(zoned.ends_with("-01-01T03:00:00Z"), "{zoned}");
    for wrong in
        [&["--every", "90s"][..], &["--cron", "* * *"], &["--every", "1h", "--at", "2030-01-01T00:00:00Z"], &[]]
    {
        home.refused(&schedule(wrong));
    }
    let triggers = home.list(&["scripts", "triggers", &id]);
    let of = |at: usize| triggers[at]["id"].as_str().expect("a text").to_owned();
    home.run(&["scripts", "unschedule", &id, &of(1)]);
    home.refused(&["scripts", "unschedule", &id, &of(1)]);
    assert_eq!(home.list(&["scripts", "triggers", &id]).as_array().map(Vec::len), Some(3));
    // The clock moves to a time at which some are due.
    let server = home.serve(&[&["--clock", "2029-12-31T23:00:00Z"][..], &USER].concat());
    let mut log = home.start(&["scripts", "logs", &id, "--follow"]);
    let first = log.line();
    let is_due = [of(0), of(3)].iter().any(|trigger| first.ends_with(trigger));
    assert!(first.contains("fired in 2029 by ") && is_due, "{first}");
    server.stop();
}
