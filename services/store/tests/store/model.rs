//! Model test with concurrent writers and readers: no reader misses a change or sees one twice, and the counts of
//! labels equal those of the messages.

mod follower;
mod writer;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proptest::collection::vec;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, TestRunner};
use wireform_store::{
    AnyStore, Label, LabelCounts, ListQuery, Mailbox, Mailboxes as _, Maintenance as _, MessageId, Retention, ThreadId,
};

use self::follower::Follower;
use self::writer::{Act, Shared, act};
use crate::place::on_each_database;
use crate::support::{UNREAD, current, mailbox};

/// Messages of a mailbox with their conversations and labels.
type Contents = BTreeMap<MessageId, (ThreadId, BTreeSet<Label>)>;

/// Returns the contents of a mailbox by listing it.
async fn listed(store: &AnyStore, of: Mailbox) -> Contents {
    let mut query = ListQuery { limit: 7, ..ListQuery::default() };
    let mut contents = Contents::new();
    loop {
        let page = store.messages(of, query.clone()).await.expect("a page");
        for (id, thread) in page.messages {
            // A listed message may be deleted by a concurrent write.
            let Ok(message) = store.message(of, id).await else { continue };
            assert!(contents.insert(id, (thread, message.labels.into_iter().collect())).is_none(), "listed twice");
        }
        match page.next {
            Some(next) => query.from = Some(next),
            None => return contents,
        }
    }
}

/// Returns the number of messages with a label.
fn counted(contents: &Contents, label: Option<Label>) -> LabelCounts {
    let has = |labels: &BTreeSet<Label>| label.is_none_or(|label| labels.contains(&label));
    let found: Vec<_> = contents.values().filter(|(_, labels)| has(labels)).collect();
    let unread: Vec<_> = found.iter().filter(|(_, labels)| labels.contains(&UNREAD)).collect();
    let threads = |of: BTreeSet<ThreadId>| of.len() as u64;
    LabelCounts {
        messages: found.len() as u64,
        messages_unread: unread.len() as u64,
        threads: threads(found.iter().map(|(thread, _)| *thread).collect()),
        threads_unread: threads(unread.iter().map(|(thread, _)| *thread).collect()),
    }
}

async fn follow(mut follower: Follower, done: Arc<AtomicBool>) -> Follower {
    loop {
        // Checked before reading: records written before the end are read once more after it.
        let last = done.load(Ordering::SeqCst);
        follower.catch_up().await;
        if last {
            return follower;
        }
        tokio::task::yield_now().await;
    }
}

/// Runs writers with the given actions next to readers, then compares.
async fn story(store: &AnyStore, address: &str, acts: Vec<Vec<Act>>) {
    let of = mailbox(store, address).await;
    let start = current(store, of).await;
    let shared = Arc::new(Shared::default());
    let done = Arc::new(AtomicBool::new(false));
    let followers: Vec<_> =
        (0..3).map(|_| tokio::spawn(follow(Follower::new(store, of, start), Arc::clone(&done)))).collect();
    let writers: Vec<_> = acts
        .into_iter()
        .map(|acts| {
            let (store, shared) = (store.clone(), Arc::clone(&shared));
            tokio::spawn(async move {
                for one in acts {
                    act(&store, of, &shared, one).await;
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.expect("a writer does not fail");
    }
    done.store(true, Ordering::SeqCst);

    let contents = listed(store, of).await;
    for follower in followers {
        follower.await.expect("a follower does not fail").agrees_with(&contents);
    }
    let profile = store.profile(of).await.expect("a profile");
    let all = counted(&contents, None);
    assert_eq!((profile.messages, profile.threads), (all.messages, all.threads));
    for label in store.labels(of).await.expect("labels are listed") {
        let counts = store.label_counts(of, label.label).await.expect("counts");
        assert_eq!(counts, counted(&contents, Some(label.label)), "{}", label.label);
    }
}

/// Runs random sequences of actions, each in a separate mailbox.
async fn stories(store: &AnyStore, forgets: bool) {
    let mut runner = TestRunner::new(Config::default());
    let acts = vec(vec(writer::acts(forgets), 0..30), 1..4);
    for number in 0..4 {
        let acts = acts.new_tree(&mut runner).expect("a story").current();
        let description = format!("{acts:?}");
        let address = format!("{number}@example.org");
        let store = store.clone();
        let ended = tokio::spawn(async move { story(&store, &address, acts).await }).await;
        assert!(ended.is_ok(), "{description}");
    }
}

on_each_database! {
    async fn readers_miss_nothing(store, place) {
        stories(store, false).await;
    }

    async fn readers_of_an_expired_number_sync_fully(store, place) {
        store.set_retention(Retention::For(Duration::from_secs(300))).await.expect("it is set");
        stories(store, true).await;
    }
}
