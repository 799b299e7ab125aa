//! Incremental synchronization of a calendar.

use std::convert::Infallible;

use calendar_client::fields;
use calendar_client::requests::EventsList;
use calendar_client::types::{Event, EventType};
use wireform_client::{SyncError, SyncEvent, SyncMode, SyncReport, SyncRunError, SyncStore};

use super::{in_turn, pages, parameters, texts};
use crate::calls::Kind;
use crate::clients::{Harness, Setup, TransportKind};
use crate::server::{error, json};

const FIRST: &str = r#"{"items":[{"id":"first"},{"id":"second"}],"nextPageToken":"2"}"#;
const LAST: &str = r#"{"items":[{"id":"third","status":"cancelled"}],"nextSyncToken":"next cursor+/="}"#;

async fn start(bodies: &[&str]) -> Harness {
    Setup::new(TransportKind::InProcess).start(pages(bodies.iter().copied())).await
}

fn ids(events: &[Event]) -> Vec<&str> {
    events.iter().filter_map(|event| event.id.as_deref()).collect()
}

#[tokio::test]
async fn changes_come_in_order_and_end_in_the_cursor() {
    let harness = start(&[FIRST, LAST]).await;
    let mut changes = harness.clients.calendar.events().list_changes("primary").since("a&b+c".to_owned());
    let mut seen = Vec::new();
    while let Some(event) = changes.next().await {
        seen.push(match event.expect("no error") {
            SyncEvent::Change(event) => event.id.expect("an id"),
            SyncEvent::Done(cursor) => format!("done: {cursor}"),
        });
    }
    assert_eq!(seen, ["first", "second", "third", "done: next cursor+/="]);
    let requests = harness.log.take();
    assert_eq!(parameters(&requests, "syncToken"), texts([Some("a&b+c"), Some("a&b+c")]));
    assert_eq!(parameters(&requests, "pageToken"), texts([None, Some("2")]));
}

#[tokio::test]
async fn everything_is_listed_without_a_cursor() {
    let harness = start(&[FIRST, LAST]).await;
    let call = harness.clients.calendar.events().list_changes("primary").show_deleted().single_events(true);
    let (changes, cursor) = call.event_types([EventType::Default]).from_start().collect().await.expect("all changes");
    assert_eq!((ids(&changes), cursor.as_str()), (vec!["first", "second", "third"], "next cursor+/="));
    let requests = harness.log.take();
    assert_eq!(parameters(&requests, "syncToken"), texts([None, None]));
    for name in ["showDeleted", "singleEvents"] {
        assert_eq!(parameters(&requests, name), texts([Some("true"), Some("true")]), "{name}");
    }
}

/// Each error response and whether it requires a full sync.
#[tokio::test]
async fn an_expired_cursor_differs_from_other_errors() {
    let table = [
        (410, Some("fullSyncRequired"), true),
        (410, None, true),
        (410, Some("updatedMinTooLongAgo"), false),
        (400, Some("fullSyncRequired"), false),
        (404, Some("notFound"), false),
        (500, None, false),
    ];
    for (status, reason, expired) in table {
        for bodies in [&[][..], &[FIRST]] {
            let responses = bodies.iter().map(|body| json(200, *body)).chain([error(status, reason, None)]);
            let harness = Setup::new(TransportKind::InProcess).start(in_turn(responses.collect::<Vec<_>>())).await;
            let changes = harness.clients.calendar.events().list_changes("primary").since("old".into());
            let failed = changes.collect().await.expect_err("an error");
            assert_eq!(matches!(failed, SyncError::FullSyncRequired(_)), expired, "{status} {reason:?}");
            assert_eq!(failed.error().status(), Some(status));
        }
    }
}

/// A full sync has no sync token that could have expired.
#[tokio::test]
async fn a_full_sync_never_requires_another_one() {
    let harness = Setup::new(TransportKind::InProcess).start(|_| error(410, Some("fullSyncRequired"), None)).await;
    let failed = harness.clients.calendar.events().list_changes("primary").from_start().collect().await;
    assert!(matches!(failed, Err(SyncError::Call(_))), "{failed:?}");
}

