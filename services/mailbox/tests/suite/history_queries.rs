//! Tests of the start and the label of a history.

use serde_json::json;

use crate::desk::{TestService, plain};

#[tokio::test]
async fn a_start_outside_of_the_history_is_not_found() {
    let desk = TestService::open().await;
    let start: u64 = desk.history_id().await.parse().unwrap();
    desk.insert(&plain("a"), &[]).await;
    let current: u64 = desk.history_id().await.parse().unwrap();
    for never in [0, 1, start - 1, current + 1, u64::MAX] {
        let response = desk.get(&format!("/users/me/history?startHistoryId={never}")).await;
        response.assert_error(404, "NOT_FOUND", "notFound", &never.to_string());
        response.assert_location("startHistoryId");
    }
    // A start is a bound, and need not be that of a record.
    for between in start..current {
        let response = desk.get(&format!("/users/me/history?startHistoryId={between}")).await;
        assert_eq!(response.ok()["history"].as_array().map(Vec::len), Some(1), "{between}");
    }
    // Nothing has changed since: the response has only the current number.
    let response = desk.get(&format!("/users/me/history?startHistoryId={current}")).await;
    assert_eq!(*response.ok(), json!({ "historyId": current.to_string() }));
}

#[tokio::test]
async fn a_start_that_is_no_history_id_is_not_found_either() {
    let desk = TestService::open().await;
    let current = desk.history_id().await;
    let zeros = format!("0{current}");
    for odd in ["", "x", "-1", "+1", "1.5", "%201", "%FF", "18446744073709551616", &"9".repeat(400), "00", &zeros] {
        let response = desk.get(&format!("/users/me/history?startHistoryId={odd}")).await;
        response.assert_error(404, "NOT_FOUND", "notFound", "do a full sync");
        response.assert_location("startHistoryId");
        // Another mailbox is refused first: a full sync could not read it.
        let response = desk.get(&format!("/users/charles@example.com/history?startHistoryId={odd}")).await;
        assert_eq!(response.status, 403, "{odd}: {}", response.body);
        response.assert_location("userId");
    }
    let response = desk.get("/users/me/history?startHistoryId=a%20b&pageToken=x").await;
    assert_eq!(response.body["error"]["message"], "`a b` is not a valid `startHistoryId`; do a full sync");
    // Other violations are those of the request, whatever the start is.
    for (query, location) in [
        ("", "startHistoryId"),
        ("?startHistoryId=x&maxResults=x", "startHistoryId"),
        ("?startHistoryId=x&startHistoryId=y", "startHistoryId"),
        ("?startHistoryId=1&maxResults=x", "maxResults"),
    ] {
        let response = desk.get(&format!("/users/me/history{query}")).await;
        assert_eq!(response.status, 400, "{query}: {}", response.body);
        response.assert_location(location);
    }
}

#[tokio::test]
async fn a_label_selects_all_changes_of_its_messages() {
    let desk = TestService::open().await;
    let one = desk.insert(&plain("a"), &["INBOX"]).await;
    let two = desk.insert(&plain("b"), &["SENT"]).await;
    let start = desk.history_id().await;
    let change = json!({ "ids": [one, two], "addLabelIds": ["STARRED"], "removeLabelIds": ["INBOX"] });
    desk.post("/users/me/messages/batchModify", change).await;
    for (query, added, removed) in [
        ("labelId=INBOX", vec![one.clone()], vec![one.clone()]),
        ("labelId=STARRED", vec![one.clone(), two.clone()], vec![one.clone()]),
        ("labelId=SENT", vec![two.clone()], vec![]),
        ("labelId=INBOX&historyTypes=labelAdded", vec![one.clone()], vec![]),
        ("labelId=INBOX&historyTypes=labelRemoved", vec![], vec![one.clone()]),
    ] {
        let page = desk.get(&format!("/users/me/history?startHistoryId={start}&{query}")).await.ok().clone();
        let changed = |member: &str| {
            let changes = page["history"][0][member].as_array().cloned().unwrap_or_default();
            changes.iter().map(|one| one["message"]["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!((changed("labelsAdded"), changed("labelsRemoved")), (added, removed), "{query}: {page}");
    }
}
