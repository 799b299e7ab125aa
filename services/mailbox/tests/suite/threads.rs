//! Tests of threads.

use serde_json::json;

use crate::desk::{TestService, data, encoded, ids, mail};

const THREADS: &str = "/users/me/threads";

/// Stores a message in a thread, or in a new one; returns its identifier and that of the thread.
async fn insert(desk: &TestService, subject: &str, labels: &[&str], thread: Option<&str>) -> (String, String) {
    let raw = format!("From: Cy <cy@example.org>\r\nSubject: {subject}\r\n\r\nText of {subject}.\r\n");
    let mut body = mail(raw.as_bytes(), labels);
    body["threadId"] = json!(thread);
    let stored = desk.post("/users/me/messages", body).await.ok().clone();
    desk.clock.advance(std::time::Duration::from_secs(1));
    (stored["id"].as_str().unwrap().to_owned(), stored["threadId"].as_str().unwrap().to_owned())
}

/// Lists all pages; returns the identifiers of the threads.
async fn list(desk: &TestService, query: &str) -> Vec<String> {
    let (mut found, mut token) = (Vec::new(), String::new());
    loop {
        let page = desk.get(&format!("{THREADS}?{query}{token}")).await.ok().clone();
        found.extend(ids(&page["threads"]));
        let Some(next) = page["nextPageToken"].as_str() else { return found };
        token = format!("&pageToken={next}");
    }
}

/// Three threads whose messages alternate: `a`, `b`, `c`, `a`, `b`, `a`.
async fn alternating() -> (TestService, [String; 3]) {
    let desk = TestService::open().await;
    let mut threads: [Option<String>; 3] = [None, None, None];
    for (number, place) in [0, 1, 2, 0, 1, 0].into_iter().enumerate() {
        let labels: &[&str] = if number == 1 { &["INBOX", "STARRED"] } else { &["INBOX"] };
        let (_, thread) = insert(&desk, &format!("word{number}"), labels, threads[place].as_deref()).await;
        threads[place] = Some(thread);
    }
    (desk, threads.map(Option::unwrap))
}

#[tokio::test]
async fn each_thread_is_listed_once_on_all_pages() {
    let (desk, [a, b, c]) = alternating().await;
    for size in [1, 2, 3, 100] {
        assert_eq!(list(&desk, &format!("maxResults={size}")).await, [a.clone(), b.clone(), c.clone()], "{size}");
        let found = list(&desk, &format!("maxResults={size}&q={}", encoded("word1 OR word0 OR word2"))).await;
        assert_eq!(found, [c.clone(), b.clone(), a.clone()], "{size}");
        assert_eq!(list(&desk, &format!("maxResults={size}&labelIds=STARRED")).await, [b.clone()], "{size}");
    }
}

#[tokio::test]
async fn a_thread_has_its_messages_the_oldest_first() {
    let (desk, [a, ..]) = alternating().await;
    let page = desk.get(THREADS).await.ok().clone();
    let listed = &page["threads"][0];
    let found = desk.get(&format!("{THREADS}/{a}")).await.ok().clone();
    assert_eq!(
        (&found["id"], &found["historyId"], &found["snippet"]),
        (&listed["id"], &listed["historyId"], &listed["snippet"])
    );
    assert!(found["id"] == json!(a) && listed.get("messages").is_none());
    let messages = found["messages"].as_array().unwrap();
    let snippets: Vec<_> = messages.iter().map(|message| message["snippet"].as_str().unwrap()).collect();
    assert_eq!(snippets, ["Text of word0.", "Text of word3.", "Text of word5."]);
    assert_eq!(found["snippet"], "Text of word5.");
    let largest = messages.iter().map(|message| message["historyId"].as_str().unwrap().parse::<u64>().unwrap()).max();
    assert_eq!(found["historyId"], largest.unwrap().to_string());
    assert_eq!(data(&messages[1]["payload"]["body"]["data"]), b"Text of word3.\r\n");
    for message in messages {
        let alone = desk.get(&format!("/users/me/messages/{}", message["id"].as_str().unwrap())).await.ok().clone();
        assert_eq!(*message, alone);
    }
    let metadata = desk.get(&format!("{THREADS}/{a}?format=metadata&metadataHeaders=subject")).await.ok().clone();
    let headers = json!([{ "name": "Subject", "value": "word0" }]);
    assert_eq!(metadata["messages"][0]["payload"]["headers"], headers);
    let minimal = desk.get(&format!("{THREADS}/{a}?format=minimal")).await.ok().clone();
    assert!(minimal["messages"][0].get("payload").is_none() && minimal["messages"][0]["snippet"].is_string());
    let masked = desk.get(&format!("{THREADS}/{a}?fields=messages/id")).await.ok().clone();
    assert_eq!(masked["messages"].as_array().unwrap().len(), 3);
    let start = format!("/users/me/history?startHistoryId={}", found["historyId"].as_str().unwrap());
    assert!(desk.get(&start).await.ok().get("history").is_none());
}

