//! Tests of epochs, and of client state from an epoch that has ended.

use wireform_store::{
    Accounts as _, AnyStore, Epoch, Error, HistoryCursor, HistoryId, HistoryQuery, HistoryStart, ListCursor, ListQuery,
    Mailbox, Mailboxes as _, Maintenance as _,
};

use crate::place::on_each_database;
use crate::support::{INBOX, NOW, after, current, insert, mailbox, query, since};

/// Client state: history numbers and positions in lists.
#[derive(Debug, Default, Clone)]
pub(crate) struct Held {
    pub(crate) starts: Vec<HistoryId>,
    pub(crate) pages: Vec<HistoryCursor>,
    pub(crate) lists: Vec<ListCursor>,
}

impl Held {
    /// Stores some mails, and keeps all client state from the responses.
    pub(crate) async fn live(&mut self, store: &AnyStore, of: Mailbox, mails: usize) {
        let begun = current(store, of).await;
        self.starts.push(begun);
        for _ in 0..mails {
            self.starts.push(insert(store, of, "mail", &[INBOX]).await.history);
        }
        let page = store.history(of, HistoryQuery { limit: 1, ..query(begun) }).await.expect("a page");
        self.pages.extend(page.next);
        let list = ListQuery { limit: 1, ..ListQuery::default() };
        self.lists.extend(store.messages(of, list).await.expect("a page").next);
    }

    /// Asserts that all of the state is refused.
    pub(crate) async fn is_refused(&self, store: &AnyStore, of: Mailbox) {
        for start in &self.starts {
            let page = store.history(of, query(*start)).await;
            assert!(matches!(page, Err(Error::Expired(_))), "{start}: {page:?}");
        }
        for cursor in &self.pages {
            let page =
                store.history(of, HistoryQuery { start: HistoryStart::Cursor(*cursor), ..query(HistoryId(0)) }).await;
            assert!(matches!(page, Err(Error::EpochEnded)), "{cursor:?}: {page:?}");
        }
        for cursor in &self.lists {
            let page = store.messages(of, ListQuery { from: Some(*cursor), limit: 5, ..ListQuery::default() }).await;
            assert!(matches!(page, Err(Error::EpochEnded)), "{cursor:?}: {page:?}");
        }
    }

    /// Asserts that all of the state is accepted.
    pub(crate) async fn is_accepted(&self, store: &AnyStore, of: Mailbox) {
        for start in &self.starts {
            since(store, of, *start).await;
        }
        for cursor in &self.pages {
            let query = HistoryQuery { start: HistoryStart::Cursor(*cursor), ..query(HistoryId(0)) };
            store.history(of, query).await.expect("it continues");
        }
        for cursor in &self.lists {
            let query = ListQuery { from: Some(*cursor), limit: 5, ..ListQuery::default() };
            store.messages(of, query).await.expect("it continues");
        }
    }
}

pub(crate) async fn epoch(store: &AnyStore) -> Epoch {
    store.epoch().await.expect("an epoch")
}

on_each_database! {
    async fn a_store_that_is_opened_again_goes_on(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let mut held = Held::default();
        held.live(store, ada, 5).await;
        for _ in 0..2 {
            let again = place.store().await;
            held.is_accepted(&again, ada).await;
            held.live(&again, ada, 2).await;
            assert_eq!(epoch(&again).await, epoch(store).await);
            again.close().await;
        }
        held.is_accepted(store, ada).await;
    }

    async fn a_new_epoch_ends_all_issued_numbers(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let mut held = Held::default();
        held.live(store, ada, 5).await;
        let other = place.store().await;
        let begun = other.begin_epoch().await.expect("an epoch begins");
        assert_eq!(epoch(store).await, begun, "open stores see the new epoch");
        held.is_refused(store, ada).await;
        let mut second = Held::default();
        second.live(store, ada, 5).await;
        second.is_accepted(&other, ada).await;
        held.is_refused(store, ada).await;
        other.close().await;
        let again = place.store().await;
        assert_eq!(epoch(&again).await, begun);
        again.close().await;
    }

    async fn histories_go_on_from_where_an_epoch_begins(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let grace = mailbox(store, "grace@example.org").await;
        insert(store, ada, "before", &[INBOX]).await;
        let before = [current(store, ada).await, current(store, grace).await];
        store.begin_epoch().await.expect("an epoch begins");
        for (of, before) in [ada, grace].into_iter().zip(before) {
            let now = current(store, of).await;
            assert!(now > before, "{now} after {before}");
            assert!(since(store, of, now).await.records.is_empty());
            let message = insert(store, of, "after", &[INBOX]).await;
            assert_eq!(since(store, of, now).await.records.len(), 1);
            assert!(matches!(
                store.history(of, HistoryQuery { start: after(store, before).await, ..query(now) }).await,
                Err(Error::Expired(_))
            ), "a number of before does not come back with a cursor of now");
            assert!(message.history > now);
        }
    }

    async fn a_mailbox_that_is_made_again_has_other_numbers(store, place) {
        let mut held = Held::default();
        for _ in 0..20 {
            let ada = store.add_user("ada@example.org", "", NOW).await.expect("she is new").mailbox;
            for start in &held.starts {
                let page = store.history(ada, query(*start)).await;
                assert!(matches!(page, Err(Error::Expired(_))), "{page:?}");
            }
            held.live(store, ada, 3).await;
            store.remove_user(ada).await.expect("she goes");
        }
    }
}
