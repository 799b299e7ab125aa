//! Tests of the first start, and of access to the server.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use reqwest::{Method, StatusCode};

use crate::program::{Home, read_json};

/// Returns a script that can be run.
const SCRIPTS: &str = "users:
  - address: ada@example.com
    scripts:
      - title: Sums
        manifest: { executionApi: { access: ANYONE } }
        files: { Code: 'function add(a, b) { return a + b; }' }
        deployed: true
        shares: {}
";

#[tokio::test]
async fn the_first_start_says_what_works() {
    let home = Home::new();
    let server = home.serve(&[]);
    assert!(server.startup.contains(&server.base) && server.startup.contains("me@localhost"), "{}", server.startup);
    assert!(server.startup.contains(&home.data().display().to_string()), "{}", server.startup);

    let line = server.startup.lines().find_map(|line| line.strip_prefix("  try     ")).expect("there is a line to try");
    let tried =
        Command::new("sh").args(["-c", &format!("{line} --noproxy '*' -s")]).output().expect("there is a shell");
    let body: serde_json::Value = serde_json::from_slice(&tried.stdout).expect("the response is JSON");
    assert_eq!(body["emailAddress"], "me@localhost");

    let mode = fs_err::metadata(home.path("ready")).expect("there is the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let log = server.stop();
    assert!(!log.contains("wf_"), "a token is logged: {log}");
    assert!(!home.path("ready").exists());
}

/// Address families have separate sockets: that of `::` does not conflict with that of `127.0.0.1`.
#[tokio::test]
async fn both_families_of_addresses_can_be_listened_at() {
    let home = Home::new();
    let server = home.serve(&["--listen", "0.0.0.0,::", "--insecure-listen"]);
    let port = server.base.rsplit(':').next().expect("a port").to_owned();
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    for host in ["127.0.0.1", "[::1]"] {
        if let Err(error) = std::net::TcpListener::bind(format!("{host}:0")) {
            eprintln!("skipped: this machine has no {host}: {error}");
            continue;
        }
        let response = client.get(format!("http://{host}:{port}/-/health")).send().await.expect("a response");
        assert_eq!(response.status(), StatusCode::OK, "{host}");
    }
}

#[tokio::test]
async fn requests_without_the_token_are_refused() {
    let home = Home::new();
    let server = home.serve(&[]);
    for path in ["/mail/v1/users/me/profile", "/calendar/v3/calendars/primary/events", "/v1/projects/abc"] {
        let (status, body) = read_json(server.request(Method::GET, path).send().await.expect("a response")).await;
        assert_eq!((status, &body["error"]["code"]), (StatusCode::UNAUTHORIZED, &401.into()), "{path}");
        let (status, _) = server.get_by("wf_00", path).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{path}");
        for key in ["key", &server.token] {
            let keyed = server.request(Method::GET, &format!("{path}?key={key}")).send().await.expect("a response");
            assert_eq!(keyed.status(), StatusCode::UNAUTHORIZED, "{path}: a key of an API does not authenticate");
        }
    }
}

#[tokio::test]
async fn scripts_run_in_processes_of_the_program() {
    let home = Home::new();
    let seed = home.file("seed.yaml", SCRIPTS);
    let server = home.serve(&["--seed", seed.to_str().expect("a path")]);
    let listed = home.list(&["scripts", "list"]);
    let id = listed[0]["id"].as_str().expect("a project");
    let body = serde_json::json!({ "function": "add", "parameters": [1, 2] });
    let (status, done) = server.post(&format!("/v1/scripts/{id}:run"), &body).await;
    assert_eq!((status, &done["response"]["result"]), (StatusCode::OK, &3.into()), "{done}");
    let by_command = home.run(&["scripts", "run", id, "add", "--user", "ada@example.com", "--parameters", "[3, 4]"]);
    let by_command: serde_json::Value = serde_json::from_str(&by_command).expect("JSON");
    assert_eq!(by_command["response"]["result"], 7);
    let runs = home.list(&["scripts", "runs", id]);
    let kinds: Vec<_> = runs.as_array().expect("a list").iter().map(|run| run["type"].as_str()).collect();
    assert_eq!(kinds, [Some("EDITOR"), Some("EXECUTION_API")]);
    let overview = server.request(Method::GET, "/").send().await.expect("a response");
    assert!(overview.text().await.expect("a page").contains("Sums"));
}

#[tokio::test]
async fn projects_are_folders_and_executions_have_logs() {
    let home = Home::new();
    home.run(&["seed", home.file("seed.yaml", SCRIPTS).to_str().expect("a path")]);
    let listed = home.list(&["scripts", "list"]);
    let id = listed[0]["id"].as_str().expect("a project");
    let folder = home.path("folder");
    let at = folder.to_str().expect("a path");
    let user = ["--user", "ada@example.com"];
    let pull = [&["scripts", "pull", id, at][..], &user].concat();
    let push = [&["scripts", "push", at][..], &user].concat();
    home.run(&pull);
    let read = |name: &str| fs_err::read_to_string(folder.join(name)).expect("the file is there");
    assert!(read("Code.js").contains("a + b") && read("appsscript.json").contains("ANYONE"));
    assert!(read(".clasp.json").contains(id));
    fs_err::create_dir(folder.join("sub")).expect("made");
    let write = |name: &str, text: &str| fs_err::write(folder.join(name), text).expect("written");
    write("sub/Other.gs", "function twice(a) {\n  console.warn('twice\\nof ' + a);\n  return 2 * a }\n");
    write("sub/Page.html", "<p>");
    write("notes.txt", "no file of the project");
    home.run(&push);
    home.run(&[&["scripts", "run", id, "twice", "--parameters", "[4]"][..], &user].concat());
    let number = home.list(&["scripts", "runs", id])[0]["number"].to_string();
    for arguments in [&["scripts", "logs", id][..], &["scripts", "logs", id, "--execution", &number]] {
        let output = home.run(arguments);
        assert!(output.ends_with(&format!("{number} WARNING twice\n    of 4")), "{output}");
    }
    write("sub/Other.gs", "function twice(a) {\n  return 2 * * a }\n");
    let refused = home.refused(&push);
    assert!(refused.contains("sub/Other.gs: Syntax error") && refused.contains("line: 2"), "{refused}");
    let refused = home.refused(&pull);
    assert!(refused.contains("sub/Other.gs") && !refused.contains("Code.js"), "{refused}");
    assert!(read("sub/Other.gs").contains("* *"), "it stays");
    home.run(&[&pull[..], &["--overwrite"]].concat());
    assert!(read("sub/Other.gs").contains("twice\\nof") && !folder.join("sub/Other.js").exists());
    home.refused(&["scripts", "push", at, "--user", "nobody@example.com"]);
}

#[tokio::test]
async fn pages_health_and_what_is_nowhere() {
    let home = Home::new();
    let server = home.serve(&[]);
    assert_eq!(server.get("/-/health").await, (StatusCode::OK, serde_json::json!({"status": "ok"})));
    let (status, body) = server.get("/nowhere").await;
    assert_eq!((status, &body["error"]["status"]), (StatusCode::NOT_FOUND, &"NOT_FOUND".into()));
    let overview = server.request(Method::GET, "/").send().await.expect("a response");
    assert_eq!(overview.status(), StatusCode::OK);
    assert!(overview.text().await.expect("a page").contains("me@localhost"));
    let session = server.request(Method::GET, "/session").header("x-wireform-program", "1");
    let (status, body) = read_json(session.send().await.expect("a response")).await;
    assert_eq!((status, body["token"].as_str()), (StatusCode::OK, Some(server.token.as_str())));
    let proxied = server.request(Method::GET, "/session").header("x-wireform-program", "1").header("via", "1.1 x");
    assert_eq!(proxied.send().await.expect("a response").status(), StatusCode::FORBIDDEN);
    for api in ["mailbox", "calendar", "script"] {
        let (status, document) = server.get(&format!("/docs/{api}/openapi.json")).await;
        assert_eq!(status, StatusCode::OK);
        assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")), "{api}");
    }
}

/// Overwrites the files of a store.
fn overwrite(home: &Home) {
    for entry in fs_err::read_dir(home.data()).expect("there is a store") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "lock") {
            fs_err::write(path, vec![0x55; 65_536]).expect("it is overwritten");
        }
    }
}