#[tokio::test]
async fn large_messages_of_a_thread_are_streamed() {
    let desk = TestService::open().await;
    let text = "0123456789".repeat(40 << 10);
    let (_, thread) = insert(&desk, "small", &[], None).await;
    for _ in 0..2 {
        let mut body = mail(format!("Subject: large\r\n\r\n{text}").as_bytes(), &[]);
        body["threadId"] = json!(thread);
        desk.post("/users/me/messages", body).await.ok();
    }
    let found = desk.get(&format!("{THREADS}/{thread}")).await.ok().clone();
    for place in [1, 2] {
        assert!(data(&found["messages"][place]["payload"]["body"]["data"]) == text.as_bytes());
    }
    assert_eq!(desk.budget.held(), 0);
    assert!(desk.budget.peak() < 8 << 20, "{}", desk.budget.peak());
}

#[tokio::test]
async fn trash_and_spam_are_listed_if_requested() {
    let desk = TestService::open().await;
    let (_, shown) = insert(&desk, "shown", &["INBOX"], None).await;
    let (_, trashed) = insert(&desk, "trashed", &["TRASH"], None).await;
    assert_eq!(list(&desk, "").await, [shown.clone()]);
    assert_eq!(list(&desk, "includeSpamTrash=true").await, [trashed.clone(), shown]);
    assert_eq!(list(&desk, "q=in:trash").await, [trashed.clone()]);
    desk.get(&format!("{THREADS}/{trashed}")).await.ok();
}

#[tokio::test]
async fn a_token_for_metadata_shows_no_text_of_threads() {
    let (desk, [a, ..]) = alternating().await;
    let desk = desk.with_token("ana/mail.metadata");
    desk.get(&format!("{THREADS}?q=x")).await.assert_error(403, "PERMISSION_DENIED", "forbidden", "q");
    desk.get(&format!("{THREADS}/{a}")).await.assert_error(403, "PERMISSION_DENIED", "forbidden", "full");
    let page = desk.get(THREADS).await.ok().clone();
    let found = desk.get(&format!("{THREADS}/{a}?format=metadata")).await.ok().clone();
    for value in [&page, &found] {
        assert!(!value.to_string().contains("snippet"), "{value}");
    }
    assert_eq!(found["messages"][0]["payload"]["headers"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn threads_that_do_not_exist() {
    let desk = TestService::open().await;
    let missing = desk.get(&format!("{THREADS}/00000000000000aa")).await;
    missing.assert_error(404, "NOT_FOUND", "notFound", "00000000000000aa");
    let invalid = desk.get(&format!("{THREADS}/x")).await;
    invalid.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "x");
    invalid.assert_location("id");
    let (id, thread) = insert(&desk, "gone", &[], None).await;
    desk.get(&format!("{THREADS}/{thread}?format=raw")).await.assert_location("format");
    desk.delete(&format!("/users/me/messages/{id}")).await;
    desk.get(&format!("{THREADS}/{thread}")).await.assert_error(404, "NOT_FOUND", "notFound", &thread);
}

#[tokio::test]
async fn the_newest_messages_of_a_long_thread_are_returned() {
    let desk = TestService::open().await;
    let (first, thread) = insert(&desk, "first", &[], None).await;
    for number in 0..500 {
        insert(&desk, &number.to_string(), &[], Some(&thread)).await;
    }
    let found = desk.get(&format!("{THREADS}/{thread}?format=minimal")).await.ok().clone();
    assert_eq!(found["messages"].as_array().unwrap().len(), 500);
    assert_eq!(
        (found["messages"][0]["snippet"].as_str(), found["snippet"].as_str()),
        (Some("Text of 0."), Some("Text of 499."))
    );
    assert_ne!(found["messages"][0]["id"], first);
}

#[tokio::test]
async fn a_thread_with_too_much_text_is_refused() {
    let desk = TestService::open().await;
    let headers: String = (0..200).map(|number| format!("X-{number}: {}\r\n", "x".repeat(15_000))).collect();
    let mut thread = None;
    for _ in 0..4 {
        let mut body = mail(format!("{headers}\r\ntext").as_bytes(), &[]);
        body["threadId"] = json!(thread);
        thread = desk.post("/users/me/messages", body).await.ok()["threadId"].as_str().map(str::to_owned);
    }
    let path = format!("{THREADS}/{}", thread.unwrap());
    let refused = desk.get(&path).await;
    refused.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "minimal");
    refused.assert_location("format");
    assert_eq!(desk.get(&format!("{path}?format=minimal")).await.ok()["messages"].as_array().unwrap().len(), 4);
    assert_eq!(desk.budget.held(), 0);
}
