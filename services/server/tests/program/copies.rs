//! Backup and restore.

use reqwest::StatusCode;

use crate::mail::{insert, profile};
use crate::program::Home;

#[tokio::test]
async fn a_copy_that_is_made_while_a_server_runs_becomes_a_store() {
    let home = Home::new();
    let server = home.serve(&[]);
    insert(&server, "before").await;
    let token = home.run(&["tokens", "create", "--user", "me@localhost", "--scope", "mail"]);
    let copy = home.path("copy");
    let copy = copy.to_str().expect("UTF-8");
    home.run(&["backup", copy]);
    assert!(home.refused(&["backup", copy]).contains("does not exist yet"));
    insert(&server, "after").await;
    let tokens = home.list(&["tokens", "list"]);
    let number = tokens.as_array().and_then(|all| all.last()).expect("it is listed")["number"].to_string();
    home.run(&["tokens", "revoke", &number]);
    assert_eq!(profile(&server).await["messagesTotal"], 2);
    server.stop();

    let other = Home::new();
    assert!(other.run(&["restore", copy]).contains("valid again"));
    let server = other.serve(&[]);
    assert_eq!(profile(&server).await["messagesTotal"], 1);
    let (status, _) = server.get_by(&token, "/mail/v1/users/me/profile").await;
    assert_eq!(status, StatusCode::OK, "a token that was revoked since then is back");
    server.stop();

    assert!(home.refused(&["restore", copy]).contains("--overwrite"), "there is a store");
    assert_eq!(home.list(&["mailboxes", "list"])[0]["messages"], 2, "which stays as it was");
    home.run(&["restore", copy, "--overwrite"]);
    assert_eq!(home.list(&["mailboxes", "list"])[0]["messages"], 1);
}

#[test]
fn nothing_is_made_in_order_to_be_copied() {
    let home = Home::new();
    let copy = home.path("copy");
    let said = home.refused(&["backup", copy.to_str().expect("UTF-8")]);
    assert!(said.contains("no store in") && said.contains("--data"), "{said}");
    assert!(!home.data().exists() && !copy.exists());
    home.run(&["users", "list"]);
    assert!(home.refused(&["backup", "/nowhere/at/all"]).contains("no folder /nowhere/at to write"));
}

#[test]
fn what_is_no_copy_is_refused() {
    let home = Home::new();
    let file = home.file("text", "This is no copy.");
    let said = home.refused(&["restore", file.to_str().expect("UTF-8")]);
    assert!(said.contains("was not made a store"), "{said}");
    assert!(!home.refused(&["restore", "/nowhere/at/all"]).is_empty());
}
