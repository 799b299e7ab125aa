//! Tests of conversations, and of replacing a message within one.

use wireform_store::{
    AnyStore, ChangeKind, Error, Label, ListQuery, Mailbox, Mailboxes as _, NewMessage, Replacement, SystemLabel,
    Threading,
};

use crate::place::on_each_database;
use crate::support::{INBOX, NOW, UNREAD, insert, mail, mailbox, minute, since};

const DRAFT: Label = Label::System(SystemLabel::Draft);

fn replacement(text: &str, keeps_id: bool) -> Replacement {
    Replacement { label: DRAFT, message: mail(text, &[DRAFT], NOW), keeps_id }
}

/// Returns the totals of messages and conversations.
async fn totals(store: &AnyStore, of: Mailbox) -> (u64, u64) {
    let profile = store.profile(of).await.expect("a profile");
    (profile.messages, profile.threads)
}

on_each_database! {
    async fn the_messages_of_a_conversation_are_listed(store, _place) {
        let ada = mailbox(store, "ada@example.com").await;
        let first = store.insert_message(ada, mail("first", &[INBOX], minute(0)), NOW).await.expect("stored");
        store.insert_message(ada, mail("other", &[INBOX], minute(1)), NOW).await.expect("stored");
        let threading = Threading { thread: Some(first.thread), ..Threading::default() };
        let reply = NewMessage { threading, ..mail("reply", &[UNREAD], minute(2)) };
        let reply = store.insert_message(ada, reply, NOW).await.expect("stored");
        let query = ListQuery { thread: Some(first.thread), limit: 10, ..ListQuery::default() };
        let page = store.messages(ada, query.clone()).await.expect("a page");
        assert_eq!(page.messages, [(reply.id, first.thread), (first.id, first.thread)]);
        let unread = ListQuery { labels: vec![UNREAD], limit: 1, ..query };
        let page = store.messages(ada, unread).await.expect("a page");
        assert_eq!(page.messages, [(reply.id, first.thread)]);
        let missing = wireform_store::ThreadId::new(7).expect("an identifier");
        let found = store.threads(ada, vec![missing, first.thread]).await.expect("threads");
        let thread = found[1].as_ref().expect("it exists");
        assert_eq!((found[0].as_ref(), thread.snippet.as_str(), thread.history), (None, "reply", reply.history));
    }

    async fn a_replaced_message_leaves_its_conversation_to_the_new_one(store, _place) {
        let ada = mailbox(store, "ada@example.com").await;
        for (keeps_id, size) in [(true, 10), (false, 10), (true, 300 << 10)] {
            let large = NewMessage { raw: vec![b'x'; size], ..mail("old", &[DRAFT], NOW) };
            let old = store.insert_message(ada, large, NOW).await.expect("stored");
            let before = totals(store, ada).await;
            let mut new = replacement("new", keeps_id);
            new.message.raw = vec![b'y'; size + 1];
            let replaced = store.replace_message(ada, old.id, new, NOW).await.expect("replaced");
            assert_eq!((replaced.id == old.id, replaced.thread), (keeps_id, old.thread));
            assert_eq!(totals(store, ada).await, before);
            let (stored, raw) = store.whole_message(ada, replaced.id).await.expect("stored");
            assert_eq!((stored, raw), (replaced.clone(), vec![b'y'; size + 1]));
            if !keeps_id {
                assert!(matches!(store.message(ada, old.id).await, Err(Error::NotFound { .. })));
            }
            let records = since(store, ada, old.history).await.records;
            let changes: Vec<_> = records
                .iter()
                .flat_map(|record| record.changes.iter().map(|change| (change.kind, change.message)))
                .collect();
            assert_eq!(changes, [(ChangeKind::Deleted, old.id), (ChangeKind::Added, replaced.id)]);
        }
    }

    async fn only_a_message_with_the_label_is_replaced(store, _place) {
        let ada = mailbox(store, "ada@example.com").await;
        let mail = insert(store, ada, "mail", &[INBOX]).await;
        let replaced = store.replace_message(ada, mail.id, replacement("new", true), NOW).await;
        assert!(matches!(replaced, Err(Error::NotFound { what: "message", .. })), "{replaced:?}");
        assert_eq!(store.message(ada, mail.id).await.expect("stored"), mail);
    }
}
