//! Tests of seeded stores.

use std::path::Path;

use reqwest::StatusCode;
use serde_json::json;
use wireform_store::{Accounts as _, Maintenance as _, Millis, Sqlite, SqliteOptions};

use crate::program::Home;

fn demo() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/demo.yaml").to_str().expect("UTF-8").to_owned()
}

#[tokio::test]
async fn the_demo_can_be_looked_at() {
    let home = Home::new();
    let server = home.serve(&["--seed", &demo()]);
    let (_, profile) = server.get("/mail/v1/users/me/profile").await;
    assert_eq!((&profile["emailAddress"], &profile["messagesTotal"]), (&"ada@example.com".into(), &7.into()));
    let (_, found) = server.get("/mail/v1/users/me/messages?q=subject:(drawings%20mill)").await;
    let found = found["messages"].as_array().expect("messages").clone();
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|message| message["threadId"] == found[0]["threadId"]), "one conversation");
    let (_, spam) = server.get("/mail/v1/users/me/messages?labelIds=SPAM").await;
    assert_eq!(spam["messages"].as_array().map(Vec::len), Some(1));
    let (_, labels) = server.get("/mail/v1/users/me/labels").await;
    let engine = labels["labels"].as_array().expect("labels").iter().find(|label| label["name"] == "Engine").cloned();
    assert_eq!(engine.expect("the label is there")["color"]["backgroundColor"], "#16a765");
    let week = "timeMin=2026-03-02T00:00:00Z&timeMax=2026-03-07T00:00:00Z&singleEvents=true";
    let (_, events) = server.get(&format!("/calendar/v3/calendars/engine%40example.com/events?{week}")).await;
    let titles: Vec<_> = events["items"].as_array().expect("events").iter().map(|event| &event["summary"]).collect();
    assert_eq!(titles, ["Workshop", "Workshop"]);
    let (_, events) = server.get("/calendar/v3/calendars/primary/events?q=tea").await;
    assert_eq!(events["items"][0]["attendees"].as_array().map(Vec::len), Some(2));
    server.stop();
    let shares = home.list(&["calendars", "shares", "engine@example.com"]);
    assert_eq!(shares[0]["role"], "writer");
    let calendars = home.list(&["calendars", "list", "--user", "ada@example.com"]);
    assert!(calendars.as_array().is_some_and(|all| all.iter().any(|one| one["id"] == "engine@example.com")));
    assert_eq!(home.run(&["retention", "show"]), "forever");

    // Seeding again with the same file changes nothing.
    let server = home.serve(&["--seed", &demo()]);
    assert_eq!(server.get("/mail/v1/users/me/profile").await.1["messagesTotal"], 7);
    let log = server.stop();
    assert!(log.contains("filled with this seed before"), "{log}");
}

#[test]
fn only_an_empty_store_is_seeded() {
    let home = Home::new();
    home.run(&["users", "add", "ada@example.com"]);
    assert!(home.refused(&["seed", &demo()]).contains("this store has users"));
    let other = Home::new();
    assert!(other.run(&["seed", &demo()]).contains("the store is filled with"));
    assert!(other.run(&["seed", &demo()]).contains("nothing is changed"));
    let changed = other.file("changed.yaml", "users: [{ address: a@b }]\n");
    assert!(other.refused(&["seed", changed.to_str().expect("UTF-8")]).contains("another seed"));
    assert_eq!(other.list(&["users", "list"]).as_array().map(Vec::len), Some(2));
}

#[test]
fn an_invalid_seed_leaves_the_store_empty() {
    let home = Home::new();
    let text = "users:\n  - address: a@b\n    messages:\n      - { from: a@b, labels: [Work] }\n";
    let wrong = home.file("wrong.yaml", text);
    let error = home.refused(&["seed", wrong.to_str().expect("UTF-8")]);
    assert!(error.contains("wrong.yaml:4:") && error.contains("`Work`"), "{error}");
    assert_eq!(home.list(&["users", "list"]), json!([]));
    home.run(&["seed", &demo()]);
}

/// What only a service checks is reported with its location as well, before anything is written.
#[test]
fn contents_that_services_refuse_are_reported_at_once() {
    let home = Home::new();
    let text = "users:\n  - address: a@b\n    events:\n      - summary: Backwards\n        start: { date: 2026-03-02 }\n        \
                end: { date: 2026-03-01 }\n      - { summary: Good, start: { date: 2026-03-02 }, end: { date: 2026-03-03 } }\n      \
                - summary: Endless\n        start: { date: 2026-03-02 }\n    shares: { eve@example.com: reader }\n    scripts:\n      \
                - title: Sums\n        files: { Code: \"function add() {}\" }\n        \
                triggers: [{ function: add, every: 6h }, { function: subtract, every: 6h }]\n        \
                shares: { eve@example.com: reader }\n";
    let wrong = home.file("wrong.yaml", text);
    let error = home.refused(&["seed", wrong.to_str().expect("UTF-8")]);
    for expected in [
        "wrong.yaml:4:9: the event `Backwards`",
        "wrong.yaml:8:9: the event `Endless`",
        "wrong.yaml:10:32: no user `eve@example.com`",
        "wrong.yaml:14:62: the trigger of `subtract`: the project has no function `subtract`",
        "wrong.yaml:15:36: no user `eve@example.com`",
    ] {
        assert!(error.contains(expected), "{error}\ndoes not contain {expected}");
    }
    assert!(!error.contains("`add`") && !error.contains("Good"), "{error}");
    assert_eq!(home.list(&["users", "list"]), json!([]), "nothing was written");
}

/// Leaves the state of a program that stopped in the middle of seeding.
#[tokio::test]
async fn a_store_that_was_filled_by_half_is_refused() {
    let home = Home::new();
    let store = Sqlite::open(&home.data(), SqliteOptions::default()).expect("the store opens");
    assert!(store.set_note("seed", None, "begun 00").await.expect("it is noted"));
    store.add_user("ada@example.com", "Ada Lovelace", Millis(0)).await.expect("a user");
    store.close().await;
    assert!(home.refused(&["seed", &demo()]).contains("was not completed"));
    assert!(home.refused(&["--port", "0", "--seed", &demo()]).contains("was not completed"));
    assert_eq!(home.list(&["users", "list"]).as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn tokens_of_a_seed_let_in() {
    let home = Home::new();
    let text = "users:\n  - address: a@b\n    tokens: [{ secret: known-to-the-tests, scopes: [mail.readonly] }]\n";
    let file = home.file("seed.yaml", text);
    let server = home.serve(&["--seed", file.to_str().expect("UTF-8")]);
    let (status, profile) = server.get_by("known-to-the-tests", "/mail/v1/users/me/profile").await;
    assert_eq!((status, &profile["emailAddress"]), (StatusCode::OK, &"a@b".into()));
    let log = server.stop();
    assert!(!log.contains("known-to-the-tests"), "{log}");
}
