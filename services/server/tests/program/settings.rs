//! Tests of valid and invalid settings.

use std::net::TcpListener;

use reqwest::{Method, StatusCode};

use crate::program::{Home, program};

#[test]
fn bad_settings_are_refused_with_what_is_allowed() {
    let home = Home::new();
    let table: &[(&[&str], &[&str])] = &[
        (&["--port", "70000"], &["--port", "0 to 65535"]),
        (&["--prot", "1"], &["--prot", "--port"]),
        (&["--names", "google"], &["`spec`", "`public`"]),
        (&["--listen", "home"], &["`home` is not an IP address"]),
        (&["--clock", "now"], &["RFC 3339"]),
        (&["--retention", "5m"], &["at least 1h"]),
        (&["--no-page=maybe"], &["true or false"]),
        (&["--body-bytes", "1"], &["1KiB to 1GiB"]),
        (&["--connections", "0"], &["1 to 1000000"]),
        (&["--log", "wireform=loud"], &["`log`", "trace"]),
        (&["--log", "info,[request]=debug"], &["`log`", "by span"]),
        (&["--log", "info,loud"], &["`log`", "`loud` is not a level", "trace"]),
        (&["--listen", "127.0.0.1:80"], &["not an IP address", "`port`"]),
        (&["--data=~/mail"], &["--data", "the whole path"]),
        (&["tokens", "revoke", "7"], &["no token `7`", "tokens list"]),
        (&["tokens", "revoke", "wf_ab"], &["the number of a token"]),
        (&["--listen", "0.0.0.0"], &["0.0.0.0", "--insecure-listen"]),
        (&["--listen", "127.0.0.1,::"], &["other machines can reach ::"]),
        (&["--tls-cert", "a.pem"], &["`tls-key` is not"]),
        (&["--tls-cert", "a.pem", "--tls-key", "b.pem", "--port", "0"], &["certificate cannot be read", "a.pem"]),
        (&["--listen", "192.0.2.1", "--insecure-listen", "--port", "0"], &["not an address of this machine"]),
        (&["--seed", "nothing.yaml", "--port", "0"], &["seed cannot be read", "nothing.yaml"]),
        (&["--config", "nothing.yaml"], &["settings file cannot be read", "nothing.yaml"]),
        (&["--user", "nobody", "--port", "0"], &["`nobody` is not a mail address"]),
        (&["--ready-file", "/nowhere/at/all", "--port", "0"], &["ready file /nowhere/at/all cannot be written"]),
        (&["users", "list", "--port", "1"], &["--port"]),
        (&["--port", "1", "users", "list"], &["--port is a flag of `serve`"]),
        (&["user", "list"], &["users"]),
        (
            &["--store", "postgres://ada:sesame@127.0.0.1:1/mail", "--data", "d"],
            &["`--data`", "`--store`", "remove one of them"],
        ),
    ];
    for (arguments, expected) in table {
        let error = home.refused(arguments);
        for expected in *expected {
            assert!(error.contains(expected), "{arguments:?} does not report {expected}:\n{error}");
        }
        assert!(!error.contains("sesame"), "{error}");
    }
}

