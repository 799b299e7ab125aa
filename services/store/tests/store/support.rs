//! Helpers of the tests.

use std::time::Duration;

use wireform_store::{
    Accounts as _, AnyStore, Edit, HistoryCursor, HistoryId, HistoryPage, HistoryQuery, HistoryStart, Label,
    LabelChange, LabelSettings, Mailbox, Mailboxes as _, Maintenance as _, Message, MessageChange, MessageDate, Millis,
    NewMessage, SystemLabel,
};

/// Time of the tests.
pub(crate) const NOW: Millis = Millis(1_700_000_000_000);

pub(crate) const INBOX: Label = Label::System(SystemLabel::Inbox);
pub(crate) const UNREAD: Label = Label::System(SystemLabel::Unread);
pub(crate) const STARRED: Label = Label::System(SystemLabel::Starred);
pub(crate) const TRASH: Label = Label::System(SystemLabel::Trash);

/// Returns a number of minutes after [`NOW`].
pub(crate) fn minute(number: u64) -> Millis {
    NOW.saturating_add(Duration::from_secs(60 * number))
}

pub(crate) async fn mailbox(store: &AnyStore, address: &str) -> Mailbox {
    store.add_user(address, "", NOW).await.expect("the user is new").mailbox
}

/// Returns a message that was accepted at a time.
pub(crate) fn mail(text: &str, labels: &[Label], date: Millis) -> NewMessage {
    let mut message = NewMessage { raw: text.as_bytes().to_vec(), labels: labels.to_vec(), ..NewMessage::default() };
    message.date = MessageDate::At(date);
    message.snippet = text.to_owned();
    message.search.text = text.to_lowercase();
    message
}

pub(crate) async fn insert(store: &AnyStore, of: Mailbox, text: &str, labels: &[Label]) -> Message {
    store.insert_message(of, mail(text, labels, NOW), NOW).await.expect("the message is stored")
}

/// Returns a change that adds and removes labels.
pub(crate) fn labels(add: &[Label], remove: &[Label]) -> Edit {
    Edit::Labels(LabelChange { add: add.to_vec(), remove: remove.to_vec() })
}

pub(crate) fn named(name: &str) -> LabelSettings {
    LabelSettings { name: name.to_owned(), ..LabelSettings::default() }
}

pub(crate) fn query(start: HistoryId) -> HistoryQuery {
    HistoryQuery { start: HistoryStart::After(start), label: None, kinds: Vec::new(), limit: 500 }
}

/// Returns the start after a record, as the next page of one that ended with it.
pub(crate) async fn after(store: &AnyStore, record: HistoryId) -> HistoryStart {
    HistoryStart::Cursor(HistoryCursor { after: record, epoch: store.epoch().await.expect("an epoch") })
}

/// Returns all records after a number, as one page.
pub(crate) async fn since(store: &AnyStore, of: Mailbox, start: HistoryId) -> HistoryPage {
    store.history(of, query(start)).await.expect("the history reaches back")
}

/// Returns the changes of a page in order.
pub(crate) fn changes(page: &HistoryPage) -> Vec<MessageChange> {
    page.records.iter().flat_map(|record| record.changes.clone()).collect()
}

pub(crate) async fn current(store: &AnyStore, of: Mailbox) -> HistoryId {
    store.profile(of).await.expect("the mailbox is there").history
}
