//! Tests of storing and reading messages.

use wireform_store::{
    AnyStore, ChangeKind, Error, HistoryId, Label, LabelCounts, Mailbox, Mailboxes as _, Message, MessageDate,
    MessageId, NewMessage, ThreadId, Threading,
};

use crate::place::on_each_database;
use crate::support::{INBOX, NOW, STARRED, UNREAD, changes, current, insert, mail, mailbox, minute, since};

fn threaded(own: i64, references: &[i64]) -> NewMessage {
    let threading = Threading { thread: None, message_id: Some(own), references: references.to_vec() };
    NewMessage { threading, ..mail("threaded", &[INBOX], NOW) }
}

/// Reads a part; continues where the store returns fewer bytes than requested.
async fn whole_part(store: &AnyStore, of: Mailbox, id: MessageId, from: u64, most: usize) -> Vec<u8> {
    let mut part = Vec::new();
    loop {
        let from = from.saturating_add(part.len() as u64);
        let more = store.message_part(of, id, from, most - part.len()).await.expect("it is there");
        part.extend_from_slice(&more);
        if more.is_empty() {
            return part;
        }
    }
}

on_each_database! {
    async fn a_message_is_kept_as_it_came(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let before = current(store, ada).await;
        let mut new = mail("Hello", &[UNREAD, INBOX, UNREAD], minute(3));
        new.raw = vec![0, 159, 146, 150, 10];
        new.snippet = "Hel\0lo".to_owned();
        let stored = store.insert_message(ada, new, minute(5)).await.expect("the message is stored");
        assert_eq!(stored.labels, [INBOX, UNREAD], "in the order of their numbers, each once");
        assert_eq!((stored.date, stored.size, stored.snippet.as_str()), (minute(3), 5, "Hel\u{fffd}lo"));
        assert_eq!(stored.thread, ThreadId::from(stored.id));
        assert!(stored.history > before);
        let (message, raw) = store.whole_message(ada, stored.id).await.expect("the message is there");
        assert_eq!((&message, raw.as_slice()), (&stored, &[0, 159, 146, 150, 10][..]));
        assert_eq!(store.message(ada, stored.id).await.expect("the message is there"), stored);
        assert_eq!(current(store, ada).await, stored.history);
    }

    async fn a_message_is_read_in_parts(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let grace = mailbox(store, "grace@example.org").await;
        // Large ones are stored in chunks, together with others in the same transaction.
        let raws: Vec<Vec<u8>> = [0_u32, 1, 300_000, 700_000, 10]
            .into_iter()
            .map(|length| (0..length).map(|number| u8::try_from(number * 7 % 251).expect("a byte")).collect())
            .collect();
        let new = raws.iter().map(|raw| NewMessage { raw: raw.clone(), ..mail("parts", &[INBOX], NOW) });
        let stored = store.insert_messages(ada, new.collect(), NOW).await.expect("they are stored");
        for (message, raw) in stored.iter().zip(&raws) {
            assert_eq!(message.size, raw.len() as u64);
            assert!(store.whole_message(ada, message.id).await.expect("it is there").1 == *raw);
            for (from, most) in [(0, 1_000_000), (0, 0), (5, 3), (299_999, 500_000), (650_000, 50_000), (700_000, 1), (u64::MAX, 1)] {
                let part = whole_part(store, ada, message.id, from, most).await;
                let start = usize::try_from(from).unwrap_or(usize::MAX).min(raw.len());
                assert!(part == raw[start..raw.len().min(start + most)], "{most} bytes from {from} of {}", raw.len());
            }
        }
        let absent = store.message_part(grace, stored[0].id, 0, 1).await;
        assert!(matches!(absent, Err(Error::NotFound { what: "message", .. })), "{absent:?}");
    }

    async fn a_message_that_is_received_has_the_time_at_which_it_is_stored(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let new = NewMessage { date: MessageDate::Received, ..mail("now", &[], NOW) };
        assert_eq!(store.insert_message(ada, new, minute(7)).await.expect("the message is stored").date, minute(7));
    }

    async fn what_is_not_there_is_named(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let grace = mailbox(store, "grace@example.org").await;
        let message = insert(store, ada, "hers", &[INBOX]).await;
        for (of, id) in [(grace, message.id), (ada, MessageId::new(77).expect("a number"))] {
            let absent = store.message(of, id).await;
            assert!(matches!(&absent, Err(Error::NotFound { what: "message", name }) if *name == id.to_string()), "{absent:?}");
            let absent = store.whole_message(of, id).await;
            assert!(matches!(absent, Err(Error::NotFound { what: "message", .. })), "{absent:?}");
        }
        let nobody = store.insert_message(Mailbox(77), mail("", &[], NOW), NOW).await;
        assert!(matches!(nobody, Err(Error::NotFound { what: "user", .. })), "{nobody:?}");
    }

    async fn a_label_that_does_not_exist_is_not_given(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let before = current(store, ada).await;
        let refused = store.insert_messages(ada, vec![mail("a", &[INBOX], NOW), mail("b", &[Label::User(9)], NOW)], NOW).await;
        assert!(matches!(&refused, Err(Error::NotFound { what: "label", name }) if name == "Label_9"), "{refused:?}");
        assert_eq!(store.profile(ada).await.expect("a profile").messages, 0, "none of them is stored");
        assert_eq!(current(store, ada).await, before);
    }

    async fn replies_find_their_conversation(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let first = store.insert_message(ada, threaded(1, &[]), NOW).await.expect("stored");
        let other = store.insert_message(ada, threaded(2, &[77]), NOW).await.expect("stored");
        let reply = store.insert_message(ada, threaded(3, &[99, 1, 2]), NOW).await.expect("stored");
        let second = store.insert_message(ada, threaded(4, &[3]), NOW).await.expect("stored");
        assert_eq!((reply.thread, second.thread), (first.thread, first.thread));
        assert_ne!(other.thread, first.thread);
        let of_thread = |thread| NewMessage { threading: Threading { thread: Some(thread), ..Threading::default() }, ..mail("", &[], NOW) };
        let named = store.insert_message(ada, of_thread(other.thread), NOW).await.expect("stored");
        assert_eq!(named.thread, other.thread);
        let absent = store.insert_message(ada, of_thread(ThreadId::from(reply.id)), NOW).await;
        assert!(matches!(absent, Err(Error::NotFound { what: "thread", .. })), "{absent:?}");
        let profile = store.profile(ada).await.expect("a profile");
        assert_eq!((profile.messages, profile.threads), (5, 2));
        assert_eq!(store.known_identifiers(ada, vec![1, 50, 3, 1]).await.expect("hashes are looked up"), [1, 3]);
    }

    async fn messages_of_a_batch_find_one_another(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let batch = vec![threaded(1, &[]), threaded(2, &[1]), threaded(3, &[]), threaded(4, &[2, 3])];
        let stored = store.insert_messages(ada, batch, NOW).await.expect("the batch is stored");
        let threads: Vec<ThreadId> = stored.iter().map(|message| message.thread).collect();
        assert_eq!(threads, [threads[0], threads[0], threads[2], threads[0]]);
        let numbers: Vec<HistoryId> = stored.iter().map(|message| message.history).collect();
        assert!(numbers.is_sorted_by(|one, next| one < next), "each has a separate record: {numbers:?}");
        let profile = store.profile(ada).await.expect("a profile");
        assert_eq!((profile.messages, profile.threads), (4, 2));
    }

    async fn a_large_batch_has_a_name_for_each(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let batch: Vec<NewMessage> = (0..700).map(|number| threaded(number, &[number / 2])).collect();
        let stored = store.insert_messages(ada, batch, NOW).await.expect("the batch is stored");
        let names: std::collections::HashSet<MessageId> = stored.iter().map(|message| message.id).collect();
        assert_eq!(names.len(), 700);
        assert_eq!(store.profile(ada).await.expect("a profile").threads, 1, "each is a reply to an earlier one");
    }

    async fn a_message_stored_as_deleted_is_in_the_history_only(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let start = current(store, ada).await;
        let new = NewMessage { deleted: true, ..threaded(5, &[]) };
        let Message { id, history, .. } = store.insert_message(ada, new, NOW).await.expect("stored");
        assert!(matches!(store.message(ada, id).await, Err(Error::NotFound { .. })));
        assert!(store.known_identifiers(ada, vec![5]).await.expect("hashes are looked up").is_empty());
        let page = since(store, ada, start).await;
        assert_eq!(page.records.iter().map(|record| record.id).collect::<Vec<_>>(), [history]);
        let kinds: Vec<ChangeKind> = changes(&page).iter().map(|change| change.kind).collect();
        assert_eq!(kinds, [ChangeKind::Added, ChangeKind::Deleted]);
        assert_eq!(store.profile(ada).await.expect("a profile").messages, 0);
        assert_eq!(store.label_counts(ada, INBOX).await.expect("counts"), LabelCounts::default());
    }

    async fn labels_are_counted(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let first = store.insert_message(ada, threaded(1, &[]), NOW).await.expect("stored");
        let unread = NewMessage { labels: vec![INBOX, UNREAD, STARRED], ..threaded(2, &[1]) };
        store.insert_message(ada, unread, NOW).await.expect("stored");
        insert(store, ada, "alone", &[UNREAD]).await;
        let inbox = LabelCounts { messages: 2, messages_unread: 1, threads: 1, threads_unread: 1 };
        assert_eq!(store.label_counts(ada, INBOX).await.expect("counts"), inbox);
        let unread = LabelCounts { messages: 2, messages_unread: 2, threads: 2, threads_unread: 2 };
        assert_eq!(store.label_counts(ada, UNREAD).await.expect("counts"), unread);
        store.edit_message(ada, first.id, wireform_store::Edit::Delete, NOW).await.expect("deleted");
        let inbox = LabelCounts { messages: 1, messages_unread: 1, threads: 1, threads_unread: 1 };
        assert_eq!(store.label_counts(ada, INBOX).await.expect("counts"), inbox);
    }

    async fn an_empty_batch_is_nothing(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let before = current(store, ada).await;
        assert!(store.insert_messages(ada, Vec::new(), NOW).await.expect("nothing is stored").is_empty());
        assert_eq!(current(store, ada).await, before);
    }
}