#[test]
fn an_invalid_environment_value_is_reported_with_its_variable() {
    let home = Home::new();
    let output = program().env("WIREFORM_DATA", home.data()).env("WIREFORM_PORT", "high").output().expect("it starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("WIREFORM_PORT") && error.contains("0 to 65535"), "{error}");
}

#[test]
fn an_unreachable_database_is_reported_without_its_password() {
    let home = Home::new();
    let mut command = program();
    command.args(["users", "list"]).env("WIREFORM_STORE", "postgres://ada:sesame@127.0.0.1:1/mail");
    let output = command.output().expect("it starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("127.0.0.1:1"), "{error}");
    assert!(!error.contains("sesame"), "{error}");
    drop(home);
}

#[test]
fn a_taken_port_says_what_to_do() {
    let home = Home::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let error = home.refused(&["--port", &port]);
    assert!(error.contains(&port) && error.contains("--port 0"), "{error}");
    assert!(!home.data().exists(), "no folder was created");
}

#[test]
fn help_lists_every_setting() {
    let home = Home::new();
    let help = home.run(&["--help"]);
    for word in ["--ready-file", "WIREFORM_STORE", "--insecure-listen", "scripts", "restore", "tokens", "import"] {
        assert!(help.contains(word), "{word} is not in the help");
    }
    assert!(home.run(&["--version"]).starts_with("wireform-services "));
}

#[tokio::test]
async fn a_flag_counts_before_the_environment_and_that_before_the_file() {
    let home = Home::new();
    let file = home.file("settings.yaml", "user: file@example.com\nretention: 10d\nno-page: true\n");
    let file = file.to_str().expect("a path in UTF-8");
    let by_file = home.serve(&["--config", file]);
    assert!(by_file.startup.contains("file@example.com"), "{}", by_file.startup);
    assert_eq!(by_file.get("/docs").await.0, StatusCode::NOT_FOUND);
    by_file.stop();
    assert_eq!(home.run(&["retention", "show"]), "10d");

    let other = Home::new();
    let environment = [("WIREFORM_RETENTION", "20d"), ("WIREFORM_NO_PAGE", "false"), ("WIREFORM_CONFIG", file)];
    let by_environment = other.serve_with(&["--user", "flag@example.com"], &environment);
    assert!(by_environment.startup.contains("flag@example.com"), "{}", by_environment.startup);
    assert_eq!(by_environment.get("/docs").await.0, StatusCode::OK);
    by_environment.stop();
    assert_eq!(other.run(&["retention", "show"]), "20d");
}

/// Levels (flags, environment and file) that set `data` and `store`.
type Levels = [&'static [&'static str]; 3];

/// Returns the output of the program for settings at the three levels: a folder is created, or a database is not found.
fn location_of(home: &Home, [flags, environment, file]: Levels) -> (bool, String) {
    let value = |name: &str, level: &str| match name {
        "data" => home.path(level).display().to_string(),
        _ => format!("postgres://ada:sesame@127.0.0.1:1/{level}"),
    };
    let mut command = program();
    command.args(["users", "add", "ada@example.com"]);
    for name in flags {
        command.args([format!("--{name}"), value(name, "flag")]);
    }
    for name in environment {
        command.env(format!("WIREFORM_{}", name.to_uppercase()), value(name, "environment"));
    }
    let text: String = file.iter().map(|name| format!("{name}: {}\n", value(name, "file"))).collect();
    command.arg("--config").arg(home.file("settings.yaml", &format!("log: warn\n{text}")));
    let output = command.env("XDG_DATA_HOME", home.path("default")).output().expect("it starts");
    let error = String::from_utf8(output.stderr).expect("it is text");
    assert!(!error.contains("sesame"), "{error}");
    (output.status.success(), error)
}

#[test]
fn a_folder_and_a_database_are_one_setting_of_the_nearest_level() {
    const NOTHING: &[&str] = &[];
    let (data, store, both) = (&["data"][..], &["store"][..], &["data", "store"][..]);
    // Settings by flags, environment and file; the folder that is created; the expected message.
    let table: [(Levels, &str, &[&str]); 12] = [
        ([NOTHING, NOTHING, NOTHING], "default", &[]),
        ([data, NOTHING, NOTHING], "flag", &[]),
        ([data, data, data], "flag", &[]),
        ([data, store, NOTHING], "flag", &["`WIREFORM_STORE` has no effect", "`--data` takes precedence"]),
        (
            [data, store, store],
            "flag",
            &["`WIREFORM_STORE` has no effect", "`store` of", "settings.yaml has no effect"],
        ),
        ([data, both, both], "flag", &["`WIREFORM_STORE` has no effect"]),
        ([NOTHING, data, store], "environment", &["`store` of", "`WIREFORM_DATA` takes precedence"]),
        ([NOTHING, NOTHING, data], "file", &[]),
        ([store, data, data], "", &["127.0.0.1:1/flag", "`WIREFORM_DATA` has no effect", "`data` of"]),
        ([both, NOTHING, NOTHING], "", &["both `--data`", "and `--store`"]),
        ([NOTHING, both, data], "", &["both `WIREFORM_DATA`", "and `WIREFORM_STORE`"]),
        ([NOTHING, NOTHING, both], "", &["both `data` of", "and `store` of", "settings.yaml"]),
    ];
    for (given, made, reported) in table {
        let home = Home::new();
        let (done, error) = location_of(&home, given);
        assert_eq!(done, !made.is_empty(), "{given:?}: {error}");
        for folder in ["default", "flag", "environment", "file"] {
            assert_eq!(home.path(folder).exists(), folder == made, "{given:?}: {folder}: {error}");
        }
        assert_eq!(reported.is_empty(), error.is_empty(), "{given:?}: {error}");
        for reported in reported {
            assert!(error.contains(reported), "{given:?} does not report {reported}: {error}");
        }
    }
}

#[tokio::test]
async fn serve_is_what_happens_without_a_command() {
    let home = Home::new();
    let server = home.serve(&["serve", "--user", "ada@example.com"]);
    let (_, profile) = server.get("/mail/v1/users/me/profile").await;
    assert_eq!(profile["emailAddress"], "ada@example.com");
}

#[tokio::test]
async fn limits_of_bodies_can_be_set() {
    let home = Home::new();
    let server = home.serve(&["--body-bytes", "1KiB"]);
    let long = serde_json::json!({ "name": "a".repeat(2000) });
    assert_eq!(server.post("/mail/v1/users/me/labels", &long).await.0, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_body_for_a_calendar_is_small_and_one_for_a_project_is_not() {
    let home = Home::new();
    let server = home.serve(&[]);
    let text = "{},".repeat(700_000);
    let event = serde_json::json!({ "summary": text });
    let (status, _) = server.post("/calendar/v3/calendars/primary/events", &event).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    // Most of a project is text in few strings.
    let content = serde_json::json!({ "files": [{ "name": "code", "type": "SERVER_JS", "source": text }] });
    let request = server.request(Method::PUT, "/v1/projects/abc/content").bearer_auth(&server.token).json(&content);
    assert_ne!(request.send().await.expect("a response").status(), StatusCode::PAYLOAD_TOO_LARGE);
    let many = serde_json::json!({ "files": vec![serde_json::json!({}); 100_000] });
    let request = server.request(Method::PUT, "/v1/projects/abc/content").bearer_auth(&server.token).json(&many);
    assert_eq!(request.send().await.expect("a response").status(), StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn off_loopback_nothing_is_handed_out() {
    let home = Home::new();
    let server = home.serve(&["--listen", "0.0.0.0", "--insecure-listen"]);
    assert_eq!(server.token, "");
    assert!(server.base.starts_with("http://127.0.0.1:"), "{}", server.base);
    assert_eq!(server.get("/-/health").await.0, StatusCode::OK);
    server.stop();
    let server = home.serve(&["--listen", "0.0.0.0", "--insecure-listen", "--no-token=false"]);
    assert_eq!(server.get("/mail/v1/users/me/profile").await.0, StatusCode::OK);
}
