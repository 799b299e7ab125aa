//! Tests of the cleanup of old data.

use std::time::Duration;

use wireform_store::session::Session;
use wireform_store::{
    Access, Accounts as _, AnyStore, Backend as _, Calendars as _, ChangeKind, Error, HistoryQuery, HistoryStart,
    Mailbox, Mailboxes as _, Maintenance, NewMessage, NewToken, Operation, Retention, Secret, TokenKind,
};

use crate::place::on_each_database;
use crate::support::{INBOX, NOW, after, current, insert, mail, mailbox, minute, named, query, since};

async fn expired(store: &AnyStore, of: Mailbox, start: HistoryStart) -> bool {
    let page = store.history(of, HistoryQuery { start, ..query(wireform_store::HistoryId(0)) }).await;
    matches!(page, Err(Error::Expired(_)))
}

/// First step of a user's removal, except for data that is created for the user concurrently.
struct Disappear;

impl Operation for Disappear {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> wireform_store::Result<()> {
        session.run("DELETE FROM mailboxes", &[]).await?;
        session.run("UPDATE users SET address_key = NULL", &[]).await?;
        Ok(())
    }
}

on_each_database! {
    async fn what_is_older_than_the_retention_is_forgotten(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let first = current(store, ada).await;
        let mut messages = Vec::new();
        for number in 0..6 {
            messages.push(store.insert_message(ada, mail("", &[INBOX], NOW), minute(number)).await.expect("stored"));
        }
        store.set_retention(Retention::For(Duration::from_secs(120))).await.expect("it is set");
        let forgotten = store.clean_up(minute(5)).await.expect("the cleanup succeeds");
        assert_eq!((forgotten.records, forgotten.has_more), (3, false), "of the minutes 0, 1 and 2");

        assert!(expired(store, ada, HistoryStart::After(first)).await);
        assert!(expired(store, ada, HistoryStart::After(messages[1].history)).await);
        assert!(expired(store, ada, after(store, messages[1].history).await).await);
        for start in [HistoryStart::After(messages[2].history), after(store, messages[2].history).await] {
            assert!(!expired(store, ada, start).await, "later records stay");
        }
        let page = since(store, ada, messages[2].history).await;
        assert_eq!(page.records.len(), 3);
        let added = HistoryQuery { label: Some(INBOX), kinds: vec![ChangeKind::Added], ..query(messages[2].history) };
        assert_eq!(store.history(ada, added).await.expect("a page").records, page.records);
        assert_eq!(store.message(ada, messages[0].id).await.expect("messages stay"), messages[0]);
        assert_eq!(store.clean_up(minute(5)).await.expect("the cleanup succeeds").records, 0);
    }

    async fn the_last_record_may_go_as_well(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        insert(store, ada, "hello", &[INBOX]).await;
        let last = current(store, ada).await;
        store.clean_up(NOW.saturating_add(Duration::from_secs(9 * 24 * 60 * 60))).await.expect("the cleanup succeeds");
        assert_eq!(current(store, ada).await, last);
        assert!(since(store, ada, last).await.records.is_empty());
        let next = insert(store, ada, "again", &[INBOX]).await;
        assert_eq!(since(store, ada, last).await.records[0].id, next.history);
        assert_eq!(store.overview().await.expect("an overview").mailboxes[0].oldest_start, last);
    }

    async fn the_clock_may_go_back(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let late = store.insert_message(ada, mail("late", &[], NOW), minute(10)).await.expect("stored");
        let early = store.insert_message(ada, mail("early", &[], NOW), minute(1)).await.expect("stored");
        store.set_retention(Retention::For(Duration::ZERO)).await.expect("it is set");
        assert_eq!(store.clean_up(minute(9)).await.expect("a round").records, 0, "both are of the tenth minute");
        assert_eq!(since(store, ada, late.history).await.records[0].id, early.history);
        assert_eq!(store.clean_up(minute(11)).await.expect("a round").records, 2);
    }

    async fn nothing_is_forgotten_where_history_is_kept_for_ever(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let start = current(store, ada).await;
        insert(store, ada, "hello", &[INBOX]).await;
        store.set_retention(Retention::Forever).await.expect("it is set");
        assert_eq!(store.clean_up(minute(1 << 40)).await.expect("a round").records, 0);
        assert_eq!(since(store, ada, start).await.records.len(), 1);
    }

    async fn a_round_is_bounded_and_the_next_goes_on(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let other = mailbox(store, "other@example.org").await;
        for of in [ada, other] {
            for _ in 0..3 {
                let batch: Vec<NewMessage> = (0..1_000).map(|_| mail("", &[], NOW)).collect();
                store.insert_messages(of, batch, NOW).await.expect("stored");
            }
        }
        let late = NOW.saturating_add(Duration::from_secs(30 * 24 * 60 * 60));
        let first = store.clean_up(late).await.expect("a round");
        assert!(first.has_more && first.records < 6_000, "{first:?}");
        let second = store.clean_up(late).await.expect("a round");
        assert!(!second.has_more, "{second:?}");
        assert_eq!(first.records + second.records, 6_000);
        for of in [ada, other] {
            assert!(!expired(store, of, HistoryStart::After(current(store, of).await)).await);
        }
    }

    async fn removals_that_were_interrupted_are_finished(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let work = store.add_label(ada, named("Work")).await.expect("the label is new").label;
        let batch: Vec<NewMessage> = (0..1_200).map(|_| mail("", &[work], NOW)).collect();
        let messages = store.insert_messages(ada, batch, NOW).await.expect("stored");
        // The first step runs, and then the request is cancelled.
        {
            let mut removal = std::pin::pin!(store.remove_label(ada, work, minute(1)));
            loop {
                let step = tokio::time::timeout(Duration::from_millis(1), removal.as_mut()).await;
                let hidden = store.label(ada, work).await.is_err();
                if step.is_ok() || hidden {
                    break;
                }
            }
        }
        let forgotten = store.clean_up(minute(2)).await.expect("a round");
        assert!(!forgotten.has_more);
        for message in [&messages[0], &messages[1_199]] {
            assert!(store.message(ada, message.id).await.expect("it is there").labels.is_empty());
        }
    }

    async fn a_user_whose_removal_was_interrupted_is_removed(store, place) {
        let ada = store.add_user("ada@example.org", "Ada", NOW).await.expect("the user is new");
        let secret = Secret::random();
        let token = NewToken {
            user: ada.mailbox,
            hash: secret.hash(),
            kind: TokenKind::User,
            scopes: Vec::new(),
            expires: None,
            note: String::new(),
            now: NOW,
        };
        store.add_token(token).await.expect("the token is new");
        insert(store, ada.mailbox, "hello", &[INBOX]).await;
        store.perform(Disappear).await.expect("the first step runs");
        assert!(matches!(store.user("ada@example.org").await, Err(Error::NotFound { .. })));
        assert_eq!(store.find_grant(secret.hash(), NOW).await.expect("a response"), None, "the token is no longer valid");
        while store.clean_up(NOW).await.expect("a round").has_more {}
        assert!(store.tokens(None).await.expect("tokens are listed").is_empty());
        assert!(store.calendars(None).await.expect("calendars are listed").is_empty());
        assert!(matches!(store.profile(ada.mailbox).await, Err(Error::NotFound { .. })));
    }
}