#[tokio::test]
async fn health_reports_a_missing_store() {
    let home = Home::new();
    let server = home.serve(&[]);
    // The file is no longer a database, also if the tests run as root. It is overwritten again after a checkpoint of the start,
    // which writes all of it, and the result of a health check is valid for a second.
    for _ in 0..60 {
        overwrite(&home);
        let (status, body) = server.get("/-/health").await;
        if status == StatusCode::SERVICE_UNAVAILABLE {
            assert_eq!(body["status"], "unavailable", "{body}");
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    panic!("the health check does not notice that the store is missing");
}

#[tokio::test]
async fn pages_and_token_can_be_left_out() {
    let home = Home::new();
    let server = home.serve(&["--no-page", "--no-token"]);
    assert_eq!(server.token, "");
    for path in ["/", "/docs", "/session"] {
        assert_eq!(server.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(home.list(&["tokens", "list"]), serde_json::json!([]));
}

#[tokio::test]
async fn a_second_server_on_a_store_serves_as_well() {
    let home = Home::new();
    let first = home.serve(&[]);
    let token = first.token.clone();
    fs_err::rename(home.path("ready"), home.path("first-ready")).expect("it is there");
    let second = home.serve(&[]);
    assert_eq!(second.get_by(&token, "/mail/v1/users/me/profile").await.0, StatusCode::OK);
    // The file belongs to the second server now: the first one does not remove it.
    first.stop();
    assert!(home.path("ready").exists());
    assert_eq!(second.get_by(&token, "/mail/v1/users/me/profile").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(second.get("/mail/v1/users/me/profile").await.0, StatusCode::OK);
}
