//! Tests of listing and searching messages.

use std::time::Duration;

use serde_json::json;

use crate::desk::{TestService, encoded, ids, plain};

#[tokio::test]
async fn lists_come_in_pages_the_newest_first() {
    let desk = TestService::open().await;
    let mut all = Vec::new();
    for number in 0..7 {
        desk.clock.advance(Duration::from_secs(1));
        all.insert(0, desk.insert(&plain(&number.to_string()), &["INBOX"]).await);
    }
    let mut found = Vec::new();
    let mut token = String::new();
    for size in [1, 2, 3, 500] {
        let response = desk.get(&format!("/users/me/messages?maxResults={size}{token}")).await;
        let page = response.ok();
        assert!(page["resultSizeEstimate"].as_u64().unwrap() >= 1);
        let members: Vec<_> = page["messages"][0].as_object().unwrap().keys().cloned().collect();
        assert_eq!(members, ["id", "threadId"]);
        found.extend(ids(&page["messages"]));
        match page.get("nextPageToken") {
            Some(next) => token = format!("&pageToken={}", next.as_str().unwrap()),
            None => break,
        }
    }
    assert_eq!(found, all);
}

#[tokio::test]
async fn pages_have_five_hundred_entries_at_the_most() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    for _ in 0..501 {
        desk.insert("Subject: a\r\n\r\n", &["INBOX"]).await;
    }
    let lists = [("messages?", "messages"), (&format!("history?startHistoryId={start}&"), "history")];
    for (path, entries) in lists {
        for (parameters, expected) in [("", 100), ("maxResults=1", 1), ("maxResults=500", 500), ("maxResults=501", 500)]
        {
            let page = desk.get(&format!("/users/me/{path}{parameters}")).await;
            assert_eq!(page.ok()[entries].as_array().map(Vec::len), Some(expected), "{path}{parameters}");
            assert!(page.ok()["nextPageToken"].is_string());
        }
    }
}

#[tokio::test]
async fn a_page_token_is_valid_only_for_its_request() {
    let desk = TestService::open().await;
    for number in 0..3 {
        desk.insert(&plain(&number.to_string()), &["INBOX"]).await;
    }
    let response = desk.get("/users/me/messages?maxResults=1&labelIds=INBOX").await;
    let token = response.ok()["nextPageToken"].as_str().unwrap().to_owned();
    desk.get(&format!("/gmail/v1/users/me/messages?labelIds=INBOX&pageToken={token}")).await.ok();
    for query in [
        format!("pageToken={token}"),
        format!("labelIds=INBOX&q=x&pageToken={token}"),
        "pageToken=odd".into(),
        format!("labelIds=INBOX&pageToken={token}x"),
    ] {
        let response = desk.get(&format!("/users/me/messages?{query}")).await;
        response.assert_error(400, "INVALID_ARGUMENT", "invalid", "page");
        response.assert_location("pageToken");
    }
    let other = desk.with_token("ben/mail").get(&format!("/users/me/messages?labelIds=INBOX&pageToken={token}")).await;
    other.assert_error(400, "INVALID_ARGUMENT", "invalid", "page");
}

#[tokio::test]
async fn words_are_found_where_they_stand() {
    let desk = TestService::open().await;
    let one = desk.insert("From: Zoë <zoe@x.org>\r\nTo: ana@example.com\r\nSubject: Lunch tomorrow\r\nMessage-ID: <one@x>\r\n\r\nAt the old mill\r\n", &["INBOX", "UNREAD"]).await;
    let two =
        desk.insert("From: bo@x.org\r\nCc: zoe@x.org\r\nSubject: Report\r\n\r\nlunch was good\r\n", &["STARRED"]).await;
    let cases: &[(&str, &[&String])] = &[
        ("lunch", &[&one, &two]),
        ("LUNCH -report", &[&one]),
        ("from:zoë", &[&one]),
        ("to:zoe", &[&two]),
        ("subject:lunch", &[&one]),
        ("\"old mill\"", &[&one]),
        ("\"mill old\"", &[]),
        ("subject:(lunch OR report) is:unread", &[&one]),
        ("{is:unread is:starred}", &[&one, &two]),
        ("is:read", &[&two]),
        ("in:inbox", &[&one]),
        ("rfc822msgid:<one@x>", &[&one]),
        ("larger:1M", &[]),
        ("smaller:1M", &[&one, &two]),
        ("newer_than:1d", &[&one, &two]),
        ("older_than:1d", &[]),
        ("after:2026/02/28 before:2026/03/02", &[&one, &two]),
        ("has:attachment", &[]),
        ("label:nowhere", &[]),
        ("nothing", &[]),
        ("'; DROP TABLE messages; --", &[]),
        ("100%", &[]),
        ("%", &[]),
        ("_", &[]),
    ];
    for (query, expected) in cases {
        let mut found = desk.find(query).await;
        found.sort();
        let mut expected: Vec<String> = expected.iter().map(|id| (*id).clone()).collect();
        expected.sort();
        assert_eq!(found, expected, "`{query}`");
    }
}

