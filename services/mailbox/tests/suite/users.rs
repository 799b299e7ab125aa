//! Tests of user identifiers in requests, and of profiles.

use crate::desk::{Desk, plain};

#[tokio::test]
async fn the_profile_tells_how_a_mailbox_stands() {
    let desk = Desk::open().await;
    let before = desk.get("/users/me/profile").await;
    assert_eq!(before.ok()["emailAddress"], "Ana@Example.com");
    assert_eq!(before.ok()["messagesTotal"], 0);
    desk.insert(&plain("one"), &["INBOX"]).await;
    desk.insert(&plain("two"), &[]).await;
    let after = desk.get("/gmail/v1/users/me/profile").await;
    assert_eq!((&after.ok()["messagesTotal"], &after.ok()["threadsTotal"]), (&2.into(), &2.into()));
    let number = |profile: &serde_json::Value| profile["historyId"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(number(before.ok()) < number(after.ok()));
}

#[tokio::test]
async fn a_user_is_named_by_their_address_in_any_case_and_by_me() {
    let desk = Desk::open().await;
    for name in ["me", "Ana@Example.com", "ana@example.com", "ANA%40EXAMPLE.COM"] {
        assert_eq!(desk.get(&format!("/users/{name}/profile")).await.ok()["emailAddress"], "Ana@Example.com");
    }
}

#[tokio::test]
async fn the_mailbox_of_another_is_not_told_of_whether_it_is_there_or_not() {
    let desk = Desk::open().await;
    for path in ["profile", "labels", "messages", "messages/0000000000000001", "history?startHistoryId=1"] {
        for name in ["ben@example.com", "nobody@example.com"] {
            let answer = desk.get(&format!("/users/{name}/{path}")).await;
            answer.refuses(403, "PERMISSION_DENIED", "forbidden", name);
            answer.at("userId");
        }
    }
    desk.get("/users/nobody/profile").await.refuses(400, "INVALID_ARGUMENT", "invalidParameter", "mail address");
}

#[tokio::test]
async fn who_shows_no_token_or_one_for_something_else_is_not_let_in() {
    let desk = Desk::open().await;
    desk.with_token("nobody").get("/users/me/profile").await.refuses(401, "UNAUTHENTICATED", "authError", "");
    let labels = desk.with_token("ana/mail.labels");
    labels.get("/users/me/labels").await.ok();
    assert_eq!(labels.get("/users/me/messages").await.status, 403);
    assert_eq!(
        desk.with_token("ana/mail.readonly").tell("/users/me/messages/0000000000000001/trash").await.status,
        403
    );
}
