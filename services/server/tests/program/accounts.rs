//! Tests of commands for users, tokens, calendars and mailboxes, while a server runs.

use reqwest::StatusCode;
use serde_json::json;

use crate::program::Home;

const PROFILE: &str = "/mail/v1/users/me/profile";

#[tokio::test]
async fn users_come_and_go_while_a_server_runs() {
    let home = Home::new();
    let server = home.serve(&[]);
    home.run(&["users", "add", "Ada@example.com", "--name", "Ada Lovelace"]);
    let users = home.list(&["users", "list"]);
    assert_eq!(users[0]["address"], "Ada@example.com");
    assert_eq!(users[0]["name"], "Ada Lovelace");
    assert!(home.run(&["users", "list"]).contains("Ada Lovelace"));
    assert!(home.refused(&["users", "add", "ada@EXAMPLE.com"]).contains("already"));
    assert!(home.refused(&["users", "add", "ada"]).contains("not a mail address"));
    assert!(home.refused(&["users", "remove", "bob@example.com"]).contains("users list"));

    let token = home.run(&["tokens", "create", "--user", "ada@example.com", "--scope", "mail"]);
    assert_eq!(server.get_by(&token, PROFILE).await.1["emailAddress"], "Ada@example.com");
    home.run(&["users", "remove", "ada@example.com"]);
    assert_eq!(server.get_by(&token, PROFILE).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(home.list(&["users", "list"]).as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn tokens_allow_what_their_scopes_say_until_they_are_revoked() {
    let home = Home::new();
    let server = home.serve(&[]);
    let create = ["tokens", "create", "--user", "me@localhost", "--scope"];
    let reader = home.run(&[&create[..], &["mail.readonly", "--note", "sync"]].concat());
    let full = home.run(&[&create[..], &["https://mail.google.com/", "--expires", "never"]].concat());
    assert_eq!(server.get_by(&reader, PROFILE).await.0, StatusCode::OK);
    let label = json!({ "name": "Work" });
    let post = |token: &str| {
        server.request(reqwest::Method::POST, "/mail/v1/users/me/labels").bearer_auth(token).json(&label).send()
    };
    assert_eq!(post(&reader).await.expect("a response").status(), StatusCode::FORBIDDEN);
    assert_eq!(post(&full).await.expect("a response").status(), StatusCode::OK);
    let (status, _) = server.get_by(&reader, "/calendar/v3/calendars/primary/events").await;
    assert_eq!(status, StatusCode::FORBIDDEN);

    let both = home.run(&[&create[..], &["mail.readonly,calendar.readonly"]].concat());
    assert_eq!(server.get_by(&both, PROFILE).await.0, StatusCode::OK);

    let listed = home.run(&["tokens", "list", "--json"]);
    assert!(!listed.contains(&reader) && !listed.contains("wf_"), "the list shows no secret: {listed}");
    let tokens = home.list(&["tokens", "list", "--user", "me@localhost"]);
    let sync = tokens.as_array().expect("a list").iter().find(|token| token["note"] == "sync").expect("it is listed");
    assert_eq!(sync["scopes"], json!(["mail.readonly"]));
    home.run(&["tokens", "revoke", &sync["number"].to_string()]);
    assert_eq!(server.get_by(&reader, PROFILE).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(server.get_by(&full, PROFILE).await.0, StatusCode::OK);
    assert!(home.refused(&["tokens", "revoke", &sync["number"].to_string()]).contains("no token"));
}

#[test]
fn what_a_token_cannot_be_is_refused() {
    let home = Home::new();
    home.run(&["users", "add", "ada@example.com"]);
    let create = ["tokens", "create", "--user", "ada@example.com"];
    let table: &[(&[&str], &str)] = &[
        (&[], "--scope"),
        (&["--scope", "mail.readonyl"], "did you mean `mail.readonly`?"),
        (&["--scope", "everything"], "expected one of: all,"),
        (&["--scope", "mail", "--expires", "soon"], "12h or 30d"),
        (&["--scope", "mail", "--expires", "2020-01-01T00:00:00Z"], "already have expired"),
    ];
    for (more, expected) in table {
        let error = home.refused(&[&create[..], more].concat());
        assert!(error.contains(expected), "{more:?} does not report {expected}:\n{error}");
    }
    assert!(home.refused(&["tokens", "create", "--user", "bob@b", "--scope", "mail"]).contains("no user `bob@b`"));
    let output = home.output(&[&create[..], &["--scope", "all"]].concat());
    let token = String::from_utf8(output.stdout).expect("it is text");
    assert!(token.starts_with("wf_") && token.lines().count() == 1, "the standard output is the token: {token}");
}

#[test]
fn calendars_come_and_go() {
    let home = Home::new();
    home.run(&["users", "add", "ada@example.com"]);
    let id = home.run(&["calendars", "add", "The engine", "--user", "ada@example.com", "--time-zone", "europe/london"]);
    home.run(&["calendars", "add", "Team", "--user", "ada@example.com", "--id", "team@example.com"]);
    let all = home.list(&["calendars", "list", "--user", "ada@example.com"]);
    let all = all.as_array().expect("a list");
    assert_eq!(all.len(), 3, "with the token of the user");
    let engine = all.iter().find(|calendar| calendar["id"] == id.as_str()).expect("it is listed");
    assert_eq!((&engine["summary"], &engine["timeZone"]), (&"The engine".into(), &"Europe/London".into()));
    assert!(
        home.refused(&["calendars", "add", "T", "--user", "ada@example.com", "--id", "team@example.com"])
            .contains("already")
    );
    assert!(
        home.refused(&["calendars", "add", "T", "--user", "ada@example.com", "--time-zone", "Mars"]).contains("IANA")
    );
    home.run(&["calendars", "remove", &id]);
    assert!(home.refused(&["calendars", "remove", &id]).contains(&format!("calendar `{id}` not found")));
    assert!(!home.refused(&["calendars", "remove", "ada@example.com"]).is_empty());
    assert_eq!(home.list(&["calendars", "list"]).as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn mailboxes_are_listed_and_shown() {
    let home = Home::new();
    let server = home.serve(&[]);
    server.post("/mail/v1/users/me/labels", &json!({ "name": "Work" })).await;
    let all = home.list(&["mailboxes", "list"]);
    assert_eq!((&all[0]["address"], &all[0]["messages"]), (&"me@localhost".into(), &0.into()));
    let one = home.list(&["mailboxes", "show", "me@localhost"]);
    let labels = one["labels"].as_array().expect("a list");
    assert!(labels.iter().any(|label| label["name"] == "Work" && label["type"] == "user"));
    assert!(home.run(&["mailboxes", "show", "me@localhost"]).contains("INBOX"));
}

#[test]
fn retention_is_shown_and_set() {
    let home = Home::new();
    assert_eq!(home.run(&["retention", "show"]), "8d");
    let output = home.output(&["retention", "set", "90m"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("warning"), "below a week");
    assert_eq!(home.list(&["retention", "show"])["seconds"], 5400);
    assert!(home.output(&["retention", "set", "30d"]).stderr.is_empty());
    home.run(&["retention", "set", "forever"]);
    assert_eq!(home.run(&["retention", "show"]), "forever");
    assert!(home.refused(&["retention", "set", "59m"]).contains("at least 1h"));
    assert!(home.refused(&["retention", "set", "2 months"]).contains("no fixed length"));
}

#[tokio::test]
async fn calendars_are_set_and_shared() {
    let home = Home::new();
    let server = home.serve(&[]);
    home.run(&["users", "add", "ada@example.com", "--name", "Ada"]);
    let set = ["calendars", "set", "ada@example.com", "--summary", "Work", "--reminder", "popup:10,email:60"];
    home.run(&[&set[..], &["--label", "mill=The mill=#16A765", "--description", "What Ada does"]].concat());
    let events = "/calendar/v3/calendars/ada%40example.com/events";
    assert_eq!(server.get(events).await.0, StatusCode::NOT_FOUND);
    home.run(&["calendars", "share", "ada@example.com", "--with", "me@localhost", "--role", "reader"]);
    let shares = home.list(&["calendars", "shares", "ada@example.com"]);
    assert_eq!(shares, json!([{ "user": "me@localhost", "role": "reader" }]));
    let (status, page) = server.get(events).await;
    assert_eq!((status, &page["summary"], &page["accessRole"]), (StatusCode::OK, &json!("Work"), &json!("reader")));
    assert_eq!(page["description"], "What Ada does");
    let reminders = json!([{ "method": "popup", "minutes": 10 }, { "method": "email", "minutes": 60 }]);
    assert_eq!(page["defaultReminders"], reminders);
    home.run(&["calendars", "set", "ada@example.com", "--reminder", "none"]);
    let (_, page) = server.get(events).await;
    assert_eq!((page.get("defaultReminders"), &page["summary"]), (Some(&json!([])), &json!("Work")));
    home.run(&["calendars", "share", "ada@example.com", "--with", "me@localhost", "--role", "none"]);
    assert_eq!(server.get(events).await.0, StatusCode::NOT_FOUND);
    let wrong = ["calendars", "share", "ada@example.com", "--with", "me@localhost", "--role", "reads"];
    assert!(home.refused(&wrong).contains("freeBusyReader"));
    assert!(home.refused(&["calendars", "set", "nothing", "--summary", "x"]).contains("calendar `nothing` not found"));
}
