//! Incremental synchronization of a mailbox by its history, which contains changes only.

use std::convert::Infallible;

use mailbox_client::requests::{UsersHistoryList, UsersHistoryListChange as Change};
use mailbox_client::types::HistoryType;
use mailbox_client::types::runtime::Decimal;
use wireform_client::{SyncError, SyncEvent, SyncMode, SyncRunError, SyncStore};

use super::{in_turn, pages, parameters, texts};
use crate::clients::{Setup, TransportKind};
use crate::server::{error, json};

/// Describes a change by its kind and message.
fn describe(change: &Change) -> String {
    let (kind, message) = match change {
        Change::MessagesAdded(change) => ("added", change.message.as_ref()),
        Change::MessagesDeleted(change) => ("deleted", change.message.as_ref()),
        Change::LabelsAdded(change) => ("labelled", change.message.as_ref()),
        Change::LabelsRemoved(change) => ("unlabelled", change.message.as_ref()),
        Change::Messages(message) => ("changed", Some(message)),
        _ => ("new kind", None),
    };
    format!("{kind} {}", message.and_then(|message| message.id.as_deref()).unwrap_or("nothing"))
}

/// History records with several kinds of changes, with `messages` in addition, and with `messages` only.
const RECORDS: &str = r#"{"history":[
    {"id":"1","messages":[{"id":"a"},{"id":"b"}],
     "labelsRemoved":[{"message":{"id":"b"},"labelIds":["UNREAD"]}],"messagesAdded":[{"message":{"id":"a"}}]},
    {"id":"2","messages":[{"id":"c"},{"id":"d"}]},
    {"id":"3"},
    {"id":"4","messagesDeleted":[{"message":{"id":"a"}}],"labelsAdded":[{"message":{"id":"c"}},{}]}
],"nextPageToken":"2"}"#;

#[tokio::test]
async fn typed_changes_take_precedence_over_messages() {
    let harness =
        Setup::new(TransportKind::InProcess).start(pages([RECORDS, r#"{"historyId":"18446744073709551615"}"#])).await;
    let call = harness.clients.mailbox.users().history().list_changes("me").label_id("INBOX");
    let (changes, cursor) = call.since(Decimal(5)).collect().await.expect("all changes");
    let changes: Vec<String> = changes.iter().map(describe).collect();
    let expected = ["added a", "unlabelled b", "changed c", "changed d", "deleted a", "labelled c", "labelled nothing"];
    assert_eq!((changes, cursor), (expected.map(str::to_owned).to_vec(), Decimal(u64::MAX)));
    let requests = harness.log.take();
    assert_eq!(parameters(&requests, "startHistoryId"), texts([Some("5"), Some("5")]));
    assert_eq!(parameters(&requests, "labelId"), texts([Some("INBOX"), Some("INBOX")]));
    assert_eq!(parameters(&requests, "pageToken"), texts([None, Some("2")]));
}

#[tokio::test]
async fn an_empty_history_returns_a_cursor() {
    let harness = Setup::new(TransportKind::InProcess).start(pages([r#"{"historyId":"7"}"#])).await;
    let call = harness.clients.mailbox.users().history().list_changes("me").history_types([HistoryType::LabelAdded]);
    let mut changes = call.since(Decimal(7));
    assert!(matches!(changes.next().await, Some(Ok(SyncEvent::Done(Decimal(7))))));
    assert!(changes.next().await.is_none());
    assert_eq!(harness.log.only().parameter("historyTypes").as_deref(), Some("labelAdded"));
}

/// A 404 can refer to the start of the history or to the user; only the former requires a full sync.
#[tokio::test]
async fn an_expired_history_id_differs_from_an_unknown_user() {
    let table = [
        (404, Some("notFound"), Some("startHistoryId"), true),
        (404, Some("notFound"), None, true),
        (404, None, None, true),
        (404, Some("notFound"), Some("userId"), false),
        (404, Some("failedPrecondition"), None, false),
        (400, Some("notFound"), Some("startHistoryId"), false),
        (410, Some("fullSyncRequired"), None, false),
    ];
    for (status, reason, location, expired) in table {
        let harness = Setup::new(TransportKind::InProcess).start(move |_| error(status, reason, location)).await;
        let call = harness.clients.mailbox.users().history().list_changes("me").since(Decimal(5));
        let failed = call.collect().await.map(drop).expect_err("an error");
        let requires_full_sync = matches!(failed, SyncError::FullSyncRequired(_));
        assert_eq!(requires_full_sync, expired, "{status} {reason:?} {location:?}");
    }
}

/// A store that may be able to list all messages with other requests.
struct Store {
    cursor: Option<Decimal<u64>>,
    all: Option<Decimal<u64>>,
    calls: Vec<String>,
}

impl SyncStore<UsersHistoryList> for Store {
    type Error = Infallible;

    async fn cursor(&mut self) -> Result<Option<Decimal<u64>>, Infallible> {
        Ok(self.cursor)
    }

    async fn begin(&mut self, run: SyncMode) -> Result<(), Infallible> {
        self.calls.push(format!("begin {run:?}"));
        Ok(())
    }

    async fn apply(&mut self, changes: Vec<Change>) -> Result<(), Infallible> {
        self.calls.extend(changes.iter().map(describe));
        Ok(())
    }

    async fn commit(&mut self, cursor: Decimal<u64>) -> Result<(), Infallible> {
        self.calls.push(format!("commit {}", cursor.0));
        self.cursor = Some(cursor);
        Ok(())
    }

    async fn read_all(&mut self) -> Result<Option<Decimal<u64>>, Infallible> {
        self.calls.push("read all".into());
        Ok(self.all)
    }
}

#[tokio::test]
async fn a_store_reads_everything_after_its_history_has_expired() {
    let responses = || {
        let last = json(200, r#"{"historyId":"12","history":[{"messagesAdded":[{"message":{"id":"z"}}]}]}"#);
        in_turn([error(404, Some("notFound"), Some("startHistoryId")), last])
    };
    let harness = Setup::new(TransportKind::InProcess).start(responses()).await;
    let mut store = Store { cursor: Some(Decimal(5)), all: Some(Decimal(10)), calls: Vec::new() };
    let report = harness.clients.mailbox.users().history().list_changes("me").synchronize(&mut store).await;
    assert!(report.as_ref().is_ok_and(|report| report.full && report.changes == 1), "{report:?}");
    let expected = ["begin Changes", "begin Full", "read all", "commit 10", "begin Changes", "added z", "commit 12"];
    assert_eq!(store.calls, expected);
    assert_eq!(parameters(&harness.log.take(), "startHistoryId"), texts([Some("5"), Some("10")]));

    let harness = Setup::new(TransportKind::InProcess).start(responses()).await;
    let mut store = Store { cursor: Some(Decimal(5)), all: None, calls: Vec::new() };
    let failed = harness.clients.mailbox.users().history().list_changes("me").synchronize(&mut store).await;
    let requires_full_sync =
        matches!(&failed, Err(SyncRunError::FullSyncRequired(Some(error))) if error.is_not_found());
    assert!(requires_full_sync && store.cursor == Some(Decimal(5)), "{failed:?}");
}
