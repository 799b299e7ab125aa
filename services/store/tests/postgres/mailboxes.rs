//! Tests of several processes that serve one mailbox.

use std::collections::{BTreeMap, BTreeSet};

use tokio::sync::watch;
use wireform_store::{
    Accounts as _, ChangeKind, Edit, Error, HistoryId, HistoryQuery, HistoryStart, Label, LabelChange, ListQuery,
    Mailbox, Mailboxes as _, MessageId, Millis, NewMessage, Postgres, SystemLabel,
};

use crate::place::TestSchema;

const NOW: Millis = Millis(1_700_000_000_000);
const STARRED: Label = Label::System(SystemLabel::Starred);

/// Client that keeps a copy of a mailbox by its history.
struct Copy {
    messages: BTreeMap<MessageId, BTreeSet<Label>>,
    at: HistoryId,
}

impl Copy {
    /// Reads the changes, page by page.
    async fn follow(&mut self, store: &Postgres, of: Mailbox) {
        let mut start = HistoryStart::After(self.at);
        loop {
            let query = HistoryQuery { start, label: None, kinds: Vec::new(), limit: 7 };
            let page = store.history(of, query).await.unwrap();
            for record in &page.records {
                assert!(record.id > self.at, "records come in the order of their numbers");
                self.at = record.id;
                for change in &record.changes {
                    let known = match change.kind {
                        ChangeKind::Deleted => self.messages.remove(&change.message).is_some(),
                        ChangeKind::Added => self
                            .messages
                            .insert(change.message, change.labels_after.iter().copied().collect())
                            .is_none(),
                        _ => self
                            .messages
                            .insert(change.message, change.labels_after.iter().copied().collect())
                            .is_some(),
                    };
                    assert!(known, "each change is read once, after its message: {change:?}");
                }
            }
            let Some(next) = page.next else {
                // A client keeps this number for the next read.
                self.at = page.current;
                return;
            };
            start = HistoryStart::Cursor(next);
        }
    }
}

async fn write(store: Postgres, of: Mailbox, number: usize) {
    for round in 0..12 {
        let new = NewMessage { raw: vec![0; 10], labels: vec![STARRED], ..NewMessage::default() };
        let messages = store.insert_messages(of, vec![new.clone(), new], NOW).await.unwrap();
        let change = LabelChange { remove: vec![STARRED], ..LabelChange::default() };
        store.edit_message(of, messages[0].id, Edit::Labels(change), NOW).await.unwrap();
        if (number + round).is_multiple_of(3) {
            store.edit_message(of, messages[1].id, Edit::Delete, NOW).await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn history_readers_miss_no_write_of_other_processes() {
    let Some(place) = TestSchema::new().await else { return };
    let stores = [place.open().await, place.open().await];
    let of = stores[0].add_user("a@example.com", "A", NOW).await.unwrap().mailbox;
    // Readers start with an empty mailbox, and so before the writers.
    let at = stores[0].profile(of).await.unwrap().history;
    let (done, finished) = watch::channel(());
    let followers = (0..2).map(|number| {
        let (store, finished) = (stores[number].clone(), finished.clone());
        tokio::spawn(async move {
            let mut copy = Copy { messages: BTreeMap::new(), at };
            // A last read after the writers have finished.
            while finished.has_changed().is_ok() {
                copy.follow(&store, of).await;
            }
            copy.follow(&store, of).await;
            copy
        })
    });
    let followers: Vec<_> = followers.collect();
    let writers: Vec<_> = (0..6).map(|number| tokio::spawn(write(stores[number % 2].clone(), of, number))).collect();
    for writer in writers {
        writer.await.unwrap();
    }
    drop((done, finished));

    let list = ListQuery { limit: 500, ..ListQuery::default() };
    let listed: BTreeSet<_> =
        stores[0].messages(of, list).await.unwrap().messages.into_iter().map(|(id, _)| id).collect();
    assert_eq!(listed.len(), 6 * 12 * 2 - 6 * 4);
    let profile = stores[1].profile(of).await.unwrap();
    assert_eq!(profile.messages, listed.len() as u64);
    let starred = stores[1].label_counts(of, STARRED).await.unwrap();
    assert_eq!(starred.messages, 6 * 12 - 6 * 4);
    for follower in followers {
        let copy = follower.await.unwrap();
        assert_eq!(copy.messages.keys().copied().collect::<BTreeSet<_>>(), listed);
        assert_eq!(copy.messages.values().filter(|labels| labels.contains(&STARRED)).count() as u64, starred.messages);
        assert_eq!(copy.at, profile.history);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_processes_share_the_first_key() {
    let Some(place) = TestSchema::new().await else { return };
    let mut tasks = Vec::new();
    for _ in 0..6 {
        let store = place.open().await;
        tasks.push(tokio::spawn(async move { store.sealing_key().await.unwrap() }));
    }
    let mut keys = BTreeSet::new();
    for key in tasks {
        keys.insert(key.await.unwrap());
    }
    assert_eq!(keys.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_processes_adds_a_user() {
    let Some(place) = TestSchema::new().await else { return };
    let mut tasks = Vec::new();
    for _ in 0..6 {
        let store = place.open().await;
        tasks.push(tokio::spawn(async move { store.add_user("a@example.com", "A", NOW).await }));
    }
    let mut added = 0;
    for user in tasks {
        match user.await.unwrap() {
            Ok(_) => added += 1,
            Err(error) => assert!(matches!(error, Error::AlreadyExists { .. }), "{error:?}"),
        }
    }
    assert_eq!(added, 1);
}
