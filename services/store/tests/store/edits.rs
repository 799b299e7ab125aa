//! Tests of adding and removing labels, and of deleting messages.

use std::collections::BTreeSet;

use wireform_store::{ChangeKind, Edit, Error, Label, Mailboxes as _, MessageChange, MessageId, NewMessage};

use crate::place::on_each_database;
use crate::support::{
    INBOX, NOW, STARRED, TRASH, UNREAD, changes, current, insert, labels, mail, mailbox, minute, named, since,
};

on_each_database! {
    async fn labels_are_given_and_taken_in_one_record(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let before = insert(store, ada, "hello", &[INBOX, UNREAD]).await;
        let after = store.edit_message(ada, before.id, labels(&[STARRED, INBOX], &[UNREAD, TRASH]), minute(1)).await.expect("edited");
        assert_eq!(after.labels, [INBOX, STARRED]);
        assert!(after.history > before.history);
        assert_eq!(store.message(ada, before.id).await.expect("it is there"), after);
        let page = since(store, ada, before.history).await;
        let change = |kind, given: Label| MessageChange {
            kind,
            message: before.id,
            thread: before.thread,
            labels: vec![given],
            labels_after: vec![INBOX, STARRED],
        };
        assert_eq!(page.records.len(), 1);
        assert_eq!(page.records[0].id, after.history);
        assert_eq!(changes(&page), [change(ChangeKind::LabelsAdded, STARRED), change(ChangeKind::LabelsRemoved, UNREAD)]);
    }

    async fn a_label_that_is_given_and_taken_is_lost(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let message = insert(store, ada, "hello", &[INBOX]).await;
        let after = store.edit_message(ada, message.id, labels(&[INBOX, STARRED], &[INBOX, STARRED]), NOW).await.expect("edited");
        assert!(after.labels.is_empty());
    }

    async fn nothing_is_recorded_where_nothing_changes(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let message = insert(store, ada, "hello", &[INBOX]).await;
        let same = store.edit_message(ada, message.id, labels(&[INBOX], &[STARRED]), minute(1)).await.expect("edited");
        assert_eq!(same, message);
        store.edit_messages(ada, vec![message.id], labels(&[], &[]), minute(1)).await.expect("edited");
        assert_eq!(current(store, ada).await, message.history);
    }

    async fn a_batch_leaves_alone_what_does_not_change(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let starred = insert(store, ada, "starred", &[STARRED]).await;
        let other = insert(store, ada, "other", &[]).await;
        store.edit_messages(ada, vec![starred.id, other.id], labels(&[STARRED], &[]), minute(1)).await.expect("edited");
        assert_eq!(store.message(ada, starred.id).await.expect("it is there"), starred, "its last record expires as well");
        assert_eq!(changes(&since(store, ada, other.history).await).len(), 1);
    }

    async fn a_deleted_message_is_gone(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let message = insert(store, ada, "hello", &[INBOX, UNREAD]).await;
        let deleted = store.edit_message(ada, message.id, Edit::Delete, minute(1)).await.expect("deleted");
        assert_eq!(deleted, message, "as it was");
        assert!(matches!(store.message(ada, message.id).await, Err(Error::NotFound { .. })));
        assert!(matches!(store.whole_message(ada, message.id).await, Err(Error::NotFound { .. })));
        let again = store.edit_message(ada, message.id, Edit::Delete, minute(1)).await;
        assert!(matches!(&again, Err(Error::NotFound { what: "message", name }) if *name == message.id.to_string()), "{again:?}");
        let page = since(store, ada, message.history).await;
        let gone = MessageChange {
            kind: ChangeKind::Deleted,
            message: message.id,
            thread: message.thread,
            labels: Vec::new(),
            labels_after: vec![INBOX, UNREAD],
        };
        assert_eq!(changes(&page), [gone]);
    }

    async fn a_batch_is_one_record_and_passes_over_what_is_not_there(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let mut ids = vec![MessageId::new(5).expect("a number")];
        for number in 0..5 {
            ids.push(insert(store, ada, &number.to_string(), &[UNREAD]).await.id);
        }
        ids.push(ids[1]);
        let start = current(store, ada).await;
        store.edit_messages(ada, ids.clone(), labels(&[STARRED], &[UNREAD]), minute(1)).await.expect("edited");
        let page = since(store, ada, start).await;
        assert_eq!((page.records.len(), changes(&page).len()), (1, 10));
        for id in &ids[1..6] {
            let message = store.message(ada, *id).await.expect("it is there");
            assert_eq!((message.labels.as_slice(), message.history), (&[STARRED][..], page.current));
        }
        store.edit_messages(ada, ids, Edit::Delete, minute(2)).await.expect("deleted");
        let page = since(store, ada, page.current).await;
        assert_eq!((page.records.len(), changes(&page).len()), (1, 5));
        let profile = store.profile(ada).await.expect("a profile");
        assert_eq!((profile.messages, profile.threads), (0, 0));
    }

    async fn an_edit_of_many_labels_lets_others_write_in_between(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let batch: Vec<NewMessage> = (0..100).map(|_| mail("", &[], NOW)).collect();
        let ids: Vec<MessageId> = store.insert_messages(ada, batch, NOW).await.expect("stored").iter().map(|one| one.id).collect();
        let mut many: Vec<Label> = Vec::new();
        for number in 0..100 {
            many.push(store.add_label(ada, named(&format!("label {number}"))).await.expect("a label").label);
        }
        // The last message has another label, so that it cannot have all of these: nothing changes.
        store.edit_message(ada, ids[99], labels(&[STARRED], &[]), NOW).await.expect("edited");
        let start = current(store, ada).await;
        let refused = store.edit_messages(ada, ids.clone(), labels(&many, &[]), NOW).await;
        assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
        assert_eq!(current(store, ada).await, start);
        // 4,000 labels are those of 40 messages.
        for edit in [labels(&many, &[STARRED]), Edit::Delete] {
            let start = current(store, ada).await;
            store.edit_messages(ada, ids.clone(), edit, minute(1)).await.expect("edited");
            let page = since(store, ada, start).await;
            let messages: Vec<usize> = page.records.iter().map(|record| {
                record.changes.iter().map(|change| change.message).collect::<BTreeSet<_>>().len()
            }).collect();
            assert_eq!(messages, [40, 40, 20]);
        }
    }

    async fn a_label_that_does_not_exist_changes_nothing(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let message = insert(store, ada, "hello", &[INBOX]).await;
        for edit in [labels(&[STARRED, Label::User(3)], &[]), labels(&[], &[INBOX, Label::User(3)])] {
            let refused = store.edit_message(ada, message.id, edit, minute(1)).await;
            assert!(matches!(&refused, Err(Error::NotFound { what: "label", name }) if name == "Label_3"), "{refused:?}");
        }
        assert_eq!(store.message(ada, message.id).await.expect("it is there"), message);
    }
}
