//! Tests of user identifiers in requests, and of profiles.

use crate::desk::{TestService, plain};

#[tokio::test]
async fn the_profile_summarizes_the_mailbox() {
    let desk = TestService::open().await;
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
    let desk = TestService::open().await;
    for name in ["me", "Ana@Example.com", "ana@example.com", "ANA%40EXAMPLE.COM"] {
        assert_eq!(desk.get(&format!("/users/{name}/profile")).await.ok()["emailAddress"], "Ana@Example.com");
    }
}

#[tokio::test]
async fn other_mailboxes_are_refused_whether_they_exist_or_not() {
    let desk = TestService::open().await;
    for path in ["profile", "labels", "messages", "messages/0000000000000001", "history?startHistoryId=1"] {
        for name in ["ben@example.com", "nobody@example.com"] {
            let response = desk.get(&format!("/users/{name}/{path}")).await;
            response.assert_error(403, "PERMISSION_DENIED", "forbidden", name);
            response.assert_location("userId");
        }
    }
    desk.get("/users/nobody/profile").await.assert_error(400, "INVALID_ARGUMENT", "invalidParameter", "mail address");
}

#[tokio::test]
async fn requests_without_a_sufficient_token_are_refused() {
    let desk = TestService::open().await;
    desk.with_token("nobody").get("/users/me/profile").await.assert_error(401, "UNAUTHENTICATED", "authError", "");
    let labels = desk.with_token("ana/mail.labels");
    labels.get("/users/me/labels").await.ok();
    assert_eq!(labels.get("/users/me/messages").await.status, 403);
    assert_eq!(
        desk.with_token("ana/mail.readonly").post_empty("/users/me/messages/0000000000000001/trash").await.status,
        403
    );
}
