//! Tests of reading the history of a mailbox.

use wireform_store::session::Session;
use wireform_store::{
    Access, AnyStore, Backend as _, ChangeKind, Edit, Error, HistoryId, HistoryQuery, HistoryRecord, HistoryStart,
    Label, Mailbox, Mailboxes as _, Message, NewMessage, Operation,
};

use crate::place::on_each_database;
use crate::support::{
    INBOX, NOW, STARRED, TRASH, UNREAD, after, current, insert, labels, mail, mailbox, minute, named, query, since,
};

/// Returns all records of a query, read in pages of `limit`.
async fn pages(store: &AnyStore, of: Mailbox, query: &HistoryQuery, limit: u32) -> Vec<HistoryRecord> {
    let mut query = HistoryQuery { limit, ..query.clone() };
    let mut records = Vec::new();
    loop {
        let page = store.history(of, query.clone()).await.expect("the history reaches back");
        assert!(page.records.len() <= limit as usize);
        assert!(page.next.is_none() || !page.records.is_empty(), "a page before another one is not empty");
        records.extend(page.records);
        let Some(next) = page.next else { return records };
        query.start = HistoryStart::Cursor(next);
    }
}

async fn expired(store: &AnyStore, of: Mailbox, start: HistoryStart) -> bool {
    let query = HistoryQuery { start, ..query(HistoryId(0)) };
    match store.history(of, query).await {
        Err(Error::Expired(_)) => true,
        Ok(_) => false,
        Err(other) => panic!("{other:?}"),
    }
}

/// Stores four messages and changes each of them in a different way.
async fn story(store: &AnyStore, of: Mailbox) -> Vec<Message> {
    let mut messages = Vec::new();
    for labels in [&[INBOX, UNREAD][..], &[INBOX], &[], &[TRASH]] {
        messages.push(insert(store, of, "story", labels).await);
    }
    store.edit_message(of, messages[0].id, labels(&[STARRED], &[UNREAD]), minute(1)).await.expect("edited");
    store.edit_message(of, messages[1].id, labels(&[TRASH], &[INBOX]), minute(2)).await.expect("edited");
    store.edit_message(of, messages[2].id, labels(&[INBOX], &[]), minute(3)).await.expect("edited");
    store.edit_message(of, messages[3].id, Edit::Delete, minute(4)).await.expect("deleted");
    messages
}

