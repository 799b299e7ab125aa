//! Keeping a copy of a mailbox up to date by its history, which tells of changes only.

use std::convert::Infallible;

use mailbox_client::requests::{UsersHistoryList, UsersHistoryListChange as Change};
use mailbox_client::types::HistoryType;
use mailbox_client::types::runtime::Decimal;
use wireform_client::{SyncError, SyncEvent, SyncMode, SyncRunError, SyncStore};

use super::{in_turn, pages, parameters, texts};
use crate::clients::{Setup, Way};
use crate::server::{error, json};

/// What a change is, in a word and with the message.
fn shown(change: &Change) -> String {
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

/// Records with several kinds of change, with `messages` beside them, and with `messages` alone.
const RECORDS: &str = r#"{"history":[
    {"id":"1","messages":[{"id":"a"},{"id":"b"}],
     "labelsRemoved":[{"message":{"id":"b"},"labelIds":["UNREAD"]}],"messagesAdded":[{"message":{"id":"a"}}]},
    {"id":"2","messages":[{"id":"c"},{"id":"d"}]},
    {"id":"3"},
    {"id":"4","messagesDeleted":[{"message":{"id":"a"}}],"labelsAdded":[{"message":{"id":"c"}},{}]}
],"nextPageToken":"2"}"#;

#[tokio::test]
async fn the_kinds_of_change_are_preferred_and_messages_alone_count() {
    let running = Setup::new(Way::InProcess).start(pages([RECORDS, r#"{"historyId":"18446744073709551615"}"#])).await;
    let call = running.clients.mailbox.users().history().list_changes("me").label_id("INBOX");
    let (changes, cursor) = call.since(Decimal(5)).collect().await.expect("all of it");
    let changes: Vec<String> = changes.iter().map(shown).collect();
    let expected = ["added a", "unlabelled b", "changed c", "changed d", "deleted a", "labelled c", "labelled nothing"];
    assert_eq!((changes, cursor), (expected.map(str::to_owned).to_vec(), Decimal(u64::MAX)));
    let requests = running.log.take();
    assert_eq!(parameters(&requests, "startHistoryId"), texts([Some("5"), Some("5")]));
    assert_eq!(parameters(&requests, "labelId"), texts([Some("INBOX"), Some("INBOX")]));
    assert_eq!(parameters(&requests, "pageToken"), texts([None, Some("2")]));
}

#[tokio::test]
async fn nothing_new_is_a_cursor_and_no_change() {
    let running = Setup::new(Way::InProcess).start(pages([r#"{"historyId":"7"}"#])).await;
    let call = running.clients.mailbox.users().history().list_changes("me").history_types([HistoryType::LabelAdded]);
    let mut changes = call.since(Decimal(7));
    assert!(matches!(changes.next().await, Some(Ok(SyncEvent::Done(Decimal(7))))));
    assert!(changes.next().await.is_none());
    assert_eq!(running.log.only().parameter("historyTypes").as_deref(), Some("labelAdded"));
}

/// A 404 can be about the start or about the user, and only one of them is a reason to read everything.
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
        let running = Setup::new(Way::InProcess).start(move |_| error(status, reason, location)).await;
        let call = running.clients.mailbox.users().history().list_changes("me").since(Decimal(5));
        let failed = call.collect().await.map(drop).expect_err("an error");
        let requires_full_sync = matches!(failed, SyncError::FullSyncRequired(_));
        assert_eq!(requires_full_sync, expired, "{status} {reason:?} {location:?}");
    }
}

/// A copy that can list all messages by other requests, or cannot.
struct Copy {
    cursor: Option<Decimal<u64>>,
    all: Option<Decimal<u64>>,
    said: Vec<String>,
}

impl SyncStore<UsersHistoryList> for Copy {
    type Error = Infallible;

    async fn cursor(&mut self) -> Result<Option<Decimal<u64>>, Infallible> {
        Ok(self.cursor)
    }

    async fn begin(&mut self, run: SyncMode) -> Result<(), Infallible> {
        self.said.push(format!("begin {run:?}"));
        Ok(())
    }

    async fn apply(&mut self, changes: Vec<Change>) -> Result<(), Infallible> {
        self.said.extend(changes.iter().map(shown));
        Ok(())
    }

    async fn commit(&mut self, cursor: Decimal<u64>) -> Result<(), Infallible> {
        self.said.push(format!("commit {}", cursor.0));
        self.cursor = Some(cursor);
        Ok(())
    }

    async fn read_all(&mut self) -> Result<Option<Decimal<u64>>, Infallible> {
        self.said.push("read all".into());
        Ok(self.all)
    }
}

#[tokio::test]
async fn a_copy_whose_start_is_gone_is_read_by_other_requests() {
    let responses = || {
        let last = json(200, r#"{"historyId":"12","history":[{"messagesAdded":[{"message":{"id":"z"}}]}]}"#);
        in_turn([error(404, Some("notFound"), Some("startHistoryId")), last])
    };
    let running = Setup::new(Way::InProcess).start(responses()).await;
    let mut copy = Copy { cursor: Some(Decimal(5)), all: Some(Decimal(10)), said: Vec::new() };
    let report = running.clients.mailbox.users().history().list_changes("me").synchronize(&mut copy).await;
    assert!(report.as_ref().is_ok_and(|report| report.full && report.changes == 1), "{report:?}");
    let said = ["begin Changes", "begin Full", "read all", "commit 10", "begin Changes", "added z", "commit 12"];
    assert_eq!(copy.said, said);
    assert_eq!(parameters(&running.log.take(), "startHistoryId"), texts([Some("5"), Some("10")]));

    let running = Setup::new(Way::InProcess).start(responses()).await;
    let mut copy = Copy { cursor: Some(Decimal(5)), all: None, said: Vec::new() };
    let failed = running.clients.mailbox.users().history().list_changes("me").synchronize(&mut copy).await;
    let requires_full_sync =
        matches!(&failed, Err(SyncRunError::FullSyncRequired(Some(error))) if error.is_not_found());
    assert!(requires_full_sync && copy.cursor == Some(Decimal(5)), "{failed:?}");
}