#[tokio::test]
async fn words_are_found_however_their_letters_and_lines_are_written() {
    let desk = TestService::open().await;
    let raw = "Subject: =?utf-8?q?=CE=9F=CE=94=CE=9F=CE=A3?=\r\n\r\nthe end of a\r\n  line\r\n";
    let id = desk.insert(raw, &[]).await;
    for query in ["\"of a line\"", "\"of  a line\"", "ΟΔΟΣ", "οδος"] {
        assert_eq!(desk.find(query).await, [id.clone()], "`{query}`");
    }
    assert!(desk.find("\"aline\"").await.is_empty());
}

#[tokio::test]
async fn labels_are_found_by_identifier_and_by_name() {
    let desk = TestService::open().await;
    let own = desk.label("Travel/New York").await;
    let id = desk.insert(&plain("a"), &["INBOX", &own]).await;
    desk.insert(&plain("b"), &["INBOX"]).await;
    assert_eq!(desk.find("label:travel-new-york").await, [id.clone()]);
    assert_eq!(desk.find("has:userlabels").await, [id.clone()]);
    let response = desk.get(&format!("/users/me/messages?labelIds=INBOX&labelIds={own}")).await;
    assert_eq!(ids(&response.ok()["messages"]), [id]);
    for label in ["Label_99", "inbox", "Travel"] {
        let response = desk.get(&format!("/users/me/messages?labelIds={label}")).await;
        response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", label);
        response.assert_location("labelIds");
    }
}

#[tokio::test]
async fn the_trash_and_what_is_unwanted_are_shown_where_they_are_asked_for() {
    let desk = TestService::open().await;
    let kept = desk.insert(&plain("a"), &["INBOX"]).await;
    let trash = desk.insert(&plain("b"), &["TRASH"]).await;
    let spam = desk.insert(&plain("c"), &["SPAM"]).await;
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    let listed =
        async |query: &str| sorted(ids(&desk.get(&format!("/users/me/messages?{query}")).await.ok()["messages"]));
    assert_eq!(listed("").await, [kept.clone()]);
    assert_eq!(listed("q=text").await, [kept.clone()]);
    let all = sorted(vec![kept.clone(), trash.clone(), spam.clone()]);
    assert_eq!(listed("includeSpamTrash=true").await, all);
    assert_eq!(listed(&format!("q={}", encoded("in:anywhere text"))).await, all);
    assert_eq!(listed("labelIds=TRASH").await, [trash.clone()]);
    assert_eq!(listed(&format!("q={}", encoded("in:spam"))).await, [spam.clone()]);
    assert_eq!(listed(&format!("q={}", encoded("in:trash OR subject:a"))).await, sorted(vec![kept, trash]));
}

#[tokio::test]
async fn a_search_that_is_too_much_is_refused() {
    let desk = TestService::open().await;
    for query in ["x".repeat(2049), "a ".repeat(101), "(".repeat(40)] {
        let response = desk.get(&format!("/users/me/messages?q={}", encoded(&query))).await;
        response.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "at most");
        response.assert_location("q");
    }
    let response = desk.get("/users/me/messages?q=x").await;
    assert_eq!(*response.ok(), json!({ "resultSizeEstimate": 0 }));
}
