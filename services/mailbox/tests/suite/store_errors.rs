//! Tests of errors of the store, as clients see them.

use serde_json::json;
use wireform_store::{Error, Unavailable};

use crate::desk::{TestService, mail, plain};

#[tokio::test]
async fn unavailability_of_the_store_is_a_503_with_retry_after() {
    let desk = TestService::open().await;
    let id = desk.insert(&plain("a"), &["INBOX"]).await;
    let cases = [
        (Unavailable::DiskFull, "disk is full"),
        (Unavailable::FileLimit, "reached their limit"),
        (Unavailable::ReadOnly, "read-only"),
        (Unavailable::Busy, "busy"),
        (Unavailable::Io("/secret/place".into()), "cannot be read or written"),
        (Unavailable::Unreachable("user:password@host".into()), "cannot be reached"),
        (Unavailable::UnknownOutcome, "connection"),
        (Unavailable::Closed, "stopped"),
    ];
    for (reason, names) in cases {
        desk.fail(Error::Unavailable(reason));
        let response = desk.post("/users/me/messages", mail(plain("b").as_bytes(), &[])).await;
        response.assert_error(503, "UNAVAILABLE", "backendError", names);
        assert!(response.headers["retry-after"].to_str().unwrap().parse::<u32>().unwrap() > 0);
        let text = response.body.to_string();
        assert!(!text.contains("secret") && !text.contains("password"), "{text}");
    }
    for path in ["profile", "labels", "labels/INBOX", "messages", &format!("messages/{id}"), "history?startHistoryId=1"]
    {
        desk.fail(Error::Unavailable(Unavailable::Busy));
        desk.get(&format!("/users/me/{path}")).await.assert_error(503, "UNAVAILABLE", "backendError", "busy");
    }
    desk.fail(Error::Unavailable(Unavailable::TooManySearches));
    let response = desk.get("/users/me/messages?q=word").await;
    response.assert_error(429, "RESOURCE_EXHAUSTED", "rateLimitExceeded", "searches");
    assert_eq!(response.headers["retry-after"], "1");
    // The store is available again.
    desk.insert(&plain("c"), &[]).await;
}

#[tokio::test]
async fn a_fault_is_a_500_without_details() {
    let desk = TestService::open().await;
    desk.fail(Error::Internal("column 7 of somebody's mail".into()));
    let response = desk.get("/users/me/messages").await;
    response.assert_error(500, "INTERNAL", "backendError", "");
    assert!(!response.body.to_string().contains("column"));
}

#[tokio::test]
async fn a_label_that_disappears_while_it_is_given_is_named() {
    let desk = TestService::open().await;
    let absent = || Error::not_found("label", "Label_3");
    desk.fail(absent());
    let response = desk.post("/users/me/messages", mail(plain("a").as_bytes(), &["INBOX"])).await;
    response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "Invalid label: Label_3");
    response.assert_location("labelIds");
    let id = desk.insert(&plain("a"), &[]).await;
    desk.fail(absent());
    let response = desk.post(&format!("/users/me/messages/{id}/modify"), json!({ "addLabelIds": ["INBOX"] })).await;
    response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "Invalid label: Label_3");
}

#[tokio::test]
async fn a_user_who_is_removed_is_not_found() {
    let desk = TestService::open().await;
    use wireform_store::Accounts as _;
    desk.store.remove_user(desk.ana.mailbox).await.unwrap();
    for path in ["profile", "labels", "messages", "history?startHistoryId=1"] {
        let response = desk.get(&format!("/users/me/{path}")).await;
        assert_eq!(response.status, 404, "{path}: {}", response.body);
    }
    assert_eq!(desk.post("/users/me/messages", mail(plain("a").as_bytes(), &[])).await.status, 404);
}