#[tokio::test]
async fn a_last_page_without_a_cursor_is_an_error() {
    let harness = start(&[FIRST, r#"{"items":[]}"#]).await;
    let failed = harness.clients.calendar.events().list_changes("primary").since("old".into()).collect().await;
    let failed = failed.map(drop).expect_err("a missing cursor");
    assert_eq!(crate::calls::kind(failed.error().kind()), Kind::Protocol, "{failed}");
}

/// Resuming from a sync token before the last page would lose the remaining pages.
#[tokio::test]
async fn a_cursor_before_the_last_page_is_ignored() {
    let early = r#"{"items":[{"id":"first"}],"nextPageToken":"2","nextSyncToken":"early"}"#;
    let harness = start(&[early, LAST]).await;
    let done = harness.clients.calendar.events().list_changes("primary").since("old".into()).collect().await;
    let (changes, cursor) = done.expect("all changes");
    assert_eq!((ids(&changes), cursor.as_str()), (vec!["first", "third"], "next cursor+/="));
}

/// A mask without the sync token would end every synchronization with an error.
#[tokio::test]
async fn fields_for_synchronization_are_selected_too() {
    let harness = start(&[FIRST, LAST]).await;
    let call = harness.clients.calendar.events().list_changes("primary");
    let mask = [fields::Events::ITEMS.select([fields::Event::ID, fields::Event::STATUS])];
    let (changes, _) = call.fields(mask).since("old".into()).collect().await.expect("all changes");
    assert_eq!(changes.len(), 3);
    let mask = Some("items(id,status),nextPageToken,nextSyncToken");
    assert_eq!(parameters(&harness.log.take(), "fields"), texts([mask, mask]));
}

/// A store that records the calls of its methods.
#[derive(Default)]
struct RecordingStore {
    cursor: Option<String>,
    calls: Vec<String>,
}

impl SyncStore<EventsList> for RecordingStore {
    type Error = Infallible;

    async fn cursor(&mut self) -> Result<Option<String>, Infallible> {
        Ok(self.cursor.clone())
    }

    async fn begin(&mut self, run: SyncMode) -> Result<(), Infallible> {
        self.calls.push(format!("begin {run:?}"));
        Ok(())
    }

    async fn apply(&mut self, changes: Vec<Event>) -> Result<(), Infallible> {
        self.calls.push(ids(&changes).join(" "));
        Ok(())
    }

    async fn commit(&mut self, cursor: String) -> Result<(), Infallible> {
        self.calls.push(format!("commit {cursor}"));
        self.cursor = Some(cursor);
        Ok(())
    }
}

#[tokio::test]
async fn a_store_is_synchronized() {
    let responses = [json(200, FIRST), json(200, LAST), json(200, r#"{"nextSyncToken":"later"}"#)];
    let harness = Setup::new(TransportKind::InProcess).start(in_turn(responses)).await;
    let mut store = RecordingStore::default();
    let call = || harness.clients.calendar.events().list_changes("primary");
    let report = call().synchronize(&mut store).await.expect("a full run");
    assert_eq!((report.full, report.changes, report.pages), (true, 3, 2));
    let report = call().synchronize(&mut store).await.expect("an incremental run");
    assert_eq!((report.full, report.changes, report.pages), (false, 0, 1));
    let expected =
        ["begin Full", "first second", "third", "commit next cursor+/=", "begin Changes", "", "commit later"];
    assert_eq!(store.calls, expected);
    assert_eq!(parameters(&harness.log.take(), "syncToken"), texts([None, None, Some("next cursor+/=")]));
}

#[tokio::test]
async fn an_expired_cursor_starts_a_full_sync() {
    let responses = [error(410, Some("fullSyncRequired"), None), json(200, FIRST), json(200, LAST)];
    let harness = Setup::new(TransportKind::InProcess).start(in_turn(responses)).await;
    let mut store = RecordingStore { cursor: Some("old".into()), ..RecordingStore::default() };
    let report = harness.clients.calendar.events().list_changes("primary").synchronize(&mut store).await;
    assert!(matches!(report, Ok(SyncReport { full: true, .. })), "{report:?}");
    assert_eq!(store.calls, ["begin Changes", "begin Full", "first second", "third", "commit next cursor+/="]);
    assert_eq!(parameters(&harness.log.take(), "syncToken"), texts([Some("old"), None, None]));
}

/// The next run resumes from the old sync token.
#[tokio::test]
async fn an_incomplete_run_commits_nothing() {
    let responses = [json(200, FIRST), error(403, None, None)];
    let harness = Setup::new(TransportKind::InProcess).start(in_turn(responses)).await;
    let mut store = RecordingStore { cursor: Some("old".into()), ..RecordingStore::default() };
    let failed = harness.clients.calendar.events().list_changes("primary").synchronize(&mut store).await;
    assert!(matches!(&failed, Err(SyncRunError::Call(error)) if error.is_forbidden()), "{failed:?}");
    assert_eq!(
        (store.cursor.as_deref(), store.calls),
        (Some("old"), vec!["begin Changes".into(), "first second".into()])
    );
}
