//! Tests of snapshots and their restoration.

use std::sync::Arc;

use wireform_store::{
    Accounts as _, AnyStore, Calendars as _, Channels as _, Error, ExecutionState, Mailboxes as _, Maintenance as _,
    NewToken, Scripts as _, Secret, TokenKind,
};

use crate::channels::{calendar, lease, open};
use crate::epochs::{Held, epoch};
use crate::executions::start;
use crate::place::on_each_database;
use crate::scripts::project;
use crate::support::{INBOX, NOW, insert, mailbox, minute};

/// Memory that no snapshot here takes.
const MAX_BYTES: usize = 16 << 20;

fn token(user: wireform_store::Mailbox, secret: &Secret) -> NewToken {
    let (hash, kind, scopes) = (secret.hash(), TokenKind::User, vec!["mail".to_owned()]);
    NewToken { user, hash, kind, scopes, expires: None, note: String::new(), now: NOW }
}

/// Returns the contents that the tests compare, as text.
async fn contents(store: &AnyStore) -> String {
    let users = store.users().await.expect("users are listed");
    let mut text = format!("{users:?}");
    for user in &users {
        let page = store.messages(user.mailbox, wireform_store::ListQuery { limit: 50, ..Default::default() }).await;
        text.push_str(&format!("{:?}", page.expect("messages are listed").messages));
    }
    let calendars = store.calendars(None).await.expect("calendars are listed");
    for one in calendars {
        text.push_str(&format!("{} {} {:?}", one.number.0, one.id, one.settings));
    }
    let channels = store.channels(None).await.expect("channels are listed");
    text.push_str(&format!("{:?}", channels.iter().map(|one| one.settings.id.clone()).collect::<Vec<_>>()));
    text
}

on_each_database! {
    async fn a_snapshot_restores_what_was_there(store, place) {
        let work = calendar(store, "ada@example.org").await;
        let ada = work.owner;
        let mut held = Held::default();
        held.live(store, ada, 3).await;
        insert(store, ada, &"large ".repeat(60_000), &[INBOX]).await;
        open(store, &work, "before").await;
        let sums = project(store, ada).await;
        let running = start(store, &sums, ada, "add", NOW).await;
        let secret = Secret::random();
        store.add_token(token(ada, &secret)).await.expect("the token is stored");
        let before = contents(store).await;
        let snapshot = Arc::new(store.take_snapshot(MAX_BYTES).await.expect("a snapshot"));
        assert!((360_000..MAX_BYTES).contains(&snapshot.bytes()), "{}", snapshot.bytes());

        let other = place.store().await;
        let begun = epoch(store).await;
        held.live(store, ada, 2).await;
        store.remove_user(ada).await.expect("she goes");
        let eve = mailbox(&other, "eve@example.org").await;
        insert(&other, eve, "later", &[INBOX]).await;
        let late = Secret::random();
        store.add_token(token(eve, &late)).await.expect("the token is stored");

        let restored = store.restore_snapshot(snapshot.clone(), Some(token(ada, &secret))).await.expect("it is restored");
        assert!(restored.is_some_and(|token| token.user == ada), "the token of the snapshot is replaced");
        for store in [store, &other] {
            assert_eq!(contents(store).await, before);
            assert!(epoch(store).await != begun, "a new epoch begins");
            assert!(store.find_grant(secret.hash(), NOW).await.expect("tokens are read").is_some());
            assert!(store.find_grant(late.hash(), NOW).await.expect("tokens are read").is_none());
            held.is_refused(store, ada).await;
        }
        let ended = store.end_orphaned_executions(NOW, minute(1), ExecutionState { status: 3, is_final: true }).await;
        assert_eq!(ended.expect("executions are read"), 1, "nobody runs it any more");
        assert!(store.execution(running).await.expect("it is read").is_some_and(|one| one.ended.is_some()));
        let messages = lease(store, minute(2)).await;
        assert_eq!(messages.len(), 1, "the watcher of the snapshot is notified");

        // New rows get numbers of their own, and the snapshot can be restored again.
        let grace = mailbox(store, "grace@example.org").await;
        assert!(grace.0 > eve.0, "numbers of removed users are not used again");
        held.live(store, grace, 2).await;
        store.restore_snapshot(snapshot, None).await.expect("it is restored again");
        assert!(store.find_grant(secret.hash(), NOW).await.expect("tokens are read").is_some());
        let begun = epoch(store).await;
        let again = place.store().await;
        assert_eq!(contents(&again).await, before);
        assert_eq!(epoch(&again).await, begun, "a process that opens the store begins no other epoch");
        again.close().await;
        other.close().await;
    }

    async fn a_snapshot_has_a_limit(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        store.take_snapshot(64 << 10).await.expect("a snapshot");
        for _ in 0..20 {
            insert(store, ada, &"text ".repeat(1_000), &[INBOX]).await;
        }
        let refused = store.take_snapshot(64 << 10).await;
        assert!(matches!(&refused, Err(Error::Refused(why)) if why.contains("too large")), "{refused:?}");
        store.take_snapshot(MAX_BYTES).await.expect("a snapshot");
    }
}
