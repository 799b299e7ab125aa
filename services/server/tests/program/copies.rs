//! Tests of backup and restore.

use reqwest::StatusCode;
use serde_json::Value;

use crate::mail::{insert, profile};
use crate::program::{Home, Server};

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
    assert_eq!(home.list(&["mailboxes", "list"])[0]["messages"], 2, "the store is unchanged");
    home.run(&["restore", copy, "--overwrite"]);
    assert_eq!(home.list(&["mailboxes", "list"])[0]["messages"], 1);
}

/// State of clients of a mailbox: history IDs and page tokens.
#[derive(Default)]
struct Held {
    starts: Vec<String>,
    history: Vec<String>,
    lists: Vec<String>,
}

impl Held {
    /// Stores some mails, and keeps all client state from the responses.
    async fn live(&mut self, server: &Server) {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let start = text(&profile(server).await["historyId"]);
        for number in 0..3 {
            self.starts.push(text(&insert(server, &number.to_string()).await["historyId"]));
        }
        let path = format!("/mail/v1/users/me/history?startHistoryId={start}&maxResults=1");
        let (status, page) = server.get(&path).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        self.history.push(format!("{path}&pageToken={}", text(&page["nextPageToken"])));
        for query in ["", "&q=subject:2", "&labelIds=INBOX"] {
            let path = format!("/mail/v1/users/me/messages?maxResults=1{query}");
            let (status, page) = server.get(&path).await;
            assert_eq!(status, StatusCode::OK, "{page}");
            if let Some(token) = page["nextPageToken"].as_str() {
                self.lists.push(format!("{path}&pageToken={token}"));
            }
        }
        self.starts.push(start);
    }

    /// Asserts the responses to the client state.
    async fn is_accepted(&self, server: &Server, history: StatusCode, lists: StatusCode) {
        let starts = self.starts.iter().map(|start| format!("/mail/v1/users/me/history?startHistoryId={start}"));
        for path in starts.chain(self.history.iter().cloned()) {
            let (status, body) = server.get(&path).await;
            assert_eq!(status, history, "{path}: {body}");
            if history == StatusCode::NOT_FOUND {
                assert_eq!(body["error"]["errors"][0]["reason"], "notFound", "{body}");
                assert_eq!(body["error"]["errors"][0]["location"], "startHistoryId", "{body}");
            }
        }
        assert!(!self.lists.is_empty());
        for path in &self.lists {
            let (status, body) = server.get(path).await;
            assert_eq!(status, lists, "{path}: {body}");
        }
    }
}

#[tokio::test]
async fn what_clients_hold_ends_when_a_copy_comes_back() {
    let home = Home::new();
    let server = home.serve(&[]);
    let mut held = Held::default();
    held.live(&server).await;
    let copy = home.path("copy");
    home.run(&["backup", copy.to_str().expect("UTF-8")]);
    held.live(&server).await;
    server.stop();
    let database = home.data().join("store.sqlite3");
    let by_hand = fs_err::read(&database).expect("it is there");
    let server = home.serve(&[]);
    held.is_accepted(&server, StatusCode::OK, StatusCode::OK).await;
    held.live(&server).await;
    server.stop();

    // Restored by the program, by copying the file, and by the program again.
    for way in 0..3 {
        if way == 1 {
            fs_err::write(&database, &by_hand).expect("it is written");
        } else {
            assert!(home.run(&["restore", copy.to_str().expect("UTF-8"), "--overwrite"]).contains("resynchronize"));
        }
        let server = home.serve(&[]);
        held.is_accepted(&server, StatusCode::NOT_FOUND, StatusCode::GONE).await;
        held.live(&server).await;
        let last = Held { starts: held.starts.split_off(held.starts.len() - 4), ..Held::default() };
        let (history, lists) =
            (held.history.split_off(held.history.len() - 1), held.lists.split_off(held.lists.len() - 3));
        let last = Held { history, lists, ..last };
        last.is_accepted(&server, StatusCode::OK, StatusCode::OK).await;
        held.is_accepted(&server, StatusCode::NOT_FOUND, StatusCode::GONE).await;
        held.starts.extend(last.starts);
        held.history.extend(last.history);
        held.lists.extend(last.lists);
        server.stop();
    }
}

#[tokio::test]
async fn an_operator_ends_what_clients_hold() {
    let home = Home::new();
    let server = home.serve(&[]);
    let mut held = Held::default();
    held.live(&server).await;
    assert!(home.run(&["new-epoch"]).contains("resynchronize"));
    held.is_accepted(&server, StatusCode::NOT_FOUND, StatusCode::GONE).await;
    server.stop();
}

#[test]
fn nothing_is_made_in_order_to_be_copied() {
    let home = Home::new();
    let copy = home.path("copy");
    let error = home.refused(&["backup", copy.to_str().expect("UTF-8")]);
    assert!(error.contains("no store in") && error.contains("--data"), "{error}");
    assert!(!home.data().exists() && !copy.exists());
    home.run(&["users", "list"]);
    assert!(home.refused(&["backup", "/nowhere/at/all"]).contains("no folder /nowhere/at to write"));
}

#[test]
fn what_is_no_copy_is_refused() {
    let home = Home::new();
    let file = home.file("text", "This is no copy.");
    let error = home.refused(&["restore", file.to_str().expect("UTF-8")]);
    assert!(error.contains("was not restored"), "{error}");
    assert!(!home.refused(&["restore", "/nowhere/at/all"]).is_empty());
}