/// Removes the mark that was not stored before a label selected messages, then migrates.
struct MigrateOldMarks(&'static str);

impl Operation for MigrateOldMarks {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> wireform_store::Result<()> {
        // The message that was moved to the trash gained that label, and lost the inbox.
        let missing = "DELETE FROM marks WHERE kind = ?1 AND label = ?2 \
            AND record IN (SELECT record FROM marks WHERE kind = ?1 AND label = ?3)";
        let added = ChangeKind::LabelsAdded as i64;
        let values = [added.into(), INBOX.number().into(), TRASH.number().into()];
        assert_eq!(session.run(missing, &values).await?, 1);
        session.run(self.0, &[]).await.map(|_| ())
    }
}

on_each_database! {
    async fn records_from_before_a_label_selected_messages_are_found(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let start = current(store, ada).await;
        story(store, ada).await;
        let kinds = vec![ChangeKind::LabelsAdded];
        let moved = HistoryQuery { label: Some(INBOX), kinds, ..query(start) };
        let before = pages(store, ada, &moved, 5).await;
        let count = crate::scripts::count(store, "marks").await;
        let migration = match place {
            crate::place::Place::Sqlite(_) => include_str!("../../migrations/sqlite/0015_marks_of_messages.sql"),
            crate::place::Place::Postgres { .. } => include_str!("../../migrations/postgres/0015_marks_of_messages.sql"),
        };
        store.perform(MigrateOldMarks(migration)).await.expect("they are migrated");
        assert_eq!(pages(store, ada, &moved, 5).await, before);
        assert_eq!(crate::scripts::count(store, "marks").await, count);
    }

    async fn a_page_of_the_history_ends_with_many_changes(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let batch: Vec<NewMessage> = (0..1_000).map(|_| mail("", &[], NOW)).collect();
        let stored = store.insert_messages(ada, batch, NOW).await.expect("stored");
        let ids: Vec<_> = stored.iter().map(|message| message.id).collect();
        let start = current(store, ada).await;
        for round in 0..22 {
            let edit = if round % 2 == 0 { labels(&[STARRED], &[]) } else { labels(&[], &[STARRED]) };
            store.edit_messages(ada, ids.clone(), edit, NOW).await.expect("edited");
        }
        let first = store.history(ada, HistoryQuery { limit: 500, ..query(start) }).await.expect("a page");
        assert_eq!((first.records.len(), first.next.is_some()), (20, true), "20,000 changes");
        assert_eq!(pages(store, ada, &query(start), 500).await.len(), 22);
    }

    async fn numbers_grow_with_gaps_of_chance(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let start = current(store, ada).await;
        let batch: Vec<NewMessage> = (0..200).map(|_| mail("", &[], NOW)).collect();
        store.insert_messages(ada, batch, NOW).await.expect("stored");
        let numbers: Vec<u64> = since(store, ada, start).await.records.iter().map(|record| record.id.0).collect();
        let gaps: std::collections::BTreeSet<u64> =
            std::iter::once(start.0).chain(numbers.iter().copied()).zip(&numbers).map(|(a, b)| b - a).collect();
        assert!(gaps.len() > 10, "gaps are of many sizes: {gaps:?}");
        assert!(gaps.iter().all(|gap| (1..=60).contains(gap)), "{gaps:?}");
        let grace = mailbox(store, "grace@example.org").await;
        let other = mailbox(store, "other@example.org").await;
        assert_ne!(current(store, grace).await, current(store, other).await, "the first number is arbitrary");
    }

    async fn a_reading_begins_within_the_history(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let oldest = current(store, ada).await;
        let message = loop {
            let before = current(store, ada).await;
            let message = insert(store, ada, "hello", &[INBOX]).await;
            if message.history.0 > before.0 + 2 {
                break message;
            }
        };
        for start in [oldest.0, message.history.0 - 1, message.history.0] {
            assert!(!expired(store, ada, HistoryStart::After(HistoryId(start))).await, "{start}");
        }
        for outside in [0, oldest.0 - 1, message.history.0 + 1, u64::MAX, 1 << 63] {
            assert!(expired(store, ada, HistoryStart::After(HistoryId(outside))).await, "{outside}");
        }
        assert!(!expired(store, ada, after(store, HistoryId(message.history.0 - 1)).await).await);
        assert!(expired(store, ada, after(store, HistoryId(oldest.0 - 1)).await).await);
        let other = mailbox(store, "other@example.org").await;
        assert!(expired(store, other, HistoryStart::After(message.history)).await, "numbers are per mailbox");
        let nobody = store.history(Mailbox(77), query(oldest)).await;
        assert!(matches!(nobody, Err(Error::NotFound { what: "user", .. })), "{nobody:?}");
    }

    async fn pages_of_any_size_have_the_same_records(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let start = current(store, ada).await;
        story(store, ada).await;
        for label in [None, Some(INBOX), Some(TRASH), Some(UNREAD), Some(STARRED)] {
            for kinds in [vec![], vec![ChangeKind::Added], vec![ChangeKind::LabelsRemoved, ChangeKind::Deleted], ChangeKind::ALL.to_vec()] {
                let query = HistoryQuery { label, kinds, ..query(start) };
                let whole = pages(store, ada, &query, 500).await;
                for limit in [1, 2, 3, 5] {
                    assert_eq!(pages(store, ada, &query, limit).await, whole, "{query:?} in pages of {limit}");
                }
            }
        }
    }

    async fn there_is_no_next_page_where_nothing_follows(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let start = current(store, ada).await;
        story(store, ada).await;
        for (label, limit, more) in [(None, 8, false), (None, 7, true), (Some(UNREAD), 2, false), (Some(UNREAD), 1, true)] {
            let page = store.history(ada, HistoryQuery { label, limit, ..query(start) }).await.expect("a page");
            assert_eq!((page.records.len(), page.next.is_some()), (limit as usize, more), "{label:?}");
            assert_eq!(page.current, current(store, ada).await);
        }
    }

    async fn a_filter_finds_what_a_label_has_to_do_with(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let start = current(store, ada).await;
        let messages = story(store, ada).await;
        let found = |label, kinds: &[ChangeKind]| {
            let query = HistoryQuery { label: Some(label), kinds: kinds.to_vec(), ..query(start) };
            let messages = messages.clone();
            async move {
                let page = store.history(ada, query).await.expect("a page");
                let place = |change: wireform_store::MessageChange| {
                    (messages.iter().position(|message| message.id == change.message).expect("one of them"), change.kind)
                };
                let changes = page.records.into_iter().flat_map(|record| record.changes);
                changes.map(place).collect::<Vec<_>>()
            }
        };
        use ChangeKind::{Added, Deleted, LabelsAdded, LabelsRemoved};
        assert_eq!(found(UNREAD, &[]).await, [(0, Added), (0, LabelsAdded), (0, LabelsRemoved)], "all changes of the message");
        assert_eq!(found(STARRED, &[]).await, [(0, LabelsAdded), (0, LabelsRemoved)], "the label was added later");
        assert_eq!(found(TRASH, &[]).await, [(3, Added), (1, LabelsAdded), (1, LabelsRemoved), (3, Deleted)]);
        assert_eq!(found(TRASH, &[Deleted]).await, [(3, Deleted)]);
        let inbox = [(0, Added), (1, Added), (0, LabelsAdded), (1, LabelsAdded), (2, LabelsAdded)];
        assert_eq!(found(INBOX, &[Added, LabelsAdded]).await, inbox, "message 1 leaves the inbox for the trash");
        let gone = store.add_label(ada, named("Gone")).await.expect("the label is new").label;
        store.remove_label(ada, gone, NOW).await.expect("the label is removed");
        assert_eq!(found(gone, &[]).await, [], "it was there once");
        for never in [Label::User(0), Label::User(4)] {
            let result = store.history(ada, HistoryQuery { label: Some(never), ..query(start) }).await;
            assert!(matches!(result, Err(Error::NotFound { what: "label", .. })), "{result:?}");
        }
    }

    async fn a_page_ends_early_where_records_are_large(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let batch: Vec<NewMessage> = (0..2_000).map(|_| mail("", &[], NOW)).collect();
        let ids: Vec<_> = store.insert_messages(ada, batch, NOW).await.expect("stored").iter().map(|one| one.id).collect();
        let start = current(store, ada).await;
        for round in 0..12 {
            let (add, remove) = if round % 2 == 0 { (&[STARRED][..], &[][..]) } else { (&[][..], &[STARRED][..]) };
            store.edit_messages(ada, ids.clone(), labels(add, remove), NOW).await.expect("edited");
        }
        let page = store.history(ada, query(start)).await.expect("a page");
        assert_eq!((page.records.len(), page.next.is_some()), (10, true), "20,000 changes are enough");
        assert_eq!(pages(store, ada, &query(start), 500).await.len(), 12);
    }

    async fn the_start_of_the_last_records_is_found(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let begin = current(store, ada).await;
        let find = async |until, count| store.history_start(ada, until, count).await.expect("a start");
        assert_eq!(find(None, 3).await, begin, "nothing was recorded");
        story(store, ada).await;
        let all = pages(store, ada, &query(begin), 500).await;
        for count in 0..=9 {
            let start = find(None, count).await;
            let expected = all.len().saturating_sub(count as usize);
            assert_eq!(pages(store, ada, &query(start), 500).await, all[expected..], "{count}");
        }
        let until = all[5].id;
        assert_eq!(find(Some(until), 2).await, all[3].id);
        assert_eq!(find(Some(HistoryId(u64::MAX)), 2).await, all[5].id);
        assert_eq!(find(Some(begin), 2).await, begin);
    }
}
