//! Tests of signals, and of system limits that are reported by signals.

use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use crate::mail::{insert, profile};
use crate::program::{Home, Server, read_json};

const MESSAGES: &str = "/mail/v1/users/me/messages";

/// Stores a message of 200 kB.
async fn store(server: &Server) -> (StatusCode, String) {
    let mail = format!("From: ada@example.com\r\n\r\n{}", "word ".repeat(40_000));
    let (status, body) = server.post(MESSAGES, &json!({ "raw": URL_SAFE.encode(mail) })).await;
    (status, body.to_string())
}

#[tokio::test]
async fn files_that_may_not_grow_are_a_503_and_no_end() {
    let home = Home::new();
    // Blocks of 512 bytes: 4 MiB.
    let server = home.serve_after("ulimit -S -f 8192", &[]);
    let mut stored = 0;
    let (status, body) = loop {
        let (status, body) = store(&server).await;
        if status != StatusCode::OK {
            break (status, body);
        }
        stored += 1;
        assert!(stored < 200, "the files have a limit");
    };
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{body}");
    assert!(body.contains("have reached their limit"), "{body}");
    assert_eq!(profile(&server).await["messagesTotal"], stored, "it is read");
    let (status, body) = server.get("/-/health").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{body}");
    assert!(body.to_string().contains("ulimit -f"), "{body}");

    let raised = Command::new("prlimit").args(["--fsize=unlimited", "--pid", &server.pid().to_string()]).status();
    if raised.is_ok_and(|raised| raised.success()) {
        let (status, body) = store(&server).await;
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    let log = server.stop();
    assert!(log.contains("a commit failed") && !log.contains("panicked"), "{log}");
}

#[test]
fn a_command_says_that_a_file_may_not_grow() {
    let home = Home::new();
    home.run(&["users", "add", "ada@example.com"]);
    let mail = format!("From ada@example.com Thu Jan  1 00:00:00 1970\n\n{}\n", "word ".repeat(800_000));
    let file = home.file("mail.mbox", &mail);
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_wireform-services");
    command.args(["-c", "ulimit -S -f 2048; exec \"$0\" \"$@\"", program, "import", "mbox"]).arg(&file);
    command.args(["--user", "ada@example.com", "--data"]).arg(home.data());
    let output = command.output().expect("it starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("ulimit -f"), "{error}");
}

#[tokio::test]
async fn signals_that_mean_nothing_are_survived() {
    let home = Home::new();
    let server = home.serve(&[]);
    for name in ["USR1", "USR2", "ALRM", "VTALRM", "PROF", "POLL", "XFSZ", "PIPE"] {
        server.signal(name);
        insert(&server, name).await;
    }
    assert_eq!(profile(&server).await["messagesTotal"], 8);
    let log = server.stop();
    assert!(log.contains("ignored a signal") && log.contains("USR1"), "{log}");
}

#[tokio::test]
async fn a_terminal_that_is_closed_stops_as_a_signal_for_the_end_does() {
    // Under nohup a hangup is ignored, which the server would inherit: one that is handled here has its default there.
    let _handled = signal(SignalKind::hangup()).expect("a handler");
    for name in ["HUP", "XCPU"] {
        let home = Home::new();
        let mut server = home.serve(&[]);
        server.signal(name);
        // Such a signal can be repeated, which does not end the server at once.
        let _ = Command::new("kill").arg(format!("-{name}")).arg(server.pid().to_string()).output();
        assert!(server.wait().success(), "{name}: {}", server.log());
        assert!(server.log().contains(&format!("SIG{name}")), "{}", server.log());
        assert!(!home.path("ready").exists());
        assert_eq!(home.list(&["tokens", "list"]), json!([]), "the ready token is revoked");
    }
}

#[tokio::test]
async fn a_terminal_that_is_closed_does_not_matter_under_nohup() {
    let home = Home::new();
    let server = home.serve_after("trap '' HUP", &[]);
    server.signal("HUP");
    let (status, _) = read_json(server.request(Method::GET, "/-/health").send().await.expect("a response")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(!server.stop().contains("SIGHUP"));
}
