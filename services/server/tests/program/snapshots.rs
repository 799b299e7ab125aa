//! Tests of snapshots of the store, and of their restoration.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::mail::{history, insert, profile};
use crate::program::{Home, Server, read_json};

const START: &str = "2026-01-05T09:00:00Z";

async fn subjects(server: &Server) -> usize {
    let (status, list) = server.get("/mail/v1/users/me/messages").await;
    assert_eq!(status, StatusCode::OK, "{list}");
    list["messages"].as_array().map_or(0, Vec::len)
}

async fn reset(server: &Server, body: &Value) -> Value {
    let (status, response) = server.post("/-/reset", body).await;
    assert_eq!(status, StatusCode::OK, "{response}");
    response
}

#[tokio::test]
async fn a_reset_restores_the_start_or_a_snapshot() {
    let home = Home::new();
    let seed = home.file("seed.yaml", "users:\n  - address: a@b\n    messages: [{ from: c@d, text: Seeded }]\n");
    let server = home.serve(&["--allow-reset", "--clock", START, "--seed", seed.to_str().expect("UTF-8")]);
    insert(&server, "second").await;
    let (status, taken) = server.post("/-/snapshot", &json!({ "name": "two" })).await;
    assert_eq!((status, &taken["snapshot"]), (StatusCode::OK, &json!("two")), "{taken}");
    assert!(taken["bytes"].as_u64().is_some_and(|bytes| bytes > 1_000), "{taken}");

    server.post("/-/clock", &json!({ "advance": "P3D" })).await;
    let third = insert(&server, "third").await;
    let start = profile(&server).await["historyId"].clone();
    let token = home.run(&["tokens", "create", "--user", "a@b", "--scope", "mail"]);
    assert_eq!(subjects(&server).await, 3);

    assert_eq!(reset(&server, &json!({ "snapshot": "two" })).await["snapshot"], "two");
    assert_eq!(subjects(&server).await, 2, "the ready token stays valid");
    let (_, clock) = server.get("/-/clock").await;
    assert!(clock["now"].as_str().is_some_and(|now| now.starts_with("2026-01-05T09:")), "{clock}");
    let gone = format!("/mail/v1/users/me/messages/{}", third["id"].as_str().expect("an id"));
    assert_eq!(server.get(&gone).await.0, StatusCode::NOT_FOUND);
    assert_eq!(server.get_by(&token, "/mail/v1/users/me/profile").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(history(&server, &start).await.0, StatusCode::NOT_FOUND, "a full sync is necessary");

    assert_eq!(reset(&server, &json!({})).await["snapshot"], "start");
    assert_eq!(subjects(&server).await, 1);
    // Commands see the restored store as well, and the ready token is listed once.
    let tokens = home.list(&["tokens", "list"]);
    assert_eq!(tokens.as_array().map(Vec::len), Some(1), "{tokens}");
    let empty = server.request(Method::POST, "/-/reset").header("content-type", "application/json");
    assert_eq!(read_json(empty.send().await.expect("a response")).await.0, StatusCode::OK);

    let (_, list) = server.get("/-/snapshot").await;
    let names: Vec<_> = list["snapshots"].as_array().expect("a list").iter().map(|one| &one["snapshot"]).collect();
    assert_eq!(names, ["start", "two"]);
    let delete = server.request(Method::DELETE, "/-/snapshot/two").send().await.expect("a response");
    assert_eq!(delete.status(), StatusCode::OK);
    let (status, error) = server.post("/-/reset", &json!({ "snapshot": "two" })).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(error["error"]["message"].as_str().is_some_and(|text| text.starts_with("no snapshot `two`")), "{error}");
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_ends_what_runs() {
    let home = Home::new();
    let seed = home.file(
        "seed.yaml",
        "users:\n  - address: a@b\n    scripts:\n      - title: Slow\n        manifest: { executionApi: { access: ANYONE } }\n        \
         files: { Code: \"function wait() { Utilities.sleep(60000); CalendarApp.getDefaultCalendar().createAllDayEvent('late', new Date()); }\" }\n        \
         deployed: true\n",
    );
    let server = home.serve(&["--allow-reset", "--seed", seed.to_str().expect("UTF-8")]);
    let projects = home.list(&["scripts", "list"]);
    let id = projects[0]["id"].as_str().expect("an id").to_owned();
    let run = server.request(Method::POST, &format!("/v1/scripts/{id}:run")).bearer_auth(&server.token);
    let run = tokio::spawn(run.json(&json!({ "function": "wait", "devMode": true })).send());
    loop {
        let executions = home.list(&["scripts", "runs", &id]);
        if executions.as_array().is_some_and(|list| list.iter().any(|one| one["status"] == "RUNNING")) {
            break;
        }
    }
    reset(&server, &json!({})).await;
    let (status, ended) = read_json(run.await.expect("it ends").expect("a response")).await;
    assert_eq!(status, StatusCode::OK, "{ended}");
    assert_eq!(ended["error"]["message"], "The execution was cancelled", "{ended}");
    let executions = home.list(&["scripts", "runs", &id]);
    assert_eq!(executions, json!([]), "nothing ran before the start");
    let (_, events) = server.get("/calendar/v3/calendars/primary/events").await;
    assert_eq!(events["items"], json!([]));
    server.stop();
}

#[tokio::test]
async fn snapshots_are_for_programs_of_this_machine_and_need_a_flag() {
    let home = Home::new();
    let server = home.serve(&["--allow-reset"]);
    let name = json!({ "name": "a" });
    let snapshot = || server.request(Method::POST, "/-/snapshot");
    let reset = || server.request(Method::POST, "/-/reset");
    let list = || server.request(Method::GET, "/-/snapshot");
    let refused = [
        (snapshot().json(&name).header("x-forwarded-for", "10.0.0.1"), StatusCode::FORBIDDEN),
        (snapshot().json(&name).header("sec-fetch-site", "cross-site"), StatusCode::FORBIDDEN),
        (reset().json(&json!({})).header("host", "evil.example"), StatusCode::FORBIDDEN),
        (list().header("x-forwarded-for", "10.0.0.1"), StatusCode::FORBIDDEN),
        (server.request(Method::DELETE, "/-/snapshot/a").header("sec-fetch-site", "same-site"), StatusCode::FORBIDDEN),
        (reset().body("{}").header("content-type", "text/plain"), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (reset(), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (reset().json(&json!({ "name": "a" })), StatusCode::BAD_REQUEST),
        (reset().json(&json!({ "snapshot": "b" })), StatusCode::NOT_FOUND),
        (snapshot().json(&json!({})), StatusCode::BAD_REQUEST),
        (snapshot().json(&json!({ "name": "start" })), StatusCode::BAD_REQUEST),
        (snapshot().json(&json!({ "name": "a/b" })), StatusCode::BAD_REQUEST),
        (snapshot().json(&json!({ "name": "a".repeat(65) })), StatusCode::BAD_REQUEST),
        (snapshot().json(&json!({ "name": "a".repeat(5_000) })), StatusCode::BAD_REQUEST),
        (server.request(Method::DELETE, "/-/snapshot/start"), StatusCode::BAD_REQUEST),
        (server.request(Method::DELETE, "/-/snapshot/b"), StatusCode::NOT_FOUND),
    ];
    for (request, expected) in refused {
        let (status, body) = read_json(request.send().await.expect("a response")).await;
        assert_eq!(status, expected, "{body}");
        assert!(body["error"]["message"].is_string(), "{body}");
    }
    server.stop();

    let server = Home::new().serve(&[]);
    for (method, path) in [
        (Method::POST, "/-/reset"),
        (Method::POST, "/-/snapshot"),
        (Method::GET, "/-/snapshot"),
        (Method::DELETE, "/-/snapshot/a"),
    ] {
        let (status, body) = read_json(server.request(method, path).send().await.expect("a response")).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert!(body["error"]["message"].as_str().is_some_and(|text| text.contains("--allow-reset")), "{body}");
    }
}

#[tokio::test]
async fn a_store_that_is_too_large_is_not_kept_in_memory() {
    let home = Home::new();
    let server = home.serve(&["--allow-reset"]);
    let large = "large ".repeat(2 << 20);
    insert(&server, &large).await;
    let take = async |name: &str| server.post("/-/snapshot", &json!({ "name": name })).await;
    for name in ["a", "b", "a"] {
        assert_eq!(take(name).await.0, StatusCode::OK);
    }
    insert(&server, &large).await;
    let (status, refused) = take("c").await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{refused}");
    for name in ["a", "b"] {
        server.request(Method::DELETE, &format!("/-/snapshot/{name}")).send().await.expect("a response");
    }
    assert_eq!(take("c").await.0, StatusCode::OK);
    insert(&server, &large).await;
    server.stop();
    let error = home.refused(&["--allow-reset", "--port", "0"]);
    assert!(error.contains("`allow-reset`") && error.contains("more than 64 MiB"), "{error}");
}
