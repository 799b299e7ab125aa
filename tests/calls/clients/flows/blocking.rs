//! Calls from programs without an async runtime.

use calendar_client::types::Event;
use wireform_client::transport::in_process;
use wireform_client::{SyncError, SyncEvent};

use super::pages;
use crate::clients::{Clients, Setup, TransportKind};
use crate::server::{Log, error, json, router};

fn clients(
    respond: impl Fn(&crate::server::RecordedRequest) -> axum::response::Response + Send + Sync + 'static,
) -> (Clients, Log) {
    let log = Log::default();
    let app = router(std::sync::Arc::new(respond), log.clone());
    (Setup::new(TransportKind::InProcess).clients_with(in_process(app)), log)
}

const FIRST: &str = r#"{"items":[{"id":"a"},{"id":"b"}],"nextPageToken":"2"}"#;
const LAST: &str = r#"{"items":[{"id":"c"}],"nextSyncToken":"next"}"#;

#[test]
fn calls_and_their_errors() {
    let (clients, log) =
        clients(|request| if request.method == "GET" { json(200, "{}") } else { error(409, Some("duplicate"), None) });
    assert!(clients.calendar.events().get("primary", "abc").send_blocking().is_ok());
    assert!(clients.mailbox.users().history().list("me", 1).send_blocking().is_ok());
    assert!(clients.script.processes().list().send_blocking().is_ok());
    let failed = clients.calendar.events().insert("primary", Event::default()).send_blocking();
    assert!(failed.is_err_and(|error| error.is_conflict() && error.reason() == Some("duplicate")));
    assert_eq!(log.take().len(), 4);
}

#[test]
fn lists_are_iterators() {
    let (clients, log) = clients(pages([FIRST, LAST]));
    let mut items = clients.calendar.events().list("primary").items().into_blocking();
    let first: Vec<_> = items.by_ref().take(2).map(|item| item.expect("an item").id).collect();
    assert_eq!((first, log.take().len()), (vec![Some("a".into()), Some("b".into())], 1));
    assert_eq!(items.map(|item| item.expect("an item").id).collect::<Vec<_>>(), [Some("c".into())]);
}

#[test]
fn changes_are_an_iterator_too() {
    let (clients, _) = clients(pages([FIRST, LAST]));
    let changes = clients.calendar.events().list_changes("primary").since("old".into()).into_blocking();
    let events: Vec<String> = changes
        .map(|event| match event {
            Ok(SyncEvent::Change(event)) => event.id.unwrap_or_default(),
            Ok(SyncEvent::Done(cursor)) => format!("done: {cursor}"),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(events, ["a", "b", "c", "done: next"]);
    let (clients, _) = self::clients(|_| error(410, Some("fullSyncRequired"), None));
    let mut changes = clients.calendar.events().list_changes("primary").since("old".into()).into_blocking();
    assert!(matches!(changes.next(), Some(Err(SyncError::FullSyncRequired(_)))));
    assert!(changes.next().is_none());
}

#[test]
fn changes_are_written_back() {
    let read = r#"{"etag":"\"1\"","summary":"Lunch"}"#;
    let (clients, log) = clients(pages([read, read]));
    let call = clients.calendar.events().get("primary", "abc").update_with(|event| event.summary = Some("Tea".into()));
    assert!(call.send_blocking().is_ok());
    assert_eq!(log.take()[1].json(), serde_json::json!({ "summary": "Tea" }));
}

/// A blocking call occupies a thread of the runtime but must not panic or deadlock.
#[tokio::test]
async fn a_blocking_call_works_on_a_thread_of_a_runtime() {
    let (clients, _) = clients(|_| json(200, "{}"));
    assert!(clients.calendar.events().get("primary", "abc").send_blocking().is_ok());
}
