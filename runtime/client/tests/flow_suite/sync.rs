//! Changes since an earlier response.

use std::collections::HashSet;
use std::sync::Mutex;

use crate::common::*;
use serde_json::json;
use wireform_client::{Call, Changes, Client, ErrorKind, RetryPolicy, SyncError, SyncEvent, Syncable};

/// Responds with two pages of changes since `s1`, and with all items in two pages without a sync token.
fn calendar(seen: &Seen) -> Reply {
    ok(match (seen.query("syncToken"), seen.query("pageToken")) {
        (Some("s1"), None) => json!({ "items": [{ "id": "a" }, { "id": "b" }], "nextPageToken": "p" }),
        (Some("s1"), Some("p")) => json!({ "items": [{ "id": "c" }], "nextSyncToken": "s2" }),
        (None, None) => json!({ "items": [{ "id": "x" }], "nextPageToken": "q" }),
        (None, Some("q")) => json!({ "items": [{ "id": "y" }], "nextSyncToken": "s9" }),
        (Some("old"), _) => return error(410, "fullSyncRequired", None),
        _ => return error(400, "invalid", None),
    })
}

fn list(client: &Client) -> Call<List> {
    client.call(List::default())
}

fn since(server: &Server, cursor: &str) -> Changes<List> {
    ListChangesCall { call: list(&server.client()) }.since(cursor.to_owned())
}

fn history(server: &Server, user: &str) -> Changes<Changed> {
    let call = server.client().call(Changed { user: user.to_owned(), ..Changed::default() });
    HistoryCall { call }.since(7)
}

/// Returns whether a full sync is required, and the error.
fn failed<T>(outcome: Result<T, SyncError<Failed>>) -> (bool, String) {
    match outcome {
        Ok(_) => panic!("it should fail"),
        Err(error) => (matches!(error, SyncError::FullSyncRequired(_)), error.to_string()),
    }
}

#[tokio::test]
async fn changes_come_page_by_page_and_end_in_the_cursor() {
    let server = Server::new(calendar);
    let mut changes = since(&server, "s1");
    let mut events = Vec::new();
    while let Some(event) = changes.next().await {
        events.push(match event.unwrap() {
            SyncEvent::Change(thing) => thing.id.unwrap(),
            SyncEvent::Done(cursor) => format!("done {cursor}"),
        });
    }
    assert_eq!(events, ["a", "b", "c", "done s2"]);
    assert!(changes.next().await.is_none() && changes.page_token().is_none());
    assert_eq!(server.queries("syncToken"), [Some("s1".into()), Some("s1".into())], "the cursor stays");
    assert_eq!(server.queries("pageToken"), [None, Some("p".into())]);
}

#[tokio::test]
async fn everything_ends_in_a_cursor_too() {
    let server = Server::new(calendar);
    let stale = List { page: Some("of another listing".into()), cursor: Some("s1".into()) };
    let all = ListChangesCall { call: server.client().call(stale) }.from_start();
    let (things, cursor) = all.collect().await.unwrap();
    assert_eq!((ids(&things), cursor.as_str()), (vec!["x", "y"], "s9"));
}

#[tokio::test]
async fn an_item_may_hold_several_changes_and_a_page_none() {
    let server = Server::new(|seen| {
        ok(match seen.query("pageToken") {
            None => {
                json!({ "history": [{ "added": ["1", "2"], "removed": ["0"] }], "nextPageToken": "p", "historyId": 8 })
            }
            Some("p") => json!({ "nextPageToken": "q" }),
            _ => json!({ "history": [{ "removed": ["1"] }, {}], "historyId": 9 }),
        })
    });
    let (changes, cursor) = history(&server, "me").collect().await.unwrap();
    let (added, removed) = (|id: &str| Change::Added(id.into()), |id: &str| Change::Removed(id.into()));
    assert_eq!(changes, [added("1"), added("2"), removed("0"), removed("1")]);
    assert_eq!(cursor, 9, "the cursor is that of the last page");
    assert_eq!(server.queries("start"), vec![Some("7".to_owned()); 3]);
}

#[tokio::test]
async fn expired_token_requires_a_full_sync() {
    let server = Server::new(calendar);
    let mut changes = since(&server, "old");
    let error = changes.next().await.unwrap().unwrap_err();
    assert!(matches!(&error, SyncError::FullSyncRequired(error) if error.reason() == Some("fullSyncRequired")));
    assert_eq!(error.error().status(), Some(410));
    assert!(changes.next().await.is_none());
    assert_eq!(error.into_error().status(), Some(410));
}

#[tokio::test]
async fn other_errors_do_not_require_a_full_sync() {
    for (status_code, reason, expired) in
        [(410, "fullSyncRequired", true), (410, "updatedMinTooLongAgo", false), (400, "fullSyncRequired", false)]
    {
        let server = Server::new(move |_| error(status_code, reason, None));
        assert_eq!(failed(since(&server, "s1").collect().await).0, expired, "{status_code} {reason}");
    }
    let server = Server::new(|_| status(410));
    assert!(failed(since(&server, "s1").collect().await).0, "an error without a reason does not require a full sync");
}

