//! Tests of errors of the store, as clients see them.

use serde_json::json;
use wireform_store::{Error, Trouble};

use crate::desk::{Desk, mail, plain};

#[tokio::test]
async fn trouble_of_the_store_is_a_503_that_says_what_and_when_to_come_again() {
    let desk = Desk::open().await;
    let id = desk.insert(&plain("a"), &["INBOX"]).await;
    let cases = [
        (Trouble::DiskFull, "disk is full"),
        (Trouble::FileLimit, "reached their limit"),
        (Trouble::ReadOnly, "may only be read"),
        (Trouble::Busy, "busy"),
        (Trouble::Io("/secret/place".into()), "cannot be read or written"),
        (Trouble::Unreachable("user:password@host".into()), "cannot be reached"),
        (Trouble::Unknown, "connection"),
        (Trouble::Closed, "stopped"),
    ];
    for (trouble, names) in cases {
        desk.fail(Error::Unavailable(trouble));
        let answer = desk.post("/users/me/messages", mail(plain("b").as_bytes(), &[])).await;
        answer.refuses(503, "UNAVAILABLE", "backendError", names);
        assert!(answer.headers["retry-after"].to_str().unwrap().parse::<u32>().unwrap() > 0);
        let text = answer.body.to_string();
        assert!(!text.contains("secret") && !text.contains("password"), "{text}");
    }
    for path in ["profile", "labels", "labels/INBOX", "messages", &format!("messages/{id}"), "history?startHistoryId=1"]
    {
        desk.fail(Error::Unavailable(Trouble::Busy));
        desk.get(&format!("/users/me/{path}")).await.refuses(503, "UNAVAILABLE", "backendError", "busy");
    }
    desk.fail(Error::Unavailable(Trouble::Searching));
    let answer = desk.get("/users/me/messages?q=word").await;
    answer.refuses(429, "RESOURCE_EXHAUSTED", "rateLimitExceeded", "searches");
    assert_eq!(answer.headers["retry-after"], "1");
    // The store is available again.
    desk.insert(&plain("c"), &[]).await;
}

#[tokio::test]
async fn a_fault_is_a_500_without_details() {
    let desk = Desk::open().await;
    desk.fail(Error::Fault("column 7 of somebody's mail".into()));
    let answer = desk.get("/users/me/messages").await;
    answer.refuses(500, "INTERNAL", "backendError", "");
    assert!(!answer.body.to_string().contains("column"));
}

#[tokio::test]
async fn a_label_that_disappears_while_it_is_given_is_named() {
    let desk = Desk::open().await;
    let absent = || Error::absent("label", "Label_3");
    desk.fail(absent());
    let answer = desk.post("/users/me/messages", mail(plain("a").as_bytes(), &["INBOX"])).await;
    answer.refuses(400, "INVALID_ARGUMENT", "invalidArgument", "Invalid label: Label_3");
    answer.at("labelIds");
    let id = desk.insert(&plain("a"), &[]).await;
    desk.fail(absent());
    let answer = desk.post(&format!("/users/me/messages/{id}/modify"), json!({ "addLabelIds": ["INBOX"] })).await;
    answer.refuses(400, "INVALID_ARGUMENT", "invalidArgument", "Invalid label: Label_3");
}

#[tokio::test]
async fn a_user_who_is_removed_is_not_found() {
    let desk = Desk::open().await;
    use wireform_store::Accounts as _;
    desk.store.remove_user(desk.ana.mailbox).await.unwrap();
    for path in ["profile", "labels", "messages", "history?startHistoryId=1"] {
        let answer = desk.get(&format!("/users/me/{path}")).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
    }
    assert_eq!(desk.post("/users/me/messages", mail(plain("a").as_bytes(), &[])).await.status, 404);
}
