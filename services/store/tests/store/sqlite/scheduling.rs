//! Tests of scheduling: scans, short reads and writes.

use std::future::Future;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll, Waker};

use wireform_store::session::Session;
use wireform_store::{
    Access, AnyStore, Backend as _, Error, Label, ListQuery, Mailboxes as _, Operation, Result, TextFilter, Unavailable,
};

use super::open;
use crate::support::{INBOX, NOW, insert, mail, mailbox};

/// Defines an operation that blocks until the test releases it, or drops its end of the channel.
macro_rules! held {
    ($name:ident, $access:ident) => {
        struct $name {
            begun: Sender<()>,
            until: Receiver<()>,
        }

        impl Operation for $name {
            type Output = ();
            const ACCESS: Access = Access::$access;

            async fn run<S: Session>(self, _session: &mut S) -> Result<()> {
                let _ = self.begun.send(());
                let _ = self.until.recv();
                Ok(())
            }
        }
    };
}

held!(HeldScan, Scan);
held!(HeldWrite, Write);

struct Panics;

impl Operation for Panics {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        session.run("INSERT INTO settings (name, value) VALUES ('left', 'behind')", &[]).await?;
        panic!("as the test wants it");
    }
}

/// Polls a future once without waiting for its end.
fn begin<F: Future>(future: F) -> std::pin::Pin<Box<F>> {
    let mut future = Box::pin(future);
    assert!(matches!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending));
    future
}

/// Blocks the writer until the returned value is dropped.
fn hold(store: &AnyStore) -> (Sender<()>, impl Future<Output = Result<()>> + use<>) {
    let (begun, has_begun) = channel();
    let (go, until) = channel();
    let store = store.clone();
    let held = begin(async move { store.perform(HeldWrite { begun, until }).await });
    has_begun.recv().expect("it begins");
    (go, held)
}

#[tokio::test]
async fn long_reads_do_not_block_short_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let (begun, has_begun) = channel();
    let (mut go, mut held) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        let (let_go, until) = channel();
        go.push(let_go);
        held.push(begin(store.perform(HeldScan { begun: begun.clone(), until })));
    }
    has_begun.recv().expect("one begins");
    for _ in 0..50 {
        store.profile(ada).await.expect("a few rows are read");
        insert(&store, ada, "and written", &[INBOX]).await;
    }
    drop(go);
    for held in held {
        held.await.expect("it ends");
    }
}

#[tokio::test]
async fn one_mailbox_has_some_searches_at_a_time_and_others_have_theirs() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let (ada, bob) = (mailbox(&store, "ada@example.org").await, mailbox(&store, "bob@example.org").await);
    for of in [ada, bob] {
        let some: Vec<_> = (0..60).map(|number| mail(&format!("owl {number}"), &[INBOX], NOW)).collect();
        store.insert_messages(of, some, NOW).await.expect("stored");
    }
    let owl =
        || ListQuery { limit: 100, filters: vec![TextFilter::Anywhere("owl".to_owned())], ..ListQuery::default() };
    // Nothing runs on this thread before the test waits.
    let begun: Vec<_> = (0..16).map(|_| begin(store.messages(ada, owl()))).collect();
    let refused = store.messages(ada, owl()).await;
    assert!(matches!(refused, Err(Error::Unavailable(Unavailable::TooManySearches))), "{refused:?}");
    // The searches of Ada are not polled, and do not delay others.
    assert_eq!(store.messages(bob, owl()).await.expect("bob's search").messages.len(), 60);
    store
        .messages(ada, ListQuery { limit: 5, ..ListQuery::default() })
        .await
        .expect("a list does not count as a search");
    for search in begun {
        assert_eq!(search.await.expect("a started search finishes").messages.len(), 60);
    }
    assert_eq!(store.messages(ada, owl()).await.expect("there is room").messages.len(), 60);
}

#[tokio::test]
async fn operations_of_one_commit_fail_separately() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let (go, held) = hold(&store);
    let mut good = Vec::new();
    for number in 0..30 {
        good.push(begin(store.insert_message(ada, mail(&number.to_string(), &[INBOX], NOW), NOW)));
        if number == 10 {
            good.push(begin(store.insert_message(ada, mail("last good", &[], NOW), NOW)));
        }
    }
    let bad = begin(store.insert_message(ada, mail("bad", &[Label::User(5)], NOW), NOW));
    let panics = begin(store.perform(Panics));
    let after = begin(store.insert_message(ada, mail("after", &[INBOX], NOW), NOW));
    drop(go);
    held.await.expect("it ends");
    assert!(matches!(bad.await, Err(Error::NotFound { what: "label", .. })));
    let fault = panics.await;
    assert!(matches!(&fault, Err(Error::Internal(why)) if why.contains("panicked")), "{fault:?}");
    after.await.expect("stored");
    for good in good {
        let message = good.await.expect("stored");
        assert_eq!(store.message(ada, message.id).await.expect("it is there"), message);
    }
    assert_eq!(store.profile(ada).await.expect("a profile").messages, 32);
    let left = rusqlite::Connection::open(folder.path().join("store.sqlite3"))
        .and_then(|file| file.query_row("SELECT count(*) FROM settings", [], |row| row.get::<_, i64>(0)));
    assert_eq!(left.expect("a count"), 0, "its changes before the panic are rolled back");
}

#[tokio::test]
async fn too_many_operations_fail_as_busy() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let (go, held) = hold(&store);
    let mut waiting = Vec::new();
    let busy = loop {
        let mut insert = Box::pin(store.insert_message(ada, mail("", &[], NOW), NOW));
        match insert.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => waiting.push(insert),
            Poll::Ready(refused) => break refused,
        }
        assert!(waiting.len() < 10_000, "a queue is limited");
    };
    assert!(matches!(busy, Err(Error::Unavailable(Unavailable::Busy))), "{busy:?}");
    let accepted = waiting.len();
    drop(go);
    held.await.expect("it ends");
    for waiting in waiting {
        waiting.await.expect("accepted operations finish");
    }
    assert_eq!(store.profile(ada).await.expect("a profile").messages, accepted as u64);
}

#[tokio::test]
async fn abandoned_operations_are_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let (go, held) = hold(&store);
    drop(begin(store.insert_message(ada, mail("given up", &[], NOW), NOW)));
    drop(go);
    held.await.expect("it ends");
    insert(&store, ada, "wanted", &[]).await;
    assert_eq!(store.profile(ada).await.expect("a profile").messages, 1);
}

#[tokio::test]
async fn closing_finishes_what_was_accepted() {
    use wireform_store::Maintenance;
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let (go, held) = hold(&store);
    let accepted = begin(store.insert_message(ada, mail("accepted", &[], NOW), NOW));
    let closing = begin(Maintenance::close(&store));
    let late = store.insert_message(ada, mail("late", &[], NOW), NOW).await;
    assert!(matches!(late, Err(Error::Unavailable(Unavailable::Closed))), "{late:?}");
    drop(go);
    closing.await;
    held.await.expect("it ends");
    let message = accepted.await.expect("it is stored");
    open(folder.path()).message(ada, message.id).await.expect("it is there");
}