#[tokio::test]
async fn location_distinguishes_expiry_from_unknown_user() {
    for (location, expired) in [
        (Some("start"), true),
        (Some("startHistoryId"), true),
        (None, true),
        (Some("user"), false),
        (Some("userId"), false),
    ] {
        let server = Server::new(move |_| error(404, "notFound", location));
        let (full, message) = failed(history(&server, "someone").collect().await);
        assert_eq!(full, expired, "{location:?}");
        assert!(message.contains("404 notFound"), "{message}");
    }
}

#[tokio::test]
async fn without_a_cursor_nothing_can_have_expired() {
    let server = Server::new(|_| error(410, "fullSyncRequired", None));
    let all = ListChangesCall { call: list(&server.client()) }.from_start();
    assert!(!failed(all.collect().await).0);
}

#[tokio::test]
async fn a_last_page_without_a_cursor_is_an_error() {
    let server = Server::new(|seen| {
        ok(match seen.query("pageToken") {
            None => json!({ "items": [{ "id": "a" }], "nextPageToken": "p", "nextSyncToken": "too early" }),
            _ => json!({ "items": [{ "id": "b" }] }),
        })
    });
    let mut changes = since(&server, "s1");
    assert!(matches!(changes.next().await.unwrap().unwrap(), SyncEvent::Change(_)));
    let error = changes.next().await.unwrap().unwrap_err().into_error();
    assert!(matches!(error.kind(), ErrorKind::Protocol(text) if text.contains("nextSyncToken")), "{error}");
    assert!(changes.next().await.is_none());
    assert_eq!(changes.page_token(), Some("p"), "that page can be requested again");
}

#[tokio::test]
async fn stream_resumes_at_a_page_token() {
    let server = Server::new(calendar);
    let mut changes = since(&server, "s1");
    let mut tokens = Vec::new();
    while let Some(event) = changes.next().await {
        event.unwrap();
        tokens.push(changes.page_token().map(str::to_owned));
    }
    assert_eq!(tokens, [None, None, Some("p".to_owned()), None]);
    let (rest, cursor) = since(&server, "s1").from_token("p").collect().await.unwrap();
    assert_eq!((ids(&rest), cursor.as_str()), (vec!["c"], "s2"));
    assert_eq!(server.seen()[2].query("syncToken"), Some("s1"));
}

#[tokio::test]
async fn loops_and_bounds_are_those_of_pages() {
    let server = Server::new(|_| ok(json!({ "items": [{ "id": "a" }], "nextPageToken": "p" })));
    let (full, message) = failed(since(&server, "s1").collect().await);
    assert!(!full && message.contains("`p`"), "{message}");
    assert_eq!(server.seen().len(), 2);

    let mut changes = since(&Server::new(calendar), "s1").max_pages(1);
    let mut seen = 0;
    while let Some(event) = changes.next().await {
        assert!(matches!(event.unwrap(), SyncEvent::Change(_)));
        seen += 1;
    }
    assert_eq!((seen, changes.page_token()), (2, Some("p")));
    let (_, message) = failed(since(&Server::new(calendar), "s1").max_pages(1).collect().await);
    assert!(message.contains("maximum number of pages"), "{message}");
}

#[tokio::test]
async fn selection_includes_required_fields() {
    let server = Server::new(calendar);
    let mut call = list(&server.client());
    call.options_mut().fields = Some("items(id)".to_owned());
    Changes::new(call, Some("s1".to_owned())).collect().await.unwrap();
    assert_eq!(server.queries("fields"), vec![Some("items(id),nextPageToken,nextSyncToken".to_owned()); 2]);
}

#[tokio::test(start_paused = true)]
async fn each_page_is_repeated_by_itself() {
    let failures = Mutex::new(HashSet::new());
    let flaky = Server::new(move |seen| {
        let first = failures.lock().unwrap().insert(seen.query("pageToken").map(str::to_owned));
        if first { status(503) } else { calendar(seen) }
    });
    let call = list(&flaky.client_with(RetryPolicy::default()));
    let (things, _) = Changes::new(call, Some("s1".to_owned())).collect().await.unwrap();
    assert_eq!((ids(&things), flaky.seen().len()), (vec!["a", "b", "c"], 4));
}

#[cfg(feature = "blocking")]
#[test]
fn an_iterator_reads_changes_too() {
    let server = Server::new(calendar);
    let events: Vec<_> = since(&server, "s1").into_blocking().collect::<Result<_, _>>().unwrap();
    assert_eq!(events.len(), 4);
    assert_eq!(events[3], SyncEvent::Done("s2".to_owned()));
    let mut expired = since(&server, "old").into_blocking();
    assert!(matches!(expired.next(), Some(Err(SyncError::FullSyncRequired(_)))));
    assert!(expired.next().is_none());
}

#[test]
fn changes_can_be_sent_and_moved() {
    fn check<S: futures_core::Stream + Send + Unpin + std::fmt::Debug>(_: &S) {}
    /// Compiles for any request that can be synchronized.
    fn check_all<R: Syncable>(call: Call<R>) {
        check(&Changes::new(call, None));
    }
    check_all(list(&Server::new(calendar).client()));
}
