//! What tests need often.

use std::time::Duration;

use wireform_store::{
    Accounts as _, AnyStore, Change, Edit, HistoryCursor, HistoryId, HistoryPage, HistoryQuery, Label, LabelChange,
    LabelSettings, Mailbox, Mailboxes as _, Message, MessageDate, Millis, NewMessage, Start, SystemLabel, Upkeep as _,
};

/// When the tests take place.
pub(crate) const NOW: Millis = Millis(1_700_000_000_000);

pub(crate) const INBOX: Label = Label::System(SystemLabel::Inbox);
pub(crate) const UNREAD: Label = Label::System(SystemLabel::Unread);
pub(crate) const STARRED: Label = Label::System(SystemLabel::Starred);
pub(crate) const TRASH: Label = Label::System(SystemLabel::Trash);

/// So many minutes after [`NOW`].
pub(crate) fn minute(number: u64) -> Millis {
    NOW.after(Duration::from_secs(60 * number))
}

pub(crate) async fn mailbox(store: &AnyStore, address: &str) -> Mailbox {
    store.add_user(address, "", NOW).await.expect("the user is new").mailbox
}

/// A message that was accepted at a time.
pub(crate) fn mail(text: &str, labels: &[Label], date: Millis) -> NewMessage {
    let mut message = NewMessage { raw: text.as_bytes().to_vec(), labels: labels.to_vec(), ..NewMessage::default() };
    message.date = MessageDate::At(date);
    message.snippet = text.to_owned();
    message.search.text = text.to_lowercase();
    message
}

pub(crate) async fn insert(store: &AnyStore, of: Mailbox, text: &str, labels: &[Label]) -> Message {
    store.insert(of, mail(text, labels, NOW), NOW).await.expect("the message is stored")
}

/// Labels are given and taken.
pub(crate) fn labels(add: &[Label], remove: &[Label]) -> Edit {
    Edit::Labels(LabelChange { add: add.to_vec(), remove: remove.to_vec() })
}

pub(crate) fn named(name: &str) -> LabelSettings {
    LabelSettings { name: name.to_owned(), ..LabelSettings::default() }
}

pub(crate) fn query(start: HistoryId) -> HistoryQuery {
    HistoryQuery { start: Start::Given(start), label: None, kinds: Vec::new(), limit: 500 }
}

/// After a record, as a page that ended with it tells where the next one begins.
pub(crate) async fn after(store: &AnyStore, record: HistoryId) -> Start {
    Start::Continued(HistoryCursor { after: record, epoch: store.epoch().await.expect("an epoch") })
}

/// All that has happened since a number, as one page.
pub(crate) async fn since(store: &AnyStore, of: Mailbox, start: HistoryId) -> HistoryPage {
    store.history(of, query(start)).await.expect("the history reaches back")
}

/// The changes of a page in their order.
pub(crate) fn changes(page: &HistoryPage) -> Vec<Change> {
    page.records.iter().flat_map(|record| record.changes.clone()).collect()
}

pub(crate) async fn current(store: &AnyStore, of: Mailbox) -> HistoryId {
    store.profile(of).await.expect("the mailbox is there").history
}
